// At most one instance of a trigger is live, whichever instances n8n starts and closes.

import { acquire, liveDirectory } from '../../../../nodes/VoiceManagementTrigger/life/instances';
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
	it.each([
		['when n8n closes it', 'start 1, return 1, close 1, close 1', 'live none, ends 1'],
		[
			'if it is started again without a close',
			'start 1, return 1, start 2, return 2',
			'live 2, ends 1',
		],
		[
			'and not the newer one late',
			'start 1, return 1, start 2, return 2, close 1',
			'live 2, ends 1',
		],
		// n8n only knows the replaced one of two overlapping starts, and the oldest of three.
		[
			'with the one that replaced it',
			'start 1, start 2, return 2, return 1, close 1',
			'live none, ends 1 2',
		],
		[
			'with all that replaced it',
			'start 1, start 2, start 3, return 3, return 2, return 1, close 1',
			'live none, ends 1 2 3',
		],
	])('closes an instance once, %s', async (_why, steps, told) => {
		const all: Instance[] = [];
		for (const step of steps.split(', ')) {
			const [what, number] = step.split(' ');
			if (what === 'start') {
				all.push(new Instance(steps));
				await all.at(-1)?.active.predecessorEnded;
				continue;
			}
			const { active } = nth(all, Number(number) - 1);
			if (what === 'return') active.returned();
			else await active.close();
		}
		const numbers = (are: (one: Instance) => boolean) =>
			all.flatMap((one, index) => (are(one) ? [index + 1] : [])).join(' ') || 'none';
		expect(`live ${numbers(({ live }) => live)}, ends ${numbers(({ ends }) => ends === 1)}`).toBe(
			told,
		);
		for (const { active } of all) await active.close();
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
		instance.active.serves({ key: 'feed' }, () => names);
		expect(liveDirectory({ key: 'feed' })).toBe(names);
		expect(liveDirectory({ key: 'other' })).toBeUndefined();
		await instance.active.close();
		expect(liveDirectory({ key: 'feed' })).toBeUndefined();
	});
});
