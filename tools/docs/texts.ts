// docs/texts.md: every text that a user can read, on one page, so that all of them can be read in one go. The texts of
// parameters come from the nodes' and the credentials' descriptions; errors, hints and log lines are all texts in the
// sources with more than one word.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';
import ts from 'typescript';
import { VoiceManagementApi } from '../../credentials/VoiceManagementApi.credentials';
import { VoiceManagementSupervisorApi } from '../../credentials/VoiceManagementSupervisorApi.credentials';
import { countryOptions } from '../../nodes/VoiceManagement/fields/countries';
import { operationsPage } from './operations';

const ROOT = path.join(__dirname, '../..');

/**
 * A node's description. Its file is named with its extension, since Node.js would otherwise load the codex file beside
 * it.
 */
function descriptionOf(name: string): INodeTypeDescription {
	const file = path.join(ROOT, 'nodes', name, `${name}.node.ts`);
	const exported = createRequire(__filename)(file) as Record<string, new () => INodeType>;
	const Node = exported[name];
	if (!Node) throw new Error(`${file} does not export ${name}`);
	return new Node().description;
}

/** The whole page. */
export function textsPage(): string {
	const nodes = ['VoiceManagementTrigger', 'VoiceManagement'].map(descriptionOf);
	const credentials = [new VoiceManagementSupervisorApi(), new VoiceManagementApi()];
	const panels = [
		...nodes.map((node) =>
			panel(node.displayName, [...nodeLines(node), ...fields(node.properties)]),
		),
		...credentials.map(({ displayName, properties }) => panel(displayName, fields(properties))),
	];
	// Texts that are shown above or in docs/operations.md are not listed again.
	const shown = plain([...panels, operationsPage()].join('\n'));
	const sources = sourceFiles().flatMap((file) => {
		const texts = textsIn(path.join(ROOT, file)).filter((text) => !shown.includes(plain(text)));
		return texts.length === 0
			? []
			: [[`### \`${file}\``, texts.map((text) => `- ${escaped(text)}`).join('\n')].join('\n\n')];
	});
	return `${[INTRODUCTION, ...panels, '## Errors, hints and log lines', SOURCES, ...sources].join('\n\n')}\n`;
}

const INTRODUCTION = `# Texts

<!-- Written by \`npm run docs\`. -->

Everything that the nodes and credentials show to a user, on one page, so that it can be read from top to bottom.`;

const SOURCES = `Sorted by source file. \`{name}\` stands for a value, \`{a|b}\` for one of two texts.`;

function panel(title: string, lines: string[]): string {
	// A field that several operations have is listed once.
	return `## ${title}\n\n${[...new Set(lines)].join('\n')}`;
}

function nodeLines(node: INodeTypeDescription): string[] {
	const { triggerPanel, hints = [] } = node;
	const shown = typeof triggerPanel === 'object' ? triggerPanel : {};
	const help = typeof shown.executionsHelp === 'object' ? Object.values(shown.executionsHelp) : [];
	const texts: Array<[where: string, text: unknown]> = [
		['In the node creator', node.description],
		['While it waits for a test event', node.eventTriggerDescription],
		['When it is activated', node.activationMessage],
		['Panel, title', shown.header],
		...help.map((text): [string, unknown] => ['Panel, help', text]),
		['Panel, before activation', shown.activationHint],
		...hints.map(({ message }): [string, unknown] => ['Hint', message]),
	];
	return texts.flatMap(([where, text]) =>
		typeof text === 'string' && text !== '' ? [`- ${where}: ${escaped(text)}`] : [],
	);
}

/** A field with its texts, followed by the fields inside it. The list of countries is left out. */
function fields(properties: readonly INodeProperties[], depth = 0, title = ''): string[] {
	return properties.flatMap((field) => {
		const { displayName, description, placeholder, hint, type } = field;
		const parts =
			type === 'notice'
				? [`(notice) ${escaped(displayName)}`]
				: [
						`**${displayName}**${title}`,
						description && escaped(description),
						hint && `_Hint:_ ${escaped(hint)}`,
						placeholder && `_Placeholder:_ ${escaped(placeholder)}`,
					].filter(Boolean);
		return [`${'  '.repeat(depth)}- ${parts.join(' · ')}`, ...inside(field, depth + 1)];
	});
}

