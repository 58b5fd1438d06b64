import fc from 'fast-check';
import { parseJson } from '../../../nodes/shared/json';

describe('JSON', () => {
	it.each<[string, unknown]>([
		['9007199254740991', 9007199254740991],
		['9007199254740992', 9007199254740992],
		['-9007199254740993', '-9007199254740993'],
		[
			'[1,12345678901234567890,"12345678901234567890"]',
			[1, '12345678901234567890', '12345678901234567890'],
		],
		[' {"id" : 90071992547409931\n}', { id: '90071992547409931' }],
		['{"90071992547409931":1}', { '90071992547409931': 1 }],
		['["\\"90071992547409931, ",90071992547409931]', ['"90071992547409931, ', '90071992547409931']],
		['["\\\\",90071992547409931]', ['\\', '90071992547409931']],
		[
			'[0.12345678901234567890,1e300,-12345678901234567890.5]',
			[0.12345678901234568, 1e300, -12345678901234567000],
		],
	])('%s keeps the digits of its integers', (text, value) => {
		expect(parseJson(text)).toEqual(value);
	});

	it('is read as JSON.parse reads it where nothing is lost', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, indent) => {
				// A long number in front makes sure that the whole text is looked at.
				const text = JSON.stringify([value, '12345678901234567'], null, indent);
				expect(parseJson(text)).toEqual(JSON.parse(text));
			}),
		);
	});

	it('keeps every integer, wherever it stands', () => {
		fc.assert(
			fc.property(fc.bigInt(), fc.string(), (id, text) => {
				const read = parseJson(
					`{"a":[${JSON.stringify(text)},${id}],${JSON.stringify(`-${text}`)}:${id}}`,
				);
				expect((read as { a: unknown[] }).a.map(String)).toEqual([text, String(id)]);
			}),
		);
	});

	it.each(['', '{', '"', '{"a":12345678901234567890', '[1,]', '1234567890123456789x'])(
		'throws for %j',
		(text) => {
			expect(() => parseJson(text)).toThrow(SyntaxError);
		},
	);
});
