/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Mistakes that are made in the trigger on purpose, to see that the judge finds them: each breaks one promise.
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

export interface Mutant {
	promise: string;
	/** What is wrong in the mutant. */
	mistake: string;
	/** Text of one file of the trigger, and what stands there in the mutant. */
	from: string;
	to: string;
	/** A seed that finds it. */
	seed: number;
}

export const MUTANTS: readonly Mutant[] = [
	{
		promise: 'An event comes once, also if two connections deliver it',
		mistake: 'copies are passed on',
		from: 'if (copy) return this.matched(source, copy);',
		to: 'if (copy) this.matched(source, copy);',
		seed: 1,
	},
	{
		promise: 'Events keep the order in which the provider sent them',
		mistake: 'a new connection does not wait for the older one',
		from: 'if (!lone.held) return this.output.onEvent(event);',
		to: 'return this.output.onEvent(event);',
		seed: 60,
	},
	{
		promise: 'A time in which events may be missing is reported',
		mistake: 'no gap after an interruption',
		from: 'if (numbers.missed !== 0)',
		to: 'if ((numbers.missed ?? 0) > 0)',
		seed: 1,
	},
	{
		promise: 'A gap says how many events are missing only if the numbers prove it',
		mistake: 'one too few',
		from: 'const missed = current.cpt - mark.cpt - (current.received - mark.received);',
		to: 'const missed = current.cpt - mark.cpt - (current.received - mark.received) - 1;',
		seed: 3,
	},
	{
		promise: 'A connection that has become silent is replaced',
		mistake: 'no silence timeout',
		from: "silenceTimeoutMs > 0 ? [{ do: 'timer', name: 'silence', delayMs: silenceTimeoutMs }] : []",
		to: '[]',
		seed: 45,
	},
	{
		promise: 'The provider is not asked again before the time it gave',
		mistake: 'the back-off of our own only',
		from: 'const delayMs = Math.max(waitMs, allowed - now);',
		to: 'const delayMs = waitMs;',
		seed: 11,
	},
	{
		promise: 'What waits when a workflow is stopped reaches it',
		mistake: 'waiting events are dropped',
		from: 'this.active.onEnd(async () => await outbox.close());',
		to: '',
		seed: 47,
	},
	{
		promise: 'A stopped workflow leaves nothing behind',
		mistake: 'its connections stay open',
		from: "...ids.flatMap((id): FeedAction[] => (id === undefined ? [] : [{ do: 'drop', id }])),",
		to: '',
		seed: 1,
	},
];

/** Makes the mistake while the sources are bundled. @throws if no file has the text any more, or several have it */
export function mistaken({ mistake, from, to }: Mutant): Plugin {
	return {
		name: 'mistaken',
		setup(build) {
			let made = 0;
			build.onLoad({ filter: /[\\/]nodes[\\/].*\.ts$/ }, async ({ path }) => {
				const parts = (await readFile(path, 'utf8')).split(from);
				made += parts.length - 1;
				return { contents: parts.join(to), loader: 'ts' };
			});
			build.onEnd(() => ({
				errors: made === 1 ? [] : [{ text: `"${mistake}" finds its place ${made} times` }],
			}));
		},
	};
}
