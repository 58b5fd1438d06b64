// Reads files from n8n's binary store, for uploads.

import type { IExecuteFunctions } from 'n8n-workflow';
import { InputError } from '../../shared/errors';
import { oneLine } from '../../shared/oneLine';
import { unreadableFile, type UploadFile } from './multipart';

/** Bytes read from the store at a time. */
const CHUNK = 64 * 1024;

/**
 * A binary field of an item, ready to be sent. If n8n's store can stream, the content is not read yet.
 * @param property name of the field
 * @param label the label of the parameter with this name, for the errors
 * @throws InputError if there is no such field, more than one is named, or the file is empty
 */
export async function readBinary(
	context: IExecuteFunctions,
	itemIndex: number,
	property: string,
	label: string,
): Promise<UploadFile> {
	const fields = context.getInputData()[itemIndex]?.binary ?? {};
	const name = property.trim();
	const data = Object.hasOwn(fields, name) ? fields[name] : undefined;
	if (!data) throw missing(name, label, Object.keys(fields));
	const { id } = data;
	if (id) {
		const stored = context.helpers.getBinaryMetadata(id);
		const { fileSize, fileName, mimeType } = await stored.catch((error: unknown) => {
			throw unreadableFile(data.fileName || name, error);
		});
		let stream: Awaited<ReturnType<typeof context.helpers.getBinaryStream>> | undefined;
		return described(data, { fileName, mimeType }, name, fileSize, {
			open: async () => (stream = await context.helpers.getBinaryStream(id, CHUNK)),
			close: () => void stream?.destroy(),
		});
	}
	const buffer = await context.helpers.getBinaryDataBuffer(itemIndex, name);
	return described(data, {}, name, buffer.length, {
		open: () => Promise.resolve(slices(buffer)),
		close: () => undefined,
	});
}

function described(
	data: { fileName?: string; mimeType?: string },
	stored: { fileName?: string; mimeType?: string },
	field: string,
	size: number,
	access: Pick<UploadFile, 'open' | 'close'>,
): UploadFile {
	if (size === 0) {
		throw new InputError(
			`The file in the binary field "${field}" is empty`,
			'Check the node that reads or downloads the file.',
			'the-file',
		);
	}
	return {
		fileName: cleanName(data.fileName || stored.fileName || '') || cleanName(field) || 'file',
		mimeType: data.mimeType || stored.mimeType || 'application/octet-stream',
		size,
		...access,
	};
}

/** The longest file name that file systems take. */
const LONGEST_FILE_NAME = 255;

/** A file name without control characters and those that reverse the direction of text; its end is its type. */
function cleanName(name: string): string {
	const visible = `${name.slice(0, 1_000)}${name.slice(1_000).slice(-1_000)}`.replace(
		/[\p{Cc}\p{Cf}\p{Cs}]/gu,
		'',
	);
	if (visible.length <= LONGEST_FILE_NAME) return visible;
	const type = /\.\w{1,10}$/.exec(visible)?.[0] ?? '';
	return visible.slice(0, LONGEST_FILE_NAME - type.length) + type;
}

function missing(name: string, label: string, present: string[]): InputError {
	if (name === '')
		return new InputError(
			`"${label}" is empty`,
			'Enter the name of the binary field with the file.',
			'the-file',
		);
	if (name.includes(',')) {
		return new InputError(
			`"${label}" names more than one field: ${name}`,
			'The provider accepts one file at a time. Merge the pages into one document, or upload in several runs.',
			'the-file',
		);
	}
	return new InputError(
		`The item has no binary field "${name}" (parameter "${label}")`,
		present.length > 0
			? `It has: ${present.map((field) => `"${oneLine(field)}"`).join(', ')}.`
			: 'The item has no files: add a node in front that reads or downloads one.',
		'the-file',
	);
}

function* slices(buffer: Buffer): Generator<Uint8Array> {
	for (let start = 0; start < buffer.length; start += CHUNK) {
		yield buffer.subarray(start, start + CHUNK);
	}
}
