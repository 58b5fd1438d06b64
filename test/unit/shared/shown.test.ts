// What is shown of what is not understood: names and types, no value, bounded whatever it is.
import fc from 'fast-check';
import { shapeOf, shapesOf, typesIn } from '../../../nodes/shared/shown';

const plain = (text: string) => text;

test.each<[unknown, string]>([
	['Not allowed', '"Not allowed"'],
	[`${'x'.repeat(300)}`, `"${'x'.repeat(120)}…"`],
	['<b>Not</b>\nallowed', '"Not allowed"'],
	[7, 'number'],
	[null, 'null'],
	[[], 'empty list'],
	[{}, 'empty object'],
	[[{ id: 1 }, { id: 2 }], 'list of 2 ({ id: number })'],
	[new Uint8Array(3), '3 bytes'],
	[{ a: { b: { c: { d: { e: 1 } } } } }, '{ a: { b: { c: { d: object } } } }'],
	[{ '+33199001234': { n: 1 }, '+33199001235': { n: 2 } }, '{ #: { n: number } }'],
	[{ code: 4, message: 'Session refused' }, '{ code: number, message: text }: "Session refused"'],
	[
		{ data: { msg: { caller: 'Ada from Liège', note: 'a b' } } },
		'{ data: { msg: { caller: text, note: text } } }',
	],
	[{ error: { text: 'Ada from Liège' } }, '{ error: { text: text } }'],
])('%j is %s', (value, shown) => {
	expect(shapeOf(value, plain)).toBe(shown);
});

test('the arguments of a message, without the function that acknowledges it', () => {
	expect(shapesOf(['unauthorized', { code: 4 }, () => undefined], plain)).toBe(
		'"unauthorized", { code: number }',
	);
	expect(shapesOf([], plain)).toBe('nothing');
});

test.each([
	['Call from +33 1 99 00 12 34 refused', '"Call from # refused"'],
	['01.99.00.12.34 and 0033199001234', '"# and #"'],
	['The IP 203.0.113.7 of port 8080 is not yours (403)', undefined],
	['{"caller": "Ada", "caller_id_num": "+331990', 'text that is no JSON'],
	['[ ["Ada", "+331990', 'text that is no JSON'],
	["{'caller_name': 'Ada'", 'text that is no JSON'],
	['[123, "Ada"', 'text that is no JSON'],
	['[Error] Not allowed', undefined],
])('the arguments of a message, without telephone numbers: %s', (text, shown) => {
	expect(shapesOf([text], plain)).toBe(shown ?? `"${text}"`);
});

test('a text is masked before it is cut', () => {
	const mask = (text: string) => text.replaceAll('s3cret', '***');
	expect(shapeOf(`${'x'.repeat(117)}s3cret`, mask)).toBe(`"${'x'.repeat(117)}***"`);
});

test('nothing makes it throw, or longer than a line', () => {
	fc.assert(
		fc.property(fc.oneof(fc.jsonValue(), fc.anything()), (value) => {
			expect(typesIn(value).length).toBeLessThanOrEqual(400);
			expect(shapeOf(value, plain).length).toBeLessThan(540);
		}),
	);
	const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
	expect(typesIn(deep)).toBe('list of 1 (list of 1 (list of 1 (list of 1 (list))))');
});
