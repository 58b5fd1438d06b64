// Compares alerts and interval records with what really took place. The figures of a queue are those of the audit's
// second implementation, which shares no code with the trigger.
import { Auditor, type Figures } from '../unit/VoiceManagementTrigger/callCentre/audit/auditor';
import { arrivalsOf, isInHole, type Report, type ToldGap } from './facts';
import { arrived, spanOf, wholeIn } from './judgeOutcomes';
import type { Delivery } from './n8n';
import { ALERT_SECONDS, INTERVAL_MINUTES, MINUTE, SECOND, type WorkflowPlan } from './plan';
import type { World } from './simulation';

/** Clocks may disagree by a second unnoticed, and an event is in transit for up to 3.5 s. */
const TOLERANCE_MS = 5 * SECOND;
/** Whatever went wrong so long ago has left no call behind. */
const LOOKBACK_MS = 15 * MINUTE;
const DEFAULTS = {
	serviceLevelSeconds: 20,
	shortAbandonSeconds: 5,
	serviceLevelFormula: 'withoutShort',
	serviceLevelTarget: 80,
};

/** A caller who waits for too long is reported once, in time, and nobody else is. */
export function judgeAlerts(
	world: World,
	workflow: WorkflowPlan,
	{ deliveries, told }: { deliveries: readonly Delivery[]; told: readonly ToldGap[] },
	report: Report,
): void {
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
		if (Math.abs(beyond) < TOLERANCE_MS) continue;
		const wanted = beyond > 0 ? 1 : 0;
		if (started.length !== wanted)
			complain(`reported ${started.length} times instead of ${wanted}`);
		for (const { json } of started) {
			const late = world.wall
				.meant(Date.parse(String(json.date)))
				.map((at) => Math.abs(at - from - ALERT_SECONDS * SECOND));
			if (Math.min(...late) > TOLERANCE_MS) complain(`reported ${Math.min(...late)} ms off`);
		}
	}
}

/** Each record is an interval on the clock, adds up, and has the figures of what really took place. */
export function judgeRecords(
	world: World,
	workflow: WorkflowPlan,
	deliveries: readonly Delivery[],
	report: Report,
): void {
	const auditor = new Auditor(0, DEFAULTS);
	const arrivals = arrivalsOf(world);
	// Nobody can know of the end of a call that the provider lost: such a call waits on.
	const lost = world.operator.events.filter(
		({ id, type }) => type === 'queue' && !arrivals.has(id),
	);
	for (const { at, id, type, event, msg } of world.operator.events)
		if (type === 'queue')
			auditor.take({ ts: Math.floor(at / SECOND), cpt: id, type, event, msg }, at);
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
		const ended = sum('answered', 'abandoned', 'short_abandoned', 'overflowed', 'unknown');
		if (sum('offered', 'waiting_before') !== ended + sum('waiting')) complain('it does not add up');
		if (json.complete !== true || world.wall.jumped) continue;
		const truly = from - world.plan.n8n.skewMs;
		const end = truly + INTERVAL_MINUTES * MINUTE;
		const span = { from: truly - LOOKBACK_MS, to: end + 10 * SECOND };
		const within = world.operator.events.filter(
			(sent) => sent.at >= span.from && sent.at < span.to,
		);
		if (!arrived(world, workflow, span, within)) continue;
		const { process } = instance;
		if (lost.some((sent) => sent.at < end && !isInHole(process, sent.at))) continue;
		const near = [];
		for (let shift = -TOLERANCE_MS; shift <= TOLERANCE_MS; shift += SECOND)
			near.push(auditor.queues([Number(json.id_queue)], truly + shift, end + shift));
		for (const names of COMPARED) {
			const shown = sum(...names);
			const real = near.map((one) =>
				names.reduce((total, name) => total + Number(one[name] ?? 0), 0),
			);
			if (shown < Math.min(...real) || shown > Math.max(...real))
				complain(`${names.join(' + ')}: ${shown} instead of ${real.join(', ')}`);
		}
	}
}

/** What does not depend on a second more or less. */
const COMPARED = [
	['offered'],
	['answered'],
	['abandoned', 'short_abandoned'],
	['overflowed'],
	['unknown'],
	['waiting'],
	['talking'],
];
