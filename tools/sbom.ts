/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// `npx tsx tools/sbom.ts`: the bill of materials of what ships, as CycloneDX JSON. The package has no dependencies, so this is
// npm's own list of installed packages, without those that the bundle does not contain.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import gulpfile from '../gulpfile.js';

interface Component {
	'bom-ref': string;
	name: string;
	version: string;
	properties?: Array<{ name: string; value: string }>;
}

/** npm's output; only the parts that are changed here. */
interface Sbom {
	metadata: { component: Component };
	components: Component[];
	dependencies: Array<{ ref: string; dependsOn?: string[] }>;
}

async function main(): Promise<void> {
	const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
		maxBuffer: 1 << 28,
	});
	const sbom = JSON.parse(stdout) as Sbom;
	const shipped = new Set(await gulpfile.bundledPackages());
	const idOf = ({ name, version }: Component) => `${name}@${version}`;
	const components = sbom.components
		.filter((component) => shipped.has(idOf(component)))
		// Packages that are installed for development are part of the file that ships.
		.map(({ properties = [], ...component }) => ({
			...component,
			properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
		}));
	const known = new Set(components.map(idOf));
	const missing = [...shipped].filter((id) => !known.has(id));
	if (missing.length > 0) throw new Error(`npm does not know ${missing.join(', ')}`);
	const kept = new Set([sbom.metadata.component, ...components].map((one) => one['bom-ref']));
	const dependencies = sbom.dependencies
		.filter(({ ref }) => kept.has(ref))
		.map(({ ref, dependsOn = [] }) => ({
			ref,
			dependsOn: dependsOn.filter((other) => kept.has(other)),
		}));
	process.stdout.write(`${JSON.stringify({ ...sbom, components, dependencies }, null, '\t')}\n`);
}

void main();
