// Every filter and their combinations over real sockets: one provider, one feed, a workflow for each combination, and a
// second implementation of the decision, for this test only, on the objects that the provider sent.

import type { IDataObject } from 'n8n-workflow';
import { startProvider, type Provider } from '../../../simulator';
import { ActiveTrigger, credentialsFor } from './harness';
import { nth } from '../../support/present';

interface Wire {
	type: string;
	event: string;
	msg: Record<string, unknown>;
}

type Decision = (wire: Wire) => boolean;

/** Has three events among all of them. */
const CALLER = '+33199000999';

/** Each parameter setting with its meaning, implemented independently. */
const SETTINGS: Array<{
	name: string;
	parameters: IDataObject;
	filters?: IDataObject;
	passes: Decision;
}> = [
	{
		name: 'types',
		parameters: { notificationTypes: ['queue', 'num'] },
		passes: ({ type }) => type === 'queue' || type === 'num',
	},
	{
		name: 'events',
		parameters: { events: 'insert_call, status,start' },
		passes: ({ event }) => /^(insert_call|status|start)$/.test(event),
	},
	{
		name: 'agents',
		parameters: {},
		filters: { agentIds: ['501', 502] },
		passes: ({ msg }) => Number(msg.id_operator) === 501 || Number(msg.id_operator) === 502,
	},
	{
		// Group 12 of the simulator's plan: the agents 505 to 508, and 504, who also belongs to it.
		name: 'groups',
		parameters: {},
		filters: { groupIds: ['12'] },
		passes: ({ msg }) => Number(msg.id_operator) >= 504 && Number(msg.id_operator) <= 508,
	},
	{
		name: 'queues',
		parameters: {},
		filters: { queueIds: '301, 303' },
		passes: ({ msg }) => ['301', '303'].includes(String(msg.id_queue)),
	},
	{
		name: 'trunks',
		parameters: {},
		filters: { trunkIds: [702] },
		passes: ({ msg }) => Number(msg.id_trunk) === 702,
	},
	{
		name: 'statuses',
		parameters: {},
		filters: { statuses: ['connected', 'ringing'] },
		passes: ({ msg }) => msg.status === 'connected' || msg.status === 'ringing',
	},
	{
		name: 'exact caller',
		parameters: {},
		filters: { callerNumber: CALLER },
		passes: ({ msg }) => msg.caller_id_num === CALLER,
	},
	{
		name: 'caller prefix',
		parameters: {},
		filters: { callerNumber: '+331990 0*, +331990-1*' },
		passes: ({ msg }) =>
			typeof msg.caller_id_num === 'string' && /^\+331990[01]/.test(msg.caller_id_num),
	},
	{
		name: 'caller contains',
		parameters: {},
		filters: { callerNumber: '*77*' },
		passes: ({ msg }) => typeof msg.caller_id_num === 'string' && msg.caller_id_num.includes('77'),
	},
	{
		name: 'service number',
		parameters: {},
		filters: { serviceNumber: '+33199000801' },
		passes: ({ msg }) => msg.service === '+33199000801',
	},
];

let provider: Provider;

beforeAll(async () => {
	provider = await startProvider({ seed: 7, numEvents: true });
});

afterAll(async () => {
	await provider.close();
});

it('every filter, every pair of filters, and all of them together select the right events', async () => {
	const sent: Wire[] = [];
	provider.onEvent((_name, [object]) => {
		const wire = object as Record<string, unknown>;
		const body = (typeof wire.event === 'object' ? wire.event : wire) as Record<string, unknown>;
		sent.push({
			type: String(body.type_notification),
			event: String(body.event),
			msg: body.msg as Wire['msg'],
		});
	});
	type Setting = (typeof SETTINGS)[number];
	const combinations: Setting[][] = [[], ...SETTINGS.map((one) => [one])];
	for (const [index, one] of SETTINGS.entries()) {
		for (const other of SETTINGS.slice(index + 1)) {
			// One field contains one pattern, so settings of the same field cannot be combined.
			if (one.filters?.callerNumber && other.filters?.callerNumber) continue;
			combinations.push([one, other]);
		}
	}
	combinations.push(SETTINGS.filter(({ name }) => !/caller (prefix|contains)/.test(name)));

	const triggers = combinations.map((combination, index) => {
		const parameters: IDataObject = {
			output: 'raw',
			options: { batchSize: 1000 },
		};
		const filters: IDataObject = {};
		for (const one of combination) {
			Object.assign(parameters, one.parameters);
			Object.assign(filters, one.filters);
		}
		parameters.filters = filters;
		return new ActiveTrigger({
			parameters,
			credentials: credentialsFor(provider),
			workflowId: `combination-${index}`,
		});
	});
	for (const trigger of triggers) await trigger.start();
	await provider.control.waitForSockets(1);

	await provider.control.generate(3997);
	const msg = { id_call: 1, id_queue: 301, status: 'connected', caller_id_num: CALLER };
	provider.control.send('queue', 'insert_call', { ...msg, service: '+33199000801' });
	provider.control.send('operator', 'status', { ...msg, id_operator: 504 });
	provider.control.send('trunk', 'insert_call', { ...msg, id_trunk: 702, id_operator: 501 });
	const everything = nth(triggers, 0);
	await everything.untilItems(4000);
	await Promise.all(triggers.map(async (trigger) => await trigger.close()));

	const bodyOf = (item: IDataObject) =>
		(typeof item.event === 'object' ? item.event : item) as IDataObject;
	for (const [index, combination] of combinations.entries()) {
		const name = combination.map((one) => one.name).join(' + ') || 'nothing set';
		const expected = sent.filter((wire) => combination.every(({ passes }) => passes(wire)));
		const got = nth(triggers, index).items.map((item) => bodyOf(item).msg);
		expect([name, got.length]).toEqual([name, expected.length]);
		expect(JSON.stringify(got)).toBe(JSON.stringify(expected.map(({ msg }) => msg)));
	}
	// Each single filter passes some events and holds some back.
	for (const [index, combination] of combinations.entries()) {
		if (combination.length !== 1) continue;
		expect([nth(combination, 0).name, nth(triggers, index).items.length > 0]).toEqual([
			nth(combination, 0).name,
			true,
		]);
		expect(nth(triggers, index).items.length).toBeLessThan(4000);
	}
	expect(provider.control.logins()).toBe(1);
});
