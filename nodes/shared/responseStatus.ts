// Whether a response reports success, and the operator's own reason if it reports a failure. The documents show two
// forms of a failure and leave the rest open, so every common form is recognised, in any spelling and however it is
// wrapped. Pure.

import { isRecord } from './ids';
import { oneLine } from './response';
import {
	ABOUT_THE_ANSWER,
	ADDRESS_IDS,
	CART_IDS,
	echo,
	fieldOf,
	layersOf,
	plainName,
	recordsOf,
} from './shapes';
import { complains, toneOf, wordsOf } from './words';

/** What a request does at the operator. It decides how to read the response, and what a missing response means. */
export type Effect = 'read' | 'login' | 'write' | 'purchase';

export interface Intent {
	effect: Effect;
	/** The flag in the response that reports whether the request was carried out: `linked`. */
	successFlag?: string;
}

/** What a response reports about its request. */
export interface ResponseStatus {
	tone: 'good' | 'mixed' | 'bad' | 'none';
	/** The operator's own words, '' if there are none. */
	reason: string;
	/** The operator's status word, as received. */
	word?: string;
	code?: string;
	module?: string;
	/** The HTTP status in the body, if it is 400 or higher. */
	statusCode?: number;
	/** A code that means success at some services and failure at others. */
	unknownCode?: string;
}

type Fields = Record<string, unknown>;

/** Fields whose word, flag or number reports the result. */
const STATUSES = wordsOf(`
	status statut result resultat outcome state etat retour returnStatus responseStatus requestStatus resultStatus
	operationStatus statusText response reply answer return returnValue ack
`);
/** In a response that is only a message these report the result; in any other they describe an object. */
const KINDS = ['type', 'level', 'severity'];
const NUMBERS = ['httpStatusCode', 'httpStatus', 'httpCode', 'statusCode', 'status', 'code'];
const CODES = wordsOf(`
	apiErrorCode err_code errorCode errCode errno errorNumber errorId errorType faultcode codeErreur failureCode
	exceptionCode exceptionType
`);
/** Codes that are also present in a successful response. */
const RESULT_CODES = [
	'code',
	'resultCode',
	'returnCode',
	'responseCode',
	'statusCode',
	'retCode',
	'codeRetour',
	'rc',
];
/** Codes for which only 0 (or an HTTP status) means success; 1 is ambiguous. */
const RETURN_CODES = wordsOf('ret retCode returnCode codeRetour rc resultCode responseCode');
/** A value that is not a known code may be an identifier or a count, unless it is negative. */
const RESULTS = ['result', 'resultat', 'retour'];
const FLAGS = wordsOf(`
	success succeeded successful isSuccess isSuccessful succes reussi ok isOk result status statut
`);
/** Flags that report whether the request was carried out. */
const DONE_FLAGS = ['accepted', 'done', 'completed', 'processed', 'executed', 'ordered', 'placed'];
const BAD_FLAGS = [
	'error',
	'isError',
	'hasError',
	'hasErrors',
	'failed',
	'failure',
	'erreur',
	'fault',
	'exception',
];
const ERRORS = wordsOf(`
	errors error err erreurs erreur fault faults exception exceptions failure failures problem problems errorList
	apiErrors errorMessages validationErrors fieldErrors violations invalidParams invalidParameters errorInfo
	errorDetails
`);
const ERROR_TEXTS = wordsOf(`
	genericErrorMessage err_msg errorMessage errMessage errorMsg errorDescription errorText errorDetail
	errorReason messageErreur faultstring exceptionMessage failureReason failureMessage
`);
const WORDS = [
	'apiErrorMessage',
	...ERROR_TEXTS,
	...wordsOf(`
		message msg userMessage detail details reason description text messages title libelle motif raison label
		explanation statusMessage statusText resultMessage responseMessage info information comment note value cause
		retMsg returnMsg returnMessage libelleRetour messageRetour resultMsg resultDesc responseMsg statusMsg statusDescription
	`),
];
/**
 * The subset of WORDS that always contains a message: an object such as a break may have a label and a value of its
 * own.
 */
