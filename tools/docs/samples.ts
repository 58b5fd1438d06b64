// Sample items of everything that the trigger emits, made by the code that makes the real items: those of calls, alerts
// and snapshots from a quarter of an hour that is played through it.

import { alertItem } from '../../nodes/VoiceManagementTrigger/callCentre/alertItem';
import type { AlertKindName } from '../../nodes/VoiceManagementTrigger/callCentre/alertKinds';
import { Naming } from '../../nodes/VoiceManagementTrigger/callCentre/naming';
import { outcomeItem } from '../../nodes/VoiceManagementTrigger/callCentre/outcomeItem';
import {
	agentItem,
	queueItem,
	totalsItem,
} from '../../nodes/VoiceManagementTrigger/callCentre/snapshotItems';
import { readCallCentreSettings } from '../../nodes/VoiceManagementTrigger/panel/callCentreSettings';
import { readDirectory } from '../../nodes/shared/directory';
import { systemClock } from '../../nodes/VoiceManagementTrigger/feed/clock';
import { readUpdate } from '../../nodes/VoiceManagementTrigger/feed/envelope/envelope';
import { simplify } from '../../nodes/VoiceManagementTrigger/events/simplify';
import { statusItem, type Status } from '../../nodes/VoiceManagementTrigger/events/statusItem';
import { SAMPLED_KINDS, type SampledKind } from './eventSamples';
import { play, type Step, type Told } from './played';

export type Json = Record<string, unknown>;

const AT = Date.UTC(2026, 0, 1, 10, 0, 0);

/** The names that occur in the samples. */
const SAMPLE_DIRECTORY = readDirectory({
	ops: [
		{ id: 101, nom: 'Ada Martin', groups: [11] },
		{ id: 102, nom: 'Ben Okoro', groups: [11] },
		{ id: 103, nom: 'Cleo Lund', groups: [12] },
		{ id: 104, nom: 'Dana Ruiz', groups: [12] },
	],
	groupes: [
		{ id: 11, nom: 'Sales' },
		{ id: 12, nom: 'Support' },
	],
	trunks: [{ id: 9, nom: 'Head office' }],
	pauses: [{ id: 2, value: 'Coffee' }],
});

const SAMPLE_QUEUES = new Map([
	['51', { name: 'Sales' }],
	['52', { name: 'Support' }],
]);

const NAMES = new Naming(systemClock, () => SAMPLE_DIRECTORY, SAMPLE_QUEUES);
const WITHOUT_NAMES = new Naming(systemClock, () => undefined, undefined);
const read = (mode: string, parameters: Json = {}) =>
	readCallCentreSettings(mode, (name, fallback) => parameters[name] ?? fallback, {}, undefined);
const SETTINGS = read('snapshots').figures;

/** The simplified item of an event kind's sample. */
export function simplifiedSample({ sample }: SampledKind, withNames = false): Json {
	const [event] = readUpdate([sample], AT);
	if (!event) throw new Error('a sample that cannot be read');
	return simplify(event, withNames ? SAMPLE_DIRECTORY : undefined);
}

const CALLER = '+442079460123';

const enters = (second: number, call: number, queue = 51): Step => [
	second,
	'queue insert_call',
	{ id_call: call, id_queue: queue, caller_id_num: CALLER },
];
const leaves = (second: number, call: number, queue = 51): Step => [
	second,
	'queue delete_call',
	{ id_call: call, id_queue: queue },
];
const status = (second: number, agent: number, name: string, more: Json = {}): Step => [
	second,
	'operator status',
	{ id_operator: agent, status: name, ...more },
];
const presence = (second: number, agent: number, event: string, type?: number): Step => [
	second,
	`UI ${event}`,
	{ id_operator: agent, supp: type ?? null },
];
/** An agent whose phone rang for some seconds takes a call, and has it up to its end. */
const talks = (
	[rings, answers, ends]: readonly [rings: number, answers: number, ends?: number],
	call: number,
	agent: number,
	queue = 51,
	catchup = 0,
): Step[] => {
	const about = { id_call: call, id_queue: queue };
	const answer = { ...about, id_operator: agent, status: 'connected' };
	return [
		status(rings, agent, 'ringing', about),
		[answers, 'queue connect_call', answer],
		status(answers, agent, 'connected', { ...about, rec: 1 }),
		...(ends === undefined
			? []
			: [
					leaves(ends, call, queue),
					status(ends, agent, 'available', { ...about, ...(catchup > 0 && { catchup }) }),
				]),
	];
};
/** A phone rings, and nobody takes the call. */
const rings = (from: number, to: number, call: number, agent: number, queue = 51): Step[] => [
	status(from, agent, 'ringing', { id_call: call, id_queue: queue }),
	status(to, agent, 'available'),
];

