/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Uploads: streamed from n8n's store with constant memory, and what is rejected before anything is sent.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { ReadStream } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { INodeExecutionData } from 'n8n-workflow';
import { startProvider, type Provider } from '../../../simulator';
import { companyForm, itemWithFile } from './forms';
import { credentialsFor, runNode, type RunOptions } from './harness';
import { nth } from '../../support/present';

let provider: Provider;
let folder: string;
let addressId: unknown;

const run = async (options: Partial<RunOptions>, binaryPropertyName = 'data') =>
	await runNode({
		credentials: credentialsFor(provider),
		parameters: {
			resource: 'address',
			operation: 'uploadProof',
			addressId: addressId as string,
			binaryPropertyName,
		},
		...options,
	});

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'upload-'));
	provider = await startProvider();
	const { items } = await run({ parameters: companyForm });
	({ addressId } = nth(items, 0).json);
});

afterAll(async () => {
	await provider.close();
	await rm(folder, { recursive: true });
});

beforeEach(() => provider.control.clearRequests());

/** A sparse file of any size that begins like a PDF. */
async function fileOf(name: string, megabytes: number) {
	const path = join(folder, name);
	const file = await open(path, 'w');
	await file.write('%PDF-1.7\n');
	await file.truncate(megabytes * 1024 * 1024);
	await file.close();
	return path;
}

const stored = (path: string): Partial<RunOptions> => ({
	items: [
		{
			json: {},
			binary: {
				data: {
					id: 'id-1',
					data: 'filesystem-v2',
					mimeType: 'application/pdf',
					fileName: 'proof.pdf',
				},
			},
		},
	],
	store: { 'id-1': path },
});

const uploaded = () => nth(nth(provider.control.requests(), -1).parts ?? [], 0);

test('25 MiB from the store arrive unchanged, with their length announced', async () => {
	const path = await fileOf('25', 25);
	await run(stored(path));
	// The item's name and type, which a node may have changed since, and not those of the store.
	expect(uploaded()).toMatchObject({
		name: 'proofOfAddress',
		size: 25 * 1024 * 1024,
		filename: 'proof.pdf',
		contentType: 'application/pdf',
	});
	const expected = createHash('sha256')
		.update('%PDF-1.7\n')
		.update(Buffer.alloc(25 * 1024 * 1024 - 9));
	expect(uploaded().sha256).toBe(expected.digest('hex'));
	const { headers } = nth(provider.control.requests(), 0);
	expect(Number(headers['content-length'])).toBeGreaterThan(25 * 1024 * 1024);
	expect(headers).not.toHaveProperty('transfer-encoding');
});

test('an upload is never in memory as a whole, however large it is', async () => {
	const { login, password } = provider.accounts.numbers;
	const path = await fileOf('200', 200);
	const script = join(__dirname, 'uploadProcess.ts');
	const parameters = [provider.url, login, password, String(addressId), path];
	const { stdout } = await promisify(execFile)(process.execPath, [
		'--import',
		'tsx',
		script,
		...parameters,
	]);
	const { answer, grownBy } = JSON.parse(stdout) as { answer: unknown; grownBy: number };
	expect(answer).toEqual({ addressId: expect.anything(), status: 'SUCCESS' });
	// The garbage collector lets about 40 MiB of used chunks accumulate, for 50 MiB as well as for 1000.
	expect(grownBy).toBeLessThan(100);
});

test('a file in memory is sent completely', async () => {
	const content = Buffer.alloc(3 * 1024 * 1024 + 1, 'é');
	await run({ items: [itemWithFile('data', { content })] });
	expect(uploaded()).toMatchObject({
		size: content.length,
		sha256: createHash('sha256').update(content).digest('hex'),
	});
});

test('an upload that is interrupted ends with an error and closes the file', async () => {
	const cutting = createServer((socket) => {
		socket.on('error', () => undefined);
		socket.once('data', () => socket.resetAndDestroy());
	}).listen(0, '127.0.0.1');
	await once(cutting, 'listening');
	const { port } = cutting.address() as AddressInfo;
	const credentials = {
		voiceManagementApi: { baseUrl: `http://127.0.0.1:${port}`, login: 'a', password: 'b' },
	};
	const streams: ReadStream[] = [];
	await expect(run({ ...stored(await fileOf('cut', 50)), credentials, streams })).rejects.toThrow(
		/closed the connection before it responded \(ECONNRESET\): the change may have been made/,
	);
	cutting.close();
	expect(streams.map(({ destroyed }) => destroyed)).toEqual([true]);
});

