// The action node and both credential tests with forms of an operator that no document lists.

import { startOperator, type Operator } from '../../../simulator';
import type { Form } from '../../../simulator/forms/form';
import { furtherFailures, furtherPaging, furtherSuccesses } from './further';
import { failuresTold, greenAndRed, journey, logins } from './journey';

let operator: Operator;
const serve = async (...forms: Form[]) => (operator = await startOperator({ forms }));
afterEach(async () => await operator.close());

let usual: Awaited<ReturnType<typeof journey>>;
beforeAll(async () => {
	usual = await journey(await serve());
	await operator.close();
});

test.each(Object.entries({ ...furtherSuccesses, ...furtherPaging }))(
	'%s: the user gets the same',
	async (name, form) => {
		// These only change the responses of the two logins.
		if (/^(login|token)-/.test(name)) expect(usual).toMatchObject(await logins(await serve(form)));
		else expect(await journey(await serve(form))).toEqual(usual);
	},
);

test.each(Object.entries(furtherFailures))('%s: an error with the reason', async (_name, form) => {
	await failuresTold(await serve(form));
});

/** Forms that a login can have as well. */
const ofLogins = Object.entries({ ...furtherSuccesses, ...furtherFailures }).filter(([name]) =>
	/^(login|token|xssi|json|utf16|wrapped|error|is-|all-xml|ok|success|status|ret|result|text|tuple|reason-[jlx])/.test(
		name,
	),
);

test.each(ofLogins)(
	'%s: Test passes with the right login, fails with a wrong one',
	async (_name, form) => await greenAndRed(await serve(form)),
);
