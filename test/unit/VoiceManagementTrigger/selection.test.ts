// From the feed to items: what the trigger emits for events and for the feed's own status, depending on its settings.
import type { FeedEvent, FeedStatus } from '../../../nodes/VoiceManagementTrigger/feed/types';
import type { Entry } from '../../../nodes/VoiceManagementTrigger/events/entry';
import { createSelection } from '../../../nodes/VoiceManagementTrigger/selection';
import { readSettings } from '../../../nodes/VoiceManagementTrigger/settings';
import { HandClock } from '../../support/world';

const settings = (parameters: Record<string, unknown>) =>
	readSettings((name, fallback) => parameters[name] ?? fallback);

function follow(parameters: Record<string, unknown> = {}) {
	const clock = new HandClock();
	const taken: Entry[] = [];
	const selection = createSelection(
		settings({ mode: 'callOutcomes', outcomes: [], ...parameters }),
		() => undefined,
		clock,
		(entry) => taken.push(entry),
	);
	let cpt = 0;
	const event = (name: string, msg: Record<string, unknown> = {}): FeedEvent => ({
		type: 'queue',
		event: name,
		cpt: ++cpt,
		ts: Math.floor(clock.now() / 1000),
		msg: { id_call: 7, id_queue: 301, ...msg },
		raw: {},
		receivedAt: clock.now(),
	});
	return {
		clock,
		selection,
		send: (name: string, msg?: Record<string, unknown>) => selection.onEvent(event(name, msg)),
		items: () => taken.map((entry) => ('item' in entry ? entry.item : entry)),
	};
}

describe('a call that is followed', () => {
	it('is missed when it left its queue without being answered, after the grace time', async () => {
		const { clock, send, items } = follow();
		await clock.turn(60_000);
		send('insert_call');
		await clock.turn(20_000);
		send('delete_call');
		expect(items()).toEqual([]);
		await clock.turn(6_000);
		expect(items()).toMatchObject([{ event: 'missed', id_call: '7', partial: false }]);
	});

	it.each<[FeedStatus['event'], FeedStatus]>([
		['gap', { event: 'gap', from: 0, to: 1, reason: 'cut' }],
		['disconnected', { event: 'disconnected', at: 0, reason: 'cut' }],
	])('is partial if the feed reports a %s in the meantime', async (_name, status) => {
		const { clock, selection, send, items } = follow();
		await clock.turn(60_000);
		send('insert_call');
		selection.onStatus(status);
		await clock.turn(20_000);
		send('delete_call');
		await clock.turn(6_000);
		expect(items()).toMatchObject([{ event: 'ended', partial: true, reason: 'feed-gap' }]);
	});

	it('is complete if a login was rejected in the meantime, which loses nothing by itself', async () => {
		const { clock, selection, send, items } = follow();
		await clock.turn(60_000);
		send('insert_call');
		selection.onStatus({ event: 'refused', at: 0, reason: 'no', first: true, retryAt: 1 });
		send('delete_call');
		await clock.turn(6_000);
		expect(items()).toMatchObject([{ event: 'missed', partial: false }]);
	});

	it('yields only the outcomes that are wanted', async () => {
		const { clock, send, items } = follow({ outcomes: ['answered'] });
		await clock.turn(60_000);
		send('insert_call');
		send('connect_call', { id_operator: 501 });
		send('delete_call');
		await clock.turn(6_000);
		expect(items()).toMatchObject([{ event: 'answered', id_call: '7' }]);
	});

	it('contains the name of its queue if the user gave one', async () => {
		const queueNames = { queue: [{ id_queue: '301', name: 'Sales' }] };
		const { clock, send, items } = follow({ options: { queueNames } });
		await clock.turn(60_000);
		send('insert_call');
		send('delete_call');
		await clock.turn(6_000);
		expect(items()).toMatchObject([{ id_queue: '301', queue: { id: '301', name: 'Sales' } }]);
	});

	it('yields nothing any more once it is closed', async () => {
		const { clock, selection, send, items } = follow();
		await clock.turn(60_000);
		send('insert_call');
		send('delete_call');
		selection.close();
		await clock.turn(60_000);
		expect(items()).toEqual([]);
		expect(clock.pending).toBe(0);
	});
});
