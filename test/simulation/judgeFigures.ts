// Compares alerts and the records of periods with what really took place, and each record with itself: what it shows is
// enough to compute its quotients, and to add it up.
import { arrivalsOf, isInHole, isOpen, type Report, type ToldGap } from './facts';
import { arrived, spanOf, wholeIn } from './judgeOutcomes';
import { isOwed } from './judgeOwed';
import type { Delivery, Instance, Process } from './n8n';
import { ALERT_SECONDS, INTERVAL_MINUTES, MINUTE, SECOND, type WorkflowPlan } from './plan';
import type { World } from './simulation';
import type { Call, Sent } from './traffic';

/** Clocks may disagree by a second unnoticed, and an event is in transit for up to 3.5 s. */
const TOLERANCE_MS = 5 * SECOND;
/** What that comes to at the beginning or the end of a record. */
const SHIFTS = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5].map((seconds) => seconds * SECOND);
/** A step of a clock makes events look late by up to ten seconds, so that an alert comes as much too early. */
const STEPPED_MS = 10 * SECOND;
/** Whatever went wrong so long ago has left no call behind. */
const LOOKBACK_MS = 15 * MINUTE;
const SERVICE_LEVEL_MS = 20 * SECOND;

type Figures = Record<string, number | string | boolean | null>;

/** A caller who waits for too long is reported once, in time, and nobody else is. */
export function judgeAlerts(
	world: World,
	workflow: WorkflowPlan,
	{ deliveries, told }: { deliveries: readonly Delivery[]; told: readonly ToldGap[] },
	report: Report,
): void {
	const tolerance = TOLERANCE_MS + (world.wall.jumped ? STEPPED_MS : 0);
	for (const call of world.traffic.calls) {
		if (!wholeIn(world, workflow, call, told)) continue;
		const { from, to } = spanOf(call);
		const complain = (what: string) =>
			report('alerts are in time', `${workflow.id}, call ${call.id}: ${what}`, from);
		const started = deliveries.filter(
			({ ran, json }) => ran && json.event === 'started' && json.id_call === String(call.id),
		);
		const taken = call.events.find(({ event }) => event === 'connect_call')?.at ?? to;
		const beyond = taken - from - ALERT_SECONDS * SECOND;
		if (Math.abs(beyond) < tolerance) continue;
		const wanted = beyond > 0 ? 1 : 0;
		if (started.length !== wanted)
			complain(`reported ${started.length} times instead of ${wanted}`);
		for (const { json } of started) {
			const late = world.wall
				.meant(Date.parse(String(json.date)))
				.map((at) => Math.abs(at - from - ALERT_SECONDS * SECOND));
			if (Math.min(...late) > tolerance) complain(`reported ${Math.min(...late)} ms off`);
		}
	}
}

/** Each record is a period on the clock, adds up, and has the figures of what really took place. */
export function judgeRecords(
	world: World,
	workflow: WorkflowPlan,
	deliveries: readonly Delivery[],
	report: Report,
): void {
	const arrivals = arrivalsOf(world);
	const silenceMs = (world.plan.silenceTimeoutMinutes || Infinity) * MINUTE;
	const instances = world.n8n.processes.flatMap((one) =>
		one.instances.filter((instance) => instance.workflow === workflow),
	);
	// Nobody can know of the end of a call that the provider lost, or that an open connection did not deliver without
	// anybody having to notice: such a call waits on.
	const isUnnoticed = (sent: Sent, process: Process) =>
		!isInHole(process, sent.at) ||
		(process.connections.some((one) => isOpen(one, sent.at)) &&
			!isOwed(sent, instances, silenceMs));
	const lost = world.provider.events.filter(
		({ id, type }) => type === 'queue' && !arrivals.has(id),
	);
	/** The newest record of a queue, by instance and queue. */
	const before = new Map<Instance, Map<string, Figures>>();
	for (const { json, at, ran, instance } of deliveries) {
		if (!ran || json.type_notification !== 'snapshot') continue;
		const figures = json as Figures;
		const [from, to] = [json.from, json.to].map((one) => Date.parse(String(one))) as [
			number,
			number,
		];
		const complain = (what: string) =>
			report('records agree', `${workflow.id}, ${String(json.from)}: ${what}`, at);
		const sum = (...names: string[]) =>
			names.reduce((total, name) => total + Number(figures[name] ?? 0), 0);
		if (to - from !== INTERVAL_MINUTES * MINUTE || to % (INTERVAL_MINUTES * MINUTE) !== 0)
			complain(`it ends at ${String(json.to)}`);
		judgeSums(figures, complain);
		const queues = before.get(instance) ?? new Map<string, Figures>();
		before.set(instance, queues);
		const last = queues.get(String(json.id_queue));
		queues.set(String(json.id_queue), figures);
		if (last && last.to === json.from && sum('waiting_before') < Number(last.waiting))
			complain(
				`${sum('waiting_before')} waited before, ${last.waiting} at the end of the last one`,
			);
		if (json.complete !== true || world.wall.jumped) continue;
		const truly = from - world.plan.n8n.skewMs;
		const end = truly + INTERVAL_MINUTES * MINUTE;
		const span = { from: truly - LOOKBACK_MS, to: end + 10 * SECOND };
		const within = world.provider.events.filter(
			(sent) => sent.at >= span.from && sent.at < span.to,
		);
		if (!arrived(world, workflow, span, within)) continue;
		const { process } = instance;
		if (lost.some((sent) => sent.at < end && isUnnoticed(sent, process))) continue;
		const calls = world.traffic.calls.filter(({ queue }) => queue === Number(json.id_queue));
		const near: Array<Record<string, number>> = [];
		// A call at its beginning and one at its end are late by different times.
		for (const first of SHIFTS)
			for (const last of SHIFTS)
				for (const slack of [-SECOND, 0, SECOND])
					near.push(whatTookPlace(calls, truly + first, end + last, SERVICE_LEVEL_MS + slack));
		for (const names of COMPARED) {
			const shown = sum(...names);
			const real = near.map((one) => names.reduce((total, name) => total + (one[name] ?? 0), 0));
			// Each of the summed waits is off by a second at most.
			const off = names[0]?.endsWith('_seconds') ? sum('answered', 'abandoned', 'talks') : 0;
			if (shown < Math.min(...real) - off || shown > Math.max(...real) + off)
				complain(`${names.join(' + ')}: ${shown} instead of ${[...new Set(real)].join(', ')}`);
		}
	}
}

