// What an error of the action node advises, done: the mistake ends with the advice, and doing what it says succeeds.

import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { startProvider, type Provider } from '../../../simulator';
import { companyForm, IDENTITY_DOCUMENT, itemWithFile, personForm } from './forms';
import { apiCredentialsFor, credentialsFor, runNode, type RunOptions } from './harness';
import { nth } from '../../support/present';

let provider: Provider;

beforeEach(async () => {
	provider = await startProvider();
});

afterEach(async () => await provider.close());

const run = async (parameters: IDataObject, options: Partial<RunOptions> = {}) =>
	nth((await runNode({ credentials: credentialsFor(provider), parameters, ...options })).items, 0)
		.json;

const address = (operation: string, rest: IDataObject = {}) => ({
	resource: 'address',
	operation,
	...rest,
});
const cart = (operation: string, rest: IDataObject = {}) => ({
	resource: 'cart',
	operation,
	...rest,
});
const custom = (customFields: IDataObject) => JSON.stringify(customFields);

const newAddress = async (form = companyForm) => String((await run(form)).addressId);
const newCart = async () => String((await run(cart('create'))).cartIdentifier);
const withProof = { items: [itemWithFile()] };

/** An address in Belgium with this status. */
async function addressThatIs(status: 'VERIFIED' | 'REJECTED' | 'NOT_VERIFIED') {
	const addressId = await newAddress();
	if (status !== 'NOT_VERIFIED') provider.control.reviewAddress(addressId, status, ['Unreadable']);
	return addressId;
}

/** Numbers of the account, in Belgium. */
const didsOf = (didGroupId: number) =>
	provider.control
		.numbers()
		.dids.filter((did) => did.didGroupId === didGroupId)
		.map(({ didId }) => didId);
const link = (addressId: string, didIds: unknown) =>
	address('link', { addressId, didIds: didIds as string });

interface Step {
	parameters: IDataObject;
	options?: Partial<RunOptions>;
}
interface Case {
	mistake: Step;
	/** What happens at the provider before that. */
	between?: () => unknown;
	/** What the advice says, one step after the other. */
	done: Step[];
}
const steps = (mistake: IDataObject, ...done: IDataObject[]): Case => ({
	mistake: { parameters: mistake },
	done: done.map((parameters) => ({ parameters })),
});

const changed = (fields: IDataObject) => ({ ...companyForm, ...fields });
const more = (additionalFields: IDataObject, form = companyForm) => ({ ...form, additionalFields });
const withCustom = (customFields: string) => changed({ options: { customFields } });
const extra = (...field: IDataObject[]) => more({ extraFields: { field } });
const product = (cartIdentifier: string, rest: IDataObject) =>
	cart('addProduct', { cartIdentifier, productType: 'didCartItem', didGroupId: '6003', ...rest });
const inFrance = { ...personForm, didType: 'NATIONAL', additionalFields: {} };