const SENTENCES = [
	'apiErrorMessage',
	...ERROR_TEXTS,
	'message',
	'msg',
	'userMessage',
	'detail',
	'reason',
];
const FIELD_NAMES = ['field', 'name', 'property', 'parameter', 'param', 'path', 'pointer', 'key'];
/** Fields of an error that contain nothing for users to read. */
const NO_WORDS =
	/code|status|time|date|trace|^id|id$|type|instance|url|uri|path|severity|level|module/;
/** A response with only these fields is a message, and its words decide. */
const MESSAGE_ONLY = new Set(
	[...WORDS, ...FIELD_NAMES, 'timestamp', 'requestId', 'traceId', 'type', 'date', 'lang'].map(
		plainName,
	),
);
const FAILED_PARTS =
	/^(failed|failures?|rejected|refused|declined|notlinked|unprocessed|errored|ko)(dids?|didids?|ids?|numbers?|items?|products?|count)?$/;
const DONE_PARTS =
	/^(linked|succeeded|success(es)?|accepted|done|processed|ordered|ok)(dids?|didids?|ids?|numbers?|items?|products?|count)?$/;
/** Names of secrets in the response to a login. */
export const SECRET_NAME =
	/^(id)?session(id|key)?$|^s(ess)?id$|token|jeton|motdepasse|password|passwd|pwd|secret|cookie|authorization|credential|apikey|jwt|bearer/;

/**
 * Reads what the data of a response reports.
 * @param data JSON, or XML as the same kind of value (`readResponse`)
 */
export function readStatus(data: unknown, intent: Intent): ResponseStatus {
	const layers = layersOf(data);
	const signs = layers.map((layer) => statusOfLayer(layer, intent));
	if (data === false) signs.push({ tone: 'bad' });
	if (wordsAlone(data).some((words) => complains(words))) signs.push({ tone: 'bad' });
	const tones = new Set(signs.map(({ tone }) => tone));
	const changes = intent.effect === 'write' || intent.effect === 'purchase';
	let tone: ResponseStatus['tone'] = tones.has('bad')
		? 'bad'
		: tones.has('mixed')
			? 'mixed'
			: tones.has('good')
				? 'good'
				: 'none';
	if (tone === 'none' && layers.length > 0 && isComplaint(layers)) tone = 'bad';
	if (changes && tone !== 'bad') {
		const parts = partsOf(data, intent);
		const surelyDone = tone === 'good' && intent.successFlag === undefined;
		if (parts === 'bad' && !surelyDone) tone = 'bad';
		else if (parts !== 'good') tone = 'mixed';
	}
	const word = signs.find((sign) => sign.word !== undefined && sign.tone === tone)?.word;
	const reasons = tone === 'bad' || tone === 'mixed' ? reasonsIn(data, layers) : [];
	const { code, module, statusCode } = originIn(layers);
	const unknownCode = layers.some((layer) => numberIn(fieldOf(layer, ...RESULT_CODES)) === 1);
	return {
		tone,
		...(unknownCode ? { unknownCode: '1' } : {}),
		reason: withoutSecrets(oneLine(reasons.join('; ')), data),
		...(word === undefined ? {} : { word }),
		...(code === undefined || tone !== 'bad' ? {} : { code }),
		...(module === undefined ? {} : { module }),
		...(statusCode === undefined ? {} : { statusCode }),
	};
}

/** The reason in a response, whatever it reports: for a response whose HTTP status is already a failure. */
export function reasonOf(data: unknown, effect?: Effect): Omit<ResponseStatus, 'tone'> {
	const layers = layersOf(data);
	const words = withoutSecrets(oneLine(reasonsIn(data, layers).join('; ')), data);
	// A login's reason must not contain anything that looks like a token, whatever field it came from.
	const reason = effect === 'login' ? withoutTokens(words) : words;
	return { reason, ...originIn(layers) };
}

/** The words of a login's response without what may be its token. */
export function withoutTokens(words: string): string {
	return words.replace(TOKEN_LIKE, '***');
}