const DAY = {
	at: AT,
	directory: SAMPLE_DIRECTORY,
	figures: SETTINGS,
	period: { from: AT, until: AT },
};

/** A call that is passed on to a colleague. */
const ANSWERED_CALL: readonly Step[] = [
	enters(0, 880_412),
	...rings(2, 12, 880_412, 103),
	...talks([13, 19], 880_412, 101),
	...talks([90, 94, 203], 880_412, 104, 51, 8),
	status(94, 101, 'available'),
];
/** One that moves to another queue, where the caller gives up. */
const MISSED_CALL: readonly Step[] = [
	enters(0, 880_412),
	...rings(2, 17, 880_412, 103),
	leaves(35, 880_412),
	enters(35, 880_412, 52),
	leaves(48, 880_412, 52),
];
/** One that comes back, is answered and given to a queue, in which the caller gives up. */
const RARE_CALL: readonly Step[] = [
	...[enters(0, 880_412), leaves(30, 880_412), enters(50, 880_412)],
	...talks([55, 60], 880_412, 101),
	...[enters(90, 880_412, 52), leaves(120, 880_412, 52)],
	...[enters(140, 880_412, 52), leaves(160, 880_412, 52)],
];

const outcomesOf = (steps: readonly Step[], naming: Naming): Json[] =>
	play(steps, DAY).outcomes.map(({ outcome }) => outcomeItem(outcome, naming, SETTINGS));

/** One item for each outcome of a call. */
export function outcomeSamples(): Json[] {
	return [ANSWERED_CALL, MISSED_CALL].flatMap((steps) => outcomesOf(steps, WITHOUT_NAMES));
}

/** A missed call with all names. */
export function fullOutcomeSample(): Json {
	return outcomesOf(MISSED_CALL, NAMES)[0] ?? {};
}

/** Outcomes that have the fields which most lack. */
export function rareOutcomeSamples(): Json[] {
	return outcomesOf(RARE_CALL, WITHOUT_NAMES);
}

const ROWS = [
	{ when: 'callerWaiting' },
	{ when: 'agentOnBreak' },
	{ when: 'agentsAvailableBelow', groupIds: ['11'] },
];

/** One item for each event of an alert. */
export function alertSamples(): Json[] {
	const { alerts } = play(
		[
			...[presence(0, 101, 'pause', 2), presence(0, 102, 'logout'), enters(0, 880_412)],
			...talks([70, 74, 200], 880_412, 104),
			[1_210, 'cut'],
		],
		{ ...DAY, alerts: read('alerts', { alerts: { alert: ROWS } }).alerts, repeatEvery: 300 },
	);
	const item = (event: string, when: AlertKindName) => {
		const change = alerts.find((one) => one.event === event && one.row.when === when);
		if (!change) throw new Error(`no alert ${when} is ${event}`);
		return alertItem(change, NAMES);
	};
	return [
		item('started', 'callerWaiting'),
		item('repeated', 'agentOnBreak'),
		item('resolved', 'callerWaiting'),
		item('unknown', 'agentsAvailableBelow'),
	];
}

