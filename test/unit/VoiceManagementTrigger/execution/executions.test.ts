// The way of a trigger's entries into n8n as a whole: what one bad entry costs the others.

import type { INodeExecutionData, IRun, ITriggerFunctions } from 'n8n-workflow';
import { Executions } from '../../../../nodes/VoiceManagementTrigger/execution/executions';
import type { Entry } from '../../../../nodes/VoiceManagementTrigger/events/entry';
import { readSettings } from '../../../../nodes/VoiceManagementTrigger/settings';
import { HandClock, settle } from '../../../support/world';

it('an event that can not be made into an item is left out, told in the log, and keeps no other from n8n', async () => {
	const lines: string[] = [];
	const given: unknown[] = [];
	const log = (line: string) => void lines.push(line);
	const context = {
		logger: { debug: log, info: log, warn: log, error: log },
		getNode: () => ({ id: 'n', name: 'Trigger', parameters: {} }),
		getWorkflow: () => ({ id: 'w', name: 'Workflow' }),
		getActivationMode: () => 'activate',
		emit: (
			[items = []]: INodeExecutionData[][],
			_: undefined,
			done: { resolve(run: IRun): void },
		) => {
			given.push(...items.map(({ json }) => json));
			done.resolve({} as IRun);
		},
		helpers: {
			createDeferredPromise: () => {
				let resolve = (_run: IRun) => {};
				const promise = new Promise<IRun>((settled) => (resolve = settled));
				return { promise, resolve, reject: () => {} };
			},
		},
	} as unknown as ITriggerFunctions;
	const executions = new Executions(
		context,
		readSettings((_name, fallback) => fallback),
		{
			toItem: (entry) => {
				if (entry === bad) throw new RangeError('with a secret in its message');
				return entry;
			},
			database: async () => await Promise.resolve(),
			countsByOne: () => false,
		},
		new HandClock(),
	);
	const entry = (n: number) => ({ item: { n } }) as unknown as Entry;
	const bad = entry(2);
	for (const one of [entry(1), bad, entry(3)]) executions.push(one);
	await settle();
	expect(given).toEqual([entry(1), entry(3)]);
	expect(lines.filter((line) => line.includes('RangeError'))).toHaveLength(1);
	expect(lines.join()).not.toContain('secret');
	await executions.close();
});
