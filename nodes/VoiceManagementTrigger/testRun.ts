// The trigger in a test run of the editor: connects, waits for the first event that matches, shows it. n8n installs
// `emit` only after `trigger()` has returned and looks at the first call alone; it calls the close function when
// the person stops the test, but not when the test ends with an error.

import type {
	IDataObject,
	ITriggerFunctions,
	ITriggerResponse,
	NodeOperationError,
} from 'n8n-workflow';
import { asNodeError, loggerOf, nodeError, refusedError, unusableError, within } from './context';
import type { Entry } from './events/entry';
import { acquire, type ActiveTrigger } from './execution/activeTriggers';
import type { Clock, FeedEvent, FeedState, FeedSubscription } from './feed/types';
import { listen, type Prepare, type Prepared } from './listen';
import { itemMaker } from './selection';
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
	const active = acquire(`${context.getWorkflow().id ?? ''}:${node.id}:test`);
	active.returned();
	return {
		closeFunction: async () => await active.close(),
		manualTriggerFunction: async () => {
			try {
				await active.predecessorEnded;
				const json = await firstMatch(context, prepared, active, clock);
				if (json) context.emit([[{ json }]]);
			} finally {
				// Also after an event: nobody sees what comes later.
				await active.close();
			}
		},
	};
}

/**
 * Waits for the first event that matches.
 * @returns its item; undefined if the person stops the test
 * @throws NodeOperationError if the operator can't be used, or nothing matches in time
 */
async function firstMatch(
	context: ITriggerFunctions,
	prepared: Prepared,
	active: ActiveTrigger,
	clock: Clock,
): Promise<IDataObject | undefined> {
	// Stopped before it began: n8n calls the trigger function all the same.
	if (active.signal.aborted) return undefined;
	const { settings } = prepared;
	const seen = new Tally();
	let subscription!: FeedSubscription;
	const match = new Promise<Entry>((take) => {
		subscription = listen(
			prepared,
			{
				take,
				onEvent: (event) => seen.add(event),
				onStatus: () => {},
				onOtherEvent: (name, payload) => seen.addOther(name, payload),
				logger: loggerOf(context),
			},
			active,
			clock,
		);
	});
	const stop = aborted(active.signal);
	const first = await within(Promise.race([stop, match, subscription.first]), CONNECT_MS, clock);
	if (first === 'stopped') return undefined;
	if (first && 'kind' in first && first.kind === 'refused') {
		throw refusedError(context.getNode(), first.reason, first.statusCode);
	}
	if (first && 'kind' in first && first.kind === 'unusable') {
		throw unusableError(context.getNode(), first.reason);
	}
	if (first && 'kind' in first && first.kind === 'unreachable') {
		throw nodeError(
			context.getNode(),
			first.reason,
			'Check the "Voice Management URL" in the credential. An active workflow would go on trying by itself.',
			'service-not-reached',
		);
	}
	const found = await within(Promise.race([stop, match]), WAIT_MS, clock);
	if (found === 'stopped') return undefined;
	if (found === undefined) throw nothingMatched(context, settings, seen, subscription.state());
	return itemMaker(settings, () => subscription.directory())(found) as IDataObject;
}

async function aborted(signal: AbortSignal): Promise<'stopped'> {
	await new Promise<void>((resolve) => {
		signal.addEventListener('abort', () => resolve(), { once: true });
	});
	return 'stopped';
}

/** Counts what arrived, by type and event. */
class Tally {
	private readonly counts = new Map<string, number>();

	private readonly others: string[] = [];

	/** Something that came under another event name than `update`. */
	addOther(name: string, payload: string): void {
		this.others.push(`The operator sent ${payload} under the event name "${name}".`);
	}

	/** What the operator sent under other names, often the reason why it sends nothing else; '' if nothing came. */
	otherEvents(): string {
		return this.others.slice(0, 3).join(' ');
	}

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
	state: FeedState,
): NodeOperationError {
	const what = mode === 'events' ? 'event' : 'call outcome';
	const minutes = WAIT_MS / 60_000;
	const arrived = seen.toString();
	const description =
		arrived !== ''
			? `Arrived meanwhile: ${arrived}. Compare that with the chosen types, events and filters, then start the test again.`
			: state === 'live'
				? `The feed is connected, but ${seen.otherEvents() ? `no event came. ${seen.otherEvents()}` : 'the operator sent nothing at all.'} Make something happen, for example a call or an agent's break, and start the test again.`
				: `The feed is not connected (it is ${state}). An active workflow would go on trying by itself.`;
	const message = `No matching ${what} came within ${minutes} minutes`;
	return nodeError(context.getNode(), message, description, 'nothing-arrives');
}
