// Compares telephone numbers by their digits. The operator's documents don't say how it writes numbers, and users
// write them in yet another way, so all of these are the same number: +33612345678, 0033 6 12 34 56 78, 33612345678
// and 06.12.34.56.78.
//
// The account's country isn't known, so a national number matches an international one of any country with the same
// national digits. A library of numbering plans (libphonenumber) can't do better without a country either.

/** If two numbers are written in different forms, at least this many national digits must be equal. */
const FEWEST_DIGITS = 7;

/** Longer text is neither a telephone number nor the URI of one. */
const LONGEST_NUMBER = 1_000;

/** Country calling codes of one and two digits; all others have three (ITU-T E.164, list of assigned codes). */
const SHORT_CALLING_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Characters between the digits of a number: blanks, dots, dashes, slashes, brackets. */
const PUNCTUATION = /[\s./()[\]_'-]/g;

const ASCII_DIGITS = /^\+?\d+$/;

/** A telephone number, or the beginning of one. */
interface Written {
	form: 'international' | 'national' | 'bare';
	/** As written, without `+`. */
	digits: string;
	/** With calling code: of an international number, and of a number without prefix in case it includes one. */
	whole: string;
	/** Without calling code and without the leading 0 of national numbers. */
	national: string;
}

/**
 * Compiles a function that tells whether a number matches one of the patterns. In a pattern `*` stands for any
 * digits: `+4477*` matches a prefix, `*555*` any number with these digits, `06*` all numbers whose national form
 * begins with 06. A pattern that is not a number matches only the same text, such as `anonymous`; a withheld number
 * matches no other pattern, not even `*`.
 */
export function numberMatcher(patterns: readonly string[]): (number: string) => boolean {
	const texts = new Set<string>();
	const digits = new Set<string>();
	/** Numbers by calling code and national digits. */
	const whole = new Set<string>();
	/** National digits of patterns without a calling code, and of all patterns. */
	const ofAnyCountry = new Set<string>();
	const national = new Set<string>();
	const wild: Array<(number: Written) => boolean> = [];

	for (const pattern of patterns) {
		const plain = plainText(pattern);
		if (plain.includes('*')) {
			const parts = plain.split('*');
			if (parts.every((part, index) => /^\d*$/.test(index === 0 ? part.replace(/^\+/, '') : part)))
				wild.push(wildcard(parts));
			continue;
		}
		const number = read(plain);
		if (!number) {
			if (plain !== '') texts.add(plain.toLowerCase());
			continue;
		}
		digits.add(number.digits);
		if (number.form !== 'national' && isLong(number.whole)) whole.add(number.whole);
		if (isLong(number.national)) national.add(number.national);
		if (number.form === 'national' && isLong(number.national)) ofAnyCountry.add(number.national);
		if (number.form === 'bare' && isLong(number.digits)) {
			ofAnyCountry.add(number.digits);
			national.add(number.digits);
		}
	}

	return (text) => {
		const plain = ASCII_DIGITS.test(text) ? text : plainText(text);
		const number = read(plain);
		if (!number) return texts.size > 0 && texts.has(plain.toLowerCase());
		if (digits.has(number.digits)) return true;
		if (number.form === 'national') {
			if (national.has(number.national)) return true;
		} else {
			if (whole.has(number.whole) || ofAnyCountry.has(number.national)) return true;
			if (number.form === 'bare' && national.has(number.digits)) return true;
		}
		return wild.some((matches) => matches(number));
	};
}

/**
 * A text without punctuation, in ASCII digits; parts that are not of the number (`tel:`, `sip:`, a host) are removed.
 */
function plainText(text: string): string {
	if (text.length > LONGEST_NUMBER) return '';
	if (/^\s*-/.test(text)) return text.trim();
	const subscriber = /^(?:tel|sips?):([^@;?]*)/i.exec(text.trim())?.[1] ?? text;
	return toAscii(subscriber).replace(PUNCTUATION, '');
}

/** Replaces digits, signs and dashes of other scripts by those of ASCII. */
function toAscii(text: string): string {
	// From the blank to the tilde: printable ASCII.
	if (/^[ -~]*$/.test(text)) return text;
	return text
		.normalize('NFKC')
		.replace(/(?![0-9])\p{Nd}/gu, asciiDigit)
		.replace(/[\s\p{Pd}\p{Cf}\u2212·’]/gu, '-');
}

/** In Unicode, the digits of a script are consecutive, from 0 to 9. */
function asciiDigit(digit: string): string {
	let value = 0;
	const at = digit.codePointAt(0) ?? 0;
	while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(at - value - 1))) value++;
	return String(value);
}