/** A quarter of an hour of two agents in Sales and one in Support: who calls, and what becomes of it. */
const QUARTER: readonly Step[] = [
	...[presence(-2_700, 101, 'login'), presence(-2_700, 102, 'login')],
	...[presence(-2_700, 103, 'login'), presence(-2_700, 104, 'logout')],
	...[enters(-20, 880_401), ...talks([4, 8, 188], 880_401, 101, 51, 10)],
	...[enters(15, 880_402), ...talks([24, 28, 250], 880_402, 102, 51, 12)],
	...[enters(190, 880_403), leaves(193, 880_403)],
	...[enters(205, 880_404), ...talks([207, 211, 402], 880_404, 101, 51, 9)],
	...[enters(230, 880_405), ...talks([264, 268, 470], 880_405, 102, 51, 15)],
	...[enters(300, 880_406), leaves(352, 880_406)],
	...[enters(420, 880_407), ...talks([422, 431, 640], 880_407, 101, 51, 11)],
	...[enters(395, 880_414, 52), leaves(435, 880_414, 52)],
	...[enters(440, 880_415, 52), ...talks([446, 450, 545], 880_415, 103, 52)],
	...[enters(480, 880_408), ...talks([492, 497, 702], 880_408, 102, 51, 8)],
	...[enters(560, 880_409), leaves(595, 880_409), enters(595, 880_409, 52)],
	...talks([598, 604, 790], 880_409, 103, 52, 20),
	...[enters(655, 880_410), ...rings(656, 662, 880_410, 101)],
	...talks([665, 668, 769], 880_410, 101, 51, 6),
	presence(775, 101, 'pause', 2),
	...[enters(720, 880_411), ...talks([726, 731], 880_411, 102)],
	...[enters(850, 880_412), enters(882, 880_413)],
];

const QUARTER_MS = 900_000;

/** What a quarter of an hour comes to. */
export function quarter(): Told['snapshot'] {
	const from = AT - QUARTER_MS;
	return play(QUARTER, { ...DAY, at: from, period: { from, until: AT } }).snapshot;
}

/** One item of each kind in the record of an interval. */
export function snapshotSamples(): Json[] {
	const { queues, agents, totals } = quarter();
	const head = {
		at: AT,
		date: NAMES.iso(AT),
		period: {
			from: NAMES.iso(AT - QUARTER_MS),
			to: NAMES.iso(AT),
			time_zone: 'Europe/Paris',
			counted_since: null,
			complete: true,
			missed_seconds: 0,
		},
	};
	const [queue] = queues;
	const [agent] = agents;
	const [all] = totals;
	if (!queue || !agent || !all) throw new Error('a quarter of an hour without calls');
	return [
		queueItem(queue, head, NAMES),
		agentItem(agent, head, NAMES),
		totalsItem(all, head, NAMES),
	];
}

const STATUSES: readonly Status[] = [
	{ event: 'connected', at: AT, attempts: 0, protocol: 4, transport: 'direct', continuous: null },
	{ event: 'disconnected', at: AT, reason: 'io server disconnect' },
	{ event: 'connection_lost', at: AT, reason: 'transport close' },
	{
		event: 'gap',
		from: AT,
		to: AT + 4200,
		reason: 'transport close; then: Too many sessions',
		lastCpt: 1040,
		firstCpt: 1053,
		missed: 12,
	},
	{
		event: 'refused',
		at: AT,
		reason: 'Wrong login or password',
		statusCode: 401,
		first: true,
		retryAt: AT + 300_000,
	},
	{ event: 'overflow', dropped: 1200, from: AT, to: AT + 9000 },
	{ event: 'held', entries: 12, since: AT, reason: 'connect ECONNREFUSED 127.0.0.1:5432' },
	{ event: 'resumed', at: AT + 21_000, entries: 230, seconds: 21 },
	{
		event: 'undelivered',
		at: AT + 3_600_000,
		entries: 1,
		firstAt: AT,
		reason: 'connect ECONNREFUSED 192.0.2.7:443',
	},
	{
		event: 'alive',
		at: AT + 60_000,
		connections: 1,
		protocol: 4,
		transport: 'direct',
		coveredUntil: AT + 54_000,
		lastEventAt: AT + 41_000,
		received: 212,
		passed: 3,
		unreadable: 0,
	},
];

/** One item for each feed status. */
export function statusSamples(): Json[] {
	return STATUSES.map((status) => statusItem(status, (at) => at));
}

/** Every sample item by the path of its schema file below `__schema__/v1.0.0`. */
export function samplesByFile(): Map<string, Json> {
	const files = new Map<string, Json>();
	for (const kind of SAMPLED_KINDS) {
		files.set(`${kind.type}/${kind.event || 'any'}`, simplifiedSample(kind));
	}
	const live = [...outcomeSamples(), ...alertSamples(), ...snapshotSamples()];
	for (const item of [...live, ...statusSamples()]) {
		files.set(`${String(item.type_notification)}/${String(item.event)}`, item);
	}
	return files;
}
