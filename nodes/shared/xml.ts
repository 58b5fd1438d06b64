// Converts XML to the same kind of value that JSON gives, so that one reader is enough: the operator mirrors an
// interface that lists XML first, and sends XML if a proxy drops the Accept header.

import type { Sliced } from './slices';

type Fields = Record<string, unknown>;

const MAX_DEPTH = 64;
/** Tags to read before yielding. */
const A_FEW = 500;
/** Limit for different names of elements and attributes. */
const MOST_NAMES = 2_000;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

interface Element {
	name: string;
	fields: Fields;
	text: string;
}

/**
 * Reads an XML document: elements and attributes become fields, repeated elements a list, and an element without
 * either its text. Namespace prefixes are dropped. Linear in the length of the text.
 * @returns the value of the root element in an object under its name; undefined if the text is not XML from end to
 *   end, is nested too deeply or has too many different names
 */
export function* parsingXml(text: string): Sliced<Fields | undefined> {
	const root: Element = { name: '', fields: {}, text: '' };
	/** The ancestors of the current element, the root first. */
	const around: Element[] = [];
	const names = new Set<string>();
	let element = root;
	let at = 0;
	for (let tags = 1; at < text.length; tags++) {
		if (tags % A_FEW === 0) yield;
		const tag = text.indexOf('<', at);
		element.text += decoded(text.slice(at, tag === -1 ? undefined : tag));
		if (tag === -1) break;
		const mark = text[tag + 1];
		const special =
			mark === '!' || mark === '?'
				? SPECIAL.find(({ begin }) => text.startsWith(begin, tag))
				: undefined;
		if (special) {
			const end = text.indexOf(special.end, tag + special.begin.length);
			if (end === -1) return undefined;
			if (special.keep) element.text += text.slice(tag + special.begin.length, end);
			at = end + special.end.length;
			continue;
		}
		const end = endOfTag(text, tag);
		if (end === -1) return undefined;
		const inner = text.slice(tag + 1, end);
		at = end + 1;
		if (inner.startsWith('/')) {
			const parent = around.pop();
			if (!parent || localName(inner.slice(1).trim()) !== element.name) return undefined;
			add(parent.fields, element.name, valueOf(element));
			element = parent;
			continue;
		}
		const closed = inner.endsWith('/');
		const child = readTag(closed ? inner.slice(0, -1) : inner, names);
		if (!child || around.length >= MAX_DEPTH || names.size > MOST_NAMES) return undefined;
		if (closed) {
			add(element.fields, child.name, valueOf(child));
			continue;
		}
		around.push(element);
		element = child;
	}
	const whole =
		element === root && root.text.trim() === '' && Object.keys(root.fields).length === 1;
	return whole ? root.fields : undefined;
}

const SPECIAL = [
	{ begin: '<!--', end: '-->', keep: false },
	{ begin: '<![CDATA[', end: ']]>', keep: true },
	{ begin: '<?', end: '?>', keep: false },
	{ begin: '<!', end: '>', keep: false },
];

/** The index of the `>` that ends a tag, skipping any inside an attribute's value. */
function endOfTag(text: string, start: number): number {
	let quote = '';
	for (let at = start + 1; at < text.length; at++) {
		const letter = text[at];
		if (quote !== '') quote = letter === quote ? '' : quote;
		else if (letter === '"' || letter === "'") quote = letter;
		else if (letter === '>') return at;
		else if (letter === '<') return -1;
	}
	return -1;
}

function readTag(inner: string, names: Set<string>): Element | undefined {
	const name = /^[\p{L}_][\p{L}\p{N}_.:-]*/u.exec(inner)?.[0];
	if (name === undefined) return undefined;
	names.add(name);
	const element: Element = { name: localName(name), fields: {}, text: '' };
	const attribute = /[\s]+([\p{L}_][\p{L}\p{N}_.:-]*)\s*=\s*("[^"]*"|'[^']*')/uy;
	attribute.lastIndex = name.length;
	for (let found = attribute.exec(inner); found; found = attribute.exec(inner)) {
		const [, attributeName = '', quoted = ''] = found;
		if (/^xmlns(:|$)/.test(attributeName)) continue;
		if (names.add(attributeName).size > MOST_NAMES) return undefined;
		add(element.fields, localName(attributeName), decoded(quoted.slice(1, -1)));
	}
	return element;
}

function valueOf({ fields, text }: Element): unknown {
	const words = text.trim();
	const names = Object.keys(fields);
	if (names.length === 0) return words;
	if (names.length === 1 && names[0] === 'nil' && words === '') return null;
	return words === '' ? fields : { ...fields, value: words };
}

function add(fields: Fields, name: string, value: unknown): void {
	const held = Object.hasOwn(fields, name) ? fields[name] : undefined;
	const next = held === undefined ? value : Array.isArray(held) ? held : [held, value];
	if (Array.isArray(held)) held.push(value);
	// Not a plain assignment: an element may be called __proto__.
	Object.defineProperty(fields, name, {
		value: next,
		enumerable: true,
		configurable: true,
		writable: true,
	});
}

function localName(name: string): string {
	return name.slice(name.indexOf(':') + 1);
}

function decoded(text: string): string {
	if (!text.includes('&')) return text;
	return text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,4});/gi, (whole, name: string) => {
		if (!name.startsWith('#')) return ENTITIES[name] ?? whole;
		const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1));
		return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
	});
}
