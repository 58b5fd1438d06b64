// The lines that `npm start` prints about events.
import { describeEvent, withoutSecrets } from '../../../dev/watch';

// Without the colours for the terminal.
const plain = (line: string | undefined) => line?.replace(/\x1b\[\d+m/g, '');

test('an event in the envelope of the document is one line', () => {
	const line = describeEvent(
		'update',
		[
			{
				cpt: 1,
				ts: 2,
				elapse: 0,
				event: {
					type_notification: 'queue',
					event: 'insert_call',
					msg: { id_call: -5, id_queue: 301, caller_id_num: '+33199000123', priority: 50 },
				},
			},
		],
		2,
	);
	expect(plain(line)).toMatch(
		/^\d\d:\d\d:\d\d event {2}queue insert_call +id_call -5 {2}caller_id_num \+33199000123 {2}id_queue 301 {2}2 listening$/,
	);
});

test('a num event, which has no envelope, is one line as well', () => {
	const line = describeEvent(
		'update',
		[{ type_notification: 'num', srv: 1, event: 'start', msg: { id_call: '7' } }],
		0,
	);
	expect(plain(line)).toMatch(/num start +id_call 7 {2}nobody listens$/);
});

test('anything that is not an update is not shown, and odd payloads do no harm', () => {
	expect(describeEvent('other', [{}], 1)).toBeUndefined();
	expect(describeEvent('update', [], 1)).toEqual(expect.any(String));
	expect(describeEvent('update', [null], 1)).toEqual(expect.any(String));
});

test('an item of an execution is shown without the token that it contains', () => {
	const shown = withoutSecrets({
		id_session: 'S-secret',
		more: { url: 'https://voice.example.com/labo/index.htm?id_client=1&id_session=S-secret&x=1' },
		name: 'Ada',
	});
	expect(shown).not.toContain('secret');
	expect(JSON.parse(shown)).toEqual({
		id_session: '***',
		more: { url: 'https://voice.example.com/labo/index.htm?id_client=1&id_session=***&x=1' },
		name: 'Ada',
	});
});