/** What does not depend on a second more or less. */
const COMPARED = [
	['offered'],
	['answered'],
	['answered_in_time'],
	['late'],
	['abandoned', 'short_abandoned'],
	['answer_wait_seconds'],
	['overflowed'],
	['unknown'],
	['waiting'],
	['talks'],
	['talk_seconds'],
	['talking'],
];

/** The figures of a queue, in which each call is once and nobody moves on. */
function whatTookPlace(
	calls: readonly Call[],
	from: number,
	to: number,
	levelMs: number,
): Record<string, number> {
	const figures: Record<string, number> = {};
	const add = (name: string, at: number | undefined, value = 1) => {
		if (at !== undefined && at >= from && at < to) figures[name] = (figures[name] ?? 0) + value;
	};
	for (const { events, answered, over } of calls) {
		const when = (name: string) => events.find(({ event }) => event === name)?.at;
		const [since, taken] = [when('insert_call'), when('connect_call')];
		if (since === undefined) continue;
		const left = over ? when('delete_call') : undefined;
		const waited = (taken ?? left ?? Infinity) - since;
		add('offered', since);
		add('answered', taken);
		add('answered_in_time', waited <= levelMs ? taken : undefined);
		add('answer_wait_seconds', taken, Math.round(waited / SECOND));
		if (waited > levelMs) add('late', since + levelMs);
		if (!answered) add('abandoned', left);
		if (taken !== undefined) {
			add('talks', left);
			add('talk_seconds', left, Math.round(((left ?? 0) - taken) / SECOND));
		}
		if (since < to && since + waited >= to) add('waiting', from);
		if (taken !== undefined && taken < to && (left ?? Infinity) >= to) add('talking', from);
	}
	return figures;
}

/** What a record shows agrees with itself. */
function judgeSums(figures: Figures, complain: (what: string) => void): void {
	const of = (name: string) => Number(figures[name] ?? 0);
	const decided = ['answered', 'abandoned', 'short_abandoned', 'overflowed', 'unknown', 'waiting'];
	if (of('offered') + of('waiting_before') !== decided.reduce((all, name) => all + of(name), 0))
		complain('it does not add up');
	const wrapUp = figures.wrap_up_seconds;
	const quotients: Array<[string, number, number, number]> = [
		[
			'service_level',
			100,
			of('answered_in_time'),
			of('answered_in_time') + of('late') + of('abandoned_in_time'),
		],
		['abandonment_rate', 100, of('abandoned'), of('answered') + of('abandoned')],
		['average_speed_of_answer', 1, of('answer_wait_seconds'), of('answered')],
		['average_talk', 1, of('talk_seconds'), of('talks')],
		[
			'average_handle_time',
			1,
			of('talk_seconds') + of('wrap_up_seconds'),
			wrapUp === null ? 0 : of('talks'),
		],
	];
	for (const [name, times, part, whole] of quotients) {
		const shown = figures[name];
		const isRight =
			whole === 0
				? shown === null
				: typeof shown === 'number' && Math.abs(shown - (times * part) / whole) <= 0.0501;
		if (!isRight) complain(`${name}: ${String(shown)} instead of ${times} × ${part} ÷ ${whole}`);
	}
	for (const [part, whole] of [
		['answered_in_time', 'answered'],
		['abandoned_in_time', 'abandoned'],
	] as const)
		if (of(part) > of(whole)) complain(`more ${part} than ${whole}`);
	const negative = Object.entries(figures).filter(([, value]) => Number(value) < 0);
	if (negative.length > 0) complain(`negative: ${negative.map(([name]) => name).join()}`);
}
