// An active workflow on a hand clock: the trigger from its parameters to the items that n8n gets, with a provider in
// memory.

import type { IDataObject, INodeExecutionData, IRun, NodeOperationError } from 'n8n-workflow';
import { provideDependencies } from '../../nodes/VoiceManagementTrigger/feed/hub';
import { startProduction } from '../../nodes/VoiceManagementTrigger/life/activeWorkflow';
import { readSettings } from '../../nodes/VoiceManagementTrigger/panel/settings';
import { triggerContext } from './n8n';
import { makeWorld } from './world';

/** Each has a feed of its own. */
let feeds = 0;

function newWorld() {
	const world = makeWorld();
	const { clock, provider } = world;
	provideDependencies({
		clock,
		openSocket: provider.openSocket,
		endpoints: new Map(),
		behindN8n: new Set(),
		random: () => 0.5,
	});
	return world;
}

/**
 * @param options those of the trigger
 * @param setup `world`: that of another trigger
 */
export async function listen(
	options: IDataObject = {},
	{
		activation = 'init',
		staticData = {},
		parameters = {},
		feed = {},
		world = undefined as ReturnType<typeof newWorld> | undefined,
	} = {},
) {
	world ??= newWorld();
	const { clock, provider } = world;
	const items: IDataObject[] = [];
	const lines: string[] = [];
	const failed: NodeOperationError[] = [];
	const id = `${++feeds}`;
	const context = triggerContext(lines, activation, {
		getWorkflow: () => ({ id, name: 'Workflow', active: true }),
		saveFailedExecution: (error: NodeOperationError) => void failed.push(error),
		getWorkflowStaticData: () => staticData,
		getWorkflowSettings: () => ({}),
		getCredentials: async () => await Promise.resolve({}),
		emit: (
			[given = []]: INodeExecutionData[][],
			_response: unknown,
			done?: { resolve: (run: IRun) => void },
		) => {
			items.push(...given.map(({ json }) => json));
			done?.resolve({} as IRun);
		},
	});
	const given: IDataObject = {
		...parameters,
		options,
	};
	const settings = readSettings((name, fallback) => given[name] ?? fallback);
	const prepare = async () =>
		await Promise.resolve({ settings, feed: provider.options({ key: id, ...feed }) });
	const started = startProduction(context, prepare, clock);
	await clock.turn(1);
	const { closeFunction } = await started;
	return {
		...world,
		items,
		lines,
		failed,
		staticData,
		of: (event: string) => items.filter((item) => item.event === event),
		newest: () => items.findLast(({ event }) => event === 'alive') ?? {},
		end: async () => await closeFunction?.(),
		close: async () => {
			await closeFunction?.();
			const { length } = items;
			await clock.turn(10 * 60_000);
			expect(items).toHaveLength(length);
		},
	};
}
