// A process of its own that uploads a file from disk and prints by how many MiB it grew at its peak: what the tests' own
// process needs would hide it. Arguments: operator's URL, login, password, address ID, file.

import { runNode } from './harness';

const [url, login, password, addressId, path] = process.argv.slice(2);

const peak = () => process.resourceUsage().maxRSS / 1024;

async function upload(file: string) {
	const id = 'filesystem-v2:proof';
	const data = { id, data: 'filesystem-v2', mimeType: 'application/pdf', fileName: 'proof.pdf' };
	const { items } = await runNode({
		credentials: { voiceManagementApi: { baseUrl: url, login, password } },
		parameters: { resource: 'address', operation: 'uploadProof', addressId },
		items: [{ json: {}, binary: { data } }],
		store: { [id]: file },
	});
	return items[0].json;
}

async function main() {
	// The first upload loads and compiles what an upload needs: that is not the file's doing.
	await upload(__filename);
	const before = peak();
	const answer = await upload(path);
	process.stdout.write(JSON.stringify({ answer, grownBy: peak() - before }));
}

void main();
