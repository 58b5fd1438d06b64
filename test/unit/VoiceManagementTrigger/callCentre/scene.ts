// A trigger's selection on a fake clock: events of a call centre go in, items come out.

import type {
	Clock,
	FeedEvent,
	FeedStatus,
} from '../../../../nodes/VoiceManagementTrigger/feed/types';
import type { Plain } from '../../../../nodes/VoiceManagementTrigger/events/simplify';
import {
	kindOf,
	type AlertKindName,
} from '../../../../nodes/VoiceManagementTrigger/callCentre/alertKinds';
import { createSelection } from '../../../../nodes/VoiceManagementTrigger/modes';
import { readSettings } from '../../../../nodes/VoiceManagementTrigger/panel/settings';
import { readDirectory } from '../../../../nodes/shared/directory';
import { HandClock } from '../../../support/world';

const NOBODY = { ops: [] as unknown[] };

interface Taker {
	readonly onEvent: (event: FeedEvent) => void;
	onStatus(status: FeedStatus): void;
	close(): void;
}

/** What plays a scene: the trigger, or the second implementation. */
export type Implementation = (
	parameters: Record<string, unknown>,
	directory: () => ReturnType<typeof readDirectory>,
	clock: Clock,
	take: (items: readonly Plain[]) => void,
	more: { key: unknown; gaveUp: (what: string) => void },
) => Taker;

/** The feed marks what is late by its number: once for all triggers. */
const marked = new WeakMap<FeedEvent, FeedEvent>();

/** The trigger, with its parameters as a user sets them. */
export const trigger: Implementation = (parameters, directory, clock, take, more) => {
	const mode = createSelection(
		readSettings(
			(name, fallback) => parameters[name] ?? fallback,
			() => 'Europe/Paris',
		),
		directory,
		clock,
		(entry) => {
			if ('items' in entry) take(entry.items);
			else if ('item' in entry) take([entry.item]);
		},
		more,
	);
	let highest = -Infinity;
	return {
		onEvent: (event) => {
			const { cpt = Infinity } = event;
			if (cpt < highest && !marked.has(event)) marked.set(event, { ...event, isLate: true });
			if (cpt < Infinity) highest = Math.max(highest, cpt);
			mode.onEvent(marked.get(event) ?? event);
		},
		onStatus: (status) => {
			if (status.event === 'disconnected' || status.event === 'gap') highest = -Infinity;
			mode.onStatus(status);
		},
		close: () => mode.close(),
	};
};

export class LiveScene {
	readonly start: number;
	private readonly selection: Taker;
	private readonly taken: Plain[][] = [];
	private readonly removed: string[] = [];
	private isClosed = false;
	private directory: ReturnType<typeof readDirectory>;
	private cpt = 0;

	constructor(
		parameters: Record<string, unknown>,
		login: Record<string, unknown> = NOBODY,
		private readonly key: unknown = {},
		readonly clock = new HandClock(),
		/** What the trigger uses. */
		private readonly triggerClock: Clock = clock,
		implementation: Implementation = trigger,
	) {
		this.start = clock.now();
		this.directory = readDirectory(login);
		this.selection = implementation(
			parameters,
			() => this.directory,
			this.triggerClock,
			(items) => this.taken.push([...items]),
			{ key, gaveUp: (what) => this.removed.push(what) },
		);
	}

	/** Another trigger on the same feed, from now on. */
	join(parameters: Record<string, unknown>, login?: Record<string, unknown>): LiveScene {
		return new LiveScene(parameters, login, this.key, this.clock);
	}

	/** One list per entry: what one execution would get if each entry had its own. */
	get executions(): Plain[][] {
		this.readAll();
		return this.taken;
	}

	get gaveUp(): string[] {
		this.readAll();
		return this.removed;
	}

	/** Events are read together a moment later, or before the next status, whatever it is. */
	private readAll(): void {
		if (this.isClosed) return;
		this.report({ event: 'connection_lost', at: this.triggerClock.now(), reason: '' });
	}

	get items(): Plain[] {
		return this.executions.flat();
	}

	/** Seconds since the beginning. */
	get now(): number {
		return (this.clock.now() - this.start) / 1000;
	}

	/** Advances the clock to this many seconds after the beginning. */
	async at(second: number): Promise<this> {
		await this.clock.turn(second * 1000 - (this.clock.now() - this.start));
		return this;
	}

	/** The feed logs in again. */
	logsIn(login: Record<string, unknown>): this {
		this.directory = readDirectory(login);
		return this;
	}

	/** Reports that the feed has opened. */
	open(): this {
		const at = this.clock.now();
		this.selection.onStatus({
			event: 'connected',
			at,
			attempts: 0,
			protocol: 4,
			transport: 'direct',
			continuous: null,
		});
		return this;
	}

	/** Reports that the feed was interrupted and is open again. */
	cut(): this {
		return this.interrupt().open();
	}

	/** Reports that the feed is interrupted. */
	interrupt(): this {
		this.selection.onStatus({ event: 'disconnected', at: this.clock.now(), reason: 'cut' });
		return this;
	}

	/** Reports that events may be missing between two seconds since the beginning. */
	gap(from: number, to: number): this {
		const at = (second: number) => this.start + second * 1000;
		this.selection.onStatus({ event: 'gap', from: at(from), to: at(to), reason: 'silence' });
		return this;
	}

	report(status: FeedStatus): void {
		this.selection.onStatus(status);
	}

