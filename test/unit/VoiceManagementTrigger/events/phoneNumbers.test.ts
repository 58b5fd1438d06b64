// Numbers that a person would call the same match, and no others, whatever prefix and punctuation is used.
import fc from 'fast-check';

import { numberMatcher } from '../../../../nodes/VoiceManagementTrigger/events/phoneNumbers';

const matches = (pattern: string, number: string) => numberMatcher(['nope', pattern])(number);

describe('a number', () => {
	it.each([
		['+33 (0)6 12 34 56 78'],
		['+33-6.12/34 56 78'],
		['(06) 12 34 56 78'],
		['00 33 6 12 34 56 78'],
		['\u200e+33\u00a06\u202f12\u200934\u201056\u221278'],
		['＋３３ ６ １２ ３４ ５６ ７８'],
		['tel:+33612345678'],
		['sip:+33612345678@voice.example.com;user=phone'],
		['+330612345678'],
		['Ada Martin <+33612345678>'],
		['+33612345678 (Ada Martin)'],
		['Ada Martin, 06 12 34 56 78'],
		['"Ada 2" <sip:+33612345678@voice.example.com:5060;transport=udp>;tag=1928301774'],
		['<sip:0033612345678;phone-context=+33@203.0.113.9;user=phone>'],
		['sip:%2B33612345678@voice.example.com'],
		['33612345678@203.0.113.9'],
		['sips:0612345678@voice.example.com?subject=call%20301'],
		['tel:+33-6-12-34-56-78;ext=2201'],
		['+33612345678;ext=2201'],
		['0612345678 ext. 2201'],
		['0612345678x22'],
	])('is the same as +33612345678 if it is written %s', (written) => {
		expect(matches('+33612345678', written)).toBe(true);
		expect(matches(written, '+33612345678')).toBe(true);
		expect(matches(written, '0612345678')).toBe(true);
	});

	it.each([
		// Another country, another subscriber, one digit more or less.
		['+33612345678', '+34612345678'],
		['+33612345678', '0612345679'],
		['+33612345678', '+3361234567'],
		['+33612345678', '061234567'],
		['+33612345678', '2345678'],
		// A part of a number does not match.
		['0612345678', '345678'],
		['5550123', '+12125550123'],
		// Internal numbers only match exactly.
		['301', '0301'],
		['301', '00301'],
		['301', '+33612345301'],
		['+33612345301', '301'],
		['301', '3011'],
	])('%s does not match %s', (pattern, number) => {
		expect(matches(pattern, number)).toBe(false);
		expect(matches(number, pattern)).toBe(false);
	});

	it.each([
		['301', '301'],
		['0301', '0301'],
		['"Desk 12" <sip:301@voice.example.com>', '301'],
		['+12125550123', '2125550123'],
		['2125550123', '12125550123'],
		// The 0 of Italian numbers is also dialled from abroad.
		['+390612345678', '0612345678'],
		['+390612345678', '390612345678'],
		['+35312345678', '012345678'],
		['0800 123 4567', '+44 800 123 4567'],
	])('%s matches %s', (pattern, number) => {
		expect(matches(pattern, number)).toBe(true);
		expect(matches(number, pattern)).toBe(true);
	});

	it.each([
		'',
		' ',
		'anonymous',
		'Anonymous',
		'withheld',
		'unknown',
		'0',
		'0000',
		'-1',
		'+',
		'null',
		'a1b2c3',
		'"Anonymous" <sip:anonymous@203.0.113.9>',
	])('that is withheld (%j) matches no number and no *', (withheld) => {
		for (const pattern of ['*', '0*', '+*', '+33612345678', '1', '301', '*0*']) {
			expect(matches(pattern, withheld)).toBe(false);
		}
	});

	it('that is withheld can be matched with the keyword for it', () => {
		expect(matches('anonymous', 'Anonymous')).toBe(true);
		expect(matches('anonymous', 'sip:anonymous@anonymous.invalid')).toBe(true);
		expect(matches('anonymous', '"Anonymous" <sip:anonymous@203.0.113.9>;tag=1')).toBe(true);
		expect(matches('anonymous', 'unknown')).toBe(false);
	});
});

