// What a seed stands for: a provider in one of the readings that its documents allow, a network, an n8n instance with
// workflows, and the faults with their times. All of it is drawn at once and is plain data, so that a failing seed can
// be described in a few lines.
import { Random } from '../../simulator/traffic/random';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export interface ProviderPlan {
	feed: 'supervisor' | 'account';
	generation: 2 | 4;
	/** The spelling of the account type that it accepts, and its response to the other one. */
	spelling: 'account_type' | 'count_type' | 'either';
	spellingRefusal: 200 | 400 | 401;
	sessions: 'many' | 'newestWins' | 'refuseSecond';
	tokenLifeMs: number;
	/** Whether the login's response contains the end of the token. */
	tellsExpiry: boolean;
	atExpiry: 'cut' | 'silence' | 'nothing';
	/** How far its clock is from true time. */
	skewMs: number;
	tellsDate: boolean;
	/** What `cpt` counts, if anything. */
	cpt: 'account' | 'sparse' | 'connection' | 'none';
	/**
	 * Whether `ts` is the time of the event, or that of the delivery (durations are then computed for each delivery).
	 */
	stamp: 'event' | 'delivery';
	pingIntervalMs: number;
	pingTimeoutMs: number;
	/** How an `update` is written: docs/dev/provider.md#envelope. */
	payload: 'object' | 'array' | 'text' | 'arrayText';
	/** Whether lists without an entry are left out, or are `false` and `null`. */
	emptyLists: 'absent' | 'false';
	/** How long it still counts a client that has disconnected. */
	slowCloseMs: number;
	tokensSurviveRestart: boolean;
	/** If false, a restart begins `cpt` again. */
	numbersSurviveRestart: boolean;
	/** One in this many events goes missing on a connection, independently of other connections; 0: none. */
	losesOneIn: number;
	/** From `init` to the first event that the connection gets. */
	servesAfterMs: number;
	/** With `newestWins`: how long after its last event the older connection is disconnected. */
	farewellMs: number;
	/** On each `init` it sends an event to the account, before it serves that connection. */
	tellsOfSessions: boolean;
	/** Whether events of one moment are sent in one `update`, and in which form. */
	several: 'apart' | 'list' | 'arguments';
	/** How long its Socket.IO servers of version 4 keep what they send to a connection that broke; 0: not at all. */
	keepsHistoryMs: number;
}

export interface NetworkPlan {
	/** In one direction. */
	delayMs: number;
	jitterMs: number;
}

export interface N8nPlan {
	release: '2.41' | 'engine 2.0';
	/** From `emit` to the start of an execution. */
	startMs: number;
	/** How long executions take, on average. */
	runMs: number;
	skewMs: number;
	/** Whether executions run on workers (queue mode). */
	workers: boolean;
}

export interface WorkflowPlan {
	id: string;
	mode: 'events' | 'callOutcomes' | 'alerts' | 'snapshots';
	types: string[];
	agents: number[];
	output: 'simplified' | 'raw';
	emitFeedStatus: boolean;
	/** Minutes between two signs of life; 0: none. */
	statusEvery: number;
	batchSize: number;
	maxInFlight: number;
	/** About so many events can wait. */
	bufferLimit: number;
	/** When it is activated, relative to the beginning. */
	startsAt: number;
}

/** A fault; `forMs` is 0 if it happens at one moment. */
export interface Fault {
	at: number;
	kind: FaultKind;
	forMs: number;
	/** 0 to 1, for what the fault has to choose. */
	choice: number;
}

export interface Plan {
	seed: number;
	temper: 'calm' | 'usual' | 'hellish';
	provider: ProviderPlan;
	network: NetworkPlan;
	n8n: N8nPlan;
	workflows: WorkflowPlan[];
	silenceTimeoutMinutes: number;
	/** Whether the trigger keeps two connections at all times. */
	twoConnections: boolean;
	/** Milliseconds between two scenes of the traffic, on average. */
	everyMs: number;
	faults: Fault[];
	/** When the last fault is over, and when the seed ends, relative to the beginning. */
	calmFrom: number;
	endsAt: number;
	/** The time that the documentation allows for recovery, beyond two minutes. */
	patienceMs: number;
}

