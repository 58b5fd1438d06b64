// What the response to a checkout means for the order: the one rule about money.
// - Refused: by a documented refusal, without an order reference anywhere.
// - Placed, or placed in part: with an order reference, or product by product.
// - `ordered: null`: the provider does not say (yet), or contradicts itself.
// - Everything else may have been placed.
// Pure: it knows neither n8n nor the texts for the user.

import type { IDataObject } from 'n8n-workflow';
import type { Answer } from '../../../shared/answer/parse';
import { is, plainName } from '../../../shared/answer/names';
import { httpStatusIn, saysNoError, wordOf } from '../../../shared/answer/words';
import { isDocumented } from '../../../shared/errorHints';
import { isCompound, isRecord } from '../../../shared/ids';
import { describeRest, HTTP_202, isGoodWord, restOf, type Rest } from '../../outcome/understood';

export type Purchase =
	| {
			outcome: 'placed';
			/** Every product; a part; null: the provider does not say (yet). */
			ordered: true | 'partly' | null;
			/** The products that were not ordered, as received, with the provider's reason. */
			failed: IDataObject[];
			references: string[];
			/** What is not understood as good; '' if there is nothing. */
			shown: string;
	  }
	| { outcome: 'refused'; failed: IDataObject[] }
	| { outcome: 'mayBePlaced'; references: string[]; shown: string };

/** HTTP statuses of documented refusals. Any other leaves it open whether the order was placed. */
const REFUSALS = new Set([400, 401, 402, 403, 404, 429]);

// Names as `plainName` gives them.
const STATUS = new Set(['status', 'statut']);
const OTHER_STATUS = new Set(
	'state etat result outcome success successful ok ordered placed processed accepted'.split(' '),
);
const HTTP_STATUS = new Set(['httpstatuscode', 'httpstatus', 'statuscode']);
/** What is in nothing but these is about the whole. */
const WRAPPERS = new Set(['', 'data', 'result', 'response', 'payload', 'body', 'order']);
const PRODUCT_LISTS = new Set(['productcheckoutlist', 'products', 'orderproducts']);
const IDENTIFIERS = [
	'reference',
	'references',
	'ref',
	'refs',
	'id',
	'ids',
	'number',
	'numbers',
	'no',
];
const BARE = new Set(['reference', 'references', 'ref']);
const REFERENCES = new Set(IDENTIFIERS.map((name) => `order${name}`));
/** In an object under such a name, an identifier is that of the order. */
const ORDERS = new Set(['order', 'orders', ...REFERENCES]);
const IN_ORDER = new Set([...IDENTIFIERS, 'identifier', 'value']);

