// The events that the bench's server sends: about 400 bytes each, every common `msg` field of the feed document,
// numbered by one. Nothing here is shared with the nodes.

/** Agents, queues and routing accounts that the events are about, by turns. */
const AGENTS = 100;
const QUEUES = 12;
const TRUNKS = 5;

export interface Traffic {
	/**
	 * `mixed`: agents' statuses, queue and trunk events. `calls`: a few calls among the statuses of `open` calls.
	 * `centre`: `open` calls come in, then each second event begins, answers or ends one of them, so that as many go on.
	 */
	kind: 'mixed' | 'calls' | 'centre';
	/** Calls that stay open throughout (not `mixed`). */
	open?: number;
	/** Events of a second of the operator's clock. */
	rate?: number;
}

/** The event with this number (from 1). */
export function eventNumber(cpt: number, { kind, open = 0, rate = 100 }: Traffic): object {
	if (kind === 'mixed') return mixed(cpt);
	return kind === 'calls' ? callEvent(cpt, open) : centreEvent(cpt, open, rate);
}

function envelope(cpt: number, type: string, event: string, msg: object, rate = 100): object {
	return {
		cpt,
		elapse: 0,
		ts: 1_784_000_000 + Math.floor(cpt / rate),
		event: { msg, type_notification: type, event },
	};
}

/** The fields that the document lists as common to the messages. */
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

function mixed(cpt: number): object {
	const turn = cpt % 10;
	const queue = { ...common(cpt), id_queue: 1 + (cpt % QUEUES) };
	if (turn < 6) return envelope(cpt, 'operator', 'status', queue);
	if (turn < 9) return envelope(cpt, 'queue', 'connect_call', queue);
	return envelope(cpt, 'trunk', 'connect_call', { ...common(cpt), id_trunk: 1 + (cpt % TRUNKS) });
}

/** In 100 events one call from its beginning to its end, and 97 statuses that change nothing about open calls. */
function callEvent(cpt: number, open: number): object {
	if (cpt <= open) return envelope(cpt, 'queue', 'insert_call', inQueue(cpt, cpt));
	const turn = cpt % 100;
	const passing = 1_000_000 + Math.floor(cpt / 100);
	if (turn === 0) return envelope(cpt, 'queue', 'insert_call', inQueue(cpt, passing));
	if (turn === 1) return envelope(cpt, 'queue', 'connect_call', inQueue(cpt, passing));
	if (turn === 2) return envelope(cpt, 'queue', 'delete_call', inQueue(cpt, passing));
	const message = inQueue(cpt, 1 + (cpt % Math.max(1, open)));
	return envelope(cpt, 'operator', 'status', { ...message, status: 'ringing' });
}

/** Agents of a centre: enough for each call that talks to have one, and five of six of them talk. */
function agentsOf({ kind, open = 0 }: Traffic): number {
	return kind === 'centre' ? Math.ceil(open * 0.6) : AGENTS;
}

/**
 * Half of the calls under way wait, half talk, each with an agent who has no other; each caller has a number of their own
 * for a long time.
 */
function centreEvent(cpt: number, open: number, rate: number): object {
	const agents = agentsOf({ kind: 'centre', open });
	const about = (call: number) => ({
		...inQueue(cpt, call),
		id_operator: 1 + (call % agents),
		caller_id_num: `+442${String(call % 1_000_000_000).padStart(9, '0')}`,
	});
	const make = (type: string, event: string, call: number, status: string) =>
		envelope(cpt, type, event, { ...about(call), status }, rate);
	if (cpt <= open) return make('queue', 'insert_call', cpt, 'waiting');
	const call = open + Math.floor((cpt - open) / 6);
	const answered = call - (open >> 1);
	switch ((cpt - open) % 6) {
		case 0:
			return make('queue', 'insert_call', call, 'waiting');
		case 1:
			return make('operator', 'status', answered, 'ringing');
		case 2:
			return make('queue', 'connect_call', answered, 'connected');
		case 3:
			return make('operator', 'status', answered, 'connected');
		case 4:
			return make('queue', 'delete_call', call - open, 'over');
		default:
			return make('operator', 'status', call - open, 'available');
	}
}

function inQueue(cpt: number, call: number): object {
	return { ...common(cpt), id_queue: 1 + (call % QUEUES), id_call: call };
}

/** What the login answers: names for everything that the events mention. */
export function sessionInformation(traffic: Traffic): object {
	const list = <T>(count: number, make: (id: number) => T) =>
		Array.from({ length: count }, (_, index) => make(index + 1));
	return {
		ops: list(agentsOf(traffic), (id) => ({ id, nom: `Agent ${id}`, groups: [1 + (id % 4), 5] })),
		groupes: list(5, (id) => ({ id, nom: `Group ${id}` })),
		trunks: list(TRUNKS, (id) => ({ id, nom: `Trunk ${id}` })),
		pauses: list(3, (id) => ({ id, value: `Break ${id}` })),
		target: 77,
		id_session: 'token-of-the-bench',
	};
}