describe("a file of another size than n8n's metadata says", () => {
	test.each([
		['more', 1_000_000],
		['fewer', 3_000_000],
	])('is not uploaded: %s', async (which, storedSize) => {
		const options = { ...stored(await fileOf('odd', 2)), storedSize };
		await expect(run(options)).rejects.toMatchObject({
			message: `The file "proof.pdf" has ${which} bytes than n8n's metadata says (${storedSize})`,
			description: expect.stringContaining('Nothing was uploaded'),
		});
	});

	test('never has a byte behind the announced length, where it would begin the next request', async () => {
		const received: Buffer[] = [];
		const server = createServer((socket) => {
			socket.on('error', () => undefined);
			socket.on('data', (chunk: Buffer) => received.push(chunk));
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const credentials = {
			voiceManagementApi: { baseUrl: `http://127.0.0.1:${port}`, login: 'a', password: 'b' },
		};
		const options = { ...stored(await fileOf('surplus', 1)), storedSize: 500_000, credentials };
		await expect(run(options)).rejects.toThrow('more bytes');
		server.close();
		const all = Buffer.concat(received);
		const body = all.subarray(all.indexOf('\r\n\r\n') + 4);
		const announced = Number(/content-length: (\d+)/i.exec(all.toString('latin1'))?.[1]);
		expect(announced).toBeGreaterThan(500_000);
		expect(body.length).toBeLessThanOrEqual(announced);
	});
});

test.each([undefined, 500_000])(
	"a file that n8n's store does not have (%j bytes) is told as such, and not as the provider's fault",
	async (storedSize) => {
		const { rejects } = expect(run({ ...stored(join(folder, 'none')), storedSize }));
		await rejects.toMatchObject({
			message: 'The file "proof.pdf" can\'t be read: ENOENT',
			description: expect.stringMatching(/^Nothing was uploaded\. Read or download the file again/),
		});
	},
);

test.each([
	[`${'x'.repeat(1_000_000)}.pdf`, `${'x'.repeat(251)}.pdf`],
	['a\0b\u202Efdp.exe', 'abfdp.exe'],
	['\u0001\u200B', 'data'],
])('a file name is sent cut and without invisible characters: %#', async (fileName, sent) => {
	const item = itemWithFile('data', { fileName });
	await run({ items: [item] });
	expect(uploaded()).toMatchObject({ filename: sent });
});

test('the name of the field, sent for a file without a name, is cut and cleaned likewise', async () => {
	const field = `p\0\u202e${'y'.repeat(5_000)}`;
	await run({ items: [itemWithFile(field, { fileName: '' })] }, field);
	expect(uploaded()).toMatchObject({ filename: `p${'y'.repeat(254)}` });
});

describe('rejected before anything is sent', () => {
	const empty = itemWithFile('data', { content: Buffer.alloc(0) });
	const two: INodeExecutionData = {
		json: {},
		binary: { ...itemWithFile('front').binary, ...itemWithFile('back').binary },
	};
	test.each<[string, INodeExecutionData, string, string, RegExp]>([
		[
			'a missing field',
			itemWithFile('file'),
			'scan',
			'The item has no binary field "scan" (parameter "Input Binary Field")',
			/It has: "file"/,
		],
		[
			'a choice of two files',
			two,
			'data',
			'The item has no binary field "data" (parameter "Input Binary Field")',
			/It has: "front", "back"/,
		],
		[
			'an item without files',
			{ json: {} },
			'data',
			'The item has no binary field "data" (parameter "Input Binary Field")',
			/has no files: add a node/,
		],
		[
			'a name that every object has',
			itemWithFile('file'),
			'constructor',
			'The item has no binary field "constructor" (parameter "Input Binary Field")',
			/It has: "file"/,
		],
		[
			'an empty file',
			empty,
			'data',
			'The file in the binary field "data" is empty',
			/reads or downloads/,
		],
		[
			'more than one field',
			two,
			'front, back',
			'"Input Binary Field" names more than one field: front, back',
			/one file at a time/,
		],
		['no name', two, ' ', '"Input Binary Field" is empty', /Enter the name of the binary field/],
	])('%s', async (_what, item, property, message, description) => {
		await expect(run({ items: [item] }, property)).rejects.toMatchObject({
			message,
			description: expect.stringMatching(description),
		});
		expect(provider.control.requests()).toEqual([]);
	});

	test('an empty file in the store', async () => {
		const path = join(folder, 'empty');
		await writeFile(path, '');
		await expect(run(stored(path))).rejects.toThrow('The file in the binary field "data" is empty');
		expect(provider.control.requests()).toEqual([]);
	});
});
