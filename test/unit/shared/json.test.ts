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

	it('is read like JSON.parse does if nothing is lost', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, indent) => {
				// A long number in front makes sure that the whole text is examined.
				const text = JSON.stringify([value, '12345678901234567'], null, indent);
				expect(parseJson(text)).toEqual(JSON.parse(text));
			}),
		);
	});

	/** Longer than what is parsed in one step. */
	const LONG = 50_001;
	const long = [' '.repeat(LONG), `"${'x'.repeat(LONG)}"`, `"${'\\u00e9\\\\'.repeat(LONG / 8)}"`];
	/**
	 * The tokens of a value, some of them replaced or preceded by a very long part, and in some texts one wrong token.
	 */
	const textInPieces = fc
		.tuple(
			fc.jsonValue({ maxDepth: 4 }),
			fc.array(fc.tuple(fc.nat(40), fc.constantFrom(...long)), { minLength: 1, maxLength: 3 }),
			fc.option(fc.tuple(fc.nat(40), fc.constantFrom('', ',', ':', '[', ']', '{}', '1', '-', '"'))),
		)
		.map(([value, parts, mistake]) => {
			const signs = JSON.stringify([value, [value]]).match(/"(?:[^"\\]|\\.)*"|[^"]/g) ?? [];
			for (const [at, part] of parts) {
				const index = at % signs.length;
				// Replaces a string, or becomes blanks in front of anything else.
				if (part.startsWith('"') && signs[index]?.startsWith('"')) signs[index] = part;
				else if (!part.startsWith('"')) signs[index] = `${part}${signs[index] ?? ''}`;
			}
			if (mistake) signs[mistake[0] % signs.length] = mistake[1];
			return signs.join('');
		});

	it('is read in pieces like JSON.parse reads the whole', () => {
		const read = (parse: (text: string) => unknown, text: string) => {
			try {
				return { value: parse(text) };
			} catch {
				return 'no JSON';
			}
		};
		fc.assert(
			fc.property(textInPieces, (text) => {
				// One more digit makes an integer that JSON.parse cannot keep, which is the subject of the next test.
				fc.pre(!/\d{16}/.test(text));
				expect(read(parseJson, text)).toEqual(read(JSON.parse, text));
			}),
			{ numRuns: 500 },
		);
	});

	it.each([
		(part: string) => `{"a":1${part}[${part}]}`,
		(part: string) => `{"a":-[${part}]}`,
		(part: string) => `[[${part}]x,1]`,
		(part: string) => `[1,${part}]`,
		(part: string) => `[${part},1]`,
		(part: string) => `[[${part}][${part}]]`,
		(part: string) => `{"a":[${part}]"b":1}`,
		(part: string) => `{[${part}]:1}`,
		(part: string) => `[${part}}`,
		(part: string) => `[1]${part}[1]`,
	])('is rejected in pieces: %#', (make) => {
		expect(() => parseJson(make(' '.repeat(LONG)))).toThrow(SyntaxError);
	});

	it('keeps a field called __proto__ as a field, however long it is', () => {
		const text = `{"__proto__":[${' '.repeat(LONG)}1],"a":${' '.repeat(LONG)}1}`;
		expect(Object.entries(parseJson(text) as object)).toEqual([
			['__proto__', [1]],
			['a', 1],
		]);
	});

	it('keeps every integer, wherever it is', () => {
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
