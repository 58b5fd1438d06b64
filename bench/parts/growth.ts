// What the package costs as its use grows: more workflows on one account, followed calls, a full buffer; and what it
// costs to begin and to end.
import { stat } from 'node:fs/promises';

import { nth } from '../../simulator/present';
import { judge, thousands, type Row, type Section } from '../controller/report';
import {
	run,
	sample,
	takeTurns,
	type Bench,
	type Course,
	type Subject,
} from '../controller/sample';
import { estimate, median } from '../controller/statistics';

const WORKFLOWS = [1, 10, 100];
const CALLS = 10_000;
const BUFFER = 50_000;
/** What the package may weigh, and how much longer n8n may take to start because of it. */
const TARBALL_KB = 170;
const LOAD_MS = 60;
/** Fresh processes that load the files: one takes a moment only. */
const LOADS = 15;
/** How much the process may grow while a whole buffer of events waits for n8n's database. */
const HELD_MB = 100;
/** A close has to end within this, whatever the network does (FeedSubscription.close). */
const CLOSE_MS = 2_000;

const KB = 1024;
const MB = 1e6;

const workflows = (count: number) => `${count} workflow${count > 1 ? 's' : ''} on one account`;
const FOLLOWED = `${thousands(CALLS)} followed calls`;
const HELD = `${thousands(BUFFER)} events in the buffer`;

function subjects(events: number): Array<Subject & { course: Course }> {
	const course: Course = { traffic: { kind: 'mixed' }, rush: 0, warmUp: events, events };
	return [
		...WORKFLOWS.map((count) => ({
			name: workflows(count),
			course,
			// Each gets one event in a hundred.
			triggers: Array.from({ length: count }, (_, index) => ({
				output: 'simplified',
				filters: { agentIds: [String(index + 1)] },
				options: { batchSize: 100, batchInterval: 0 },
			})),
		})),
		{
			name: FOLLOWED,
			course: { traffic: { kind: 'centre', open: CALLS }, rush: CALLS, warmUp: 0, events: 0 },
			triggers: [{ mode: 'callOutcomes', options: { batchSize: 100 } }],
		},
		{
			name: HELD,
			course: { ...course, rush: BUFFER, warmUp: 0, events: 0 },
			triggers: [{ options: { bufferLimit: BUFFER, emitFeedStatus: true } }],
			stalled: true,
		},
	];
}

function row(name: string, unit: string, digits: number, values: number[], goal?: number): Row {
	const cells = [`${median(values).toFixed(digits)} ${unit}`];
	return { name, cells, verdict: judge(estimate(values), 'at most', goal, unit) };
}

export async function measureGrowth(bench: Bench): Promise<Section> {
	const { runtime, progress } = bench;
	const events = bench.quick ? 20_000 : 60_000;
	progress.log(`${runtime.name}: load time`);
	const loads: number[] = [];
	while (loads.length < LOADS) loads.push(await run(bench, 'loadTime', null));
	const samples = await takeTurns(
		bench,
		subjects(events),
		async (subject) => await sample(bench, subject, subject.course),
	);
	const tarball = (await stat(bench.tarball)).size;

	const [one, most] = [workflows(1), workflows(100)];
	const cpu = (name: string) =>
		row(
			`${name}: CPU per event`,
			'µs',
			2,
			samples.of(name, ({ cpuMicros }) => cpuMicros / events),
		);
	/** By how many bytes a rush made the process larger. */
	const grown = (name: string, memory: 'heapUsed' | 'rss', unit: number) =>
		samples.of(name, ({ before, after }) => (after[memory] - before[memory]) / unit);
	const heap = (name: string) => samples.of(name, ({ before }) => before.heapUsed);
	const trigger = heap(most).map((bytes, round) => (bytes - nth(heap(one), round)) / 99 / KB);
	const closing = (name: string) => samples.of(name, ({ closeMillis }) => closeMillis);
	return {
		title: `As it grows, ${runtime.name}`,
		columns: ['measured'],
		rows: [
			row('tarball', 'KB', 1, [tarball / KB], TARBALL_KB),
			row('loading all files, n8n-workflow being there', 'ms', 0, loads, LOAD_MS),
			...WORKFLOWS.map(workflows).map(cpu),
			row('memory of a trigger on an open account', 'KB', 1, trigger),
			row('closing 1 trigger', 'ms', 1, closing(one)),
			row('closing 100 at once', 'ms', 1, closing(most), CLOSE_MS),
			row('memory of a followed call', 'KB', 1, grown(FOLLOWED, 'heapUsed', CALLS * KB)),
			row(`${HELD}: memory`, 'MB', 0, grown(HELD, 'heapUsed', MB)),
			row(`${HELD}: memory of the process`, 'MB', 0, grown(HELD, 'rss', MB), HELD_MB),
		],
		notes: [
			'CPU per event is that of the whole process: receiving, JSON, and what the trigger adds.',
		],
		data: { tarballBytes: tarball, loads, ...samples.all },
	};
}
