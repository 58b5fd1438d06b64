// Held-out forms: the node gets each of them over HTTP, and at least 98 % of them give the user what the provider means.

import type { IDataObject } from 'n8n-workflow';
import { answerWith, type AnswerServer } from '../../support/answers';
import { credentialsAt } from '../../support/credentials';
import { companyForm } from '../VoiceManagement/forms';
import { runNode } from '../VoiceManagement/harness';
import { HELD_OUT, type HeldOut } from './heldOut';

const address = (operation: string) => ({ resource: 'address', operation, addressId: '7' });
const PARAMETERS: Record<HeldOut['operation'], IDataObject> = {
	list: address('getAll'),
	get: address('get'),
	createAddress: companyForm,
	createCart: { resource: 'cart', operation: 'create' },
	write: { ...address('link'), didIds: '1' },
	checkout: { resource: 'cart', operation: 'checkout', cartIdentifier: '5', confirmPurchase: true },
	validate: { ...address('validate'), destinationCountryCodeA3: 'FRA' },
	login: { resource: 'session', operation: 'getInfo' },
};

let current: HeldOut;
let server: AnswerServer;
beforeAll(async () => {
	server = await answerWith(() => ({
		status: current.status,
		body: current.body,
		headers: { 'content-type': current.type },
	}));
});
afterAll(async () => await server.close());

/** What is wrong with what the user gets; undefined if nothing is. */
async function complaint(form: HeldOut): Promise<string | undefined> {
	current = form;
	server.asked.length = 0;
	const outcome = await runNode({
		credentials: credentialsAt(server.url),
		parameters: PARAMETERS[form.operation],
	}).then(
		({ items }) => ({ items: items.map(({ json }) => json) }),
		(error: Error) => ({ error: error.message }),
	);
	const { expected } = form;
	const got = JSON.stringify(outcome);
	const isRight =
		'error' in expected
			? 'error' in outcome && outcome.error.includes(expected.error)
			: 'items' in outcome &&
				('items' in expected
					? outcome.items.length === expected.items &&
						outcome.items.every(
							({ addressId, ...more }) => addressId !== undefined && Object.keys(more).length > 2,
						)
					: Object.entries(expected.item).every(
							([name, value]) => String(outcome.items[0]?.[name]) === String(value),
						));
	const isOnce = form.operation !== 'checkout' || server.asked.length === 1;
	return isRight && isOnce ? undefined : `${form.name}: ${form.body} gives ${got}`;
}

test('at least 700 forms, no two of them alike', () => {
	const alike = HELD_OUT.map(({ operation, status, body, type }) =>
		[operation, status, type, body].join(' '),
	);
	expect(new Set(alike).size).toBeGreaterThanOrEqual(700);
});

test('at least 98 % of the forms work', async () => {
	const complaints: string[] = [];
	for (const form of HELD_OUT) {
		const wrong = await complaint(form);
		if (wrong !== undefined) complaints.push(wrong);
	}
	if (process.env.HELD_OUT) console.log(complaints.join('\n'));
	const share = 1 - complaints.length / HELD_OUT.length;
	expect({ share, complaints: share < 0.98 ? complaints : [] }).toEqual({
		share: expect.any(Number),
		complaints: [],
	});
});