/** A word of at least 24 characters with digits among its letters. */
const TOKEN_LIKE = /(?<![\w+/=-])(?=[a-z+/=_-]{0,200}\d)[\w+/=-]{24,}/gi;

/** The words of a response that consists of nothing else: a text, or a list of texts. */
function wordsAlone(data: unknown): string[] {
	const list: unknown[] = Array.isArray(data) ? data.slice(0, 10) : [data];
	return list.every((words) => typeof words === 'string') ? list : [];
}

interface LayerStatus {
	tone: ResponseStatus['tone'];
	word?: string;
}

/** What one layer of a response reports. */
function statusOfLayer(layer: Fields, { effect, successFlag }: Intent): LayerStatus {
	const of = (names: string[]) => names.map((name) => fieldOf(layer, name));
	// The reasons answer the question "Is it valid?": they don't mean that the request failed.
	const answersValidity =
		effect === 'read' && of(['isValid', 'valid', 'valide']).some((value) => value !== undefined);
	// A status next to an identifier describes the object, not the request, except for purchases and links.
	const isThing =
		effect !== 'purchase' &&
		successFlag === undefined &&
		[...ADDRESS_IDS, ...CART_IDS].some((name) => echo(fieldOf(layer, name)) !== undefined);
	const words = [...of(STATUSES), ...of(RESULT_CODES)].filter((value) => typeof value === 'string');
	const tones = words.map((word) => ({ word: word.trim(), tone: toneOf(word) }));
	const bad = tones.find(({ tone }) => tone === 'bad' || (tone === 'doubtful' && !isThing));
	if (bad) return { tone: 'bad', word: bad.word };
	const hasMessage = of(SENTENCES).some((sentence) => text(sentence).trim() !== '');
	const kind = hasMessage && isMessage(layer) ? of(KINDS).find(isBadKind) : undefined;
	if (kind !== undefined) return { tone: 'bad', word: text(kind).trim() };
	if (of(CODES).some((code) => !isFine(code))) return { tone: 'bad' };
	if (!answersValidity && of(NUMBERS).some(isFailureNumber)) return { tone: 'bad' };
	if (of(RETURN_CODES).some(isFailureCode)) return { tone: 'bad' };
	// Without a message, a negative result of a read may be the requested value, for example a balance.
	if ((effect !== 'read' || hasMessage) && of(RESULTS).some(isBelowZero)) return { tone: 'bad' };
	const flags = effect === 'read' ? FLAGS : [...FLAGS, ...DONE_FLAGS];
	if (
		of(flags).some((flag) => flag === false || /^\s{0,9}(false|no|non|n)\s{0,9}$/i.test(text(flag)))
	) {
		return { tone: 'bad' };
	}
	// A `status` of 0 can mean either.
	if (of(['success', 'succeeded', 'ok']).some((flag) => flag === 0 || text(flag).trim() === '0')) {
		return { tone: 'bad' };
	}
	if (successFlag !== undefined && of([successFlag, `${successFlag}Count`]).some(isNo)) {
		return { tone: 'bad' };
	}
	if (!answersValidity) {
		if (
			of(BAD_FLAGS).some(
				(flag) => flag === true || /^\s{0,9}(true|yes|oui)\s{0,9}$/i.test(text(flag)),
			)
		) {
			return { tone: 'bad' };
		}
		if (of(ERRORS).some((errors) => !isFine(errors))) return { tone: 'bad' };
	}
	const mixed = tones.find(({ tone }) => tone === 'mixed');
	if (mixed) return { tone: 'mixed', word: mixed.word };
	const good =
		tones.find(({ tone }) => tone === 'good') ??
		(of(CODES).some((code) => code !== undefined) || of(FLAGS).some((flag) => flag === true)
			? { word: undefined }
			: undefined);
	if (good) return { tone: 'good', ...(good.word === undefined ? {} : { word: good.word }) };
	if (!answersValidity && of(ERROR_TEXTS).some((words) => !isFine(words, true)))
		return { tone: 'bad' };
	// RFC 7807: a problem has a type, a title and a detail, and its HTTP status may be left out.
	const isProblem = of(['type', 'title', 'detail']).every((part) => text(part).trim() !== '');
	return { tone: isProblem ? 'bad' : 'none' };
}

