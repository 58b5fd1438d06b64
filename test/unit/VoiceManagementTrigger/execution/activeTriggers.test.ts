// At most one instance of a trigger is live, whichever instances n8n starts and closes.

import {
	acquire,
	liveDirectory,
} from '../../../../nodes/VoiceManagementTrigger/execution/activeTriggers';
import { emptyDirectory } from '../../../../nodes/shared/directory';
import { settle } from '../../../support/world';
import { nth } from '../../../support/present';

class Instance {
	ends = 0;
	readonly active: ReturnType<typeof acquire>;

	constructor(key = 'workflow:node', end?: () => Promise<void>) {
		this.active = acquire(key);
		this.active.onEnd(async () => {
			this.ends++;
			await end?.();
		});
	}

	get live(): boolean {
		return !this.active.signal.aborted;
	}
}

describe('the active triggers', () => {
	it('closes an instance once, when n8n closes it', async () => {
		const instance = new Instance();
		instance.active.returned();
		await instance.active.close();
		await instance.active.close();
		expect([instance.live, instance.ends]).toEqual([false, 1]);
	});

	it('closes the predecessor if the trigger is started again without having been closed', async () => {
		const first = new Instance();
		first.active.returned();
		const second = new Instance();
		await second.active.predecessorEnded;
		second.active.returned();
		expect([first.live, second.live]).toEqual([false, true]);
		await second.active.close();
		expect([first.ends, second.ends]).toEqual([1, 1]);
	});

	it('keeps the newer instance if n8n closes the older one late', async () => {
		const first = new Instance();
		first.active.returned();
		const second = new Instance();
		await second.active.predecessorEnded;
		second.active.returned();
		await first.active.close();
		expect(second.live).toBe(true);
		await second.active.close();
	});

	it('leaves none alive if n8n only knows the replaced one of two overlapping starts', async () => {
		const first = new Instance();
		const second = new Instance();
		await second.active.predecessorEnded;
		second.active.returned();
		first.active.returned();
		await first.active.close();
		expect([first.live, second.live]).toEqual([false, false]);
	});

	it('leaves none alive if n8n only knows the newest of three overlapping starts', async () => {
		const instances = [new Instance(), new Instance(), new Instance()];
		await nth(instances, 2).active.predecessorEnded;
		expect(instances.map(({ live }) => live)).toEqual([false, false, true]);
		for (const { active } of [...instances].reverse()) active.returned();
		await nth(instances, 0).active.close();
		expect(nth(instances, 2).live).toBe(false);
	});

	it('continues if closing an instance fails', async () => {
		const first = new Instance(
			'workflow:node',
			async () => await Promise.reject(new Error('stuck')),
		);
		first.active.returned();
		const second = new Instance();
		await second.active.predecessorEnded;
		second.active.returned();
		await second.active.close();
	});

	it('keeps workflows, nodes and test runs apart', async () => {
		const instances = ['a:1', 'a:2', 'b:1', 'a:1:test'].map((key) => new Instance(key));
		await settle();
		expect(instances.map(({ live }) => live)).toEqual([true, true, true, true]);
		for (const { active } of instances) await active.close();
	});

	it('provides the names of a running feed, as long as it runs', async () => {
		const names = emptyDirectory();
		const instance = new Instance();
		instance.active.serves({ loginKey: 'feed' }, () => names);
		expect(liveDirectory({ loginKey: 'feed' })).toBe(names);
		expect(liveDirectory({ loginKey: 'other' })).toBeUndefined();
		await instance.active.close();
		expect(liveDirectory({ loginKey: 'feed' })).toBeUndefined();
	});
});
