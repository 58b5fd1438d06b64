// One live copy of a trigger at most, whichever copies n8n starts and closes.

import {
	claim,
	liveDirectory,
	registered,
} from '../../../../nodes/VoiceManagementTrigger/execution/activeTriggers';
import { emptyDirectory } from '../../../../nodes/shared/directory';
import { settle } from '../../../support/world';

class Copy {
	live = true;
	ends = 0;
	readonly place: ReturnType<typeof claim>;

	constructor(key = 'workflow:node', end?: () => Promise<void>) {
		this.place = claim(key, async () => {
			this.ends++;
			await end?.();
			this.live = false;
		});
	}
}

afterEach(() => {
	expect(registered()).toBe(0);
});

describe('the registry of running triggers', () => {
	it('ends a copy once, when n8n closes it', async () => {
		const copy = new Copy();
		copy.place.returned();
		await copy.place.close();
		await copy.place.close();
		expect([copy.live, copy.ends]).toEqual([false, 1]);
	});

	it('ends the predecessor when the trigger is started again without having been closed', async () => {
		const first = new Copy();
		first.place.returned();
		const second = new Copy();
		await second.place.predecessorGone;
		second.place.returned();
		expect([first.live, second.live]).toEqual([false, true]);
		await second.place.close();
		expect([first.ends, second.ends]).toEqual([1, 1]);
	});

	it('keeps the newer copy when n8n closes the older one late', async () => {
		const first = new Copy();
		first.place.returned();
		const second = new Copy();
		await second.place.predecessorGone;
		second.place.returned();
		await first.place.close();
		expect(second.live).toBe(true);
		await second.place.close();
	});

	it('leaves none alive when n8n holds the overtaken one of two overlapping starts', async () => {
		const first = new Copy();
		const second = new Copy();
		await second.place.predecessorGone;
		second.place.returned();
		first.place.returned();
		await first.place.close();
		expect([first.live, second.live]).toEqual([false, false]);
	});

	it('leaves none alive when n8n holds the newest of three overlapping starts', async () => {
		const copies = [new Copy(), new Copy(), new Copy()];
		await copies[2].place.predecessorGone;
		expect(copies.map(({ live }) => live)).toEqual([false, false, true]);
		for (const { place } of [...copies].reverse()) place.returned();
		await copies[0].place.close();
		expect(copies[2].live).toBe(false);
	});

	it('ends also when ending fails, and goes on', async () => {
		const first = new Copy('workflow:node', async () => await Promise.reject(new Error('stuck')));
		first.place.returned();
		const second = new Copy();
		await second.place.predecessorGone;
		second.place.returned();
		await second.place.close();
	});

	it('keeps workflows, nodes and test runs apart', async () => {
		const copies = ['a:1', 'a:2', 'b:1', 'a:1:test'].map((key) => new Copy(key));
		await settle();
		expect(copies.map(({ live }) => live)).toEqual([true, true, true, true]);
		for (const { place } of copies) await place.close();
	});

	it('offers the names of a running feed, as long as it runs', async () => {
		const names = emptyDirectory();
		const copy = new Copy();
		copy.place.serves('feed', () => names);
		expect(liveDirectory('feed')).toBe(names);
		expect(liveDirectory('other')).toBeUndefined();
		await copy.place.close();
		expect(liveDirectory('feed')).toBeUndefined();
	});
});