/** Whether a layer contains only a message and its attributes. */
function isMessage(layer: Fields): boolean {
	return Object.entries(layer).every(([key, value]) => {
		const name = plainName(key);
		return (
			value === null ||
			MESSAGE_ONLY.has(name) ||
			KINDS.includes(name) ||
			ABOUT_THE_ANSWER.test(name)
		);
	});
}

/** `ERROR`, and not `error_report`. */
function isBadKind(kind: unknown): boolean {
	return /^\s{0,9}[a-z]+\s{0,9}$/i.test(text(kind)) && toneOf(text(kind)) === 'bad';
}

/** Words that are no error, wherever they stand … */
const FINE_WORDS =
	/^(|0+|null|undefined|(s_)?ok|okay|success|successful(ly)?|succeeded|succes|succès|done|(no|sans|aucune|0|zero)[ _-]?(err(or|eur)?)s?)[.!]?$/i;
/** … and those that say so only as the whole of an error field. */
const FINE_FIELD = /^(none|nil|no|n\/a|-|false|\[\]|\{\}|aucune?|[123]\d\d)$/i;

/** Whether a code or an error field says that there is no error: `OK`, `0`, `"0"`, `""`, `null`, an empty list. */
function isFine(value: unknown, nested = false): boolean {
	if (value === undefined || value === null || value === false || value === 0) return true;
	if (typeof value === 'number') return !nested && value >= 100 && value < 400;
	if (typeof value === 'string') {
		const word = value.slice(0, 500).trim();
		return FINE_WORDS.test(word) || (!nested && FINE_FIELD.test(word));
	}
	if (Array.isArray(value)) return value.every((entry) => isFine(entry, true));
	return isRecord(value) && Object.values(value).every((entry) => isFine(entry, true));
}

/** A number that can only be a failure: an HTTP status from 400 on, or below zero. */
function isFailureNumber(value: unknown): boolean {
	// `404` and `404 Not Found`
	const leading = typeof value === 'string' ? /^\s{0,9}([45]\d\d)\b/.exec(value)?.[1] : undefined;
	const number = numberIn(leading ?? value);
	return number !== undefined && (number < 0 || (number >= 400 && number < 600));
}

function isFailureCode(value: unknown): boolean {
	// `E012`, `E-12`, but not E164, which is a number format.
	if (/^\s{0,9}e(?:0|[-_])\d{1,9}\s{0,9}$/i.test(text(value))) return true;
	const number = numberIn(value);
	return number !== undefined && number !== 0 && number !== 1 && !(number >= 100 && number < 400);
}

function isBelowZero(value: unknown): boolean {
	const number = numberIn(value);
	return number !== undefined && Number.isInteger(number) && number < 0;
}

function numberIn(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && /^\s{0,9}-?\d{1,9}\s{0,9}$/.test(value)
		? Number(value)
		: undefined;
}

function isNo(value: unknown): boolean {
	return (
		value === false ||
		value === null ||
		value === 0 ||
		/^\s{0,9}(false|no|non|0)\s{0,9}$/i.test(text(value)) ||
		(Array.isArray(value) && value.length === 0)
	);
}

const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 100) : '');

/** Whether a response contains only words, and they report a failure. */
function isComplaint(layers: Fields[]): boolean {
	const isWrapped = (list: unknown[]) =>
		list.length === 0 || (list.length === 1 && layers.includes(list[0] as Fields));
	const holdsData = layers.some(
		(layer) =>
			Object.values(layer).some((value) => Array.isArray(value) && !isWrapped(value)) ||
			[...ADDRESS_IDS, ...CART_IDS].some((name) => echo(fieldOf(layer, name)) !== undefined),
	);
	// If the code is not known to be good, words that are not good either count as a complaint.
	const isOddCode = (value: unknown) => numberIn(value) !== undefined && isFailureCode(value);
	const onlyWords = (layer: Fields) => {
		const names = Object.keys(layer).map(plainName);
		const code = names.includes('code') && isOddCode(fieldOf(layer, 'code'));
		const words = WORDS.map((name) => text(fieldOf(layer, name))).filter((found) => found !== '');
		return (
			names.every((name) => MESSAGE_ONLY.has(name) || (code && name === 'code')) &&
			words.some((found) => complains(found) || (code && toneOf(found) === 'none'))
		);
	};
	return !holdsData && layers.some(onlyWords);
}