const cases: Array<[advice: string, play: () => Promise<Case> | Case]> = [
	// Before anything is sent.
	[
		'Write it with braces and double quotes',
		() => steps(withCustom('{a: 1}'), withCustom(custom({ customerReference: 'A' }))),
	],
	[
		'Write it as text, in double quotes.',
		() =>
			steps(
				withCustom('{"customerReference": 1e999}'),
				withCustom('{"customerReference": "1e999"}'),
			),
	],
	[
		'Pass only the fields that the provider needs.',
		() => {
			const deep = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`;
			return steps(withCustom(deep), withCustom('{}'));
		},
	],
	['Remove that field.', () => steps(withCustom('{"__proto__": 1}'), withCustom('{}'))],
	[
		'Let the expression return a single number or text.',
		() => steps(changed({ city: ['Liège'] as never }), changed({ city: 'Liège' })),
	],
	[
		'Set "Address", or check the expression in it.',
		async () => {
			const addressId = await newAddress();
			return steps(address('get', { addressId: '' }), address('get', { addressId }));
		},
	],
	[
		'Set "DID Group ID", or check the expression in it.',
		async () => {
			const id = await newCart();
			return steps(product(id, { didGroupId: '' }), product(id, {}));
		},
	],
	[
		'Let the expression return a list of text or numbers.',
		async () => {
			const id = await addressThatIs('VERIFIED');
			const dids = didsOf(6003);
			return steps(link(id, [dids[0], null]), link(id, dids));
		},
	],
	[
		'Enter at least one DID identifier.',
		async () => {
			const id = await addressThatIs('VERIFIED');
			return steps(link(id, ''), link(id, didsOf(6003)));
		},
	],
	[
		'Set it to 1 or more.',
		() => steps(address('getAll', { limit: 0 }), companyForm, address('getAll', { limit: 1 })),
	],
	[
		'Set it to 1 or more.',
		async () => {
			const id = await newCart();
			return steps(product(id, { quantity: 0 }), product(id, { quantity: 1 }));
		},
	],
	[
		'Choose "Resource" and "Operation" from their lists',
		() => steps({ resource: 'cart', operation: 'sell' }, cart('create')),
	],
	[
		'Use one of didCartItem, capacityCartItem, creditPackageCartItem, phoneNumbers.',
		async () => {
			const id = await newCart();
			return steps(product(id, { productType: 'did' }), product(id, {}));
		},
	],
	[
		'Enter at least one phone number.',
		async () => {
			const id = await newCart();
			const numbers = (phoneNumbers: string) =>
				product(id, { productType: 'phoneNumbers', phoneNumbers });
			return steps(numbers(''), numbers('+3229010500'));
		},
	],
	[
		'Fill in this field, or set what your provider wants instead',
		() => steps(changed({ city: '' }), changed({ city: 'Liège' })),
	],
	['Enter a name or remove the field.', () => steps(extra({ name: '', value: '1' }), companyForm)],
	[
		'Remove one of them.',
		() => {
			const field = { name: 'VAT Number', value: 'A12345678' };
			const spain = (...fields: IDataObject[]) => ({
				...extra(...fields),
				countryCodeA3: 'ESP',
				destinationCountryCodeA3: 'ESP',
			});
			return steps(spain(field, field), spain(field));
		},
	],
	[
		'Enter it as YYYY-MM-DD.',
		() => {
			const issued = (issuingDate: string) => ({
				...personForm,
				additionalFields: {
					identityDocumentProof: { document: { ...IDENTITY_DOCUMENT.document, issuingDate } },
				},
			});
			return steps(issued('4 March 2021'), issued('2021-03-04'));
		},
	],
	[
		'Choose "Multipart", or remove the file and use "Upload Proof" afterwards.',
		() => {
			const form = (bodyFormat: string) => ({
				parameters: { ...more({ proofBinaryPropertyName: 'data' }), options: { bodyFormat } },
				options: withProof,
			});
			return { mistake: form('json'), done: [form('multipart')] };
		},
	],
	[
		'Enter the identifier that the provider returned.',
		async () => {
			const addressId = await newAddress();
			return steps(address('get', { addressId: '..' }), address('get', { addressId }));
		},
	],
	...(
		[
			[
				'Check the node that reads or downloads the file.',
				'data',
				[itemWithFile('data', { content: Buffer.alloc(0) })],
			],
			['Enter the name of the binary field with the file.', ' ', [itemWithFile('data')]],
			['Merge the pages into one document', 'data, other', [itemWithFile('data')]],
			['It has: "data".', 'other', [itemWithFile('data')]],
			['add a node in front that reads or downloads one.', 'data', [{ json: {} }]],
		] as const
	).map(([advice, binaryPropertyName, items]): [string, () => Promise<Case>] => [
		advice,
		async () => {
			const addressId = await newAddress();
			const upload = (name: string) =>
				address('uploadProof', { addressId, binaryPropertyName: name });
			return {
				mistake: { parameters: upload(binaryPropertyName), options: { items: [...items] } },
				done: [{ parameters: upload('data'), options: withProof }],
			};
		},
	]),

	// The provider's errors about addresses and numbers.
	['Fill in "City"', () => steps(withCustom(custom({ city: null })), companyForm)],
	['Shorten "City"', () => steps(changed({ city: 'x'.repeat(300) }), companyForm)],
	['Correct "Postal Code"', () => steps(changed({ zipCode: '9999' }), companyForm)],
	['Remove this extra field', () => steps(extra({ name: 'Shoe Size', value: '7' }), companyForm)],
	[
		'Correct the value of the extra field that the message names.',
		() => {
			const spain = (value: string) => ({
				...extra({ name: 'VAT Number', value }),
				countryCodeA3: 'ESP',
				destinationCountryCodeA3: 'ESP',
			});
			return steps(spain('?'), spain('A12345678'));
		},
	],
	[
		'Set "Country" and "Destination Country" to the same country.',
		() => steps(changed({ destinationCountryCodeA3: 'NLD' }), companyForm),
	],
	[
		'Write the phone number as + and 9 to 15 digits.',
		() => steps(more({ phoneNumber: '04 1' }), more({ phoneNumber: '+3241234567' })),
	],
	[
		'Correct the field that the message names. Write countries as three-letter ISO codes',
		() => {
			const apiErrorMessage = 'The code is not one of ISO 3166';
			provider.control.fault({
				status: 400,
				body: { apiModule: 'COMMON', errors: [{ apiErrorCode: '14', apiErrorMessage }] },
			});
			return steps(changed({ countryCodeA3: 'BE', destinationCountryCodeA3: 'BE' }), companyForm);
		},
	],
	['Remove what the message names', () => steps(withCustom(custom({ shoe: 1 })), companyForm)],
	[
		'"Identity Document"',
		() => steps({ ...personForm, additionalFields: {} }, personForm, inFrance),
	],
	[
		'Check "Address"',
		async () => {
			const addressId = await newAddress();
			return steps(address('get', { addressId: '1' }), address('get', { addressId }));
		},
	],
	[
		'Unlink them first',
		async () => {
			const addressId = await addressThatIs('VERIFIED');
			const didIds = didsOf(6003);
			await run(link(addressId, didIds));
			return steps(
				address('delete', { addressId }),
				address('unlink', { didIds: didIds as never }),
				address('delete', { addressId }),
			);
		},
	],
	[
		'Link the numbers of one DID group at a time.',
		async () => {
			const belgian = await addressThatIs('VERIFIED');
			const french = await newAddress(personForm);
			provider.control.reviewAddress(french, 'VERIFIED');
			return steps(
				link(belgian, [...didsOf(6003), ...didsOf(6001)]),
				link(belgian, didsOf(6003)),
				link(french, didsOf(6001)),
			);
		},
	],
	[
		'Unlink it first, or leave it out.',
		async () => {
			const addressId = await addressThatIs('VERIFIED');
			const didIds = didsOf(6003);
			await run(link(addressId, didIds));
			return steps(
				link(addressId, didIds),
				address('unlink', { didIds: didIds as never }),
				link(addressId, didIds),
			);
		},
	],
	[
		'Check "DID IDs"',
		async () => {
			const addressId = await addressThatIs('VERIFIED');
			return steps(link(addressId, '+3229010000'), link(addressId, didsOf(6003)));
		},
	],
	[
		'Choose an address that was created for numbers of this type and country, or create one.',
		async () => {
			const french = await newAddress(personForm);
			provider.control.reviewAddress(french, 'VERIFIED');
			return steps(link(french, didsOf(6003)), link(await addressThatIs('VERIFIED'), didsOf(6003)));
		},
	],
	[
		'These numbers work without an address. Leave them out.',
		async () => {
			const addressId = await addressThatIs('VERIFIED');
			return steps(link(addressId, didsOf(6004)), link(addressId, didsOf(6003)));
		},
	],
	[
		'Run "Request Verification" for this address first.',
		async () => {
			const addressId = await addressThatIs('NOT_VERIFIED');
			return steps(
				link(addressId, didsOf(6003)),
				address('requestVerification', { addressId }),
				link(addressId, didsOf(6003)),
			);
		},
	],
	[
		"Read the address's status instead of requesting it again.",
		async () => {
			const addressId = await addressThatIs('VERIFIED');
			return steps(address('requestVerification', { addressId }), address('get', { addressId }));
		},
	],
	[
		'Upload another proof.',
		async () => {
			const addressId = await addressThatIs('REJECTED');
			return {
				mistake: { parameters: link(addressId, didsOf(6003)) },
				done: [
					{ parameters: address('uploadProof', { addressId }), options: withProof },
					{ parameters: address('requestVerification', { addressId }) },
					{ parameters: link(addressId, didsOf(6003)) },
				],
			};
		},
	],

	[
		"Wait until the address's status is VERIFIED or REJECTED.",
		async () => {
			const addressId = await addressThatIs('NOT_VERIFIED');
			await run(address('requestVerification', { addressId }));
			const remove = { parameters: address('delete', { addressId }) };
			const verified = () => provider.control.reviewAddress(addressId, 'VERIFIED');
			return { mistake: remove, between: verified, done: [remove] };
		},
	],
	[
		'Leave this step out: the numbers of this country need no verification.',
		async () => {
			const addressId = await newAddress(
				changed({ destinationCountryCodeA3: 'USA', didType: 'NATIONAL' }),
			);
			const asked = { addressId, didType: 'NATIONAL', destinationCountryCodeA3: 'USA' };
			expect(await run(address('validate', asked))).toMatchObject({ isValid: true });
			return steps(address('requestVerification', { addressId }), address('get', { addressId }));
		},
	],

	// The provider's errors about orders.
	[
		'Set "Quantity" to a whole number above zero.',
		async () => {
			const id = await newCart();
			const half = custom({ didCartItem: { quantity: 0.5 } });
			return steps(product(id, { options: { customFields: half } }), product(id, {}));
		},
	],
	['Check "Cart Identifier"', async () => steps(product('1', {}), product(await newCart(), {}))],
	[
		'Add a product to the cart before you check it out.',
		async () => {
			const id = await newCart();
			const checkout = cart('checkout', { cartIdentifier: id, confirmPurchase: true });
			return steps(checkout, product(id, {}), checkout);
		},
	],
	[
		'Add one product at a time.',
		async () => {
			const id = await newCart();
			const both = custom({ capacityCartItem: { zone: 'A', quantity: 10 } });
			return steps(product(id, { options: { customFields: both } }), product(id, {}));
		},
	],
	[
		'Check "DID Group ID"',
		async () => {
			const id = await newCart();
			return steps(product(id, { didGroupId: '1' }), product(id, {}));
		},
	],
	[
		'Choose another group or a smaller quantity.',
		async () => {
			const id = await newCart();
			return steps(product(id, { didGroupId: '6006' }), product(id, {}));
		},
	],
	[
		'Set "Quantity" to a multiple of ten',
		async () => {
			const id = await newCart();
			const channels = (quantity: number) =>
				product(id, { productType: 'capacityCartItem', zone: 'A', quantity });
			return steps(channels(15), channels(20));
		},
	],
	[
		'Check "Credit Package ID"',
		async () => {
			const id = await newCart();
			const credit = (creditPackageId: string) =>
				product(id, { productType: 'creditPackageCartItem', creditPackageId });
			return steps(credit('99'), credit('1'));
		},
	],
	[
		'Shorten "Customer Reference" to 255 characters.',
		() => {
			const named = (customerReference: string) =>
				cart('create', { additionalFields: { customerReference } });
			return steps(named('x'.repeat(256)), named('x'.repeat(255)));
		},
	],
	[
		'Turn on "Confirm Purchase" in this node to place the paid order.',
		async () => {
			const id = await newCart();
			await run(product(id, {}));
			const checkout = (confirmPurchase: boolean) =>
				cart('checkout', { cartIdentifier: id, confirmPurchase });
			return steps(checkout(false), checkout(true));
		},
	],
	[
		'Turn off "Retry On Fail" in the settings of this node',
		async () => {
			const id = await newCart();
			await run(product(id, {}));
			const parameters = cart('checkout', { cartIdentifier: id, confirmPurchase: true });
			return {
				mistake: { parameters, options: { node: { retryOnFail: true } } },
				done: [{ parameters }],
			};
		},
	],
	[
		"Check on the provider's side whether the change was made before you run this again.",
		async () => {
			provider.control.fault({ processed: true, destroy: true });
			return steps(cart('create'), cart('create'));
		},
	],

	[
		"Don't run this again before you know. Look at the account's orders",
		async () => {
			const id = await newCart();
			await run(product(id, {}));
			const checkout = cart('checkout', { cartIdentifier: id, confirmPurchase: true });
			// Lost on the way: the account has no order, so the cart is checked out again.
			provider.control.fault({ destroy: true });
			return steps(checkout, checkout);
		},
	],
	[
		'Wait a moment, then run the checkout again by hand.',
		async () => {
			const id = await newCart();
			await run(product(id, {}));
			const checkout = cart('checkout', { cartIdentifier: id, confirmPurchase: true });
			provider.control.fault({ status: 429, body: { message: 'Slow down' } });
			return steps(checkout, checkout);
		},
	],
	[
		'Try again later, add a Wait node, or turn on "Retry On Fail".',
		async () => {
			const get = address('get', { addressId: await newAddress() });
			const slow = {
				status: 429,
				body: { message: 'Slow down' },
				headers: { 'retry-after': '300' },
			};
			provider.control.fault(slow);
			return steps(get, get);
		},
	],
	[
		'Try again later, or send fewer items at once: with a "Loop Over Items" and a Wait node.',
		() => {
			provider.control.fault({ status: 429, body: { message: 'Slow down' } });
			return steps(companyForm, companyForm);
		},
	],
	[
		'Try again later.',
		() => {
			provider.control.fault({ status: 500, body: { message: 'Oops' } });
			return steps(address('getAll'), companyForm, address('getAll'));
		},
	],
	[
		'Try the upload again, and check that the binary field holds a complete file.',
		async () => {
			const upload = {
				parameters: address('uploadProof', { addressId: await newAddress() }),
				options: withProof,
			};
			const errors = [{ apiErrorCode: '24', apiErrorMessage: 'The upload could not be read' }];
			provider.control.fault({ status: 400, body: { apiModule: 'COMMON', errors } });
			return { mistake: upload, done: [upload] };
		},
	],
	[
		'Correct "Issuing Date" of "Identity Document"',
		() => {
			const issued = (issuingDate: string) => ({
				...personForm,
				options: {
					customFields: custom({
						identityDocumentProof: { ...IDENTITY_DOCUMENT.document, issuingDate },
					}),
				},
			});
			return steps(issued('4 March 2021'), issued('2021-03-04 00:00:00'));
		},
	],

	// Logins.
	[
		'Check that the credential holds the number management login',
		() => {
			provider.control.fault({ status: 403, body: { message: 'Not for this account' } });
			return steps(companyForm, companyForm);
		},
	],
	[
		'Check "Login" and "Password" in the credential. If the test of the credential succeeds, its login is the API account',
		() => ({
			mistake: {
				parameters: address('getAll'),
				options: { credentials: apiCredentialsFor(provider) },
			},
			done: [{ parameters: companyForm }, { parameters: address('getAll') }],
		}),
	],
	[
		'Check "Login" and "Password" in the credential. If the test of the credential succeeds, its login is for number management',
		() => {
			const parameters = { resource: 'session', operation: 'createToken' };
			return {
				mistake: { parameters },
				done: [{ parameters, options: { credentials: apiCredentialsFor(provider) } }],
			};
		},
	],
	[
		'Open the credential and set "Base URL" to the provider\'s host',
		() => {
			const credentials = credentialsFor(provider);
			const wrong = {
				...credentials,
				voiceManagementApi: { ...credentials.voiceManagementApi, baseUrl: '' },
			};
			return {
				mistake: { parameters: companyForm, options: { credentials: wrong } },
				done: [{ parameters: companyForm }],
			};
		},
	],
	[
		'Enter the URL without a login, query string or fragment.',
		() => {
			const credentials = credentialsFor(provider);
			const baseUrl = `${String(credentials.voiceManagementApi?.baseUrl)}/?key=1`;
			const wrong = {
				...credentials,
				voiceManagementApi: { ...credentials.voiceManagementApi, baseUrl },
			};
			return {
				mistake: { parameters: companyForm, options: { credentials: wrong } },
				done: [{ parameters: companyForm }],
			};
		},
	],
	[
		'Open the credential and enter the IP address from which the provider sees this n8n instance',
		() => {
			const credentials = apiCredentialsFor(provider);
			const wrong = {
				...credentials,
				voiceManagementApi: { ...credentials.voiceManagementApi, ip: '' },
			};
			const parameters = { resource: 'session', operation: 'createToken' };
			return {
				mistake: { parameters, options: { credentials: wrong } },
				done: [{ parameters, options: { credentials } }],
			};
		},
	],
];

test.each(cases)('done as the error advises, it succeeds: %s', async (advice, play) => {
	const { mistake, between, done } = await play();
	let error: NodeApiError | undefined;
	try {
		await run(mistake.parameters, mistake.options);
	} catch (thrown) {
		error = thrown as NodeApiError;
	}
	expect(`${error?.message} ${error?.description}`).toContain(advice);
	await between?.();
	for (const { parameters, options } of done) await run(parameters, options);
});
