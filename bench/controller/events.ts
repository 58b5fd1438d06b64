// The events that the bench's server sends: about 350 bytes each, with every common `msg` field of the feed document,
// numbered by one. Calls come in; then each second event begins, answers or ends one of them, so that as many go on.
// Nothing here is shared with the nodes.
import { nth } from '../../test/support/present';

const QUEUES = 12;
/** Where the provider's clock begins, in seconds since 1970. */
export const START_S = 1_784_000_000;
/** Name of the message that follows each stream: everything before it has been worked through when it arrives. */
export const END = 'bench-end';

export interface Traffic {
	/** Calls under way. */
	open: number;
	/** Events of a second of the provider's clock. */
	rate: number;
	/** The server keeps a history: each event has its place in it as a second argument. */
	kept?: true;
}

/** A call center with 100 agents, each of whom one event in a hundred is about. */
export const HUNDRED_AGENTS: Traffic = { open: 166, rate: 100 };

/** Enough for each call that talks to have one, and five of six of them talk. */
const agentsOf = ({ open }: Traffic) => Math.ceil(open * 0.6);

/** The event with this number (from 1). */
export function eventNumber(cpt: number, traffic: Traffic) {
	const [type_notification, event, call, status] = step(cpt, traffic.open);
	const msg = {
		status,
		rec: cpt % 2,
		call_duration: cpt % 600,
		duration_in_queue: cpt % 90,
		// Returns only after long.
		caller_id_num: `+442${String(call % 1_000_000_000).padStart(9, '0')}`,
		step: 3,
		stype: 1,
		priority: 1 + (cpt % 100),
		vip_rate: 0,
		catchup: 12,
		id_call: call,
		// A call that talks has an agent who has no other.
		id_operator: 1 + (call % agentsOf(traffic)),
		id_client: '4242',
		id_queue: 1 + (call % QUEUES),
	};
	const ts = START_S + Math.floor(cpt / traffic.rate);
	return { cpt, elapse: 0, ts, event: { msg, type_notification, event } };
}

/** Half of the calls wait, half talk. */
function step(cpt: number, open: number): [type: string, event: string, call: number, to: string] {
	if (cpt <= open) return ['queue', 'insert_call', cpt, 'calling'];
	const begun = open + Math.floor((cpt - open) / 6);
	const answered = begun - (open >> 1);
	const over = begun - open;
	const steps: Array<ReturnType<typeof step>> = [
		['queue', 'insert_call', begun, 'calling'],
		['operator', 'status', answered, 'ringing'],
		['queue', 'connect_call', answered, 'connected'],
		['operator', 'status', answered, 'connected'],
		['queue', 'delete_call', over, 'unavailable'],
		['operator', 'status', over, 'available'],
	];
	return nth(steps, (cpt - open) % steps.length);
}

/** What the login answers: names for everything that the events mention. */
export function sessionInformation(traffic: Traffic): object {
	const list = (count: number, make: (id: number) => object) =>
		Array.from({ length: count }, (_, index) => ({ id: index + 1, ...make(index + 1) }));
	return {
		ops: list(agentsOf(traffic), (id) => ({ nom: `Agent ${id}`, groups: [1 + (id % 4), 5] })),
		groupes: list(5, (id) => ({ nom: `Group ${id}` })),
		target: 77,
		id_session: 'token-of-the-bench',
	};
}
