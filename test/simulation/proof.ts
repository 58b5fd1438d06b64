/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The page of a release: what was played and reached, a digest that anybody gets again, and which mistakes are found.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { MUTANTS, type Mutant } from './mutants';
import { Players, type Portion } from './player';

/** How many seeds look for each mistake. */
const SEARCHED = 200;
const DAYS_OF_YEAR = 365.25;

const table = (head: string[], rows: Array<Array<string | number>>) =>
	[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

/** One digest of all items of all seeds, in the order of the seeds. */
export function digestOf({ digests }: Portion): string {
	return sha256(Object.entries(digests).map(String).join('\n'));
}

/** The seeds that find a mistake. */
export async function finders(mutant: Mutant, seeds: readonly number[]): Promise<number[]> {
	const players = await Players.build({ mutant });
	try {
		const { failed } = await players.start()(seeds);
		return failed.map(({ seed }) => seed);
	} finally {
		players.end();
	}
}

export async function proofOf(
	totals: Portion,
	played: { package?: string; from: number; seeds: number; kept?: boolean },
): Promise<string> {
	const { package: file, from, seeds, kept } = played;
	const what = file ? `${basename(file)} (SHA-256 ${sha256(readFileSync(file))})` : 'the sources';
	const again = `npm run simulate --${file ? ' --package FILE' : ''}${kept ? ' --kept' : ''} --from ${from} --seeds ${seeds} --proof`;
	const searched = Array.from({ length: SEARCHED }, (_, index) => index + 1);
	const mistakes = [];
	for (const mutant of MUTANTS) {
		const found = await finders(mutant, searched);
		mistakes.push([mutant.promise, mutant.mistake, found.length, found[0] ?? 'none']);
	}
	const reached = Object.entries(totals.reached).sort(([a], [b]) => a.localeCompare(b, 'en'));
	return `# What the simulation proved

Played: ${what}, seeds ${from} to ${from + seeds - 1}${kept ? ', and those that once found a mistake' : ''}:
${totals.seeds} seeds, ${(totals.days / DAYS_OF_YEAR).toFixed(2)} virtual years, ${totals.events} events, ${totals.items} items, ${totals.faults} faults.
Seeds in which a promise was broken: ${totals.failed.length}.

Digest of all items, in order: \`${digestOf(totals)}\`

Anybody gets it again from the same commit, on any machine: \`${again}\`

## What was reached

${table(['state', 'seeds'], reached)}

## Whether a mistake would be found

Each mistake was made in the sources, and seeds 1 to ${SEARCHED} were played.

${table(['promise', 'mistake', `found by, of ${SEARCHED} seeds`, 'first'], mistakes)}
`;
}
