// The trigger in a test run of the editor: connects, waits for the first event that matches, shows it. n8n installs
// `emit` only after `trigger()` has returned and looks at the first call alone; it calls the close function when
// the person stops the test, but not when the test ends with an error.

import type {
	IDataObject,
	ITriggerFunctions,
	ITriggerResponse,
	NodeOperationError,
} from 'n8n-workflow';
import { subscribe } from './feed/hub';
import type { Clock, FeedEvent, FeedSubscription } from './feed/types';
import { asNodeError, loggerOf, nodeError, refusedError, within } from './context';
import type { Prepare } from './production';
import { claim } from './execution/activeTriggers';
import { createSelection, itemMaker, type Entry } from './events/selection';
import type { TriggerSettings } from './settings';

/** How long a test run waits for a matching event, as n8n's own test webhooks do. */
const WAIT_MS = 120_000;
/** How long it waits for the connection before it goes on to wait for events. */
const CONNECT_MS = 30_000;
/** Kinds of events that are counted apart. */
const MOST_KINDS = 20;

/**
 * Prepares a test run.
 * @throws NodeOperationError where the settings can't work
 */
export async function startTestRun(
	context: ITriggerFunctions,
	prepare: Prepare,
	clock: Clock,
): Promise<ITriggerResponse> {
	const node = context.getNode();
	let prepared: Awaited<ReturnType<Prepare>>;
	try {
		prepared = await prepare();
	} catch (error) {
		throw asNodeError(node, error);
	}
	const { settings, feed } = prepared;
	let subscription: FeedSubscription | undefined;
	let stopSelecting = () => {};
	let over = false;
	let stopped = () => {};
	const stop = new Promise<'stopped'>((resolve) => {
		stopped = () => resolve('stopped');
	});
	const place = claim(`${context.getWorkflow().id ?? ''}:${node.id}:test`, async () => {
		over = true;
		stopped();
		stopSelecting();
		await subscription?.close();
	});

	const listen = (): Promise<Entry> => {
		const directory = () => subscription?.directory();
		return new Promise((resolve) => {
			const selection = createSelection(settings, directory, clock, resolve);
			stopSelecting = () => selection.close();
			subscription = subscribe(
				feed,
				{
					onEvent: (event) => {
						seen.add(event);
						selection.onEvent(event);
					},
					onStatus: (status) => selection.onStatus(status),
					logger: loggerOf(context),
				},
				clock,
			);
			place.serves(feed.key, directory);
		});
	};
	const seen = new Tally();

	const waitForEvent = async () => {
		await place.predecessorGone;
		// Stopped before it began: n8n calls the trigger function all the same.
		if (over) return;
		const match = listen();
		const first = await within(Promise.race([stop, match, subscription?.first]), CONNECT_MS, clock);
		if (first === 'stopped') return;
		if (first && 'kind' in first && first.kind === 'refused') {
			throw refusedError(node, first.reason, first.statusCode);
		}
		if (first && 'kind' in first && first.kind === 'unreachable') {
			throw nodeError(
				node,
				first.reason,
				'Check the "Voice Management URL" in the credential. An active workflow would go on trying by itself.',
				'service-not-reached',
			);
		}
		const found = await within(Promise.race([stop, match]), WAIT_MS, clock);
		if (found === 'stopped') return;
		if (found === undefined) throw nothingMatched(context, settings, seen, subscription);
		const directory = () => subscription?.directory();
		const json = itemMaker(settings, directory)(found) as IDataObject;
		context.emit([[{ json }]]);
	};

	place.returned();
	return {
		closeFunction: async () => await place.close(),
		manualTriggerFunction: async () => {
			try {
				await waitForEvent();
			} finally {
				// Also after an event: what comes later has no one to see it.
				await place.close();
			}
		},
	};
}

/** Counts what arrived, by type and event. */
class Tally {
	private readonly counts = new Map<string, number>();

	add({ type, event }: FeedEvent): void {
		const name = `${type || '(no type)'} ${event || '(no event)'}`.slice(0, 80);
		const key = this.counts.has(name) || this.counts.size < MOST_KINDS ? name : 'others';
		this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
	}

	/** `queue insert_call: 12, UI login: 3`, most frequent first; '' when nothing came. */
	toString(): string {
		return [...this.counts]
			.sort(([, a], [, b]) => b - a)
			.map(([name, count]) => `${name}: ${count}`)
			.join(', ');
	}
}

function nothingMatched(
	context: ITriggerFunctions,
	{ mode }: TriggerSettings,
	seen: Tally,
	subscription: FeedSubscription | undefined,
): NodeOperationError {
	const what = mode === 'events' ? 'event' : 'call outcome';
	const minutes = WAIT_MS / 60_000;
	const arrived = seen.toString();
	const state = subscription?.state() ?? 'closed';
	const description =
		arrived !== ''
			? `Arrived meanwhile: ${arrived}. Compare that with the chosen types, events and filters, then start the test again.`
			: state === 'live'
				? "The feed is connected, but the operator sent nothing at all. Make something happen, for example a call or an agent's break, and start the test again."
				: `The feed is not connected (it is ${state}). An active workflow would go on trying by itself.`;
	const message = `No matching ${what} came within ${minutes} minutes`;
	return nodeError(context.getNode(), message, description, 'nothing-arrives');
}
