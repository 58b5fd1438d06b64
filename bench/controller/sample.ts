// Measurements: a fresh process for each, under the Node.js that is asked for, and all of them in turns.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Progress } from '../../dev/progress';
import { present } from '../../simulator/present';
import type { Found, Measurement } from '../measured/client';
import { script, type Runtime, type Script } from './compile';
import type { Traffic } from './events';
import type { BenchServer } from './server';

/** What every part of the bench works with. */
export interface Bench {
	server: BenchServer;
	/** The Node.js of what is measured. */
	runtime: Runtime;
	/** The package as it would be published. */
	tarball: string;
	/** How often everything is measured. */
	rounds: number;
	/** A short run: less is measured each time. */
	quick: boolean;
	progress: Progress;
}

/** Who listens. */
export interface Subject extends Pick<Measurement, 'triggers' | 'lines' | 'stalled'> {
	name: string;
	goal?: number;
}

/** What there is to hear. */
export interface Course extends Pick<Measurement, 'rush' | 'warmUp' | 'events' | 'rate'> {
	traffic: Traffic;
}

/** Runs a script that takes and prints JSON. */
export async function run<T>({ runtime }: Bench, name: Script, argument: unknown): Promise<T> {
	// With any flag of V8, Node.js compiles its own modules anew: loading takes half as long again.
	const flags = name === 'loadTime' ? [] : ['--expose-gc'];
	const args = [...flags, script(name), JSON.stringify(argument)];
	const { stdout } = await promisify(execFile)(runtime.binary, args);
	return JSON.parse(stdout) as T;
}

export async function sample(
	bench: Bench,
	subject: Subject,
	{ traffic, ...course }: Course,
): Promise<Found> {
	const { server, runtime } = bench;
	server.prepare(traffic, course.rush + course.warmUp + course.events);
	const { transport } = runtime;
	const measurement: Measurement = { ...subject, ...course, url: server.url, transport };
	try {
		return await run(bench, 'client', measurement);
	} finally {
		server.drop();
	}
}

/** What was found about each subject, round by round. */
export interface Samples<T> {
	/** A figure of each round. */
	of<F>(name: string, figure: (found: T) => F): F[];
	all: Record<string, T[]>;
}

/** Measures everything once a round, every other round backwards: nobody is always the one after the same neighbour. */
export async function takeTurns<S extends { name: string }, T>(
	{ rounds, runtime, progress }: Bench,
	subjects: readonly S[],
	measure: (subject: S) => Promise<T>,
): Promise<Samples<T>> {
	const all: Record<string, T[]> = {};
	for (let round = 1; round <= rounds; round++) {
		for (const subject of round % 2 === 1 ? subjects : subjects.toReversed()) {
			progress.log(`${runtime.name}: ${subject.name}, round ${round} of ${rounds}`);
			(all[subject.name] ??= []).push(await measure(subject));
		}
	}
	return { all, of: (name, figure) => present(all[name]).map(figure) };
}