describe('a pattern with *', () => {
	it.each<[string, string, boolean]>([
		['+4477*', '+447712345678', true],
		['+4477*', '0044 7712 345678', true],
		['+4477*', '447712345678', true],
		['0044 77*', '+447712345678', true],
		['4477*', '+447712345678', true],
		['4477*', '00447712345678', true],
		['+44 (0)77*', '+447712345678', true],
		['+4477*', '+448812345678', false],
		['+4477*', '4477', false],
		// The national form lacks the country, but enough digits are the same.
		['+4477*', '07712345678', true],
		['+4477*', '08812345678', false],
		['077*', '+447712345678', true],
		['077*', '447712345678', true],
		['077*', '07712345678', true],
		['077*', '+448812345678', false],
		['03*', '33612345678', false],
		// A calling code alone does not match national numbers.
		['+44*', '07712345678', false],
		['+44*', '4471', false],
		['+44*', '+447712345678', true],
		['0*', '07712345678', true],
		['0*', '+447712345678', false],
		['+*', '00447712345678', true],
		['+*', '07712345678', false],
		['*555*', '+12125550123', true],
		['*555*', '2125550123', true],
		['*555*', '+12124440123', false],
		['*0123', '00442079460123', true],
		['*4420*', '+44 (0)20 7946 0123', true],
		['+44*46*23', '0044 20 7946 0123', true],
		['+44*23*46', '+442079460123', false],
		['30*', '301', true],
		['30*', '0301', false],
		['301*', '+13012345678', false],
		['*', '301', true],
		['+4477*', '"Ada" <sip:+447712345678@voice.example.com;user=phone>', true],
		['301*', '01234567', false],
		['+44.*[0-9]$', '+442079460123', false],
		['＋４４７７＊', '+447712345678', true],
	])('%s against %s: %p', (pattern, number, expected) => {
		expect(matches(pattern, number)).toBe(expected);
	});
});

describe('any number', () => {
	const code = fc.constantFrom('1', '7', '33', '34', '44', '49', '39', '351', '352', '971');
	const national = fc.stringMatching(/^[1-9]\d{6,9}$/);
	const forms: Array<(code: string, national: string) => string> = [
		(c, n) => `+${c}${n}`,
		(c, n) => `00${c}${n}`,
		(c, n) => `${c}${n}`,
		(_, n) => `0${n}`,
		(_, n) => n,
	];
	const form = fc.constantFrom(...forms);
	const mark = fc.constantFrom('', '', '', ' ', '-', '.', '\u00a0', '\u200b', '/', '(', ')');
	const punctuated = (text: string, marks: string[]) =>
		[...text].map((digit, index) => digit + (marks[index] ?? '')).join('');

	it('matches itself in every pair of forms, whatever the punctuation', () => {
		fc.assert(
			fc.property(
				code,
				national,
				form,
				form,
				fc.array(mark),
				fc.array(mark),
				(c, n, a, b, x, y) => {
					expect(matches(punctuated(a(c, n), x), punctuated(b(c, n), y))).toBe(true);
				},
			),
			{ numRuns: 2_000 },
		);
	});

	it('does not match another subscriber with the same number of digits', () => {
		fc.assert(
			fc.property(code, national, national, form, (c, n, m, a) => {
				fc.pre(n.length === m.length && n !== m);
				expect(matches(a(c, n), a(c, m))).toBe(false);
			}),
			{ numRuns: 2_000 },
		);
	});

	it('matches its own beginning, middle and end with *', () => {
		fc.assert(
			fc.property(code, national, fc.nat(9), form, (c, n, cut, a) => {
				const written = a(c, n);
				const at = Math.min(cut + 1, written.length - 1);
				expect(matches(`${written.slice(0, at + 1)}*`, written)).toBe(true);
				expect(matches(`*${written.slice(at)}`, written)).toBe(true);
				expect(matches(`*${written.slice(1, at + 1)}*`, written)).toBe(true);
			}),
			{ numRuns: 1_000 },
		);
	});

	it('decides on any text, in time linear in its length', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (pattern, text) => {
				expect(typeof matches(pattern, text)).toBe('boolean');
			}),
		);
		expect(matches('*1*1*1*1*1*1*1*2', '1'.repeat(1_000))).toBe(false);
		expect(matches('*1*2', '1'.repeat(1_000_000))).toBe(false);
	});
});
