/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Checks with recheck that every regular expression of nodes/ and credentials/ takes linear time: the feed runs in n8n's
// main process, and a text from outside must not hold it up. Part of `npm run lint`, which has no other rule that sees
// how a search begins again at each character. Prints what it finds, and then exits with 1.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AttackPattern } from 'recheck';
import ts from 'typescript';

const root = path.join(__dirname, '..');

/** A regular expression, and the places that have it. */
interface Expression {
	source: string;
	flags: string;
	where: string;
}

/**
 * Makes patterns of passwords and tokens. recheck can't judge these: each of their repetitions has a limit, and it takes
 * the limits for growth. test/unit/shared/linear.test.ts plays what it found, at growing lengths.
 */
const OF_SECRETS = 'nodes/shared/secrets.ts';

const sources = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => `${folder}/${file.replaceAll(path.sep, '/')}`),
);

/** The literals of a file, and the lines of its `new RegExp(…)`. */
function inFile(file: string): { literals: Expression[]; made: string[] } {
	const text = readFileSync(path.join(root, file), 'utf8');
	const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
	const literals: Expression[] = [];
	const made: string[] = [];
	const visit = (node: ts.Node) => {
		const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
		const where = `${file}:${line}`;
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			literals.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), where });
		}
		const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
		const isMade = isCall && node.expression.getText(tree) === 'RegExp';
		if (isMade && file !== OF_SECRETS) made.push(where);
		ts.forEachChild(node, visit);
	};
	visit(tree);
	return { literals, made };
}

/** Loads the files that make regular expressions, and notes what they make. */
async function madeBy(files: readonly string[]): Promise<Expression[]> {
	const seen: Expression[] = [];
	const Original = RegExp;
	const note = (args: unknown[]) => {
		const made = Reflect.construct(Original, args) as RegExp;
		const [, where = ''] =
			/((?:nodes|credentials)\/[^:)]+:\d+)/.exec(new Error().stack ?? '') ?? [];
		if (where !== '') seen.push({ source: made.source, flags: made.flags, where });
		return made;
	};
	globalThis.RegExp = new Proxy(Original, {
		construct: (_target, args: unknown[]) => note(args),
		apply: (_target, _self, args: unknown[]) => note(args),
	});
	try {
		for (const file of files) await import(path.join(root, file));
	} finally {
		globalThis.RegExp = Original;
	}
	return seen;
}

/** Every expression once. @throws if one is made later than while its file is loaded */
async function expressions(): Promise<Expression[]> {
	const files = sources.map(inFile);
	const sites = files.flatMap(({ made }) => made);
	const made = await madeBy([...new Set(sites.map((site) => site.replace(/:\d+$/, '')))]);
	const missed = sites.filter((site) => !made.some(({ where }) => where === site));
	if (missed.length > 0)
		throw new Error(
			`Make these while the file is loaded, where they can be checked: ${missed.join(', ')}`,
		);
	const all = [...files.flatMap(({ literals }) => literals), ...made];
	return [...new Map(all.map((one) => [`/${one.source}/${one.flags}`, one])).values()];
}

/** An expression whose check takes longer counts as unchecked. */
const LONGEST_CHECK_MS = 60_000;

/** Beyond this many characters, what takes the square of their number takes seconds. */
const LONGEST_INPUT = 200_000;
const SLOW_MS = 500;

/**
 * Whether the input that recheck's random search found is slow. On a busy machine its proofs run out of time, and then
 * it takes linear expressions for quadratic ones.
 */
function isSlow(source: string, flags: string, { pumps, suffix }: AttackPattern): boolean {
	for (let times = 64; ; times *= 4) {
		const input = pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
		const before = process.cpuUsage();
		input.replace(new RegExp(source, flags), '');
		if (process.cpuUsage(before).user > SLOW_MS * 1000) return true;
		if (input.length > LONGEST_INPUT) return false;
	}
}

async function main(): Promise<void> {
	// Its other back ends are binaries of a few platforms.
	process.env.RECHECK_BACKEND = 'pure';
	const { checkSync } = await import('recheck');
	for (const { source, flags, where } of await expressions()) {
		// What it can't prove it searches for at random: the seed makes each run of it the same.
		const found = checkSync(source, flags, { timeout: LONGEST_CHECK_MS, randomSeed: 1 });
		if (found.status === 'safe') continue;
		const isGuess =
			found.status === 'vulnerable' &&
			found.checker === 'fuzz' &&
			found.complexity.type === 'polynomial';
		if (isGuess && !isSlow(source, flags, found.attack)) continue;
		const what =
			found.status === 'vulnerable'
				? `${found.complexity.summary}: ${found.attack.pattern.slice(0, 300)}`
				: `not checked: ${found.error.kind}`;
		process.stdout.write(`${where} /${source.slice(0, 200)}/${flags}\n  ${what}\n`);
		process.exitCode = 1;
	}
}

void main();
