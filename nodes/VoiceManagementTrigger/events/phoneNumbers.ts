// Compares telephone numbers by their digits. The provider's documents don't say how it writes numbers, and users write
// them in yet another way, so all of these are the same number: +33612345678, 0033 6 12 34 56 78, 33612345678,
// 06.12.34.56.78, "Ada" <sip:+33612345678@voice.example.com>.
//
// The account's country isn't known, so a national number matches an international one of any country with the same
// national digits. A library of numbering plans can't do better without a country either: libphonenumber-js would add
// 49 KB to a package of 168 KB, and reads neither SIP addresses nor numbers without a prefix.

/** If two numbers are written in different forms, at least this many digits must be equal. */
const FEWEST_DIGITS = 7;

/** Longer text is neither a telephone number nor the URI of one. */
const LONGEST_NUMBER = 1_000;

/** Country calling codes of one and two digits; all others have three (ITU-T E.164, list of assigned codes). */
const SHORT_CALLING_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Digits with punctuation between them, but not a part of a word, and not a negative number. `*` is for patterns. */
const DIGITS = /(?<![\p{L}\d]|^\s*-)[+*]?\d[\d*\s./()[\]_\p{Pd}\p{Cf}\u2212·’'-]*|[+*]+/gu;

const ASCII_DIGITS = /^\+?\d+$/;

/** A telephone number, or the beginning of one. */
interface PhoneNumber {
	/** All digits. */
	digits: string;
	/** `+33612345678`, `0612345678`, or without prefix. */
	written: string;
	/** With the calling code, if it may have one, and without it. */
	whole?: string;
	national?: string;
	/** Without the leading 0, if it may have no calling code. */
	local?: string;
}

/**
 * Compiles a function that tells whether a number matches one of the patterns. In a pattern `*` stands for any
 * digits: `+4477*` matches a prefix, `*555*` any number with these digits, `06*` all numbers whose national form
 * begins with 06. A pattern that is not a number matches only the same text, such as `anonymous`; a withheld number
 * matches no other pattern, not even `*`.
 */
export function numberMatcher(patterns: readonly string[]): (text: string) => boolean {
	const matchers = patterns.map(matcherOf);
	return (text) => {
		const number = read(text);
		return matchers.some((matches) => matches(number, text));
	};
}

type Matcher = (number: PhoneNumber | undefined, text: string) => boolean;

function matcherOf(pattern: string): Matcher {
	const written = numberIn(pattern);
	if (!/[1-9*]/.test(written)) {
		const word = wordIn(pattern);
		return (number, text) => !number && word !== '' && wordIn(text) === word;
	}
	const [first = '', ...others] = written.split('*');
	const begin = parsedNumber(first);
	const matches = (text: string, beginning: string) => fits(text, [beginning, ...others]);
	/** Compares numbers that are written in different forms. */
	const alike = (text = '', beginning = '') =>
		isLong(text) && beginning !== '' && matches(text, beginning);
	return (number) => {
		if (!number) return false;
		const { whole, national, local } = number;
		if (first === '') return matches(number.digits, '') || matches(whole ?? '', '');
		if (matches(number.written, begin.written) || alike(whole, begin.whole)) return true;
		if (others.length === 0) {
			return (
				alike(national, begin.local) || alike(local, begin.national) || alike(local, begin.local)
			);
		}
		// Of a part of a number without prefix, it is not known whether it is the calling code's or the national number's.
		return begin.whole === undefined
			? alike(national, begin.local)
			: begin.local === undefined && whole === undefined && alike(local, begin.national);
	};
}

/** @returns undefined if it is not a number: other text, nothing, only zeros, a negative number */
function read(text: string): PhoneNumber | undefined {
	const written = ASCII_DIGITS.test(text) ? text : numberIn(text).replaceAll('*', '');
	return /[1-9]/.test(written) ? parsedNumber(written) : undefined;
}

function parsedNumber(text: string): PhoneNumber {
	const digits = text.replace('+', '');
	const [, prefix = '', rest = ''] = /^(\+|00|0)?(\d*)$/.exec(text) ?? [];
	if (prefix === '0') return { digits, written: text, local: rest };
	const code = SHORT_CALLING_CODE.exec(rest)?.[0] ?? rest.slice(0, 3);
	// A 0 behind the calling code, as in +44 (0)20, is dialled only within the country.
	const national = rest.slice(code.length).replace(/^0(?=\d)/, '');
	const whole = code + national;
	if (prefix === '') return { digits, written: text, whole, national, local: digits };
	return { digits, written: `+${rest}`, whole, national };
}

/** The number in a text, without punctuation: a name, a scheme, a host, parameters and an extension are left out. */
function numberIn(text: string): string {
	if (text.length > LONGEST_NUMBER) return '';
	const address = /<([^<>]*)>/.exec(text)?.[1];
	const inAddress = address === undefined ? '' : numberIn(address);
	if (inAddress !== '') return inAddress;
	const [subscriber = ''] = text.normalize('NFKC').replace(/%2b/gi, '+').split(/[@;?]/, 1);
	const found = subscriber.match(DIGITS) ?? [];
	const numbers = found.map((number) => number.replace(/[^\d+*]/g, ''));
	return numbers.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
}

/** What is sent in place of a number, such as `anonymous`, without the parts of a SIP address around it. */
function wordIn(text: string): string {
	const subscriber = /(?:^|<)\s*(?:tel|sips?):([^@;?>]*)/i.exec(text.slice(0, LONGEST_NUMBER))?.[1];
	return (subscriber ?? text).trim().toLowerCase();
}

function isLong(digits: string): boolean {
	return digits.length >= FEWEST_DIGITS;
}

/** Whether the text begins with the first part, ends with the last and contains the others in between, in order. */
function fits(text: string, parts: readonly string[]): boolean {
	const [first = '', ...others] = parts;
	const last = others.pop();
	if (last === undefined) return text === first;
	if (!text.startsWith(first)) return false;
	let from = first.length;
	for (const part of others) {
		const at = text.indexOf(part, from);
		if (at < 0) return false;
		from = at + part.length;
	}
	return text.length - from >= last.length && text.endsWith(last);
}
