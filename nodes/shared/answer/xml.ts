// Converts XML to the same kind of value that JSON gives, so that one reader is enough: the third party
// lists XML first, and sends it if a proxy drops the Accept header (provider.md#requests).

type Fields = Record<string, unknown>;

/** The deepest nesting; real documents have a handful of levels. */
const DEEPEST = 64;

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_.:-]*`;
const ATTRIBUTE = new RegExp(String.raw`\s(${NAME})\s*=\s*(?:"([^"]*)"|'([^']*)')`, 'gu');
/**
 * A comment or declaration; CDATA; the end of an element; its beginning; text. A comment that does not end is no
 * declaration: each of many would be searched for its end, up to the end of the text.
 */
const TOKEN = new RegExp(
	String.raw`<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<!(?!--|\[CDATA\[)[^>]*>|<\/(${NAME})\s*>|<(${NAME})((?:[\s/](?:[^"'<>]|"[^"]*"|'[^']*')*)?)>|[^<]+`,
	'uy',
);

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

interface Element {
	name: string;
	fields: Fields;
	text: string;
}

/**
 * Reads an XML document: elements and attributes become fields, repeated elements a list, and an element without
 * either its text. Namespace prefixes are dropped.
 * @returns the value of the root element in an object under its name; undefined if the text is not XML from end to end
 *   or is nested too deeply
 */
export function parseXml(text: string): Fields | undefined {
	const root: Element = { name: '', fields: {}, text: '' };
	const open = [root];
	TOKEN.lastIndex = 0;
	while (TOKEN.lastIndex < text.length) {
		const element = open.at(-1);
		const token = element && TOKEN.exec(text);
		if (!token || open.length > DEEPEST) return undefined;
		const [whole, cdata, end, begin, rest = ''] = token;
		if (begin !== undefined) {
			const child = { name: localName(begin), fields: attributesIn(rest), text: '' };
			if (rest.endsWith('/')) add(element.fields, child.name, valueOf(child));
			else open.push(child);
		} else if (end !== undefined) {
			const parent = open.at(-2);
			if (!parent || localName(end) !== element.name) return undefined;
			add(parent.fields, element.name, valueOf(element));
			open.pop();
		} else if (cdata !== undefined) element.text += cdata;
		else if (!whole.startsWith('<')) element.text += decoded(whole);
	}
	const isWhole =
		open.length === 1 && root.text.trim() === '' && Object.keys(root.fields).length === 1;
	return isWhole ? root.fields : undefined;
}

function attributesIn(tag: string): Fields {
	const fields: Fields = {};
	for (const [, name = '', double, single] of tag.matchAll(ATTRIBUTE)) {
		if (!/^xmlns(?::|$)/.test(name)) add(fields, localName(name), decoded(double ?? single ?? ''));
	}
	return fields;
}

function valueOf({ fields, text }: Element): unknown {
	const words = text.trim();
	const names = Object.keys(fields);
	if (names.length === 0) return words;
	if (names.length === 1 && names[0] === 'nil' && words === '') return null;
	return words === '' ? fields : { ...fields, value: words };
}

function add(fields: Fields, name: string, value: unknown): void {
	const existing = Object.hasOwn(fields, name) ? fields[name] : undefined;
	if (Array.isArray(existing)) existing.push(value);
	else if (name !== '__proto__') fields[name] = existing === undefined ? value : [existing, value];
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

function decoded(text: string): string {
	if (!text.includes('&')) return text;
	return text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,4});/gi, (whole, name: string) => {
		if (!name.startsWith('#')) return ENTITIES[name] ?? whole;
		const code = Number(name.slice(1).replace(/^x/i, '0x'));
		return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
	});
}
