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

/** What the user gets: as the provider means it, something else that is said (`shown`), or that without a word. */
async function outcomeOf(
	form: HeldOut,
): Promise<{ is: 'right' | 'shown' | 'silent'; got: string }> {
	current = form;
	server.asked.length = 0;
	const outcome = await runNode({
		credentials: credentialsAt(server.url),
		parameters: present(parameters.get(form.operation)),
		items: [itemWithFile()],
	}).then(
		({ items, hints }) => ({ items: items.map(({ json }) => json), hints }),
		(error: Error) => ({ error: error.message }),
	);
	const { expected } = form;
	const isOnce = form.operation !== 'cart/checkout' || server.asked.length === 1;
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
	const isShown =
		'error' in outcome ||
		outcome.hints.some(({ message }) =>
			/not understand|node understands|also has|responded with/.test(message),
		);
	const is = isRight && isOnce ? 'right' : isShown && isOnce ? 'shown' : 'silent';
	return { is, got: `${form.name}: ${String(form.body)} gives ${JSON.stringify(outcome)}` };
}

/** The forms of provider.md, each of which is read. */
const READ = [
	/: documented, (data|list), asIs$/,
	/: (in Latin 1|behind a mark)$/,
	/^address\/getAll: (bare|adresses|nested under its own name|the one entry itself), bare, asIs$/,
	/^address\/get: \w*id, bare, asIs$/i,
	/^address\/create: (\w*id, bare, asIs|beyond 2\^53)$/i,
	/^cart\/create: \w+ in the cart$/,
	/^address\/link: (the code OK|no code), bare, asIs$/,
	/^address\/link: the text "(200 OK)?"$/,
	/^address\/link: (status word|success false|a code of a login), bare, asIs$/,
	/^cart\/checkout: (status word|success false|a code of a login)$/,
	/^address\/getAll: (problem|errors by field), bare, asIs$/,
	/^address\/getAll: (words|XML)$/,
];
const counts = { right: 0, shown: 0, silent: 0 };

test.each([...new Set(HELD_OUT.map(({ operation }) => operation))])(
	'%s: nothing is silent',
	async (operation) => {
		const silent: string[] = [];
		for (const form of HELD_OUT.filter((one) => one.operation === operation)) {
			const { is, got } = await outcomeOf(form);
			counts[is]++;
			if (is === 'silent') silent.push(got);
		}
		expect(silent).toEqual([]);
	},
);

test.each(READ)('%s is read as the provider means it', async (names) => {
	const outcomes = [];
	for (const form of HELD_OUT.filter(({ name }) => names.test(name)))
		outcomes.push(await outcomeOf(form));
	expect(outcomes.length).toBeGreaterThan(0);
	expect(outcomes.filter(({ is }) => is !== 'right')).toEqual([]);
});

test('at least 88% of all forms are read as the provider means them', () => {
	expect(counts.right / HELD_OUT.length).toBeGreaterThanOrEqual(0.88);
});