/** The kinds of faults: how long they last, and how often they occur if the kind was drawn. */
const FAULTS = {
	// ── the network
	cut: { weight: 4, shortest: 0, longest: 0 },
	halfOpen: { weight: 3, shortest: 0, longest: 0 },
	partition: { weight: 3, shortest: 500, longest: 10 * MINUTE },
	unreachable: { weight: 3, shortest: SECOND, longest: 20 * MINUTE },
	slowNetwork: { weight: 2, shortest: 5 * SECOND, longest: 5 * MINUTE },
	// ── the provider
	disconnectAll: { weight: 3, shortest: 0, longest: 0 },
	providerRestarts: { weight: 2, shortest: 500, longest: 5 * MINUTE },
	throwsOut: { weight: 2, shortest: 5 * SECOND, longest: 10 * MINUTE },
	loginFails: { weight: 3, shortest: SECOND, longest: 15 * MINUTE },
	loginHangs: { weight: 2, shortest: SECOND, longest: 10 * MINUTE },
	loginRefused: { weight: 2, shortest: SECOND, longest: 90 * MINUTE },
	loginAsksToWait: { weight: 1, shortest: SECOND, longest: 10 * MINUTE },
	handshakeHangs: { weight: 2, shortest: SECOND, longest: 10 * MINUTE },
	handshakeFails: { weight: 2, shortest: SECOND, longest: 10 * MINUTE },
	goesDeaf: { weight: 2, shortest: 0, longest: 0 },
	newOnesAreDeaf: { weight: 2, shortest: 5 * SECOND, longest: 10 * MINUTE },
	otherGeneration: { weight: 1, shortest: SECOND, longest: MINUTE },
	numbersBeginAnew: { weight: 1, shortest: 0, longest: 0 },
	numbersSwapped: { weight: 1, shortest: 0, longest: 0 },
	lostAtTheProvider: { weight: 1, shortest: 0, longest: 0 },
	unreadable: { weight: 1, shortest: 0, longest: 0 },
	burst: { weight: 2, shortest: 0, longest: 0 },
	// ── n8n
	databaseAway: { weight: 4, shortest: 200, longest: 3 * MINUTE },
	rejects: { weight: 2, shortest: SECOND, longest: MINUTE },
	slowExecutions: { weight: 2, shortest: 10 * SECOND, longest: 5 * MINUTE },
	neverReports: { weight: 1, shortest: 5 * SECOND, longest: MINUTE },
	killed: { weight: 2, shortest: SECOND, longest: 10 * MINUTE },
	restarted: { weight: 2, shortest: SECOND, longest: 5 * MINUTE },
	startedTwice: { weight: 2, shortest: 0, longest: 0 },
	reactivated: { weight: 2, shortest: 0, longest: MINUTE },
	// ── time
	clockJumps: { weight: 1, shortest: 0, longest: 0 },
	sleeps: { weight: 2, shortest: SECOND, longest: 3 * HOUR },
	held: { weight: 2, shortest: 200, longest: 40 * SECOND },
} as const;

/** Kinds that are drawn separately ({@link drawCoincidences}). */
type RareKind = 'connectionGoesDeaf' | 'passwordRotated' | 'quiet' | 'replaced' | 'workersDie';

export type FaultKind = keyof typeof FAULTS | RareKind;

const FAULT_KINDS = Object.keys(FAULTS) as Array<keyof typeof FAULTS>;

/** The longest wait after a rejected login, and after a provider has asked for a wait. */
const REFUSED_MS = 33 * MINUTE;
const ASKED_MS = 31 * MINUTE;

const EVENTS_AT_MOST = 250;

/** From this seed on, workflows ask for signs of life: older seeds stay as they were. */
export const SIGNS_FROM = 2_000_000;

