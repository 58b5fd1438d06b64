// The rule for what a change or a purchase may be silent about (provider.md#quiet-changes): a field of its response is either understood as good,
// or shown. So a short table is enough, and a provider's unknown "no" is never taken for a success.

import type { Answer } from '../../shared/answer/parse';
import { isCompound, isRecord } from '../../shared/ids';
import { NAMES, plainName, SECRET_NAME } from '../../shared/answer/names';
import { saysNothing, toneOf, wordOf } from '../../shared/answer/words';
import { oneLine } from '../../shared/oneLine';

/** What the good response to a request looks like, beyond `SUCCESS`. */
export interface Expected {
	/** What is done, as the provider names it: `linked` is a flag, a count, a list and a status. */
	deed?: string;
	/** The documented status words. */
	words?: readonly string[];
	/** Plain names of fields that only repeat what was sent. */
	repeated?: readonly string[];
	/** What was sent: a response that repeats it, or its number, is good. */
	sent?: readonly unknown[];
	/** Objects that somebody else reads. */
	apart?: ReadonlySet<unknown>;
}

/** A field of a response that is not understood as good: `deleted: false`. */
export interface Rest {
	/** With the names of the objects around it: `data.deleted`. */
	path: string;
	value: unknown;
	/**
	 * Whether it may contradict a success. A sentence without a bad word, an unknown number or `true` does not, and is
	 * only shown.
	 */
	isDoubtful: boolean;
	/** Whether the field reports the deed itself. */
	isDeed: boolean;
}

/** More fields than this are not listed. */
const MOST = 8;
const DEEPEST = 20;

const set = (words: string) => new Set(words.split(/\s+/));

/** What was sent, repeated. */
const ECHOES = set('didids dids ids');
/** How many were affected, whatever the deed is called. */
const COUNTS = set('affected affectedrows affectedcount rowsaffected count');
/** Further endings of the name of a deed: `linkedCount`, `linkedDidIds`. `linkedErrors` is another thing. */
const OF_DEED = ['', 'count', 'ids', 'dids', 'didids', 'numbers'];
/** Values under these names say nothing about the outcome: the documented fields, and what identifies the response. */
const DATA = set(
	`addressid regulationaddressid salutation companyname companydescription firstname lastname countrycodea3 city
	zipcode streetname buildingnumber buildingletter customerreference phonenumber extrafields didtype
	destinationcountrycodea3 linked cartidentifier cartid dateadded orderproducts producttype quantity orderreference
	id requestid traceid correlationid transactionid timestamp date time apiversion version`,
);
/** Objects that are looked through, beside those of {@link NAMES}. What is in any other is shown. */
const THINGS = set('address regulationaddress regulationaddresses cart extrafields orderproducts');
/** A field with such a name complains, and so does everything in it: no text of it is good. */
const COMPLAINT =
	/^(?:err|not(?![ei]))|error|erreur|fail|problem|warn|reject|refus|skip|fault|exception|violation|denied/;

