// A workflow with all operations of the action node: an address from its zip code to linked numbers, a cart to its
// checkout, the session operations.
import type { Credential, N8nClient, Workflow, WorkflowDefinition } from '../../../dev/n8n/client';
import { API_CREDENTIAL, credentialData } from '../../../dev/setup';
import type { Provider } from '../../../simulator';
import { knownBy, operations, schemaOf } from '../../integration/VoiceManagement/forms';
import { present } from '../../support/present';
import { byId, chain, manualTriggerNode, operationNode, setNode, textFileNode } from './workflows';

/** Numbers of the Belgian geographic group that the simulated customer owns from the start. */
const GROUP = 6003;

/** The node that outputs an identifier first. */
export const sourceOf = (identifier: string) => {
	const found = operations.find(({ name }) => identifier in (schemaOf(name).properties ?? {}));
	const { resource, value } = present(found);
	return `${resource} ${value}`;
};
/** It, in the form that its fields have. */
const referenceTo = (identifier: string) => {
	const expression = `={{ $('${sourceOf(identifier)}').item.json.${identifier} }}`;
	const field = operations.flatMap(({ fields }) => fields).find(({ name }) => name === identifier);
	return present(field).type === 'resourceLocator' ? byId(expression) : expression;
};

/** What a workflow maps from item to item. */
const SPECIAL: Record<string, object> = {
	'zipcode/getAll': { returnAll: true, filters: { areaCode: '4' } },
	'address/create': {
		salutation: 'MS',
		firstName: 'Zoé',
		lastName: 'Example',
		city: '={{ $json.cityName }}',
		zipCode: { __rl: true, mode: 'code', value: '={{ $json.zipCode }}' },
		additionalFields: { customerReference: 'all-operations', phoneNumber: '+3229010000' },
	},
	'address/getAll': { returnAll: true, filters: { customerReference: 'all-operations' } },
	'address/unlink': { didIds: '={{ $json.didIds }}' },
	'cart/create': { additionalFields: { customerReference: 'order-1' } },
	'cart/addProduct': { didGroupId: String(GROUP), quantity: 2 },
};
/** They use the API account. */
export const TOKEN_NODES = operations
	.filter(({ isToken }) => isToken)
	.map(({ resource, value }) => `${resource} ${value}`);

/** Creates it. The provider's `reviewTime` must be short: a person reviews an address. */
export async function allOperations(
	{ client, provider }: { client: N8nClient; provider: Provider },
	create: (definition: WorkflowDefinition) => Promise<Workflow>,
): Promise<Workflow> {
	const account: Credential = await client.createCredential(
		API_CREDENTIAL,
		'API account',
		credentialData(provider, 'api'),
	);
	const didIds = provider.control
		.numbers()
		.dids.filter(({ didGroupId }) => didGroupId === GROUP)
		.slice(0, 2)
		.map(({ didId }) => didId);
	const known = { ...knownBy(referenceTo), didIds: didIds.join(', ') };
	const workflow = await create(
		chain('All operations', [
			manualTriggerNode(),
			...operations.flatMap(({ name, resource, value, parameters }) => {
				const node = operationNode(resource, value, { ...parameters(known), ...SPECIAL[name] });
				return name === 'address/uploadProof'
					? [
							setNode('Proof', { proof: 'Proof of address, with an é' }),
							textFileNode('Proof file', 'proof', 'proof.txt'),
							node,
						]
					: [node];
			}),
		]),
	);
	// In rows, for those who look at it.
	const placed = workflow.nodes.map((node, index) => ({
		...node,
		position: [(index % 7) * 240, Math.floor(index / 7) * 200] as [number, number],
	}));
	const nodes = placed.map((node) =>
		TOKEN_NODES.includes(node.name)
			? { ...node, credentials: { [API_CREDENTIAL]: { id: account.id, name: account.name } } }
			: node,
	);
	return await client.updateWorkflow(workflow.id, { ...workflow, nodes });
}
