// Installations appear completely or not at all, once, whoever requests them and whatever interrupted the last try.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cacheRoot, ensureFolder, type CachedFolder } from '../../../dev/n8n/cacheFolder';
import { silentProgress, type Progress } from '../../../dev/progress';
import { UserError } from '../../../dev/userError';

let root: string;
let made: number;

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'voice-management-cache-'));
	process.env.VOICE_MANAGEMENT_CACHE = root;
	made = 0;
});

afterEach(() => {
	delete process.env.VOICE_MANAGEMENT_CACHE;
	rmSync(root, { recursive: true, force: true });
});

function thing(changes: Partial<CachedFolder> = {}): CachedFolder {
	return {
		name: 'thing-1',
		title: 'the thing',
		bytesNeeded: 1,
		essentialFiles: ['file'],
		async make(folder) {
			made++;
			writeFileSync(join(folder, 'file'), `made ${made}`);
		},
		...changes,
	};
}

function listening(): { lines: string[]; progress: Progress } {
	const lines: string[] = [];
	return { lines, progress: { ...silentProgress, log: (line) => lines.push(line) } };
}

test('a folder is made once and found afterwards', async () => {
	const folder = await ensureFolder(thing(), silentProgress);
	expect(folder).toBe(join(root, 'thing-1'));
	expect(await ensureFolder(thing(), silentProgress)).toBe(folder);
	expect(made).toBe(1);
	expect(existsSync(`${folder}.partial`)).toBe(false);
});

test('an interrupted one is noticed and made again from scratch', async () => {
	const partial = join(root, 'thing-1.partial');
	mkdirSync(partial);
	writeFileSync(join(partial, 'half'), '');
	const { lines, progress } = listening();
	const folder = await ensureFolder(thing(), progress);
	expect(lines.join()).toContain('An earlier installation of the thing was interrupted');
	expect(existsSync(join(folder, 'half'))).toBe(false);
	expect(existsSync(partial)).toBe(false);
});

test('a failed one does not count, and the next start makes it', async () => {
	const failing = thing({
		async make(folder) {
			writeFileSync(join(folder, 'file'), 'half');
			throw new Error('the network went away');
		},
	});
	await expect(ensureFolder(failing, silentProgress)).rejects.toThrow('the network went away');
	expect(existsSync(join(root, 'thing-1'))).toBe(false);
	await ensureFolder(thing(), silentProgress);
	expect(readFileSync(join(root, 'thing-1/file'), 'utf8')).toBe('made 1');
});

test('a damaged one is made again', async () => {
	const folder = await ensureFolder(thing(), silentProgress);
	rmSync(join(folder, 'file'));
	const { lines, progress } = listening();
	await ensureFolder(thing(), progress);
	expect(lines.join()).toContain('the thing is damaged');
	expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('made 2');
});

test('two processes that ask at once get one folder, made once; the second reports that it waits', async () => {
	let finish = () => {};
	const begun = new Promise<void>((resolve) => {
		const slow = thing({
			async make(folder) {
				made++;
				resolve();
				await new Promise<void>((go) => (finish = go));
				writeFileSync(join(folder, 'file'), 'slow');
			},
		});
		void ensureFolder(slow, silentProgress);
	});
	await begun;
	const { lines, progress } = listening();
	const second = ensureFolder(thing(), {
		...progress,
		log(line) {
			progress.log(line);
			finish();
		},
	});
	const folder = await second;
	expect(lines).toEqual(['Another process is installing the thing: waiting for it.']);
	expect(made).toBe(1);
	expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('slow');
});

test('a full disk is reported before anything is made, with a remedy', async () => {
	const failure = ensureFolder(thing({ bytesNeeded: 1e18 }), silentProgress);
	await expect(failure).rejects.toThrow(UserError);
	await expect(failure).rejects.toThrow(
		/Not enough disk space to install the thing: .* GB needed, .* GB free .*VOICE_MANAGEMENT_CACHE/,
	);
	expect(made).toBe(0);
});

test('a disk that fills up in the meantime leads to one clear sentence', async () => {
	const full = thing({
		async make() {
			throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
		},
	});
	const failure = ensureFolder(full, silentProgress);
	await expect(failure).rejects.toThrow(UserError);
	await expect(failure).rejects.toThrow(/is full: the thing could not be installed/);
});

test('if a cache folder cannot be made, the error names the setting', async () => {
	writeFileSync(join(root, 'a-file'), '');
	process.env.VOICE_MANAGEMENT_CACHE = join(root, 'a-file/below');
	const failure = ensureFolder(thing(), silentProgress);
	await expect(failure).rejects.toThrow(UserError);
	await expect(failure).rejects.toThrow(/a-file.*VOICE_MANAGEMENT_CACHE/);
});

test("without the setting, the cache is a folder of this project in the user's cache folder", () => {
	delete process.env.VOICE_MANAGEMENT_CACHE;
	const before = process.env.XDG_CACHE_HOME;
	try {
		process.env.XDG_CACHE_HOME = '/somewhere';
		expect(cacheRoot()).toBe('/somewhere/n8n-nodes-voice-management');
	} finally {
		if (before === undefined) delete process.env.XDG_CACHE_HOME;
		else process.env.XDG_CACHE_HOME = before;
	}
});
