/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A separate process that uploads a file from disk and prints by how many MiB it grew at its peak, which the memory of
// the tests' own process would hide. Arguments: provider's URL, login, password, address ID, file.

import { runNode } from './harness';
import { nth } from '../../support/present';

const given = (place: number) => nth(process.argv, 2 + place);

const peak = () => process.resourceUsage().maxRSS / 1024;

async function upload(file: string) {
	const id = 'filesystem-v2:proof';
	const data = { id, data: 'filesystem-v2', mimeType: 'application/pdf', fileName: 'proof.pdf' };
	const { items } = await runNode({
		credentials: { voiceManagementApi: { baseUrl: given(0), login: given(1), password: given(2) } },
		parameters: { resource: 'address', operation: 'uploadProof', addressId: given(3) },
		items: [{ json: {}, binary: { data } }],
		store: { [id]: file },
	});
	return nth(items, 0).json;
}

async function main() {
	// The first upload loads and compiles the code, which must not be attributed to the file.
	await upload(__filename);
	const before = peak();
	const answer = await upload(given(4));
	process.stdout.write(JSON.stringify({ answer, grownBy: peak() - before }));
}

void main();