export function drawPlan(seed: number): Plan {
	const random = new Random(seed * 2_654_435_761);
	const temper = random.pick(['calm', 'usual', 'usual', 'hellish'] as const);
	const provider = drawProvider(random, seed);
	const rounds = random.integer(2, 8);
	const lengthMs = within(
		spread(random, 10 * MINUTE, 10 * HOUR),
		provider.tokenLifeMs,
		provider.tokenLifeMs * rounds * 3,
	);
	const workflows = [...drawWorkflows(random, lengthMs), ...drawFigures(seed)].map((one) => ({
		...one,
		statusEvery: one.emitFeedStatus && seed >= SIGNS_FROM ? 1 : 0,
	}));
	// Drawn separately, so that the rest of a seed is the same with one connection and with two.
	const twoConnections = new Random(seed * 40_503 + 1).chance(0.4);
	const workers = new Random(seed * 25_214_903 + WORKERS).chance(0.1);
	const faults = [
		...drawFaults(random, temper, lengthMs),
		...drawNumbersAnew(seed, provider, lengthMs),
		...drawCoincidences(seed, provider, workflows, twoConnections, lengthMs),
		...drawRotation(seed, lengthMs),
		...(workers ? drawDeaths(seed, workflows, lengthMs) : []),
	].sort((a, b) => a.at - b.at);
	// A connection that lost its subscription can only be noticed by its silence.
	const deafness = faults.some(({ kind }) => DEAFNESS.includes(kind));
	const needsSilence = deafness || provider.atExpiry === 'silence';
	const drawnTimeout = needsSilence ? random.pick([1, 5, 30]) : random.pick([0, 1, 5, 30, 30]);
	const silenceTimeoutMinutes = faults.some(({ kind }) => kind === 'quiet') ? 1 : drawnTimeout;
	const calmFrom = Math.max(lengthMs, ...faults.map((fault) => overBy(fault, faults)));
	const patienceMs =
		(faults.some(({ kind }) => kind === 'loginRefused') ? REFUSED_MS : 0) +
		(faults.some(({ kind }) => kind === 'loginAsksToWait') ? ASKED_MS : 0) +
		(needsSilence ? silenceTimeoutMinutes * MINUTE * 2 + 2 * MINUTE : 0) +
		(faults.some(({ kind }) => kind === 'neverReports') ? HOUR : 0) +
		provider.slowCloseMs;
	return {
		seed,
		temper,
		provider,
		network: {
			delayMs: random.pick([1, 5, 20, 60, 150]),
			jitterMs: random.pick([0, 5, 30, 100, 300]),
		},
		n8n: {
			release: random.pick(['2.41', '2.41', '2.41', '2.41', '2.41', 'engine 2.0'] as const),
			startMs: random.pick([1, 5, 20]),
			runMs: random.pick([1, 20, 200, 2_000]),
			skewMs: random.pick([0, 0, 3 * SECOND, -40 * SECOND, 3 * HOUR]),
			workers,
		},
		workflows,
		silenceTimeoutMinutes,
		twoConnections,
		everyMs: Math.max(spread(random, 500, 5 * MINUTE), (calmFrom * 3) / EVENTS_AT_MOST),
		faults,
		calmFrom,
		patienceMs,
		endsAt: calmFrom + patienceMs + 4 * MINUTE,
	};
}

/** A paused process handles the fault when it resumes, and the fault then lasts as long as usual. */
function overBy({ at, kind, forMs }: Fault, faults: readonly Fault[]): number {
	if (!HEARD.includes(kind)) return at + forMs;
	const still = faults.filter((one) => STANDSTILLS.includes(one.kind) && one.at <= at);
	return Math.max(at, ...still.map((one) => one.at + one.forMs)) + forMs;
}

function drawProvider(random: Random, seed: number): ProviderPlan {
	const sessions = random.pick(['many', 'many', 'newestWins', 'refuseSecond'] as const);
	const drawnLifeMs = Math.round(
		random.pick([
			() => spread(random, 5 * SECOND, MINUTE),
			() => spread(random, MINUTE, 15 * MINUTE),
			() => spread(random, 15 * MINUTE, 2 * HOUR),
			() => 2 * HOUR,
		])(),
	);
	// If the old connection has to be closed first, each renewal interrupts the feed.
	const tokenLifeMs = Math.max(drawnLifeMs, sessions === 'refuseSecond' ? 10 * MINUTE : 0);
	const cpt = random.pick(['account', 'account', 'sparse', 'connection', 'none'] as const);
	const tellsExpiry = tokenLifeMs < 2 * HOUR || random.chance(0.5);
	const feed = random.pick(['supervisor', 'supervisor', 'account'] as const);
	const generation = random.pick([2, 4] as const);
	return {
		feed,
		generation,
		keepsHistoryMs: generation === 4 ? drawHistory(seed) : 0,
		spelling: random.pick(['account_type', 'count_type', 'either'] as const),
		spellingRefusal: random.pick([200, 400, 401] as const),
		sessions,
		tokenLifeMs,
		tellsExpiry,
		atExpiry: random.pick(['cut', 'cut', 'silence', 'nothing'] as const),
		skewMs: random.pick([0, 0, 90 * SECOND, -20 * MINUTE]),
		tellsDate: true,
		cpt,
		stamp: random.pick(['event', 'delivery'] as const),
		pingIntervalMs: random.pick([5 * SECOND, 25 * SECOND, 25 * SECOND]),
		pingTimeoutMs: random.pick([5 * SECOND, 20 * SECOND]),
		payload: random.pick(['object', 'object', 'array', 'text', 'arrayText'] as const),
		emptyLists: random.pick(['absent', 'absent', 'false'] as const),
		slowCloseMs: random.chance(0.2) ? random.integer(100, 20 * SECOND) : 0,
		tokensSurviveRestart: random.chance(0.5),
		...drawRareReadings(seed, sessions),
	};
}

