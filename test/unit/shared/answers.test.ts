// Responses that no document lists, and how they are read.
import type { ICredentialsDecrypted, ICredentialTestFunctions } from 'n8n-workflow';
import { collect } from '../../../nodes/VoiceManagement/transport/paging';
import { testApiCredential } from '../../../nodes/shared/credentialTest';
import { readWarning } from '../../../nodes/shared/failure';
import { readResponse } from '../../../nodes/shared/response';
import { ADDRESS_IDS, entriesOf } from '../../../nodes/shared/shapes';

const shape = { names: ['regulationAddresses'], ids: ADDRESS_IDS };

it('a list of XML beside its own attributes is read', () => {
	const { data } = readResponse({
		statusCode: 200,
		headers: { 'content-type': 'application/xml' },
		body: '<addresses total="2"><address addressId="11"/><address addressId="12"/></addresses>',
	});
	expect(entriesOf(data, shape)).toEqual([{ addressId: '11' }, { addressId: '12' }]);
});

it('an entry that contains a list itself stays one entry', () => {
	const address = { addressId: 11, rejections: [{ code: 1 }, { code: 2 }] };
	expect(entriesOf({ regulationAddresses: address }, shape)).toEqual([address]);
});

it('overlapping pages are read to the end, each entry once', async () => {
	const all = Array.from({ length: 7 }, (_, at) => ({ addressId: at }));
	const { entries, note } = await collect(
		async (page) => ({
			entries: all.slice(Math.max(0, page * 3 - 1), page * 3 + 3),
			total: 7,
			totalIsSure: true,
		}),
		{ key: ADDRESS_IDS },
	);
	expect(entries).toEqual(all);
	expect(note).toBeUndefined();
});

it.each<[string, object, unknown]>([
	['1 in text', { status: { code: '1' } }, { word: 'code 1', reason: expect.any(String) }],
	['1', { retCode: 1 }, { word: 'code 1', reason: expect.any(String) }],
	['0', { status: { code: '0' } }, undefined],
	['1 beside a success', { code: 1, status: 'SUCCESS' }, undefined],
])(
	'a change with the response code %s: it is reported that the result is unknown',
	(_name, body, warning) => {
		const response = readResponse({ statusCode: 200, headers: {}, body: JSON.stringify(body) });
		expect(readWarning(response, { effect: 'write', successFlag: 'linked' })).toEqual(warning);
	},
);

it.each<[string, number, string, 'OK' | 'Error']>([
	['no content', 204, '', 'OK'],
	['none, by its code', 404, '{"errors":[{"apiErrorCode":"15","apiErrorMessage":"None"}]}', 'OK'],
	['a page that is not there', 404, '', 'Error'],
])('Test, for a list with the response %s', async (_name, statusCode, body, status) => {
	const request = async ({ method }: { method: string }) =>
		method === 'GET'
			? { statusCode, headers: {}, body }
			: { statusCode: 401, headers: {}, body: '' };
	const context = { helpers: { request } } as unknown as ICredentialTestFunctions;
	const data = { baseUrl: 'https://api.example.com', login: 'login', password: 'password' };
	const result = await testApiCredential.call(context, {
		data,
	} as unknown as ICredentialsDecrypted);
	expect(result.status).toBe(status);
});

test('Test does not pass for a host that responds to everything with nothing', async () => {
	const request = async () => ({ statusCode: 204, headers: {}, body: '' });
	const context = { helpers: { request } } as unknown as ICredentialTestFunctions;
	const data = { baseUrl: 'https://api.example.com', login: 'login', password: 'password' };
	const result = await testApiCredential.call(context, {
		data,
	} as unknown as ICredentialsDecrypted);
	expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(/Base URL/) });
});
