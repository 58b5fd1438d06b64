/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Finds the sentences that tell the reader to do something: in the pages, in the notes of the examples, and in the texts
// of the nodes.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../../..');

/** The verbs that such a sentence begins with. */
const VERBS =
	'activate|add|allow|apply|appoint|ask|assign|attach|avoid|be (?:told|reminded)|begin|branch|build|buy|call (?:one|a|back)|change|check|choose|clear|click|close|come|compare|configure|confirm|connect|consider|continue|copy|correct|create|deactivate|decide|define|delete|deliver|deselect|disable|divide|download|drag|edit|enable|ensure|enter|escape|exclude|expect|export|extend|fill|find|fix|follow|free|get|give|go|have|hide|ignore|import|include|increase|insert|inspect|install|invite|join|keep|know|leave|let|limit|link|list|log|look|lower|make|map|mark|measure|mention|merge|mind|move|name|narrow|never|note|omit|open|order|pass|paste|pause|pay|perform|pick|pin|place|play|prefer|prepare|press|prevent|print|protect|provide|publish|put|query|quote|raise|read|reboot|reconnect|redo|reduce|refer|register|release|reload|remove|rename|repeat|replace|report|request|resend|reset|resolve|restart|restore|resume|retry|return|review|rotate|run|save|schedule|scroll|search|see|select|send|separate|serve|set|share|shorten|show|sign|skip|sort|specify|spell|split|start|stop|store|submit|subtract|supply|switch|take|tell|test|toggle|track|transfer|treat|trust|try|turn|type|undo|uninstall|unlink|unlock|unpublish|unzip|update|upgrade|upload|use|verify|visit|wait|watch|wrap|write';

/** What can stand before the verb: `If it is empty, add …`, `Then press …`. */
const BEFORE =
	'then|therefore|otherwise|so|or|and|first|please|(?:if|to|for|when|in|with|on|until|before|after|once|from)\\b[^,]*,';

const IMPERATIVE = new RegExp(`^(?:(?:${BEFORE})\\s+)*(?:do not|don't|never|${VERBS})(?![\\w-])`);

/** `Add Alert` and `GET /path` are names. */
const isSentence = (text: string) =>
	/^[a-z]+ ["(]?\w|\s["(]?[a-z]{2,}/.test(text) && !/^[A-Z]{2,} /.test(text);

const isInstruction = (sentence: string) =>
	isSentence(sentence) && IMPERATIVE.test(sentence.charAt(0).toLowerCase() + sentence.slice(1));

/**
 * Text without marks. A label or code is in quotes, so that it is no verb: `_Add Product_ first` reads
 * `"Add Product" first`, `**Publish** the workflow` reads `Publish the workflow`.
 */
export const plain = (text: string) =>
	text
		.replace(/<a [^>]*>|<\/a>|<b>|<\/b>|<br\s*\/?>/g, ' ')
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/\*\*/g, '')
		.replace(
			/(?<!\w)_([^_]+)_(?!\w)|`([^`]+)`/g,
			(_, label = '', code = '') => `"${`${label}${code}`.replace(/[.:;] /g, ' ')}"`,
		)
		.replace(/\s+/g, ' ')
		.trim();

/** The instructions in a text, each from its verb's clause to the end of the sentence. */
export function instructionsIn(text: string): string[] {
	return plain(text)
		.split(/(?<=[.:;!?…])\s+|(?<=…)(?=[A-Z])/)
		.map((sentence) => sentence.replace(/^[-#\d.)( …]+/, '').trim())
		.filter(isInstruction);
}

/** The paragraphs, list entries and table cells of a page, without code, headings and what comes from the sources. */
function blocksOf(markdown: string): string[] {
	return markdown
		.replace(/^\s*```[\s\S]*?^\s*```/gm, '\n')
		.replace(/^#.*$/gm, '\n')
		.replace(/<!-- from code: [\s\S]*?(?:\n\n|$)/g, '\n\n')
		.split(/\n\s*\n|\n(?=\s*(?:[-*] |\d+\. |\|))/)
		.flatMap((block) => (/^\s*\|/.test(block) ? block.split('|') : [block]));
}

/** The pages for users. */
export const pages = [
	'README.md',
	...['docs', 'examples'].flatMap((folder) =>
		readdirSync(join(root, folder))
			.filter((file) => file.endsWith('.md'))
			.map((file) => `${folder}/${file}`),
	),
];

export const instructionsOfPage = (page: string) =>
	blocksOf(readFileSync(join(root, page), 'utf8')).flatMap(instructionsIn);

/** The examples, whose notes tell what to fill in. */
export const examples = readdirSync(join(root, 'examples'))
	.filter((file) => file.endsWith('.json'))
	.map((file) => `examples/${file}`);

export function instructionsOfNotes(file: string): string[] {
	const { nodes } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
		nodes: Array<{ type: string; parameters: { content?: string } }>;
	};
	return nodes
		.filter(({ type }) => type.endsWith('.stickyNote'))
		.flatMap(({ parameters: { content = '' } }) => blocksOf(content).flatMap(instructionsIn));
}

/** Properties whose text is a name or a value, not a sentence. */
const NO_SENTENCE = new Set(['name', 'displayName', 'action', 'value', 'placeholder', 'alias']);

/** The text of a literal; `…` stands for what is filled in. */
function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

function literalsIn(file: string): string[] {
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
		const name = ts.isPropertyAssignment(node) ? node.name.getText() : '';
		if (NO_SENTENCE.has(name)) return;
		const text = textOf(node);
		const parent = node.parent as ts.Node | undefined;
		const describes =
			parent && ts.isPropertyAssignment(parent) && parent.name.getText() === 'description';
		if (text !== undefined) texts.push(describes ? text.replace(/^.*?(?:[.:]\s|$)/, '') : text);
		ts.forEachChild(node, visit);
	};
	visit(
		ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true),
	);
	return texts;
}

const filesBelow = (folder: string): string[] =>
	readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
		entry.isDirectory()
			? filesBelow(`${folder}/${entry.name}`)
			: entry.name.endsWith('.ts')
				? [`${folder}/${entry.name}`]
				: [],
	);

/** The source files with texts for users. */
export const sources = ['nodes', 'credentials'].flatMap(filesBelow);

export const instructionsOfSource = (file: string) =>
	literalsIn(file)
		.filter((text) => text.includes(' '))
		.flatMap(instructionsIn);
