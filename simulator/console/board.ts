// The agents and calls in the console, derived from the messages on the feed, whoever sent them (the generated
// traffic, the control API, the console's own buttons). Pure: times are passed in as values.

import type { CallCentrePlan } from '../accounts';
import { isObject } from '../forms/form';

export interface AgentView {
	id: string;
	name: string;
	groups: string[];
	/** `logged out`, `break`, or the status in the feed. */
	state: string;
	/** The break's name, or the call. */
	detail: string;
	/** Milliseconds since 1970; null before the first change. */
	since: number | null;
}

export interface CallView {
	id: string;
	caller: string;
	/** The name of its queue or trunk. */
	place: string;
	/** Identifier of that queue; null on a trunk. */
	queue: string | null;
	state: 'waiting' | 'connected';
	agent: string;
	since: number;
}

export interface QueueView {
	id: string;
	name: string;
	waiting: number;
	connected: number;
	/** Since when the first caller has been waiting, milliseconds since 1970; null if nobody waits. */
	oldest: number | null;
	/** The newest alert, its time and when it ends to hold; null if there was none. */
	alert: Alert | null;
}

interface Alert {
	event: string;
	at: number;
	until: number;
}

export interface EventView {
	cpt: number | null;
	at: number;
	type: string;
	event: string;
	/** The relevant fields as text. */
	about: string;
	/** Number of connections to which it was sent. */
	reached: number;
}

/** Number of events that are kept for the page. */
const shownEvents = 60;

/** How long an alert without a `validity` lasts (seconds), as long as the generated ones. */
const usualValidity = 60;

interface Message {
	type: string;
	event: string;
	cpt: number | null;
	msg: Record<string, unknown>;
}

export class Board {
	private readonly agents = new Map<string, AgentView>();
	private readonly calls = new Map<string, CallView>();
	private readonly alerts = new Map<string, Alert>();
	private events: EventView[] = [];
	private sent = 0;

	constructor(private readonly plan: CallCentrePlan) {
		for (const { id, name, groups } of plan.agents) {
			this.agents.set(String(id), {
				id: String(id),
				name,
				groups: groups.map((group) => plan.groups.find((each) => each.id === group)?.name ?? ''),
				state: 'logged out',
				detail: '',
				since: null,
			});
		}
	}

	/** Processes one message of the feed. Anything other than an `update` in the document's form is ignored. */
	take(name: string, args: readonly unknown[], reached: number, now: number) {
		const message = name === 'update' ? readMessage(args[0]) : undefined;
		if (!message) return;
		this.sent++;
		this.events.unshift({
			cpt: message.cpt,
			at: now,
			type: message.type,
			event: message.event,
			about: describe(message.msg),
			reached,
		});
		this.events.length = Math.min(this.events.length, shownEvents);
		if (message.type === 'operator' && message.event === 'status') this.status(message.msg, now);
		else if (message.type === 'UI') this.ui(message, now);
		else if (message.type === 'queue' || message.type === 'trunk') this.call(message, now);
	}

	/** Everything that the page shows of it. */
	view() {
		const calls = [...this.calls.values()].sort((one, other) => one.since - other.since);
		return {
			agents: [...this.agents.values()],
			calls,
			queues: this.plan.queues.map(({ id, name }): QueueView => {
				const here = calls.filter(({ queue }) => queue === String(id));
				const waiting = here.filter(({ state }) => state === 'waiting');
				return {
					id: String(id),
					name,
					waiting: waiting.length,
					connected: here.length - waiting.length,
					oldest: waiting[0]?.since ?? null,
					alert: this.alerts.get(String(id)) ?? null,
				};
			}),
			events: this.events,
			sent: this.sent,
		};
	}

	private change(id: unknown, state: string, detail: string, now: number) {
		const agent = this.agents.get(text(id));
		if (agent) Object.assign(agent, { state, detail, since: now });
	}

	private status(msg: Record<string, unknown>, now: number) {
		const status = text(msg.status);
		// The last status of a free agent still names the call that has ended.
		const call = status === 'available' ? '' : text(msg.id_call);
		this.change(msg.id_operator, status, call && `call ${call}`, now);
	}

	private ui({ event, msg }: Message, now: number) {
		if (event === 'login' || event === 'unpause') {
			this.change(msg.id_operator, 'available', '', now);
		} else if (event === 'logout') {
			this.change(msg.id_operator, 'logged out', '', now);
		} else if (event === 'pause') {
			const pause = this.plan.pauses.find(({ id }) => String(id) === text(msg.supp));
			this.change(msg.id_operator, 'break', pause?.value ?? '', now);
		}
	}

	private call({ type, event, msg }: Message, now: number) {
		const onTrunk = type === 'trunk';
		const place = text(onTrunk ? msg.id_trunk : msg.id_queue);
		const key = `${type} ${place} ${text(msg.id_call)}`;
		if (event.startsWith('alert_')) {
			const seconds = Number(msg.validity) || usualValidity;
			this.alerts.set(place, { event, at: now, until: now + seconds * 1000 });
			return;
		}
		if (event === 'delete_call') {
			this.calls.delete(key);
			return;
		}
		if (event !== 'insert_call' && event !== 'connect_call') return;
		const places = onTrunk ? this.plan.trunks : this.plan.queues;
		this.calls.set(key, {
			id: text(msg.id_call),
			caller: text(msg.caller_id_num),
			place: places.find(({ id }) => String(id) === place)?.name ?? place,
			queue: onTrunk ? null : place,
			state: event === 'insert_call' ? 'waiting' : 'connected',
			agent: this.agents.get(text(msg.id_operator))?.name ?? '',
			since: now,
		});
	}
}

/** The inner part of an update; `num` events have these fields at the top level. */
function readMessage(update: unknown): Message | undefined {
	if (!isObject(update)) return undefined;
	const inner = isObject(update.event) ? update.event : update;
	if (!isObject(inner.msg) || typeof inner.event !== 'string') return undefined;
	return {
		type: text(inner.type_notification),
		event: inner.event,
		cpt: typeof update.cpt === 'number' ? update.cpt : null,
		msg: inner.msg,
	};
}

function describe(msg: Record<string, unknown>) {
	const fields = [
		'id_call',
		'caller_id_num',
		'id_queue',
		'id_trunk',
		'id_operator',
		'status',
		'input',
	];
	return fields
		.filter((field) => msg[field] !== undefined && msg[field] !== null)
		.map(
			(field) =>
				`${field.replace(/^id_operator$/, 'agent').replace(/^id_|_id_num$/g, '')} ${text(msg[field])}`,
		)
		.join(', ');
}

/** Identifiers come as numbers or as text. */
const text = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';