/** Chosen so that no history is kept in the seeds that had found a mistake before. */
const HISTORY = 10_600;

/** Drawn separately, so that older seeds stay as they were. */
function drawHistory(seed: number): number {
	const random = new Random(seed * 22_695_477 + HISTORY);
	return random.chance(0.2) ? random.pick([10 * SECOND, 2 * MINUTE, 10 * MINUTE]) : 0;
}

type RareReadings = Pick<
	ProviderPlan,
	| 'numbersSurviveRestart'
	| 'losesOneIn'
	| 'servesAfterMs'
	| 'farewellMs'
	| 'tellsOfSessions'
	| 'several'
>;

const USUAL: RareReadings = {
	numbersSurviveRestart: true,
	losesOneIn: 0,
	servesAfterMs: 0,
	farewellMs: 0,
	tellsOfSessions: false,
	several: 'apart',
};

/**
 * Drawn separately, and for some seeds only, so that older seeds stay as they were. The offset was chosen so that all
 * seeds that had found a mistake by then are unchanged.
 */
function drawRareReadings(seed: number, sessions: ProviderPlan['sessions']): RareReadings {
	const random = new Random(seed * 69_621 + 826);
	if (!random.chance(0.4)) return USUAL;
	const [servesLater, farewell] = [random.chance(0.4), random.chance(0.6)];
	return {
		numbersSurviveRestart: random.chance(0.5),
		losesOneIn: random.chance(0.4) ? random.pick([10, 30, 100]) : 0,
		servesAfterMs: servesLater ? random.integer(100, 1_200) : 0,
		farewellMs: farewell && sessions === 'newestWins' ? random.integer(500, 12 * SECOND) : 0,
		tellsOfSessions: random.chance(0.4),
		several: random.pick(['apart', 'list', 'arguments'] as const),
	};
}

function drawWorkflows(random: Random, lengthMs: number): WorkflowPlan[] {
	const count = random.pick([1, 1, 2, 3]);
	return Array.from({ length: count }, (_, index) => {
		const mode = random.pick(['events', 'events', 'callOutcomes'] as const);
		const events = mode === 'events';
		const drawn = {
			types: events && random.chance(0.3) ? random.pick([['queue'], ['operator', 'UI']]) : [],
			agents: events && random.chance(0.2) ? [501, 503] : [],
			output: random.pick(['simplified', 'raw'] as const),
			// The first workflow always gets status items, since gaps are judged by them.
			emitFeedStatus: index === 0 || random.chance(0.5),
			batchSize: random.pick([1, 1, 5, 50]),
		};
		// For two settings that are gone, so that older seeds stay as they were.
		random.next();
		const limits = {
			maxInFlight: random.pick([1, 3, 10, 10]),
			bufferLimit: random.pick([20, 50_000, 50_000]),
		};
		random.next();
		const startsAt =
			index === 0 ? 0 : random.pick([0, 0, random.integer(0, Math.min(10 * MINUTE, lengthMs))]);
		return { id: `w${index + 1}`, mode, ...drawn, ...limits, statusEvery: 0, startsAt };
	});
}

/** The threshold of its alert, and the length of its records. */
export const ALERT_SECONDS = 20;
export const INTERVAL_MINUTES = 5;

/** Chosen so that none of the seeds that had found a mistake before watches figures. */
const FIGURES = 213_373;

