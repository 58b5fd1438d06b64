/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Measurements: a fresh process for each, under the Node.js that is asked for, and all of them in turns.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { N8nRelease } from '../../dev/n8n/releases';
import type { Progress } from '../../dev/progress';
import { present } from '../../test/support/present';
import type { Found, Measurement } from '../measured/client';
import { script, type Script } from './compile';
import type { Traffic } from './events';
import type { BenchServer } from './server';

/** What every part of the bench works with. */
export interface Bench {
	server: BenchServer;
	/** An n8n, and the Node.js of its line: that of everything that is measured. */
	release: N8nRelease;
	binary: string;
	/** `Node 24` */
	node: string;
	/** What both listen over: Node.js has a WebSocket of its own from 22 on. */
	transport: 'websocket' | 'polling';
	/** The package as it would be published. */
	tarball: string;
	/** How often everything is measured. */
	rounds: number;
	/** A short run: less is measured each time. */
	quick: boolean;
	progress: Progress;
}

/** Who listens. */
export interface Subject extends Pick<Measurement, 'triggers' | 'connections' | 'stalled'> {
	name: string;
	goal?: number;
}

/**
 * Runs a script that takes and prints JSON. V8's memory reducer is off: it collects everything twice more some seconds
 * after each collection that a measurement asks for, while costs are counted.
 */
export async function run<T>({ binary }: Bench, name: Script, argument?: unknown): Promise<T> {
	// With any flag of V8, Node.js compiles its own modules anew: loading takes half as long again.
	const flags = name === 'loadTime' ? [] : ['--expose-gc', '--no-memory-reducer'];
	const args = [...flags, script(name), JSON.stringify(argument ?? null)];
	const { stdout } = await promisify(execFile)(binary, args);
	return JSON.parse(stdout) as T;
}

/** What there is to hear, and who listens. */
interface Wanted extends Omit<Measurement, 'url' | 'transport'> {
	traffic: Traffic;
}

export async function sample(bench: Bench, { traffic, ...wanted }: Wanted): Promise<Found> {
	const { server, transport } = bench;
	server.prepare(traffic, wanted.rush + wanted.warmUp + wanted.events);
	const measurement: Measurement = { ...wanted, url: server.url, transport };
	try {
		return await run(bench, 'client', measurement);
	} finally {
		server.drop();
	}
}

/**
 * Measures everything once a round, every other round backwards: nobody is always the one after the same neighbour.
 * @returns gives a figure of each round
 */
export async function takeTurns<S extends { name: string }, T>(
	bench: Bench,
	subjects: readonly S[],
	measure: (bench: Bench, subject: S) => Promise<T>,
): Promise<<F>(name: string, figure: (found: T) => F) => F[]> {
	const { rounds, node, progress } = bench;
	const all: Record<string, T[]> = {};
	for (let round = 1; round <= rounds; round++) {
		for (const subject of round % 2 === 1 ? subjects : subjects.toReversed()) {
			progress.log(`${node}: ${subject.name}, round ${round} of ${rounds}`);
			(all[subject.name] ??= []).push(await measure(bench, subject));
		}
	}
	return (name, figure) => present(all[name]).map(figure);
}