	close(): void {
		this.selection.close();
		this.isClosed = true;
	}

	/** @param sent in seconds since the beginning; the event arrives now */
	event(
		type: string,
		event: string,
		msg: Record<string, unknown>,
		sent = Math.floor(this.now),
	): FeedEvent {
		return {
			type,
			event,
			cpt: ++this.cpt,
			ts: this.start / 1000 + sent,
			msg,
			raw: {},
			receivedAt: this.triggerClock.now(),
		};
	}

	take(event: FeedEvent): this {
		this.selection.onEvent(event);
		return this;
	}

	send(type: string, event: string, msg: Record<string, unknown>, sent?: number): this {
		return this.take(this.event(type, event, msg, sent));
	}

	/**
	 * Steps like "12 answered 7 52": at second 12, agent 101 answers call 7 in queue 52. Without a queue it is 51, "-" is
	 * the usual and "none" nothing. "@70" at the end says that it was sent at second 70 ("@-": it does not say
	 * when), "#3" that its number is 3 ("#-": it has none). Of an agent, the words are agent, call, queue, caller and
	 * seconds of wrap-up. "cut" is a short interruption, "down" and "up" its beginning and end, "gap 20 30" one that
	 * is found later, "lists 101 102" a login with these agents.
	 */
	async play(steps: string): Promise<this> {
		for (const step of steps.split(', ')) {
			const [, at, what = '', words = '', sent, number] =
				/^([\d.]+) (\S+)((?: [^ @#]+)*)(?: @(\S+))?(?: #(\S+))?$/.exec(step) ?? [];
			if (at === undefined) throw new Error(`Not a step: ${step}`);
			const [id, second, third, fourth, catchup] = words
				.split(' ')
				.slice(1)
				.map((word) => (word === '-' ? undefined : word));
			await this.at(Number(at));
			const send = (type: string, event: string, msg: Record<string, unknown>) => {
				const given = Object.entries(msg).filter(([, value]) => value !== 'none');
				const sentAt = sent === undefined || sent === '-' ? undefined : Number(sent);
				const { ts, cpt, ...one } = this.event(type, event, Object.fromEntries(given), sentAt);
				this.take({
					...one,
					...(ts === undefined || sent === '-' ? {} : { ts }),
					...(number === '-' || cpt === undefined
						? {}
						: { cpt: number === undefined ? cpt : Number(number) }),
				});
			};
			const call = { id_call: id, id_queue: second ?? 51 };
			const inTrunk = { id_call: id, id_trunk: second ?? 9 };
			if (what === 'cut') this.cut();
			else if (what === 'down') this.interrupt();
			else if (what === 'up') this.open();
			else if (what === 'gap') this.gap(Number(id), Number(second));
			else if (what === 'lists')
				this.logsIn({
					ops: words
						.split(' ')
						.slice(1)
						.map((agent) => ({ id: agent, nom: agent })),
				});
			else if (what === 'enters')
				send('queue', 'insert_call', { ...call, caller_id_num: third ?? `+4420794600${id}` });
			else if (what === 'answered')
				send('queue', 'connect_call', { ...call, id_operator: third ?? 101, status: 'connected' });
			else if (what === 'rings')
				send('queue', 'connect_call', { ...call, id_operator: third, status: fourth ?? 'ringing' });
			else if (what === 'leaves') send('queue', 'delete_call', call);
			else if (what.startsWith('alert_')) send('queue', what, call);
			else if (what === 'trunkIn')
				send('trunk', 'insert_call', { ...inTrunk, caller_id_num: third });
			else if (what === 'trunkAnswered') send('trunk', 'connect_call', inTrunk);
			else if (what === 'trunkOut') send('trunk', 'delete_call', inTrunk);
			else if (/pause$|^log/.test(what)) send('UI', what, { id_operator: id, supp: second });
			else if (what !== '-') {
				const about = { id_call: second, id_queue: third, caller_id_num: fourth, catchup };
				send('operator', 'status', { id_operator: id, status: what, ...about });
			}
		}
		return this;
	}

	enters(call: number, queue = 51, more = {}, sent?: number): this {
		const msg = { id_call: call, id_queue: queue, caller_id_num: `+4420794600${call}` };
		return this.send('queue', 'insert_call', { ...msg, ...more }, sent);
	}

	answered(call: number, queue = 51, agent = 101, sent?: number): this {
		const msg = { id_call: call, id_queue: queue, id_operator: agent, status: 'connected' };
		return this.send('queue', 'connect_call', msg, sent);
	}

	leaves(call: number, queue = 51): this {
		return this.send('queue', 'delete_call', { id_call: call, id_queue: queue });
	}

	/** @param more fields of the message, for example `catchup` */
	agent(agent: number, status: string, more = {}): this {
		return this.send('operator', 'status', { id_operator: agent, status, ...more });
	}

	does(agent: number, action: string, supp: unknown = null): this {
		return this.send('UI', action, { id_operator: agent, supp });
	}
}

/** The parameters of alerts, one for each row; `threshold` stands for the field of its unit. Ends are reported. */
export function alerts(...rows: Array<Record<string, unknown>>): Record<string, unknown> {
	const alert = rows.map(({ threshold, ...row }) => ({
		...row,
		[kindOf(row.when as AlertKindName).unit]: threshold,
	}));
	return { mode: 'alerts', alerts: { alert }, options: { emitResolved: true } };
}
