// Held-out forms: the node gets each of them over HTTP, and each gives the user what the provider means.

import { answerWith, type AnswerServer } from '../../support/answers';
import { credentialsAt } from '../../support/credentials';
import { itemWithFile, knownAs, operations } from '../VoiceManagement/forms';
import { runNode } from '../VoiceManagement/harness';
import { present } from '../../support/present';
import { HELD_OUT, type HeldOut } from './heldOut';

const parameters = new Map(operations.map((one) => [one.name, one.parameters(knownAs('7'))]));

let current: HeldOut;
let server: AnswerServer;
beforeAll(async () => {
	server = await answerWith(() => current);
});
afterAll(async () => await server.close());

/** What is wrong with what the user gets; undefined if nothing is. */
async function complaint(form: HeldOut): Promise<string | undefined> {
	current = form;
	server.asked.length = 0;
	const outcome = await runNode({
		credentials: credentialsAt(server.url),
		parameters: present(parameters.get(form.operation)),
		items: [itemWithFile()],
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
	const isOnce = form.operation !== 'cart/checkout' || server.asked.length === 1;
	return isRight && isOnce ? undefined : `${form.name}: ${String(form.body)} gives ${got}`;
}

test.each([...new Set(HELD_OUT.map(({ operation }) => operation))])('%s', async (operation) => {
	const complaints: string[] = [];
	for (const form of HELD_OUT.filter((one) => one.operation === operation)) {
		const wrong = await complaint(form);
		if (wrong !== undefined) complaints.push(wrong);
	}
	expect(complaints).toEqual([]);
});
