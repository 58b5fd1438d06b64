// Every kind of alert begins exactly when its plain definition says. The definitions are written a second time
// here, for a call centre that is examined second by second.

import fc from 'fast-check';
import type { FeedEvent } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import { alerts, LiveScene } from './scene';

const QUEUES = [51, 52];
const AGENTS = [101, 102, 103];
const LOGIN = { ops: AGENTS.map((id) => ({ id, nom: `Agent ${id}`, groups: [] })) };

/** A caller who gave up may continue elsewhere within this many seconds (docs/items.md). */
const WHEREABOUTS = 5;
/** Callers who give up sooner do not count for a service level. */
const SHORT = 5;

interface Call {
	id: number;
	queue: number;
	since: number;
	answeredAt?: number;
	leftAt?: number;
}

type Message = [type: string, event: string, msg: Record<string, unknown>];

const step = fc.record({
	kind: fc.integer({ min: 0, max: 13 }),
	call: fc.nat(3),
	queue: fc.constantFrom(...QUEUES),
	agent: fc.constantFrom(...AGENTS),
	wait: fc.integer({ min: 1, max: 9 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A small call centre in which only possible steps take effect. */
class Centre {
	readonly calls: Call[] = [];
	/** What each agent does, and for which call; absent if unknown. */
	readonly agents = new Map<number, string>();

	get waiting(): Call[] {
		return this.calls.filter(({ answeredAt, leftAt }) => !answeredAt && !leftAt);
	}

	get talking(): Call[] {
		return this.calls.filter(({ answeredAt, leftAt }) => answeredAt && !leftAt);
	}

	/** @returns the operator's messages about the step; none if it is not possible now */
	act({ kind, call: nth, queue, agent }: Step, now: number): Message[] {
		const waiting = this.waiting[nth];
		const talking = this.talking[nth];
		switch (kind) {
			case 0:
			case 1:
			case 2:
				return [this.enters(this.calls.length + 1, queue, now)];
			case 3:
			case 4:
				if (!waiting) return [];
				waiting.answeredAt = now;
				return [['queue', 'connect_call', { ...place(waiting), id_operator: agent }]];
			case 5:
			case 6:
				return waiting ? [leaves(waiting, now)] : [];
			case 7:
				return talking ? [leaves(talking, now)] : [];
			case 8: {
				if (!waiting) return [];
				const elsewhere = waiting.queue === QUEUES[0] ? QUEUES[1] : QUEUES[0];
				this.calls.splice(this.calls.indexOf(waiting), 1);
				return [leaves(waiting, now), this.enters(waiting.id, elsewhere ?? 0, now)];
			}
			case 9:
				if (!waiting) return [];
				this.agents.set(agent, `ringing ${waiting.id}`);
				return [
					['operator', 'status', { id_operator: agent, status: 'ringing', ...place(waiting) }],
				];
			case 10:
				this.agents.set(agent, 'on_break');
				return [['UI', 'pause', { id_operator: agent, supp: 2 }]];
			case 11:
				this.agents.set(agent, 'logged_out');
				return [['UI', 'logout', { id_operator: agent }]];
			default:
				this.agents.set(agent, 'available');
				return [['operator', 'status', { id_operator: agent, status: 'available' }]];
		}
	}

	private enters(id: number, queue: number, now: number): Message {
		const call = { id, queue, since: now };
		this.calls.push(call);
		return ['queue', 'insert_call', place(call)];
	}
}

const place = ({ id, queue }: Call) => ({ id_call: id, id_queue: queue });

function leaves(call: Call, now: number): Message {
	call.leftAt = now;
	return ['queue', 'delete_call', place(call)];
}

interface Definition {
	row: { when: string; threshold: number } & Record<string, unknown>;
	options?: Record<string, unknown>;
	/** How long it has to hold, in seconds. */
	seconds: number;
	/** The subjects for which it holds at a time, each with a value that changes if it becomes a new case. */
	holds: (centre: Centre, now: number) => Array<[subject: number, is: unknown]>;
	/** Whether it may continue to hold, which neither begins nor ends it. */
	mayHold?: (centre: Centre) => boolean;
}

const agentsThat = (is: RegExp) => (centre: Centre) =>
	[...centre.agents].filter(([, state]) => is.test(state));
/** Whether a time lies in the last minute. */
const recent = (at: number | undefined, now: number) => at !== undefined && now - at <= 60;
/** Callers who gave up, once that is certain. */
const abandoned = (centre: Centre, queue: number, now: number) =>
	centre.calls.filter(
		(call) =>
			call.queue === queue &&
			!call.answeredAt &&
			call.leftAt !== undefined &&
			call.leftAt + WHEREABOUTS <= now &&
			recent(call.leftAt, now),
	);
/** Still waiting, for longer than 4 seconds; or left after that, and nobody knows yet where to. */
const isLate = ({ answeredAt, leftAt, since }: Call, now: number) =>
	!answeredAt &&
	(leftAt === undefined || leftAt + WHEREABOUTS > now) &&
	(leftAt ?? now) - since > 4;
const available = ({ agents }: Centre) =>
	[...agents.values()].filter((state) => state === 'available').length;

const DEFINITIONS: Definition[] = [
	{
		row: { when: 'callerWaiting', threshold: 12 },
		seconds: 12,
		holds: ({ waiting }) => waiting.map(({ id, queue, since }) => [id, `${queue} ${since}`]),
	},
	{
		row: { when: 'callersWaiting', threshold: 2, forSeconds: 6 },
		seconds: 6,
		holds: ({ waiting }) =>
			QUEUES.filter((id) => waiting.filter(({ queue }) => queue === id).length >= 2).map((id) => [
				id,
				true,
			]),
	},
	{
		row: { when: 'agentsAvailableBelow', threshold: 2, forSeconds: 5 },
		seconds: 5,
		holds: (centre) => {
			const notKnown = AGENTS.length - centre.agents.size;
			return available(centre) + notKnown < 2 ? [[0, true]] : [];
		},
		mayHold: (centre) => available(centre) < 2,
	},
	{
		row: { when: 'agentOnBreak', threshold: 15 },
		seconds: 15,
		holds: agentsThat(/on_break/),
	},
	{ row: { when: 'agentIdle', threshold: 15 }, seconds: 15, holds: agentsThat(/available/) },
	{ row: { when: 'agentRinging', threshold: 6 }, seconds: 6, holds: agentsThat(/ringing/) },
	{
		row: { when: 'callLasting', threshold: 20 },
		seconds: 20,
		holds: ({ talking }) => talking.map(({ id }) => [id, true]),
	},
	{
		row: { when: 'missedCalls', threshold: 2, windowMinutes: 1 },
		seconds: 0,
		holds: (centre, now) =>
			QUEUES.filter((id) => abandoned(centre, id, now).length >= 2).map((id) => [id, true]),
	},
	{
		row: {
			when: 'serviceLevelBelow',
			threshold: 60,
			windowMinutes: 1,
			minimumCalls: 2,
		},
		options: { serviceLevelSeconds: 4 },
		seconds: 0,
		holds: (centre, now) =>
			QUEUES.filter((id) => {
				const answered = centre.calls.filter(
					({ queue, answeredAt }) => queue === id && recent(answeredAt, now),
				);
				const within = answered.filter(({ answeredAt = 0, since }) => answeredAt - since <= 4);
				const gaveUp = abandoned(centre, id, now).filter(
					({ leftAt = 0, since }) => leftAt - since >= SHORT,
				);
				const late = centre.calls.filter((call) => call.queue === id && isLate(call, now));
				const over = answered.length + gaveUp.length + late.length;
				return over >= 2 && within.length / over < 0.6;
			}).map((id) => [id, true]),
	},
];

/** Determines when an alert begins, if it is called often enough. */
class Definer {
	readonly began: Array<[subject: number, second: number]> = [];
	private readonly known = new Map<number, { is: unknown; since: number; begun: boolean }>();

	constructor(private readonly definition: Definition) {}

	look(centre: Centre, now: number): void {
		const { holds, mayHold, seconds } = this.definition;
		const held = new Map(holds(centre, now));
		for (const [subject, { is, begun }] of [...this.known]) {
			const goesOn = held.has(subject) ? held.get(subject) === is : begun && mayHold?.(centre);
			if (!goesOn) this.known.delete(subject);
		}
		for (const [subject, is] of held) {
			const one = this.known.get(subject) ?? { is, since: now, begun: false };
			this.known.set(subject, one);
			if (one.begun || now - one.since < seconds) continue;
			one.begun = true;
			this.began.push([subject, Math.floor(now)]);
		}
	}
}

/** The subject of an item. */
function subjectOf({ when, id_call, id_queue, agent }: Record<string, unknown>): number {
	if (when === 'callerWaiting' || when === 'callLasting') return Number(id_call);
	if (String(when).startsWith('agent'))
		return Number((agent as { id?: string } | undefined)?.id ?? 0);
	return Number(id_queue);
}

describe.each(DEFINITIONS)('$row.when, for any day of a call centre', (definition) => {
	it('begins exactly when its definition says', async () => {
		const days = fc.array(step, { minLength: 20, maxLength: 60 });
		let began = 0;
		await fc.assert(
			fc.asyncProperty(days, fc.boolean(), async (steps, repeats) => {
				const live = new LiveScene(
					{ ...alerts(definition.row), options: definition.options ?? {} },
					LOGIN,
				).open();
				const centre = new Centre();
				const definer = new Definer(definition);
				let second = 60;
				let before: FeedEvent[] = [];
				for (const one of steps) {
					await live.at(second);
					const sent: FeedEvent[] = [];
					for (const message of centre.act(one, second)) {
						const event = live.event(...message);
						sent.push(event);
						live.take(event);
						definer.look(centre, second);
					}
					const copies = repeats ? [...before, ...sent] : [];
					for (const event of copies) live.take({ ...event, receivedAt: live.clock.now() });
					before = sent;
					const until = second + one.wait;
					for (; second < until; second++) {
						// Something that is a minute old leaves the last minute right after that.
						definer.look(centre, second + 0.001);
						definer.look(centre, second + 1);
					}
				}
				await live.at(second);
				const told = live.items
					.filter(({ event }) => event === 'started')
					.map((item) => [
						subjectOf(item),
						Math.floor((Date.parse(String(item.date)) - live.start) / 1000),
					]);
				expect(told.sort()).toEqual([...definer.began].sort());
				began += told.length;
				live.close();
			}),
			{ numRuns: 60 },
		);
		// Days on which nothing begins would prove nothing.
		expect(began).toBeGreaterThan(5);
	}, 120_000);
});
