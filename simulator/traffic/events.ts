// Builds the messages of the feed document, each with exactly the fields that the document lists for its kind. Fields
// without a value at that moment are null. Identifiers are numbers or text, as documented.

import type { Random } from './random';

/** One event before it is sent: the sequence number and the envelope are added then. */
export interface TrafficEvent {
	/** Seconds since the start of the traffic. */
	at: number;
	type: string;
	event: string;
	msg: Record<string, unknown>;
	/** `num` events have `type_notification`, `srv` and `event` beside `msg` at the top level. */
	topLevel: boolean;
	/** Seconds since the moment that it reports. */
	elapse: number;
}

export type EventSeed = Omit<TrafficEvent, 'at' | 'elapse'>;

/** What the builders need from a call. */
export interface CallView {
	id: number;
	caller: string;
	priority: number;
	vipRate: number;
	rec: number;
	/** Seconds since the call began, and since it entered its current queue. */
	duration: number;
	inQueue: number;
}

export class EventBuilder {
	constructor(
		private readonly random: Random,
		private readonly clientId: number,
	) {}

	agentStatus(
		agent: number,
		status: string,
		call: { view: CallView; queue: number } | null,
		catchup: number | null = null,
	): EventSeed {
		return envelope('operator', 'status', {
			status,
			rec: call?.view.rec ?? null,
			call_duration: call?.view.duration ?? null,
			caller_id_num: call?.view.caller ?? null,
			step: call ? this.random.integer(0, 3) : null,
			id_queue: call ? this.id(call.queue) : null,
			id_call: call ? this.id(call.view.id) : null,
			id_operator: this.id(agent),
			id_client: this.id(this.clientId),
			catchup,
			stype: this.random.integer(0, 2),
		});
	}

	ui(
		event: 'login' | 'logout' | 'pause' | 'unpause' | 'push_cancel',
		agent: number,
		supp: unknown = null,
	) {
		return envelope('UI', event, {
			supp,
			id_operator: this.id(agent),
			id_client: this.id(this.clientId),
		});
	}

	uiPush(agent: number, e164: string): EventSeed {
		const auto = this.random.chance(0.5);
		return envelope('UI', 'push', {
			supp: null,
			id_operator: this.id(agent),
			id_client: this.id(this.clientId),
			retry_timeout: 300,
			auto_timeout: auto ? 15 : 0,
			vars: { campaign: this.random.pick(['renewal', 'survey', 'callback']) },
			ring_timeout: 30,
			expire: 3600,
			unassign_timeout: 120,
			retries: this.random.integer(0, 3),
			priority: this.random.integer(1, 100),
			e164,
			type: auto ? 'AUTO' : 'MANUAL',
		});
	}

	/** The document does not show the fields of this kind, so only the agent is sent. */
	pushCall(agent: number): EventSeed {
		return envelope('PUSHCALL', 'PUSHCALL', {
			id_operator: this.id(agent),
			id_client: this.id(this.clientId),
		});
	}

	queueInsert(call: CallView, queue: number): EventSeed {
		return envelope('queue', 'insert_call', {
			call_duration: call.duration,
			caller_id_num: call.caller,
			priority: call.priority,
			id_queue: this.id(queue),
			id_call: this.id(call.id),
			vip_rate: call.vipRate,
			duration_in_queue: call.inQueue,
			id_client: this.id(this.clientId),
		});
	}

	queueConnect(call: CallView, queue: number, agent: number): EventSeed {
		return envelope('queue', 'connect_call', {
			status: 'connected',
			call_duration: call.duration,
			caller_id_num: call.caller,
			step: this.random.integer(0, 3),
			id_queue: this.id(queue),
			id_call: this.id(call.id),
			id_operator: this.id(agent),
			id_client: this.id(this.clientId),
		});
	}

	queueDelete(call: number, queue: number): EventSeed {
		return envelope('queue', 'delete_call', {
			id_call: this.id(call),
			id_queue: this.id(queue),
			id_client: this.id(this.clientId),
		});
	}

	alert(event: 'alert_op' | 'alert_file', call: CallView, queue: number): EventSeed {
		return envelope('queue', event, {
			duration_in_queue: call.inQueue,
			id_call: this.id(call.id),
			id_operator: null,
			id_queue: this.id(queue),
			validity: 60,
		});
	}

	trunkInsert(call: CallView, trunk: number): EventSeed {
		return envelope('trunk', 'insert_call', {
			call_duration: call.duration,
			id_trunk: this.id(trunk),
			caller_id_num: call.caller,
			id_call: this.id(call.id),
			duration_in_queue: call.inQueue,
		});
	}

	trunkConnect(call: CallView, trunk: number): EventSeed {
		return envelope('trunk', 'connect_call', {
			status: 'connected',
			call_duration: call.duration,
			id_trunk: this.id(trunk),
			caller_id_num: call.caller,
			id_call: this.id(call.id),
		});
	}

	trunkDelete(call: number, trunk: number): EventSeed {
		return envelope('trunk', 'delete_call', { id_call: this.id(call), id_trunk: this.id(trunk) });
	}

	num(
		event: 'start' | 'answer' | 'end',
		call: number,
		number: { id: number; service: string },
		caller: string,
	): EventSeed {
		return {
			...envelope('num', event, {
				id_call: this.id(call),
				id_num: this.id(number.id),
				id_client: this.id(this.clientId),
				service: number.service,
				caller_id_num: caller,
			}),
			topLevel: true,
		};
	}

	asr(call: number): EventSeed {
		return envelope('input', 'asr', {
			id_call: this.id(call),
			score: this.random.integer(0, 100),
			id: this.random.integer(1, 9),
			id_client: this.id(this.clientId),
			input: this.random.pick(['yes', 'no', 'sales', 'billing', 'an advisor, please', 'à demain']),
		});
	}

	/** Every fifth identifier is text. */
	private id(value: number): number | string {
		return this.random.chance(0.2) ? String(value) : value;
	}
}

const envelope = (type: string, event: string, msg: Record<string, unknown>): EventSeed => ({
	type,
	event,
	msg,
	topLevel: false,
});

/** The object as sent. `cpt` counts the ones with an envelope; `start` is the timestamp of second 0. */
export function wireForm(event: TrafficEvent, start: number, nextCpt: () => number): object {
	const { type, event: name, msg } = event;
	if (event.topLevel) return { type_notification: type, srv: 1, event: name, msg };
	return {
		cpt: nextCpt(),
		elapse: event.elapse,
		ts: Math.floor(start + event.at),
		event: { msg, type_notification: type, event: name },
	};
}