/** An identifier in a text that is no data: `"orderReference":"ORD-1`, `<orderId>7`, `Order number: 4711`. */
const IN_TEXT = /order[ _-]?(?:reference|ref|id|number|no)s?["'\]>\s:=[]{0,20}([\w./-]{1,80})/gi;

/** Products that are described; the item has all. */
const MOST_SHOWN = 20;

/** Words of a status. */
const FAILED = new Set(['error', 'failed', 'failure', 'rejected', 'refused', 'declined', 'false']);
const PARTLY = new Set(['warning', 'partial', 'partially', 'partly']);
const ORDERED = ['ordered', 'placed', 'confirmed', 'paid'];
const PENDING =
	/pending|progress|processing|queued|accepted|scheduled|waiting|submitted|received|on.?hold|backorder/;
const OPEN = /time.?d?.?out|unknown|indeterminate|lost/;

/** A cart that was bought before, whatever else the response says. */
const BEFORE = /already.{0,20}checked.?out|checked.?out.{0,20}already/i;
/** Words of another purchase than this one. */
const AGAIN = /already|duplicate|d[ée]j[àa]/i;
/** Texts of a cart that was bought before. An account that is closed was not. */
const ALREADY = new RegExp(
	`${AGAIN.source}|(?<!\\bbe[ _]?)checked.?out|(?<!\\bno\\b.{0,20})(?:cart|order|panier|commande|purchase|payment|\\bit\\b)(?!ing)(?:(?!\\b(?:not?|pas)\\b)[^.,:;]){0,20}(?:closed|exists|no longer open|[ée]t[ée] (?:valid|pay|command|confirm)|(?:been|was|were|is|status:?|state:?).?(?:${ORDERED.join('|')}|purchased|bought|processed|completed|submitted|finali[sz]ed|validated))`,
	'i',
);
/** Names and texts of what is not ordered. */
const NOT_ORDERED =
	/fail(?!over)|refus|reject|declin|denied|insufficient|invalid|unable|cancell?ed|out of stock|not (?:be )?(?:enough|ordered|available|possible)/i;
/** Codes of a cart that is unknown or can't be ordered. */
const ABOUT_CART = new Set(['15', '400', '409']);
/** Texts of an order that goes on, or of which nobody knows. */
const GOES_ON = /in.?progress|pending|time.?d?.?out|unknown.?(?:outcome|state|status|result)/i;

/** What a status says. `open`: nothing that can be relied on, `other`: an unknown word. */
type ProductTone = 'good' | 'partly' | 'pending' | 'failed' | 'open' | 'other';

/** A value of a response that has no fields of its own. */
interface Field {
	name: string;
	/** The names of the objects around it, the nearest last. */
	within: string[];
	/** As in `Rest`. */
	path: string;
	value: unknown;
}

interface Product {
	record: IDataObject;
	tone: ProductTone | undefined;
	references: string[];
	/** Beside its status. */
	rest: Rest[];
}

/** @returns what the response to a checkout means; of a refusal and of an unreadable response as well */
export function readPurchase(answer: Answer): Purchase {
	const order = new Order(answer);
	const { failed, references, shown } = order;
	if (order.isRefused()) return { outcome: 'refused', failed };
	const ordered = order.ordered();
	return ordered === undefined
		? { outcome: 'mayBePlaced', references, shown }
		: { outcome: 'placed', ordered, failed, references, shown };
}

class Order {
	/** Every order reference in the response, also in one that was cut off. */
	readonly references: string[];
	/** Whether one of them is certainly that of an order. Under a bare `reference` it may be that of an error. */
	private readonly isOrderNamed: boolean;
	readonly failed: IDataObject[];
	/** The HTTP status, or a worse one that the body repeats for the whole. */
	private readonly status: number;
	private readonly isSuccess: boolean;
	private readonly isData: boolean;
	/** Something says that the cart was bought before. */
	private readonly isBefore: boolean;
	private readonly products: Product[];
	private readonly fields: Field[];
	/** What the statuses of the whole say together; undefined if there is none. */
	private readonly whole: ProductTone | undefined;
	/** What is not understood, beside the products and the status of the whole. */
	private readonly rest: Rest[];
	private readonly wholeShown: string;

	constructor(private readonly answer: Answer) {
		const { statusCode, data, text } = answer;
		this.isData = isCompound(data) && !(Array.isArray(data) && data.length === 0);
		const all = this.isData ? valuesIn(data) : [];
		this.references = this.isData ? referencesIn(all) : referencesInText(text);
		const records = this.isData ? productsIn(data) : [];
		this.products = records.map(productOf);
		this.failed = this.products.filter(isFailed).map(({ record }) => record);
		const apart = new Set<unknown>(records);
		this.fields = this.isData ? valuesIn(data, apart) : [];
		this.isBefore = this.fields.some(
			({ value }) => typeof value === 'string' && BEFORE.test(value),
		);
		this.isOrderNamed =
			this.products.some(({ references }) => references.length > 0) ||
			referencesIn(this.fields.filter(({ name, within }) => isOfOrder(name, within))).length > 0;
		const found = this.fields.filter(isHttpError);
		// Several in a list are not that of the response.
		const errors = new Set(new Set(found.map(({ path }) => path)).size < found.length ? [] : found);
		this.status = [...errors].reduce(
			(worst, { value }) => Math.max(worst, httpStatusIn(value) ?? 0),
			statusCode,
		);
		this.isSuccess = this.status >= 200 && this.status < 300;
		const { tone, paths } = wholeOf(this.fields.filter((field) => !errors.has(field)));
		this.whole = tone;
		const rest = this.isData
			? withoutReferences(restOf(answer, { words: ORDERED, apart }), this.references)
			: [];
		this.wholeShown = describeRest(rest);
		this.rest = rest.filter(({ path }) => !paths.has(path) && path !== HTTP_202);
	}

	/** What the response has beside what is understood as good, as one line. */
	get shown(): string {
		const products = this.products
			.filter((product) => product.tone !== 'good' || product.rest.length > 0)
			.slice(0, MOST_SHOWN)
			.map(describeOrdered);
		return [this.wholeShown, ...products].filter(Boolean).join('; ');
	}

	/** A documented refusal, without an order reference, a good word or a doubt beside it. */
	isRefused(): boolean {
		if (this.isBefore) return false;
		const { format, text } = this.answer;
		const isCut = format === 'unreadable' || format === 'tooLarge';
		if (isCut || this.references.length > 0 || this.products.some((one) => !isFailed(one)))
			return false;
		if (this.whole !== undefined && this.whole !== 'failed' && this.whole !== 'other') return false;
		const saysYes = ({ name, value }: Field) =>
			OTHER_STATUS.has(name) && productToneOf(value) === 'good';
		if (this.fields.some(saysYes)) return false;
		const codes = this.orderingCodes();
		// Any other is about the request; of a cart that is refused, the words tell whether it was bought before.
		if (codes.some((code) => !ABOUT_CART.has(code))) return true;
		const texts = this.isData
			? [...this.fields, ...this.failed.flatMap((record) => valuesIn(record))].map(
					({ value }) => value,
				)
			: [text];
		const isOpen = (words: string) =>
			ALREADY.test(words) || GOES_ON.test(words) || referencesInText(words).length > 0;
		if (texts.some((one) => typeof one === 'string' && isOpen(one))) return false;
		if (REFUSALS.has(this.status) || codes.length > 0) return true;
		return this.isSuccess && this.failed.length > 0 && this.whole !== 'other';
	}

	/**
	 * The documented codes of ordering. With an HTTP status that is no success they need their module, since they look
	 * like HTTP statuses.
	 */
	private orderingCodes(): string[] {
		const of = (wanted: string) =>
			this.fields.filter(({ name }) => name === wanted).map(({ value }) => wordOf(value));
		const codes = of('apierrorcode');
		const modules = of('apimodule').filter((module) => module !== '');
		const isOrdering =
			codes.length > 0 &&
			codes.every((code) => isDocumented('ORDERING', code)) &&
			modules.every((module) => module === 'ordering');
		const isRead = this.isSuccess || (this.status < 500 && modules.length > 0);
		return isOrdering && isRead ? codes : [];
	}

	/** How much is ordered by what a readable response says; undefined if it proves nothing. */
	ordered(): true | 'partly' | null | undefined {
		const { products, whole, references } = this;
		if (!this.isData) return undefined;
		const isInPart = REFUSALS.has(this.status) && products.some(isOrdered);
		if (!this.isSuccess && !isInPart) return undefined;
		const isBad = whole === 'failed' || whole === 'open' || whole === 'other';
		const isProven = products.some(({ tone }) => tone === 'good');
		const words = isBad && !isProven ? ALREADY : AGAIN;
		const isNew = references.length > 0 && (whole === 'good' || (whole === 'partly' && isProven));
		const saysAlready = ({ value }: Field) => typeof value === 'string' && words.test(value);
		if (this.isBefore || (!isNew && this.fields.some(saysAlready))) return undefined;
		if (references.length === 0 && !this.isSure()) return undefined;
		if (isBad && references.length > 0 && !this.isOrderNamed) return undefined;
		if (whole === 'pending' || whole === 'open' || whole === 'other') return null;
		if (products.some(isUndecided)) return null;
		// Accepted is not done. A bare `reference` may be that of the request.
		if (!this.isOrderNamed && (products.length === 0 || this.status === 202)) return null;
		const isPart = ({ tone }: Product) => tone === 'failed' || tone === 'partly';
		const isWhole = this.isSuccess && whole !== 'partly' && whole !== 'failed';
		if (products.some(isPart)) return 'partly';
		if (isWhole) return this.unproven.some(complains) ? null : true;
		// A part of which no product tells: ordering a rest may order everything twice.
		return products.length > 0 ? null : 'partly';
	}

	/** What is not understood, but for that of a product that failed or has an order of its own. */
	private get unproven(): Rest[] {
		const products = this.products.filter((one) => !isFailed(one) && one.references.length === 0);
		return [...this.rest, ...products.flatMap(({ rest }) => rest)];
	}

	/** Whether a response without an order reference can be relied on: nothing in it contradicts the rest. */
	private isSure(): boolean {
		const { products, whole, unproven } = this;
		if (whole === 'open' || whole === 'other' || unproven.some(({ isDoubtful }) => isDoubtful))
			return false;
		if (products.length === 0) return whole !== undefined && whole !== 'failed';
		if (products.some(({ tone }) => tone === undefined || tone === 'open' || tone === 'other'))
			return false;
		// A failure of the whole is that of a product; if no product failed, or all did, they contradict each other.
		const someFailed = products.some(isFailed);
		return !products.every(isFailed) && (whole !== 'failed' || someFailed);
	}
}

/** With a reference it may have been ordered, whatever its status. */
const isFailed = ({ tone, references }: Product) => tone === 'failed' && references.length === 0;

const isOrdered = ({ tone, references }: Product) => tone === 'good' && references.length > 0;

/** A product of which it is not known whether it is ordered. */
const isUndecided = ({ tone, references }: Product) =>
	tone === 'pending' ||
	tone === 'open' ||
	((tone === undefined || tone === 'other') && references.length === 0);

/** Whether something is named as an error or as not ordered; any other unknown field does not contradict an order. */
const complains = ({ path, value }: Rest) =>
	!saysNoError(value) &&
	(path.split('.').some((name) => is('errors', name) || is('errorCode', name)) ||
		NOT_ORDERED.test(`${path}: ${JSON.stringify(value).slice(0, 2_000)}`));

function productToneOf(value: unknown): ProductTone | undefined {
	const word = wordOf(value);
	if (word === '') return undefined;
	if (isGoodWord(value) || ORDERED.includes(word)) return 'good';
	if (PARTLY.has(word)) return 'partly';
	if (FAILED.has(word)) return 'failed';
	if (/^\d{3}$/.test(word)) return toneOfHttp(Number(word));
	if (OPEN.test(word)) return 'open';
	if (/^(?:not|un)/.test(word)) return 'other';
	return PENDING.test(word) ? 'pending' : 'other';
}

function toneOfHttp(status: number): ProductTone {
	if (status === 202) return 'pending';
	if (status === 200 || status === 201) return 'good';
	return REFUSALS.has(status) ? 'failed' : 'open';
}

/** What the outermost statuses say together, and where they are. */
function wholeOf(fields: Field[]): { tone: ProductTone | undefined; paths: Set<string> } {
	for (const names of [STATUS, OTHER_STATUS]) {
		const all = fields.filter(
			({ name, value }) =>
				(names.has(name) || HTTP_STATUS.has(name)) && productToneOf(value) !== undefined,
		);
		const outermost = all.map(depthOf).reduce((least, depth) => Math.min(least, depth), Infinity);
		const stated = all.filter((field) => depthOf(field) === outermost);
		const tones = new Set(stated.map(({ value }) => productToneOf(value)));
		if (tones.size === 0) continue;
		// An envelope that says OK around anything else.
		if (tones.size > 1) tones.delete('good');
		const [tone] = tones;
		return {
			tone: tones.size === 1 ? tone : 'open',
			paths: new Set(stated.map(({ path }) => path)),
		};
	}
	return { tone: undefined, paths: new Set() };
}

/** An HTTP status of a failure, for the whole: it is read like that of the response. */
const isHttpError = (field: Field) =>
	(STATUS.has(field.name) || HTTP_STATUS.has(field.name)) &&
	depthOf(field) === 0 &&
	(httpStatusIn(field.value) ?? 0) >= 400;

const depthOf = ({ within }: Field) => within.filter((name) => !WRAPPERS.has(name)).length;

function productOf(record: IDataObject): Product {
	const fields = valuesIn(record);
	const { tone, paths } = wholeOf(fields);
	const references = referencesIn(fields);
	const rest = restOf({ statusCode: 200, data: record, text: '' }, { words: ORDERED });
	return {
		record,
		tone,
		references,
		rest: withoutReferences(rest, references).filter(({ path }) => !paths.has(path)),
	};
}

/** `DID, order ORD-1: warning; message: Only 2 of 5 were in stock`. */
function describeOrdered({ record, references, rest }: Product): string {
	const text = (wanted: string) => {
		const key = Object.keys(record).find((name) => plainName(name) === wanted);
		const value = key === undefined ? undefined : record[key];
		return typeof value === 'string' ? value.trim() : '';
	};
	const order = references.length === 0 ? '' : `, order ${references.join(', ')}`;
	const status = text('status') || text('statut') || 'no status';
	const words = text('message') || describeRest(rest) || status;
	return `${text('producttype') || 'product'}${order}: ${words}`;
}

/** The provider's reason for a product that was not ordered. */
export const reasonFor = (record: IDataObject) => describeOrdered(productOf(record));

/** The objects in the lists of products, wherever they are. */
function productsIn(data: unknown): IDataObject[] {
	const found: IDataObject[] = [];
	const listed = (value: unknown): void => {
		if (Array.isArray(value)) value.forEach(listed);
		else if (isRecord(value)) {
			// `<productCheckoutList><product>…`: an object without a value of its own only wraps them.
			if (Object.values(value).every(isCompound)) Object.values(value).forEach(listed);
			else found.push(value as IDataObject);
		}
	};
	const search = (value: unknown): void => {
		if (!isCompound(value)) return;
		if (Array.isArray(value) && value.some(isProduct)) return listed(value);
		for (const [key, field] of Object.entries(value)) {
			if (!Array.isArray(value) && PRODUCT_LISTS.has(plainName(key))) listed(field);
			else search(field);
		}
	};
	search(data);
	return found;
}

/** Also in a list of another name. */
function isProduct(value: unknown): boolean {
	const names = isRecord(value) ? Object.keys(value).map(plainName) : [];
	return names.includes('producttype') && names.includes('status');
}

/** Every value without fields of its own. @param apart objects that are left out */
function valuesIn(data: unknown, apart?: ReadonlySet<unknown>): Field[] {
	const fields: Field[] = [];
	const visit = (value: unknown, place: Omit<Field, 'value'>): void => {
		if (apart?.has(value)) return;
		const { name, within, path } = place;
		if (!isCompound(value)) fields.push({ ...place, value });
		else if (Array.isArray(value)) value.forEach((entry) => visit(entry, place));
		else {
			const inner = [...within, name];
			for (const [key, field] of Object.entries(value)) {
				const at = path === '' ? key : `${path}.${key}`;
				visit(field, { name: plainName(key), within: inner, path: at });
			}
		}
	};
	visit(data, { name: '', within: [], path: '' });
	return fields;
}

const isOfOrder = (name: string, within: string[]) =>
	REFERENCES.has(name) || (IN_ORDER.has(name) && ORDERS.has(within.at(-1) ?? ''));

function referencesIn(fields: Field[]): string[] {
	const found = fields
		.filter(({ name, within }) => isOfOrder(name, within) || BARE.has(name))
		.map(({ value }) => (wordOf(value) === '' ? '' : String(value).trim()))
		.filter(isReference);
	return [...new Set(found)];
}

const referencesInText = (text: string) => [
	...new Set(
		[...text.matchAll(IN_TEXT)].map(([, value = '']) => value).filter((value) => /\d/.test(value)),
	),
];

const isReference = (value: string) =>
	/[a-z\d]/i.test(value) &&
	!/^(?:0|null|none|undefined|n\/a|true|false|pending|unknown|tbd)$/i.test(value);

/** A field that is nothing but an order reference is understood. */
function withoutReferences(rest: Rest[], references: string[]): Rest[] {
	const known = new Set(references);
	return rest.filter(({ value }) => ![value].flat().every((one) => known.has(String(one).trim())));
}
