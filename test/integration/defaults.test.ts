// A value that is shown is the value that applies: whether an option has just been added or is absent makes no
// difference, for every option of both nodes.

import { NodeHelpers, type IDataObject, type INodeProperties } from 'n8n-workflow';
import { resources } from '../../nodes/VoiceManagement/resources';
import { readSettings } from '../../nodes/VoiceManagementTrigger/panel/settings';
import { VoiceManagementTrigger } from '../../nodes/VoiceManagementTrigger/VoiceManagementTrigger.node';
import { answerWith, type AnswerServer } from '../support/answers';
import { credentialsAt } from '../support/credentials';
import { companyForm } from './VoiceManagement/forms';
import { runNode } from './VoiceManagement/harness';

const collectionsOf = (properties: INodeProperties[]) =>
	properties
		.filter(({ type }) => type === 'collection')
		.map(({ name, options = [] }) => ({ name, options: options as INodeProperties[] }));

describe('the trigger', () => {
	const { description } = new VoiceManagementTrigger();
	const modes = ['callOutcomes', 'alerts', 'snapshots', 'events'];
	const cases = ['supervisor', 'account'].flatMap((feed) =>
		modes.flatMap((mode) =>
			['every', 'interval'].map((snapshotWhen) => ({ feed, mode, snapshotWhen })),
		),
	);
	/** What the panel offers under "Options" and "Filters". */
	const offered = (chosen: object, { options }: { options: INodeProperties[] }) =>
		options.filter((option) =>
			NodeHelpers.displayParameterPath(chosen as never, option, 'options', null, description),
		);
	const read = (parameters: IDataObject) =>
		readSettings((name, fallback) => parameters[name] ?? fallback);

	it.each(cases)('$feed, $mode, $snapshotWhen', (chosen) => {
		// An alert is required: it has no value that could apply while it is absent.
		const { alerts, ...shown } = NodeHelpers.getNodeParameters(
			description.properties,
			chosen,
			true,
			false,
			null,
			description,
		) as IDataObject;
		const base = { ...chosen, alerts: alerts ?? {} };
		const absent = read(base);
		expect(read({ ...base, ...shown })).toEqual(absent);
		for (const collection of collectionsOf(description.properties)) {
			const options = offered(chosen, collection);
			expect(options.length).toBeGreaterThan(1);
			for (const { name, default: value } of options) {
				const added = read({ ...base, [collection.name]: { [name]: value } });
				expect([name, added]).toEqual([name, absent]);
			}
		}
	});

	it.each(cases)('has at most nine options: $feed, $mode, $snapshotWhen', (chosen) => {
		for (const collection of collectionsOf(description.properties)) {
			expect(offered(chosen, collection).length).toBeLessThanOrEqual(9);
		}
	});
});

describe('the action node', () => {
	let provider: AnswerServer;

	beforeAll(async () => {
		// Whatever is asked for.
		const body = {
			id_session: 'token-of-the-session',
			target: 7,
			ops: [{ id: 1, nom: 'Ada', groupes: [2] }],
			groupes: [{ id: 2, nom: 'Sales' }],
			regulationAddresses: [{ regulationAddressId: 7 }],
			cityZipCodes: [{ zipCode: '1000' }],
			cartIdentifier: '7',
		};
		provider = await answerWith(() => ({ body }));
	});

	afterAll(async () => await provider.close());

	const withCollections = resources.flatMap((resource) =>
		resource.operations.flatMap((operation) =>
			collectionsOf(operation.fields).map((collection) => ({
				title: `${resource.value}: ${operation.value}, ${collection.name}`,
				chosen: { resource: resource.value, operation: operation.value },
				collection,
			})),
		),
	);

	/** The request and the items, or the error. */
	async function play(parameters: IDataObject) {
		provider.asked.length = 0;
		const outcome = await runNode({
			credentials: credentialsAt(provider.url),
			parameters: { ...companyForm, cartIdentifier: '7', didIds: '1', ...parameters },
		}).then(
			({ items }) => items,
			(error: Error) => error.message,
		);
		const requests = provider.asked.map(({ method, url, headers, body }) => {
			const boundary = /boundary=(.*)/.exec(headers['content-type'] ?? '')?.[1];
			return [method, url, boundary ? body.replaceAll(boundary, '') : body];
		});
		expect(requests.length).toBeGreaterThan(0);
		return { requests, outcome };
	}

	it.each(withCollections)('$title', async ({ chosen, collection }) => {
		const parameters = {
			...chosen,
			addressId: { __rl: true, mode: 'id', value: '7' },
			productType: 'capacityCartItem',
			zone: 'Europe',
			quantity: 1,
		};
		const absent = await play(parameters);
		for (const { name, default: value } of collection.options) {
			const added = await play({
				...parameters,
				[collection.name]: { [name]: value },
			});
			expect([name, added]).toEqual([name, absent]);
		}
	});
});
