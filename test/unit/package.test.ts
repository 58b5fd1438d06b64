// What n8n's verification and every exported workflow rely on in package.json.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	name: string;
	dependencies?: object;
	overrides?: object;
	peerDependencies: object;
	keywords: string[];
	files: string[];
	scripts: Record<string, string>;
	n8n: { strict: boolean; n8nNodesApiVersion: number; nodes: string[]; credentials: string[] };
};

describe('the package', () => {
	it('has no runtime dependencies and asks for n8n-workflow alone', () => {
		expect(manifest.dependencies).toBeUndefined();
		expect(manifest.overrides).toBeUndefined();
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	it('is found by n8n', () => {
		expect(manifest.name).toBe('n8n-nodes-voice-management');
		expect(manifest.keywords).toContain('n8n-community-node-package');
		expect(manifest.n8n).toMatchObject({ strict: true, n8nNodesApiVersion: 1 });
	});

	it('names nodes and credentials that have a source', () => {
		const compiled = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
		expect(compiled).toHaveLength(4);
		for (const file of compiled) {
			const source = file.replace(/^dist\//, '').replace(/\.js$/, '.ts');
			expect([source, existsSync(path.join(root, source))]).toEqual([source, true]);
		}
	});

	it('runs nothing on the machine that installs it', () => {
		for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
			expect(manifest.scripts).not.toHaveProperty(script);
		}
	});

	it('ships what its licences ask for', () => {
		expect(manifest.files).toEqual(['dist', 'index.js', 'CHANGELOG.md', 'THIRD_PARTY_NOTICES.md']);
	});

	it('says where no package of its lock file came from', () => {
		expect(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved"');
	});
});
