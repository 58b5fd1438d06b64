// `npm run set-repository` on a copy of the tree: no placeholder is left, and the fields that n8n requires of a package
// still agree.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ownerOf, setRepository } from '../../../tools/setRepository';

const root = resolve(__dirname, '../../..');
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
	.split('\0')
	.filter((file) => file !== '');
const wanted = {
	repository: 'acme-telephony/n8n-voice',
	author: 'Acme Telephony',
	email: 'packages@telephony.example',
};

const copy = mkdtempSync(join(tmpdir(), 'voice-management-repository-'));
beforeAll(() => {
	for (const file of files) cpSync(join(root, file), join(copy, file));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const textsWith = (pattern: RegExp) =>
	files.filter((file) => pattern.test(readFileSync(join(copy, file), 'utf8')));

test('no placeholder is left, and npm finds the pictures of the README', async () => {
	const before = await ownerOf(root);
	const changed = await setRepository(copy, files, wanted);
	expect(changed).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE']));
	expect(await ownerOf(copy)).toEqual(wanted);
	for (const left of [before.repository, before.author, before.email]) {
		expect(textsWith(new RegExp(left.replace(/\W/g, '\\$&')))).toEqual([]);
	}
	// In any spelling of a placeholder.
	expect(textsWith(/github(usercontent)?\.com\/example\b|maintainers@/)).toEqual([
		'test/unit/docs/repository.test.ts',
	]);
	const readme = readFileSync(join(copy, 'README.md'), 'utf8');
	const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)|src="([^"]+)"/g)];
	expect(pictures).not.toHaveLength(0);
	for (const [, link, source] of pictures) expect(link ?? source).toMatch(/^https:\/\//);
});

test('the repository can be moved once more', async () => {
	const next = { ...wanted, repository: 'acme/elsewhere' };
	await setRepository(copy, files, next);
	expect(await ownerOf(copy)).toEqual(next);
	expect(textsWith(/acme-telephony/)).toEqual(['test/unit/docs/repository.test.ts']);
});
