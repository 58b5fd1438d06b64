// What the package costs n8n when it starts, and what it keeps in memory: calls that it follows, and a full buffer.
import { HUNDRED_AGENTS } from '../controller/events';
import { judge, thousands, type Row, type Section } from '../controller/report';
import { run, sample, takeTurns, type Bench } from '../controller/sample';
import { estimate, median } from '../controller/statistics';

const CALLS = 10_000;
const BUFFER = 50_000;
/** How much longer n8n may take to start because of the package. */
const LOAD_MS = 60;
/** Fresh processes that load the files: one takes a moment only. */
const LOADS = 15;
/** How much the process may grow while a whole buffer of events waits for n8n's database. */
const HELD_MB = 100;

const FOLLOWED = {
	name: 'followed calls',
	traffic: { open: CALLS, rate: 100 },
	rush: CALLS,
	triggers: [{ mode: 'callOutcomes', options: { batchSize: 100 } }],
};
const HELD = {
	name: 'a full buffer',
	traffic: HUNDRED_AGENTS,
	rush: BUFFER,
	triggers: [{ options: { emitFeedStatus: true } }],
	stalled: true,
};

function row(name: string, unit: string, values: number[], goal?: number): Row {
	const cells = [`${median(values).toFixed(1)} ${unit}`];
	return { name, cells, verdict: judge(estimate(values), 'at most', goal, unit) };
}

export async function measureGrowth(bench: Bench): Promise<Section> {
	bench.progress.log(`${bench.node}: load time`);
	const loads: number[] = [];
	while (loads.length < LOADS) loads.push(await run(bench, 'loadTime'));
	const subjects = [FOLLOWED, HELD].map((subject) => ({ ...subject, warmUp: 0, events: 0 }));
	const samples = await takeTurns(bench, subjects, sample);
	const followed = samples(
		FOLLOWED.name,
		({ before, after }) => (after.heapUsed - before.heapUsed) / CALLS / 1024,
	);
	const held = samples(HELD.name, ({ before, after }) => (after.rss - before.rss) / 1e6);
	return {
		title: `As it grows, ${bench.node}`,
		columns: ['measured'],
		rows: [
			row('loading all files, n8n-workflow being there', 'ms', loads, LOAD_MS),
			row('memory of a followed call', 'KB', followed),
			row(`${thousands(BUFFER)} events in the buffer: memory of the process`, 'MB', held, HELD_MB),
		],
	};
}
