// Responses that no document lists, and how they are read.
import { collect } from '../../../nodes/VoiceManagement/transport/paging';
import { parse } from '../../../nodes/shared/answer/parse';
import { judge } from '../../../nodes/shared/answer/verdict';
import { ADDRESS } from '../../../nodes/shared/answer/identifiers';
import { entriesOf } from '../../../nodes/shared/answer/lists';

const shape = { names: ['regulationAddresses'], thing: ADDRESS };

it('a list of XML beside its own attributes is read', () => {
	const { data } = parse({
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
		async ({ pageNumber }) => ({
			entries: all.slice(Math.max(0, pageNumber * 3 - 1), pageNumber * 3 + 3),
			total: 7,
		}),
		shape,
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
		const answer = parse({ statusCode: 200, headers: {}, body: JSON.stringify(body) });
		const { outcome, word, reason } = judge(answer, { effect: 'write', successFlag: 'linked' });
		expect(outcome === 'partly' ? { word, reason } : undefined).toEqual(warning);
	},
);