/** A workflow that watches figures. Drawn separately, so that older seeds stay as they were. */
function drawFigures(seed: number): WorkflowPlan[] {
	const random = new Random(seed * 69_069 + FIGURES);
	if (!random.chance(0.12)) return [];
	return [
		{
			id: 'figures',
			mode: random.pick(['alerts', 'snapshots'] as const),
			types: [],
			agents: [],
			output: 'simplified',
			emitFeedStatus: false,
			statusEvery: 0,
			batchSize: 1,
			maxInFlight: random.pick([1, 10]),
			bufferLimit: 50_000,
			startsAt: 0,
		},
	];
}

function drawFaults(random: Random, temper: Plan['temper'], lengthMs: number): Fault[] {
	const kinds =
		temper === 'calm'
			? random.integer(0, 2)
			: temper === 'usual'
				? random.integer(2, 6)
				: random.integer(4, 16);
	const drawn = FAULT_KINDS.map((kind) => ({
		kind,
		key: random.next() ** (1 / FAULTS[kind].weight),
	}))
		.sort((a, b) => b.key - a.key)
		.slice(0, kinds)
		.map(({ kind }) => kind);
	const most = temper === 'calm' ? 4 : temper === 'usual' ? 12 : 40;
	const count = drawn.length === 0 ? 0 : random.integer(1, most);
	const faults = Array.from({ length: count }, (): Fault => {
		const kind = random.pick(drawn);
		const { shortest, longest } = FAULTS[kind];
		return {
			at: random.integer(0, lengthMs),
			kind,
			forMs:
				longest === 0
					? 0
					: Math.round(spread(random, Math.max(1, shortest), Math.min(longest, lengthMs))),
			choice: random.next(),
		};
	});
	return faults.sort((a, b) => a.at - b.at);
}

/** If numbers go missing, a restarted count must not hide that. Drawn separately, like the readings above. */
function drawNumbersAnew(
	seed: number,
	{ cpt, losesOneIn }: ProviderPlan,
	lengthMs: number,
): Fault[] {
	const random = new Random(seed * 30_269 + 5);
	if (cpt !== 'account' || losesOneIn === 0 || random.chance(0.5)) return [];
	return [{ at: random.integer(0, lengthMs), kind: 'numbersBeginAnew', forMs: 0, choice: 0 }];
}

/** Chosen so that no password is changed in the seeds that had found a mistake before. */
const ROTATION = 1634;

/** The provider's password is changed, and a while later the credential. Drawn separately, like the readings above. */
function drawRotation(seed: number, lengthMs: number): Fault[] {
	const random = new Random(seed * 134_775_813 + ROTATION);
	if (!random.chance(0.1)) return [];
	const forMs = random.chance(0.5) ? 0 : random.integer(SECOND, 10 * MINUTE);
	const at = random.integer(0, lengthMs);
	return [{ at, kind: 'passwordRotated', forMs, choice: random.next() }];
}

/** The minimum number of events in the bursts below. */
const BURST = 70;

/** Chosen so that the seeds that had found a mistake before stay as they were. */
const FURTHER = 3356;

/** Chosen so that none of the seeds that had found a mistake before has workers. */
const WORKERS = 314;

const STANDSTILLS: readonly FaultKind[] = ['sleeps', 'held'];
const HEARD: readonly FaultKind[] = ['restarted', 'startedTwice', 'replaced', 'reactivated'];
const DEAFNESS: readonly FaultKind[] = ['goesDeaf', 'newOnesAreDeaf', 'connectionGoesDeaf'];

/**
 * Coincidences that hardly ever happen by themselves. Drawn separately, and for some seeds only, like the readings
 * above.
 */
