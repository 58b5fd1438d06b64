// The action node and both credential tests with each form of an operator that affects them.

import { startOperator, type Operator, type OperatorOptions } from '../../../simulator';
import { companyForm } from '../VoiceManagement/forms';
import { credentialsFor, credentialTest } from '../VoiceManagement/harness';
import {
	address,
	belgianDids,
	by,
	create,
	failuresTold,
	greenAndRed,
	idIn,
	journey,
	run,
	words,
} from './journey';
import { nth } from '../../support/present';

const operators: Operator[] = [];
async function operatorWith(...forms: string[]) {
	const operator = await startOperator({ forms } satisfies Partial<OperatorOptions>);
	operators.push(operator);
	return operator;
}
afterEach(async () => {
	await Promise.all(operators.splice(0).map(async (operator) => await operator.close()));
});

describe('whatever form the operator uses, the user gets the same', () => {
	let usual: Awaited<ReturnType<typeof journey>>;
	beforeAll(async () => {
		usual = await journey(await operatorWith());
		expect(usual).toEqual({
			listed: [[true, 'Liège']],
			got: [true, 'Liège'],
			valid: false,
			linked: 2,
			deleted: { deleted: true },
			zipCodes: [expect.any(Number), expect.any(Number)],
			orders: 1,
			agents: 12,
			target: '9001',
			hasToken: true,
		});
	});

	test.each(
		words(`
			err-code-ok err-code-null wrapped-data wrapped-list list-bare list-renamed list-nested
			list-single-object get-bare id-long id-short ids-large no-count write-text write-empty
			latin1 json-bom paging-ignored first-page-one page-limit-error page-limit-cap past-end-404
			past-end-empty past-end-null past-end-last no-form-type no-type-without-body create-json
			target-text token-number
		`),
	)('%s', async (form) => {
		expect(await journey(await operatorWith(form))).toEqual(usual);
	});

	test.each([
		['no-count', 'paging-ignored'],
		['no-count', 'past-end-last'],
		['no-count', 'page-limit-cap'],
		['no-count', 'past-end-404'],
		['no-count', 'first-page-one'],
		['wrapped-data', 'list-renamed', 'id-long'],
		['list-bare', 'page-limit-error', 'past-end-null'],
	])('%s with %s', async (...forms) => {
		expect(await journey(await operatorWith(...forms))).toEqual(usual);
	});

	test.each(['redirect-slash', 'redirect-307'])(
		'%s, but an order is sent only once',
		async (form) => {
			const operator = await operatorWith(form);
			await create(operator);
			expect(await run(operator, address('getAll', { returnAll: true }))).toHaveLength(1);
			const info = nth(await run(operator, { resource: 'session', operation: 'getInfo' }), 0);
			expect(info.target).toBe('9001');
			const cart = nth(await run(operator, { resource: 'cart', operation: 'create' }), 0);
			const checkout = {
				resource: 'cart',
				operation: 'checkout',
				cartIdentifier: idIn(cart),
				confirmPurchase: true,
			};
			operator.control.clearRequests();
			await expect(run(operator, checkout)).rejects.toThrow(/may have been placed/);
			expect(operator.control.requests()).toHaveLength(1);
		},
	);

	test('redirect-other-host: nothing is sent there, and the user is told where it leads', async () => {
		const operator = await operatorWith('redirect-other-host');
		await expect(run(operator, address('getAll'))).rejects.toThrow(/localhost/);
		await expect(run(operator, { resource: 'session', operation: 'getInfo' })).rejects.toThrow(
			/localhost/,
		);
		const hosts = operator.control.requests().map(({ headers }) => headers.host ?? '');
		expect(hosts.filter((host) => !host.startsWith('127.'))).toEqual([]);
	});
});

describe('the operator’s identifiers are sent back unchanged', () => {
	test('beyond 2^53, to the last digit', async () => {
		const operator = await operatorWith('ids-large');
		const created = nth(await run(operator, companyForm), 0);
		expect(String(created.addressId)).toMatch(/^9007199254864\d{3}$/);
		const got = nth(
			await run(operator, address('get', { addressId: by(String(created.addressId)) })),
			0,
		);
		expect(String(got.addressId)).toBe(String(created.addressId));
	});

	test.each([
		['ids-number', (id: number) => id],
		['ids-text', String],
	] as const)('%s', async (form, write) => {
		const operator = await operatorWith(form);
		const addressId = by(await create(operator));
		await run(operator, address('requestVerification', { addressId }));
		operator.control.reviewAddress(
			nth(operator.control.numbers().addresses, 0).addressId,
			'VERIFIED',
		);
		const didIds = belgianDids(operator).map((id) => write(id));
		await run(
			operator,
			address('link', {
				addressId,
				options: { customFields: JSON.stringify({ didIds }) },
				didIds: String(didIds),
			}),
		);
		expect(operator.control.numbers().dids.filter((did) => did.addressId !== null)).toHaveLength(2);
	});
});

describe('a failure is an error with the operator’s own reason', () => {
	const forms = [
		'failure-status-error',
		'failure-success-false',
		'failure-err-code',
		'reason-errors-by-field',
		'reason-problem',
		'reason-text',
		'reason-xml',
	];

	test.each(forms)('%s', async (form) => {
		await failuresTold(await operatorWith(form));
	});
});

describe('"Test" of a credential', () => {
	test.each(
		words(`
			err-code-ok err-code-null wrapped-data wrapped-list latin1 json-bom list-bare
			list-renamed first-page-one redirect-slash redirect-307 count-type-only account-type-only
			target-text token-number no-form-type no-type-without-body failure-status-error
			failure-success-false failure-err-code reason-problem reason-text reason-xml
		`),
	)('%s: passes with the right login, fails with a wrong one', async (form) => {
		await greenAndRed(await operatorWith(form));
	});

	test.each(['login-404', 'login-html', 'redirect-other-host'])('%s: red', async (form) => {
		const operator = await operatorWith(form);
		const { voiceManagementSupervisorApi: data } = credentialsFor(operator);
		expect(await credentialTest.supervisor(data)).toMatchObject({ status: 'Error' });
	});
});
