// Multipart bodies in the provider's form: each part has a `Content-ID` header of its own (provider.md#create-an-address),
// which neither FormData nor n8n's multipart support can write. The body is streamed: its files
// are read while they are sent, and never held in memory as a whole.

import { randomUUID } from 'crypto';
import { InputError } from '../../shared/errors';
import { networkCodes } from '../../shared/networkErrors';
import { oneLine } from '../../shared/oneLine';

/** A file to upload. */
export interface UploadFile {
	fileName: string;
	mimeType: string;
	/** Bytes. */
	size: number;
	/** Opens the content; called once, when the part is reached. */
	open(): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>>;
	/** Closes what open() opened; harmless if it was never called. */
	close(): void;
}

/** One part; its name is also its `Content-ID`. */
export type Part = { name: string; json: string } | { name: string; file: UploadFile };

/**
 * A multipart/form-data body.
 *
 * It is a Blob because n8n's HTTP client (axios) accepts no other body of known size and streamed content without
 * Node's stream module, which verified nodes must not import: axios only reads `type`, `size` and `stream()` of a
 * Blob.
 */
export class MultipartBody extends Blob {
	/** Why the content could not be sent. */
	problem?: InputError;

	private readonly boundary: string;

	private readonly pieces: ReadonlyArray<{ head: Buffer; part: Part }>;

	private readonly tail: Buffer;

	constructor(parts: readonly Part[]) {
		super();
		// In lower case, because a Blob converts its type to lower case.
		this.boundary = `voice-management-${randomUUID()}`;
		this.pieces = parts.map((part, index) => ({
			head: Buffer.from(
				`${index === 0 ? '' : '\r\n'}--${this.boundary}\r\n${partHead(part)}`,
				'utf8',
			),
			part,
		}));
		this.tail = Buffer.from(`\r\n--${this.boundary}--\r\n`, 'utf8');
	}

	override get type(): string {
		return `multipart/form-data; boundary=${this.boundary}`;
	}

	override get size(): number {
		const sizes = this.pieces.map(
			({ head, part }) =>
				head.length + ('file' in part ? part.file.size : Buffer.byteLength(part.json)),
		);
		return sizes.reduce((sum, size) => sum + size, this.tail.length);
	}

	override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
		const chunks = this.chunks();
		return new ReadableStream({
			async pull(controller) {
				const { done, value } = await chunks.next();
				if (done) controller.close();
				else controller.enqueue(value as Uint8Array<ArrayBuffer>);
			},
			async cancel() {
				await chunks.return(undefined);
			},
		});
	}

	/** Closes the files; to be called after the request, however it ended. */
	release(): void {
		for (const { part } of this.pieces) if ('file' in part) part.file.close();
	}

	private async *chunks(): AsyncGenerator<Uint8Array, void> {
		for (const { head, part } of this.pieces) {
			yield head;
			if ('file' in part) yield* this.contentOf(part.file);
			else yield Buffer.from(part.json, 'utf8');
		}
		yield this.tail;
	}

	/** The length has been sent already: more would be read as the next request, and with less the provider would wait. */
	private async *contentOf(file: UploadFile): AsyncGenerator<Uint8Array, void> {
		let sent = 0;
		try {
			for await (const chunk of await file.open()) {
				sent += chunk.length;
				if (sent > file.size) break;
				yield chunk;
			}
		} catch (error) {
			throw (this.problem = unreadableFile(file.fileName, error));
		}
		if (sent === file.size) return;
		const differs = `has ${sent < file.size ? 'fewer' : 'more'} bytes than n8n's metadata says (${file.size})`;
		throw (this.problem = fileError(file.fileName, differs));
	}
}

/** A file that n8n's store does not give. Its error may name a place on the server. */
export const unreadableFile = (name: string, error: unknown) =>
	fileError(name, `can't be read: ${networkCodes(error)[0] ?? oneLine(String(error))}`);

const fileError = (name: string, problem: string) =>
	new InputError(
		`The file "${name}" ${problem}`,
		'Nothing was uploaded. Read or download the file again.',
		'the-file',
	);

function partHead(part: Part): string {
	const lines = [
		`Content-Disposition: form-data; name="${part.name}"${'file' in part ? `; filename="${quotedParameter(part.file.fileName)}"` : ''}`,
		`Content-ID: ${part.name}`,
		`Content-Type: ${'file' in part ? contentType(part.file.mimeType) : 'application/json'}`,
	];
	return `${lines.join('\r\n')}\r\n\r\n`;
}

/** A quoted parameter as browsers write it: UTF-8 as it is, but quotes and line ends are escaped. */
function quotedParameter(text: string): string {
	return text.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
}

/** A MIME type comes from the workflow's data, so anything that could start another header, or fill it, is removed. */
function contentType(mimeType: string): string {
	return mimeType.length <= 255 &&
		/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *; *[\w-]+=("[ !#-~]*"|[\w.+-]+))*$/.test(mimeType)
		? mimeType
		: 'application/octet-stream';
}
