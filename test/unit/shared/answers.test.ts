// Responses that no document lists, and how they are read.
import { readPages } from '../../../nodes/VoiceManagement/transport/paging';
import { restOf } from '../../../nodes/VoiceManagement/outcome/understood';
import { parse } from '../../../nodes/shared/answer/parse';
import { judge } from '../../../nodes/shared/answer/verdict';
import { ADDRESS } from '../../../nodes/shared/answer/identifiers';
import { entriesOf } from '../../../nodes/shared/answer/lists';

const shape = { names: ['regulationAddresses'], thing: ADDRESS };

it('an entry that contains a list itself stays one entry', () => {
	const address = { addressId: 11, rejections: [{ code: 1 }, { code: 2 }] };
	expect(entriesOf({ regulationAddresses: address }, shape)).toEqual([address]);
});

it('overlapping pages are read to the end, each entry once', async () => {
	const all = Array.from({ length: 7 }, (_, at) => ({ addressId: at }));
	const { entries, note } = await readPages(
		async ({ pageNumber }) => ({
			entries: all.slice(Math.max(0, pageNumber * 3 - 1), pageNumber * 3 + 3),
			total: 7,
		}),
		shape,
	);
	expect(entries).toEqual(all);
	expect(note).toBeUndefined();
});

it.each([{ status: { code: '1' } }, { retCode: 1 }, { code: 1, status: 'SUCCESS' }])(
	'a change with the response code 1 is done, and the code is for the caller to show: %j',
	(body) => {
		const answer = parse({ statusCode: 200, headers: {}, body: JSON.stringify(body) });
		expect(judge(answer, { effect: 'write', successFlag: 'linked' }).outcome).toBe('done');
		expect(restOf(answer, { deed: 'linked' }).map(({ value }) => String(value))).toContain('1');
	},
);
