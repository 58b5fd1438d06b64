// The events that the bench's server sends: about 360 bytes each, with every common `msg` field of the feed document,
// numbered by one. Nothing here is shared with the nodes.
import { nth } from '../../simulator/present';

/** Agents, queues and routing accounts that the events are about, by turns. */
const AGENTS = 100;
const QUEUES = 12;
const TRUNKS = 5;
/** Where the operator's clock begins, in seconds since 1970. */
export const START_S = 1_784_000_000;
/** Name of the message that follows each stream: everything before it has been worked through when it arrives. */
export const END = 'bench-end';

export interface Traffic {
	/**
	 * `mixed`: agents' statuses, queue and trunk events. `centre`: calls come in; then each second event begins, answers or
	 * ends one of them, so that as many go on.
	 */
	kind: 'mixed' | 'centre';
	/** Calls of the centre. */
	open?: number;
	/** Events of a second of the operator's clock. */
	rate?: number;
}

/** The fields beyond the common ones, or in their place. */
type Event = [type: string, event: string, msg: Record<string, unknown>];

/** The event with this number (from 1). */
export function eventNumber(cpt: number, { kind, open = 0, rate = 100 }: Traffic) {
	const [type_notification, event, own] = kind === 'mixed' ? mixed(cpt) : centre(cpt, open);
	const msg: Record<string, unknown> = { ...common(cpt), ...own };
	const ts = START_S + Math.floor(cpt / rate);
	return { cpt, elapse: 0, ts, event: { msg, type_notification, event } };
}

function common(cpt: number) {
	return {
		status: ['available', 'ringing', 'calling', 'connected'][cpt % 4],
		rec: cpt % 2,
		call_duration: cpt % 600,
		duration_in_queue: cpt % 90,
		caller_id_num: `+4420794600${String(cpt % 100).padStart(2, '0')}`,
		step: 3,
		stype: 1,
		priority: 1 + (cpt % 100),
		vip_rate: 0,
		catchup: 12,
		id_call: -1_700_000_000 - cpt,
		id_operator: 1 + (cpt % AGENTS),
		id_client: '4242',
	};
}

function mixed(cpt: number): Event {
	const turn = cpt % 10;
	if (turn === 9) return ['trunk', 'connect_call', { id_trunk: 1 + (cpt % TRUNKS) }];
	const msg = { id_queue: 1 + (cpt % QUEUES) };
	return turn < 6 ? ['operator', 'status', msg] : ['queue', 'connect_call', msg];
}

/** Enough for each call that talks to have one, and five of six of them talk. */
const agentsOf = (open: number) => Math.ceil(open * 0.6);

/** Half of the calls wait, half talk, each with an agent who has no other; a caller's number returns only after long. */
function centre(cpt: number, open: number): Event {
	const about = (call: number, status: string) => ({
		id_queue: 1 + (call % QUEUES),
		id_call: call,
		id_operator: 1 + (call % agentsOf(open)),
		caller_id_num: `+442${String(call % 1_000_000_000).padStart(9, '0')}`,
		status,
	});
	if (cpt <= open) return ['queue', 'insert_call', about(cpt, 'waiting')];
	const begun = open + Math.floor((cpt - open) / 6);
	const answered = begun - (open >> 1);
	const over = begun - open;
	const steps: Event[] = [
		['queue', 'insert_call', about(begun, 'waiting')],
		['operator', 'status', about(answered, 'ringing')],
		['queue', 'connect_call', about(answered, 'connected')],
		['operator', 'status', about(answered, 'connected')],
		['queue', 'delete_call', about(over, 'over')],
		['operator', 'status', about(over, 'available')],
	];
	return nth(steps, (cpt - open) % steps.length);
}

/** What the login answers: names for everything that the events mention. */
export function sessionInformation({ kind, open = 0 }: Traffic): object {
	const list = (count: number, make: (id: number) => object) =>
		Array.from({ length: count }, (_, index) => ({ id: index + 1, ...make(index + 1) }));
	const agents = kind === 'centre' ? agentsOf(open) : AGENTS;
	return {
		ops: list(agents, (id) => ({ nom: `Agent ${id}`, groups: [1 + (id % 4), 5] })),
		groupes: list(5, (id) => ({ nom: `Group ${id}` })),
		trunks: list(TRUNKS, (id) => ({ nom: `Trunk ${id}` })),
		pauses: list(3, (id) => ({ value: `Break ${id}` })),
		target: 77,
		id_session: 'token-of-the-bench',
	};
}
