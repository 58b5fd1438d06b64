/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// `npx tsx tools/sbom.ts`: the bill of materials of what ships, as CycloneDX JSON: the package, which has no dependencies,
// and the packages that its bundle contains, with their checksums from package-lock.json.
import { bundledPackages } from '../gulpfile.js';
import { name, version, license } from '../package.json';
import { packages } from '../package-lock.json';

interface Locked {
	version: string;
	license?: string;
	integrity?: string;
}

const component = (
	type: 'library' | 'application',
	of: { name: string; version: string; license?: string; integrity?: string },
) => {
	const purl = `pkg:npm/${of.name.replace('@', '%40')}@${of.version}`;
	const [algorithm, digest] = of.integrity?.split('-') ?? [];
	return {
		type,
		'bom-ref': purl,
		name: of.name,
		version: of.version,
		purl,
		licenses: of.license ? [{ license: { id: of.license } }] : [],
		...(algorithm === 'sha512' && {
			hashes: [{ alg: 'SHA-512', content: Buffer.from(digest ?? '', 'base64').toString('hex') }],
		}),
	};
};

async function main(): Promise<void> {
	const locked = packages as unknown as Record<string, Locked>;
	const shipped = (await bundledPackages()).map((id) => {
		const at = id.lastIndexOf('@');
		const [bundled, release] = [id.slice(0, at), id.slice(at + 1)];
		const found = locked[`node_modules/${bundled}`];
		if (!found || found.version !== release)
			throw new Error(`package-lock.json does not have ${id}`);
		return component('library', { ...found, name: bundled });
	});
	const sbom = {
		bomFormat: 'CycloneDX',
		specVersion: '1.5',
		version: 1,
		metadata: { component: component('application', { name, version, license }) },
		components: shipped,
	};
	process.stdout.write(`${JSON.stringify(sbom, null, '\t')}\n`);
}

void main();