function drawCoincidences(
	seed: number,
	{ tokenLifeMs, sessions }: ProviderPlan,
	workflows: readonly WorkflowPlan[],
	twoConnections: boolean,
	lengthMs: number,
): Fault[] {
	const random = new Random(seed * 48_271 + 17);
	const [deaf, dropped, quiet, replaced] = [0.3, 0.15, 0.3, 0.1].map((part) => random.chance(part));
	const faults: Fault[] = [];
	const add = (kind: FaultKind, at: number, forMs = 0, choice = 0.9) =>
		faults.push({ at: Math.round(at), kind, forMs, choice });
	const renewalAt = tokenLifeMs - Math.min(tokenLifeMs / 5, 10 * MINUTE);
	if (deaf && twoConnections && sessions === 'many' && tokenLifeMs >= 6 * MINUTE) {
		add('connectionGoesDeaf', random.integer(3 * MINUTE, Math.max(4 * MINUTE, lengthMs)));
	}
	// The successor of the first connection gets no events.
	if (dropped && tokenLifeMs >= MINUTE) {
		add('newOnesAreDeaf', renewalAt - 10 * SECOND, random.integer(11 * SECOND, 40 * SECOND));
	}
	// The feed falls silent just before its renewal is due, and the login hangs. Before that, no silence is long
	// enough.
	if (quiet && !twoConnections && tokenLifeMs >= 3 * MINUTE && tokenLifeMs <= 15 * MINUTE) {
		const lastAt = renewalAt - 65 * SECOND;
		for (let at = lastAt; at > 0; at -= 50 * SECOND) add('burst', at);
		add('quiet', Math.max(0, lastAt - MINUTE), 3 * MINUTE);
		add('loginHangs', renewalAt - 30 * SECOND, 45 * SECOND);
	}
	if (replaced) add('replaced', random.integer(0, lengthMs), random.integer(1, 20 * SECOND));
	const further = new Random(seed * 16_807 + FURTHER);
	const [filled, setBack, expires, starts] = [0.2, 0.05, 0.1, 0.03].map((part) =>
		further.chance(part),
	);
	// A trigger is closed while its buffer is full and nothing can leave it.
	const small = workflows.findIndex(
		({ bufferLimit, maxInFlight, batchSize }) => bufferLimit + maxInFlight * batchSize < BURST,
	);
	if (filled && small !== -1) {
		const at = further.integer(0, lengthMs);
		add('slowExecutions', at, MINUTE);
		add('burst', at + SECOND);
		add('reactivated', at + further.integer(2 * SECOND, 5 * SECOND), 0, small / workflows.length);
	}
	// The provider asks for a wait, during which the clock is set back and the connection is lost.
	if (setBack && tokenLifeMs >= MINUTE) {
		add('loginAsksToWait', renewalAt - SECOND, 5 * SECOND);
		add('clockJumps', renewalAt + 3 * SECOND, 0, 0);
		add('cut', renewalAt + 5 * SECOND);
	}
	// No login works until the token has ended, and the connection is lost a while later.
	if (expires && tokenLifeMs >= MINUTE) {
		add('loginFails', renewalAt - SECOND, tokenLifeMs - renewalAt + 90 * SECOND);
		add('cut', tokenLifeMs + further.integer(20 * SECOND, MINUTE));
	}
	// n8n starts while its database is away.
	if (starts) {
		const at = further.integer(0, lengthMs);
		add('restarted', at, 5 * SECOND);
		add('databaseAway', at, MINUTE);
	}
	return faults;
}

/** Workers die while a gap, or a full buffer, has to be reported. */
function drawDeaths(seed: number, workflows: readonly WorkflowPlan[], lengthMs: number): Fault[] {
	const random = new Random(seed * 22_695_477 + 1);
	const isSmall = workflows.some(({ bufferLimit }) => bufferLimit < BURST);
	return Array.from({ length: random.integer(1, 3) }, (_, index): Fault[] => {
		const at = random.integer(0, lengthMs);
		if (isSmall && random.chance(0.5)) {
			return [
				{ at, kind: 'slowExecutions', forMs: 20 * SECOND, choice: 0 },
				{ at: at + SECOND, kind: 'burst', forMs: 0, choice: 0.9 },
				{
					at: at + 2 * SECOND,
					kind: 'workersDie',
					forMs: 40 * SECOND,
					// If few workers die, one of them may be the one with the report about the full buffer.
					choice: index === 1 ? 0.3 : 0.7,
				},
			];
		}
		return [
			{ at, kind: 'cut', forMs: 0, choice: 0 },
			{ at, kind: 'workersDie', forMs: random.integer(SECOND, 30 * SECOND), choice: 0.7 },
		];
	}).flat();
}

/** All orders of magnitude are equally likely. */
function spread(random: Random, from: number, to: number): number {
	return from * (Math.max(from, to) / from) ** random.next();
}

function within(value: number, from: number, to: number): number {
	return Math.round(Math.min(to, Math.max(from, value)));
}