/** @returns undefined if it is not a number: other text, nothing, only zeros, a negative number */
function read(plain: string): Written | undefined {
	if (!ASCII_DIGITS.test(plain) || !/[1-9]/.test(plain)) return undefined;
	return written(plain);
}

function written(plain: string): Written {
	const plus = plain.startsWith('+');
	const digits = plus ? plain.slice(1) : plain;
	if (plus || digits.startsWith('00')) {
		const whole = plus ? digits : digits.slice(2);
		return { form: 'international', digits, ...splitCode(whole) };
	}
	if (digits.startsWith('0')) {
		return { form: 'national', digits, whole: '', national: digits.slice(1) };
	}
	return { form: 'bare', digits, ...splitCode(digits) };
}

/** Splits off the calling code. A 0 after it, as in +44 (0)20, is dropped: it is dialled only within the country. */
function splitCode(digits: string): { whole: string; national: string } {
	const code = SHORT_CALLING_CODE.exec(digits)?.[0] ?? digits.slice(0, 3);
	const rest = digits.slice(code.length);
	const national = rest.length > 1 && rest.startsWith('0') ? rest.slice(1) : rest;
	return { whole: code + national, national };
}

function isLong(digits: string): boolean {
	return digits.length >= FEWEST_DIGITS;
}

/** A pattern with `*`, given as the digits before, between and after the asterisks. */
function wildcard(parts: readonly string[]): (number: Written) => boolean {
	const [first = '', ...others] = parts;
	if (first === '') {
		return ({ digits, whole }) => fits(digits, parts) || (isLong(whole) && fits(whole, parts));
	}
	const begin = written(first);
	const begins = (digits: string, beginning: string) => fits(digits, [beginning, ...others]);
	/** A prefix without a single national digit can't be compared with a number in the other form. */
	const beginsNationally = ({ national }: Written) =>
		begin.national !== '' && isLong(national) && begins(national, begin.national);
	return (number) => {
		if (number.form === 'national') {
			if (begin.form === 'national') return begins(number.national, begin.national);
			return begin.form === 'international' && beginsNationally(number);
		}
		if (begin.form === 'national') return beginsNationally(number);
		if (begin.form === 'bare') {
			return begins(number.digits, begin.digits) || begins(number.whole, begin.digits);
		}
		// A short number without a prefix is an internal one, not a number of another country.
		const international =
			number.form === 'international' || (isLong(number.whole) && begin.whole !== '');
		return international && begins(number.whole, begin.whole);
	};
}

/** Whether the text begins with the first part, ends with the last and contains the others in between, in order. */
function fits(text: string, parts: readonly string[]): boolean {
	const first = parts[0] ?? '';
	const last = parts.at(-1) ?? '';
	if (text.length < first.length + last.length) return false;
	if (!text.startsWith(first) || !text.endsWith(last)) return false;
	let from = first.length;
	const end = text.length - last.length;
	for (const part of parts.slice(1, -1)) {
		const at = text.indexOf(part, from);
		if (at === -1 || at + part.length > end) return false;
		from = at + part.length;
	}
	return true;
}

/**
 * A key for all forms of one number: its national digits. Since the account's country is not known, numbers of two
 * countries with the same national digits have the same key.
 * @returns undefined if it is not a telephone number (`anonymous`, nothing)
 */
export function numberKey(text: string): string | undefined {
	const number = read(ASCII_DIGITS.test(text) ? text : plainText(text));
	if (!number) return undefined;
	if (number.form !== 'bare' && isLong(number.national)) return number.national;
	// Without a prefix, it is unknown whether the number begins with a calling code.
	return number.digits;
}
