// What n8n's own list of community nodes shows of the package.
import { ensureN8n } from '../../../dev/n8n/install';
import { recordInstallation } from '../../../dev/n8n/package';
import { silentProgress } from '../../../dev/progress';
import { startBench, type OwnBench } from '../support/bench';

const PACKAGE = 'n8n-nodes-voice-management';

let bench: OwnBench;

beforeAll(async () => {
	bench = await startBench({ name: 'community-nodes' });
});

afterAll(async () => {
	await bench?.close();
});

test('n8n lists it under community nodes once its installer has recorded it', async () => {
	const { release, userFolder, client } = bench;
	await recordInstallation(
		await ensureN8n(release, silentProgress),
		userFolder,
		{ name: PACKAGE, version: '0.1.0', author: { name: 'A', email: 'a@example.com' } },
		[{ type: `${PACKAGE}.voiceManagement`, displayName: 'Voice Management', latestVersion: 1 }],
	);
	expect(await client.communityPackages()).toEqual([
		expect.objectContaining({ packageName: PACKAGE, installedVersion: '0.1.0' }),
	]);
});