function inside({ options, modes }: INodeProperties, depth: number): string[] {
	const indent = '  '.repeat(depth);
	if (options === countryOptions) return [`${indent}- (a list of countries)`];
	const inner = (options ?? []).flatMap((option) => {
		if ('values' in option) {
			return [`${indent}- **${option.displayName}**`, ...fields(option.values, depth + 1)];
		}
		if ('type' in option) return fields([option], depth);
		const { name, description, action } = option as {
			name: string;
			description?: string;
			action?: string;
		};
		const parts = [name, description, action && `Action: ${action}`].filter(Boolean);
		return [`${indent}- ${parts.map(String).map(escaped).join(' · ')}`];
	});
	const locators = (modes ?? []).map(({ displayName, placeholder }) =>
		[`${indent}- ${displayName}`, placeholder && `_Placeholder:_ ${placeholder}`]
			.filter(Boolean)
			.join(' · '),
	);
	return [...inner, ...locators];
}

/** Names of countries, words in the operator's responses, and the expressions of the hints, which are listed above. */
const NOT_TEXTS = new Set([
	'nodes/VoiceManagement/fields/countries.ts',
	'nodes/VoiceManagementTrigger/panelHints.ts',
	'nodes/shared/words.ts',
	'nodes/shared/shapes.ts',
	'nodes/VoiceManagementTrigger/builderSamples.ts',
]);

function sourceFiles(): string[] {
	return ['nodes', 'credentials']
		.flatMap((folder) =>
			readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
				path.posix.join(folder, file.split(path.sep).join('/')),
			),
		)
		.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !NOT_TEXTS.has(file))
		.sort();
}

/** The texts of a source file that a person may read: more than one word, in the order of the file, each once. */
export function textsIn(file: string): string[] {
	const source = ts.createSourceFile(
		file,
		readFileSync(file, 'utf8'),
		ts.ScriptTarget.Latest,
		true,
	);
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		const text = isText(node) ? rendered(node) : undefined;
		if (text === undefined) return ts.forEachChild(node, visit);
		if (isSentence(text) && !isWordList(node)) texts.push(text);
	};
	visit(source);
	return [...new Set(texts)];
}

/** At least two words that are not values; expressions of n8n and headers are not for people. */
function isSentence(text: string): boolean {
	const words = text.replace(/\{[^{}]*\}/g, ' ').match(/\p{L}{2,}/gu) ?? [];
	return words.length > 1 && / /.test(text) && !/^(?:=\{\{|Content-|multipart\/)/.test(text);
}

function isText(node: ts.Node): boolean {
	if (ts.isTypeNode(node.parent ?? node) || ts.isImportDeclaration(node.parent ?? node))
		return false;
	return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || isSum(node);
}

const isSum = (node: ts.Node): node is ts.BinaryExpression =>
	ts.isBinaryExpression(node) &&
	node.operatorToken.kind === ts.SyntaxKind.PlusToken &&
	[node.left, node.right].some((side) => isText(side));

/** `'one two three'.split(' ')` and `wordsOf('one two three')`, `wordSet('one two three')` */
const isWordList = ({ parent }: ts.Node) =>
	(ts.isPropertyAccessExpression(parent) && parent.name.text === 'split') ||
	(ts.isCallExpression(parent) &&
		ts.isIdentifier(parent.expression) &&
		['wordsOf', 'wordSet'].includes(parent.expression.text));

/** An expression as text: its known parts, and the names of the unknown ones. */
function rendered(node: ts.Node): string {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isTemplateExpression(node)) {
		return node.templateSpans.reduce(
			(text, { expression, literal }) => `${text}${rendered(expression)}${literal.text}`,
			node.head.text,
		);
	}
	if (isSum(node)) return rendered(node.left) + rendered(node.right);
	if (ts.isParenthesizedExpression(node)) return rendered(node.expression);
	if (ts.isConditionalExpression(node)) {
		return `{${rendered(node.whenTrue)}|${rendered(node.whenFalse)}}`;
	}
	if (ts.isIdentifier(node)) return `{${node.text}}`;
	if (ts.isPropertyAccessExpression(node)) return `{${node.name.text}}`;
	if (ts.isElementAccessExpression(node)) return rendered(node.expression);
	if (ts.isCallExpression(node)) {
		const [first] = node.arguments;
		const target = first && ts.isIdentifier(first) ? first : node.expression;
		return rendered(target);
	}
	return '{…}';
}

/** Text without tags: links and emphasis become plain words. */
function plain(text: string): string {
	return text
		.replace(/<[^<>]*>/g, ' ')
		.replace(/\s+/g, ' ')
		.replace(/ (?=[.,:;](?:\s|$))/g, '')
		.trim();
}

/** Text for a Markdown list: an asterisk stays an asterisk. */
function escaped(text: string): string {
	return plain(text).replace(/[\\*]/g, '\\$&');
}