/** Words of a sentence that make it doubtful, the first six by their beginning. */
const BAD =
	/\b(?:fail|refus|reject|declin|invalid|cancel|(?:errors?|erreurs?|echec|denied|forbidden|insufficient|unable|not?|never|cannot|can't|could|unknown|time[ds]? ?-?out|expired|problems?|warnings?|pending|already|missing)\b)/i;

export const isGoodWord = (value: unknown) => toneOf(value) === 'good';

const isCode = (plain: string) => NAMES.code.has(plain) || NAMES.resultCode.has(plain);

/** The path of what an HTTP status 202 says: accepted is not done. */
export const HTTP_202 = 'HTTP status';

/** What a response has beside what is understood as good. */
export function restOf(
	answer: Pick<Answer, 'statusCode' | 'data' | 'text'>,
	expected: Expected,
): Rest[] {
	const rest: Rest[] = [];
	const { statusCode, data, text } = answer;
	if (statusCode === 202) {
		rest.push({ path: HTTP_202, value: 202, isDoubtful: true, isDeed: false });
	}
	collect(
		data === undefined ? text : data,
		{ path: '', name: '', depth: 0, complains: false, isKnown: true },
		expected,
		rest,
	);
	return rest;
}

interface Place {
	path: string;
	/** The plain name of the field, also for the entries of its list. */
	name: string;
	depth: number;
	/** Whether it is in what complains: `errors: [{ text: 'Mail' }]`. */
	complains: boolean;
	/** Whether all objects around it are known: what `pending: { success: true }` means is not. */
	isKnown: boolean;
}

function collect(value: unknown, place: Place, expected: Expected, rest: Rest[]): void {
	if (expected.apart?.has(value)) return;
	const { path, name, depth } = place;
	const complains = place.complains || COMPLAINT.test(name);
	if (depth < DEEPEST && isCompound(value) && !isList(value)) {
		const isKnown = place.isKnown && (name === '' || NAMES.wrapper.has(name) || THINGS.has(name));
		for (const [key, field] of Object.entries(value)) {
			const inner = Array.isArray(value)
				? { path, name }
				: { path: path === '' ? key : `${path}.${key}`, name: plainName(key) };
			collect(field, { ...inner, depth: depth + 1, complains, isKnown }, expected, rest);
		}
		return;
	}
	const isUnderstood = complains
		? isNoComplaint(place, value)
		: place.isKnown && isGood(name, value, expected);
	if (isUnderstood) return;
	const isDeed = !complains && isOfDeed(name, expected);
	const isDoubt = isDeed || complains || isDoubtful(name, value);
	rest.push({ path, value, isDeed, isDoubtful: isDoubt });
}

/** Whether a value is read as one: a list without objects, or nothing at all. */
const isList = (value: object) =>
	Array.isArray(value) ? !value.some(isRecord) : Object.keys(value).length === 0;

const isEmpty = (value: unknown) =>
	isCompound(value) ? Object.keys(value).length === 0 : wordOf(value) === '';

/** Whether what complains complains of nothing. No text does but that of a code: `err_code: "OK"`. */
const isNoComplaint = ({ name, complains }: Place, value: unknown) =>
	isEmpty(value) ||
	value === false ||
	value === 0 ||
	(!complains && NAMES.errorCode.has(name) && ['0', 'ok'].includes(wordOf(value)));

function isGood(name: string, value: unknown, expected: Expected): boolean {
	if (isOfDeed(name, expected)) return isDone(value, expected);
	if (isEmpty(value) || DATA.has(name) || expected.repeated?.includes(name)) return true;
	if (ECHOES.has(name)) return isSame(value, expected);
	const word = wordOf(value);
	if (NAMES.flag.has(name)) return isGoodWord(word) || word === '1';
	const isStatus = isGoodStatus(word, expected);
	// A 200 only repeats the status of the response.
	if (NAMES.status.has(name) || name === '') return isStatus || isHttpSuccess(word);
	if (isCode(name)) return word === '0' || isStatus || isHttpSuccess(word);
	return NAMES.sentence.has(name) && typeof value === 'string' && isStatus;
}

const isGoodStatus = (word: string, { deed, words = [] }: Expected) =>
	isGoodWord(word) || word === deed || words.some((one) => one.toLowerCase() === word);

const isHttpSuccess = (word: string) => word === '200' || word === '201';

/** `linked: true`, the number or the identifiers of all that was sent. */
function isDone(value: unknown, expected: Expected): boolean {
	const { deed, sent = [] } = expected;
	const word = wordOf(value);
	const isAll = word === String(Math.max(sent.length, 1)) || isSame(value, expected);
	return isAll || isGoodWord(word) || word === deed;
}

/** Whether a field reports the deed: `linked`, `linkedCount`, `linkedDidIds`, `affected`. */
const isOfDeed = (name: string, { deed }: Expected) =>
	deed !== undefined && (COUNTS.has(name) || OF_DEED.some((ending) => name === deed + ending));

/** Whether a list has the identifiers that were sent, as numbers or as text. */
const isSame = (list: unknown, { sent = [] }: Expected) =>
	Array.isArray(list) &&
	sent.length > 0 &&
	list.map(String).sort().join() === sent.map(String).sort().join();

function isDoubtful(name: string, value: unknown): boolean {
	if (NAMES.status.has(name) || NAMES.flag.has(name) || isCode(name)) return true;
	if (typeof value === 'string') return saysNothing(value) || BAD.test(value.slice(0, 2_000));
	return value === false || (typeof value === 'number' && value <= 0);
}

/** Whether the field says no: `false`, 0, an empty list. */
export const saysNo = ({ value }: Rest) =>
	isEmpty(value) || saysNothing(value) || toneOf(value) === 'bad';

/** The fields as one line, without secrets: `linked: 1; skipped: [2]`. */
export function describeRest(rest: Rest[]): string {
	// The doubtful ones first.
	const sorted = [...rest].sort((one, other) => +other.isDoubtful - +one.isDoubtful);
	const secrets = new Set(rest.filter(isSecret).map(({ value }) => String(value).trim()));
	const shown = sorted.slice(0, MOST).map((one) => {
		const { path, value } = one;
		const text = isSecret(one) ? '***' : typeof value === 'string' ? value : JSON.stringify(value);
		return oneLine(path === '' ? text : `${path}: ${text}`);
	});
	const line = [...shown, ...(rest.length > shown.length ? ['…'] : [])].join('; ');
	// A sentence may repeat one.
	return line.replace(/[^\s"',;:()]+/g, (word) => (secrets.has(word) ? '***' : word));
}

const isSecret = ({ path }: Rest) =>
	path.split('.').some((name) => SECRET_NAME.test(plainName(name)));
