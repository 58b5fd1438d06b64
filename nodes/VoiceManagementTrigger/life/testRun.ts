// The trigger in a test run of the editor: connects, waits for the first event that matches, and shows it. n8n sets
// `emit` only after `trigger()` has returned, and uses the first call alone. It calls the close function if the user
// stops the test, but not if the test ends with an error.

import type {
	IDataObject,
	ITriggerFunctions,
	ITriggerResponse,
	NodeOperationError,
} from 'n8n-workflow';
import { loggerOf, triggerKey } from './context';
import { asNodeError, firstAttemptError, groupProblem, nodeError } from './errors';
import type { Entry } from '../events/entry';
import { acquire, type ActiveTrigger } from './instances';
import { settledWithin } from '../feed/clock';
import type { Clock, FeedSubscription } from '../feed/types';
import { Arrivals } from './arrivals';
import { OpenFeed, type Prepare, type Prepared } from './openFeed';
import { itemMaker } from '../modes';
import type { TriggerSettings } from '../panel/settings';

/** How long a test run waits for a matching event, as n8n's own test webhooks do. */
const WAIT_MS = 120_000;
/** How long it waits for the connection before it starts waiting for events. */
const CONNECT_MS = 30_000;

const KEEPS_TRYING = 'When the workflow is published, the trigger keeps trying to connect.';

/** What each mode waits for, what decides whether it matches, and why nothing may come while the feed is connected. */
const WAITS_FOR: Record<
	TriggerSettings['mode'],
	{ what: string; compare: string; cause?: string }
> = {
	events: { what: 'event', compare: 'the chosen types, events and filters' },
	callOutcomes: { what: 'call outcome', compare: 'the chosen outcomes and filters' },
	alerts: { what: 'alert', compare: 'the alerts, their thresholds and the filters' },
	snapshots: {
		what: 'snapshot',
		compare: '"Snapshot Of" and the filters',
		cause:
			'Every snapshot was empty: a queue appears with its first call, or at once if you name it in "Queue IDs" or "Queue Names".',
	},
};

/**
 * Prepares a test run.
 * @throws NodeOperationError if the settings can't work
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
	const active = acquire(`${triggerKey(context)}:test`);
	active.returned();
	return {
		closeFunction: async () => await active.close(),
		manualTriggerFunction: async () => {
			try {
				await active.predecessorEnded;
				const items = await firstMatch(context, prepared, active, clock);
				if (items) context.emit([items.map((json) => ({ json }))]);
			} finally {
				// Also after an event: nobody sees what comes later.
				await active.close();
			}
		},
	};
}

/**
 * Waits for the first event that matches.
 * @returns its items; undefined if the user stops the test
 * @throws NodeOperationError if the provider can't be used, or nothing matches in time
 */
async function firstMatch(
	context: ITriggerFunctions,
	prepared: Prepared,
	active: ActiveTrigger,
	clock: Clock,
): Promise<IDataObject[] | undefined> {
	// The test was stopped before it began: n8n calls the trigger function anyway.
	if (active.signal.aborted) return undefined;
	const { settings } = prepared;
	let subscription!: FeedSubscription;
	const seen = new Arrivals(settings, () => subscription.directory(), clock);
	active.signal.addEventListener('abort', () => seen.close());
	let partial: Entry | undefined;
	const match = new Promise<Entry>((take) => {
		const open = new OpenFeed(
			settings,
			{
				take: (entry) => {
					// A call that was under way when the feed opened has almost only nulls: a poor sample to build on.
					if ('item' in entry && entry.item.partial === true) partial = entry;
					else take(entry);
				},
				onEvent: (event) => seen.add(event),
				onStatus: (status) => seen.noteStatus(status),
				onNotUnderstood: (name, payload, why) => seen.addNotUnderstood(name, payload, why),
				logger: loggerOf(context),
				isAwaited: () => true,
				test: true,
			},
			active,
			clock,
		);
		subscription = open.join(prepared.feed);
	});
	const stop = aborted(active.signal);
	const first = await settledWithin(
		Promise.race([stop, match, subscription.first]),
		CONNECT_MS,
		clock,
	);
	if (first === 'stopped') return undefined;
	const node = context.getNode();
	const attempt = first && 'kind' in first ? first : undefined;
	const failed = firstAttemptError(node, attempt);
	if (failed) throw failed;
	if (attempt?.kind === 'unreachable') {
		throw nodeError(
			node,
			attempt.reason,
			`Check the URL of this host in the credential. ${KEEPS_TRYING}`,
			'service-not-reached',
		);
	}
	const groups = groupProblem(settings, subscription.directory());
	if (groups) throw asNodeError(node, groups.error);
	const found = (await settledWithin(Promise.race([stop, match]), WAIT_MS, clock)) ?? partial;
	if (found === 'stopped') return undefined;
	if (found === undefined) throw nothingMatched(context, settings, seen, subscription);
	const made = itemMaker(settings, () => subscription.directory())(found);
	return (Array.isArray(made) ? made : [made]) as IDataObject[];
}

async function aborted(signal: AbortSignal): Promise<'stopped'> {
	await new Promise<void>((resolve) => {
		signal.addEventListener('abort', () => resolve(), { once: true });
	});
	return 'stopped';
}

function nothingMatched(
	context: ITriggerFunctions,
	{ mode }: TriggerSettings,
	seen: Arrivals,
	subscription: FeedSubscription,
): NodeOperationError {
	const { what, compare, cause } = WAITS_FOR[mode];
	const state = subscription.state();
	const { reason } = subscription.failure() ?? {};
	const why = cause === undefined ? '' : `${cause} `;
	const minutes = WAIT_MS / 60_000;
	const arrived = seen.describe();
	const odd = seen.notUnderstood();
	const description =
		arrived !== ''
			? `${why}${arrived} ${odd === '' ? '' : `${odd} `}Compare that with ${compare}, then start the test again.`
			: state === 'live' || state === 'renewing'
				? `${why}The feed is connected, but ${odd === '' ? 'the provider sent nothing at all.' : `no event came. ${odd}`} Make something happen, for example a call or an agent's break, and start the test again.`
				: `The feed is not connected${reason === undefined ? '' : `: ${reason}`}. Check the credential, then start the test again. ${KEEPS_TRYING}`;
	const message = `No matching ${what} came within ${minutes} minutes`;
	return nodeError(context.getNode(), message, description, 'nothing-arrives');
}
