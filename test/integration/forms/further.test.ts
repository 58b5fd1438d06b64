// The action node and both credential tests against forms of an operator that stand in no list.

import type { ICredentialsDecrypted } from 'n8n-workflow';
import { testApiCredential, testSupervisorCredential } from '../../../nodes/shared/credentialTest';
import { startOperator, type Operator } from '../../../simulator';
import type { Form } from '../../../simulator/forms/form';
import {
	apiCredentialsFor,
	credentialsFor,
	credentialTestContext,
} from '../VoiceManagement/harness';
import { furtherFailures, furtherPaging, furtherSuccesses } from './further';
import { failuresTold, journey } from './journey';

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
	async (_name, form) => {
		expect(await journey(await serve(form))).toEqual(usual);
	},
);

test.each(Object.entries(furtherFailures))('%s: an error with the reason', async (_name, form) => {
	await failuresTold(await serve(form));
});

type Data = ICredentialsDecrypted['data'];
const context = credentialTestContext();
const api = async (data: Data) =>
	(await testApiCredential.call(context, { data } as ICredentialsDecrypted)).status;
const supervisor = async (data: Data) =>
	(await testSupervisorCredential.call(context, { data } as ICredentialsDecrypted)).status;
const wrong = (data: Data): Data => ({ ...data, password: 'wrong' });

/** Forms that a login has as well. */
const ofLogins = Object.entries({ ...furtherSuccesses, ...furtherFailures }).filter(([name]) =>
	/^(login|token|xssi|json|utf16|wrapped|error|is-|all-xml|ok|success|status|ret|result|text|tuple|reason-[jlx])/.test(
		name,
	),
);

test.each(ofLogins)(
	'%s: Test is green with the right pair, red with a wrong one',
	async (_name, form) => {
		await serve(form);
		const auto = {
			...credentialsFor(operator).voiceManagementSupervisorApi,
			accountTypeKey: 'auto',
		};
		const numbers = credentialsFor(operator).voiceManagementApi;
		const account = apiCredentialsFor(operator).voiceManagementApi;
		expect({
			numbers: [await api(numbers), await api(wrong(numbers))],
			account: [await api(account), await api(wrong(account))],
			supervisor: [await supervisor(auto), await supervisor(wrong(auto))],
		}).toEqual({
			numbers: ['OK', 'Error'],
			account: ['OK', 'Error'],
			supervisor: ['OK', 'Error'],
		});
	},
);