/**
 * The results of a change's parts: each entry of a list may have its own status, and failed entries may have their
 * own list.
 */
function partsOf(data: unknown, intent: Intent): 'good' | 'mixed' | 'bad' {
	let failed = 0;
	let done = 0;
	const layers = new Set(layersOf(data));
	for (const { record } of recordsOf(data)) {
		if (!layers.has(record)) {
			// A created object may have a status of its own; in a response to any other change, the status is the result.
			const effect = intent.successFlag === undefined ? intent.effect : 'purchase';
			const { tone } = statusOfLayer(record, { effect, successFlag: intent.successFlag });
			if (tone === 'bad') failed++;
			else if (tone === 'good') done++;
		}
		for (const [key, value] of Object.entries(record)) {
			const filled = Array.isArray(value) ? value.length > 0 : Number(numberIn(value) ?? 0) > 0;
			if (!filled) continue;
			if (FAILED_PARTS.test(plainName(key))) failed++;
			else if (DONE_PARTS.test(plainName(key))) done++;
		}
	}
	return failed === 0 ? 'good' : done === 0 ? 'bad' : 'mixed';
}

/** The operator's reasons, the one nearest to the cause first, without duplicates. */
function reasonsIn(data: unknown, layers: Fields[]): string[] {
	const all = (names: string[]) =>
		layers.flatMap((layer) => names.map((name) => fieldOf(layer, name)));
	const errors = all(ERRORS).filter((value) => typeof value === 'object' && value !== null);
	const problem = layers.flatMap((layer) => {
		const title = wordsIn(fieldOf(layer, 'title'));
		const detail = wordsIn(fieldOf(layer, 'detail'));
		return title.length > 0 && detail.length > 0
			? [`${title.join(' ')}: ${detail.join('; ')}`]
			: [];
	});
	const choices: Array<() => string[]> = [
		() => [...problem, ...errors.flatMap((error) => wordsIn(error))],
		() => all(ERROR_TEXTS).flatMap((words) => wordsIn(words)),
		() =>
			all(WORDS)
				.flatMap((words) => wordsIn(words))
				.slice(0, 1),
		() => all(ERRORS).flatMap((words) => wordsIn(words)),
		() =>
			recordsOf(data).flatMap(({ record }) =>
				directWords(record, [...SENTENCES, 'error', 'erreur']),
			),
		() => {
			// A list of one that contains JSON as text has no words for users.
			const words = wordsAlone(data).filter((one) => !/^\s{0,99}[[{]/.test(one));
			const [first, ...others] = words;
			const isTone = first !== undefined && toneOf(first) !== 'none';
			return isTone && others.length > 0 ? others : words;
		},
		// A rejection that only lists what is wrong with each field.
		() => {
			const [layer, ...more] = layers;
			const isWhole = layer !== undefined && layer === data && more.length === 0;
			return isWhole && isWordsByField(layer) ? wordsIn(data) : [];
		},
		// The only sentence in the response, whatever field it is in.
		() => {
			const sentences = layers.flatMap((layer) =>
				Object.entries(layer).filter(
					([key, value]) => !SECRET_NAME.test(plainName(key)) && /\S\s+\S/.test(text(value)),
				),
			);
			return sentences.length === 1 ? wordsIn(Object.fromEntries(sentences)) : [];
		},
	];
	for (const choice of choices) {
		const found = [...new Set(choice())]
			.filter((words) => !isFine(words, true) && words !== 'true')
			.slice(0, 10);
		if (found.length > 0) return found;
	}
	return [];
}

/** `{ "ip": ["is missing"] }` */
function isWordsByField(record: Fields): boolean {
	const values = Object.values(record);
	return (
		values.length > 0 &&
		values.length <= 20 &&
		values.every((value) => Array.isArray(value) && wordsAlone(value).length > 0)
	);
}

/** The words in the value of an error field: text, a list, an object of words, an object of fields. */
function wordsIn(value: unknown, level = 0): string[] {
	if (typeof value === 'string') return value.trim() === '' ? [] : [oneLine(value)];
	if (level > 5) return [];
	if (Array.isArray(value)) {
		return value.slice(0, 10).flatMap((entry: unknown) => wordsIn(entry, level + 1));
	}
	if (!isRecord(value)) return [];
	const own = directWords(value, WORDS, level);
	if (own.length > 0) {
		const name = FIELD_NAMES.map((field) => fieldOf(value, field)).find(
			(field) => typeof field === 'string' && field.trim() !== '',
		) as string | undefined;
		return own.map((words) =>
			name === undefined || words.includes(name) ? words : `${oneLine(name)}: ${words}`,
		);
	}
	return Object.entries(value)
		.filter(([key, field]) => {
			// A complaint about a password is a sentence or a list of sentences; anything else may be the password itself.
			if (SECRET_NAME.test(plainName(key)))
				return Array.isArray(field) || text(field).includes(' ');
			return !NO_WORDS.test(plainName(key));
		})
		.slice(0, 20)
		.flatMap(([key, field]) =>
			isRecord(field)
				? wordsIn(field, level + 1)
				: wordsIn(field, level + 1).map((words) => `${key}: ${words}`),
		);
}

function directWords(record: Fields, names: readonly string[], level = 0): string[] {
	for (const name of names) {
		const words = wordsIn(fieldOf(record, name), level + 1);
		if (words.length > 0) return words;
	}
	return [];
}

/** The module, code and HTTP status in a response. */
function originIn(layers: Fields[]): Pick<ResponseStatus, 'code' | 'module' | 'statusCode'> {
	const errors = layers.flatMap((layer) => ERRORS.map((name) => fieldOf(layer, name)));
	const records = [
		...errors.map((value) => (Array.isArray(value) ? (value[0] as unknown) : value)),
		...layers,
	];
	const places = records.filter(isRecord);
	const first = (names: string[], fits: (value: string) => boolean) => {
		for (const place of places) {
			for (const name of names) {
				const value = echo(fieldOf(place, name));
				const line = value === undefined ? '' : oneLine(String(value));
				if (line !== '' && fits(line)) return line;
			}
		}
		return undefined;
	};
	const isStatus = (value: string) => /^[45]\d\d$/.test(value);
	const code =
		first(CODES, (value) => !isFine(value) && value.length <= 60) ??
		first(RESULT_CODES, (value) => !isFine(value) && !isStatus(value) && value.length <= 60);
	const module = first(['apiModule', 'module'], (value) => value.length <= 60);
	const statusCode = first(NUMBERS, isStatus);
	return {
		...(code === undefined ? {} : { code }),
		...(module === undefined ? {} : { module }),
		...(statusCode === undefined ? {} : { statusCode: Number(statusCode) }),
	};
}

/** Words of a response without the secrets that are in the same response. */
function withoutSecrets(words: string, data: unknown): string {
	let clean = words;
	for (const secret of secretsIn(data)) clean = clean.split(secret).join('***');
	return clean;
}

/**
 * The values of a response whose names mark them as secrets; shorter ones are left out, since they occur in every
 * text.
 */
function secretsIn(data: unknown): string[] {
	const found = new Set<string>();
	const errors = new Set(ERRORS.map(plainName));
	const keep = (value: unknown) => {
		const secret = echo(value);
		if (secret !== undefined && String(secret).trim().length >= 4) found.add(String(secret));
	};
	for (const { record, key: name } of recordsOf(data)) {
		if (errors.has(plainName(name))) continue;
		for (const [key, value] of Object.entries(record)) {
			if (!SECRET_NAME.test(plainName(key))) continue;
			// Also `{ "id_session": { "value": "…" } }`.
			if (isRecord(value)) Object.values(value).forEach(keep);
			else keep(value);
		}
	}
	return [...found];
}
