// One mechanism each, with the code that it lives in and what that code is replaced by. The tests named are tried in
// this order until one of them turns red.

export interface Mutant {
	/** What is taken away, as a person would say it. */
	mechanism: string;
	file: string;
	/** Stands in the file exactly once. */
	find: string;
	replace: string;
	/** Patterns of test files (unit, integration), one run each. */
	tests: readonly string[];
	/** Arguments of the acceptance runner: tried in a real n8n instead. */
	acceptance?: readonly string[];
}

const UNIT = 'test/unit/(VoiceManagementTrigger/feed|shared)/';
const FAULTS = 'test/integration/feed/faults4';
const SHARING = 'test/integration/feed/sharing';
const SOCKETS = 'test/integration/feed/socketio';
const FEED = [UNIT, FAULTS, SHARING];
const TRIGGER = ['test/unit/VoiceManagementTrigger/', 'test/integration/VoiceManagementTrigger/'];

/** The way from the trigger's entries into n8n. */
const EXECUTION = [
	'test/unit/VoiceManagementTrigger/execution/',
	'test/integration/VoiceManagementTrigger/trigger.test',
];

const FILTERS = ['test/unit/VoiceManagementTrigger/(events|live)/', ...TRIGGER];

const STATE = 'nodes/VoiceManagementTrigger/feed/state.ts';
const SESSION = 'nodes/shared/session.ts';
const OVERLAP = 'nodes/VoiceManagementTrigger/feed/overlap.ts';
const CONTINUITY = 'nodes/VoiceManagementTrigger/feed/continuity.ts';
const CONNECTION = 'nodes/VoiceManagementTrigger/feed/connection.ts';
const FEED_FILE = 'nodes/VoiceManagementTrigger/feed/feed.ts';
const COMPLETENESS = 'nodes/VoiceManagementTrigger/feed/completeness.ts';
const EVENT_STREAM = 'nodes/VoiceManagementTrigger/feed/eventStream.ts';
const OVERLAP_DECISION = 'nodes/VoiceManagementTrigger/feed/overlapDecision.ts';
const UNMATCHED = 'nodes/VoiceManagementTrigger/feed/unmatched.ts';
const SEQUENCE_NUMBERS = 'nodes/VoiceManagementTrigger/feed/sequenceNumbers.ts';
const CANDIDATES = 'nodes/VoiceManagementTrigger/feed/candidates.ts';
const NAMED_TIMERS = 'nodes/VoiceManagementTrigger/feed/namedTimers.ts';
const SUBSCRIBERS = 'nodes/VoiceManagementTrigger/feed/subscribers.ts';
const ENVELOPE = 'nodes/VoiceManagementTrigger/feed/envelope.ts';
const PROBE = 'nodes/VoiceManagementTrigger/feed/probe.ts';
const HUB = 'nodes/VoiceManagementTrigger/feed/hub.ts';
const VOICE_URL = 'nodes/shared/voiceUrl.ts';
const LOG_MESSAGES = 'nodes/VoiceManagementTrigger/feed/logMessages.ts';
const BACKOFF = 'nodes/VoiceManagementTrigger/feed/backoff.ts';
const ACTIVE_TRIGGERS = 'nodes/VoiceManagementTrigger/execution/activeTriggers.ts';
const PRODUCTION = 'nodes/VoiceManagementTrigger/production.ts';
const FILTER = 'nodes/VoiceManagementTrigger/events/filter.ts';
const NUMBERS = 'nodes/VoiceManagementTrigger/events/phoneNumbers.ts';
const CALLS = 'nodes/VoiceManagementTrigger/live/calls.ts';
const SELECTION = 'nodes/VoiceManagementTrigger/selection.ts';
const TEST_RUN = 'nodes/VoiceManagementTrigger/testRun.ts';
const QUEUE = 'nodes/VoiceManagementTrigger/execution/executionQueue.ts';
const HAND_OVER = 'nodes/VoiceManagementTrigger/execution/handOver.ts';
const POSITION = 'nodes/VoiceManagementTrigger/execution/position.ts';

/** Tried twice: in the tests of the trigger, and in an n8n that starts a second copy. */
const WITHOUT_ACTIVE_TRIGGERS = {
	file: ACTIVE_TRIGGERS,
	find: 'const predecessor = instances.get(key);\n\tinstances.set(key, instance);',
	replace: 'const predecessor = instances.get(`${key}:none`);\n\tinstances.set(key, instance);',
};

export const mutants: readonly Mutant[] = [
	// ── sessions and renewal ────────────────────────────────────────────────────────────────────────────────
	{
		mechanism: 'renewal ahead of the end of the token',
		file: STATE,
		find: "{ do: 'timer', name: 'renew', delayMs: Math.max(0, open.renewAt - context.now) },",
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'renewal at 80 % of a short validity',
		file: SESSION,
		find: 'const SHORT_RENEWAL_PART = 0.8;',
		replace: 'const SHORT_RENEWAL_PART = 1.5;',
		tests: FEED,
	},
	{
		mechanism: 'the end of the session as its login tells it',
		file: SESSION,
		find: 'if (expire === undefined) return now + TOKEN_VALIDITY_MS;',
		replace: 'return now + TOKEN_VALIDITY_MS;',
		tests: FEED,
	},
	{
		mechanism: "the validity counted on the service's own clock",
		file: SESSION,
		find: 'const validity = expire - (serverTime(headers) ?? now);',
		replace: 'const validity = expire - now;',
		tests: FEED,
	},
	{
		mechanism: 'both connections open for a while',
		file: OVERLAP_DECISION,
		find: "if (age < OVERLAP_MIN_MS && !force) return { decision: 'wait' };",
		replace: "if (age >= 0) return { decision: 'switch', uncertainty: 'none' };",
		tests: FEED,
	},
	{
		mechanism: 'copies of the second connection are dropped',
		file: OVERLAP,
		find: "if (this.match('previous', entry)) return this.releaseAll();",
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'equal events are counted, not merely known',
		file: UNMATCHED,
		find: 'this.passed = Math.max(this.passed, this.order.get(entry) ?? -1);\n\t\tthis.remove(entry);',
		replace: 'this.passed = Math.max(this.passed, this.order.get(entry) ?? -1);',
		tests: FEED,
	},
	{
		mechanism: 'copies are known by a number that both connections share',
		file: OVERLAP,
		find: "if (copy) this.numbering = 'shared';\n\t\treturn copy;",
		replace: 'return undefined;',
		tests: FEED,
	},
	{
		mechanism: 'numbers of each connection are not compared',
		file: OVERLAP,
		find: "this.numbering = cpt > this.lastPreviousCpt && ahead <= NEAR ? 'presumed' : 'own';",
		replace: "this.numbering = 'presumed';",
		tests: FEED,
	},
	{
		mechanism: 'copies may differ in durations',
		file: 'nodes/VoiceManagementTrigger/feed/copies.ts',
		find: 'if (TIMES.test(name) || ',
		replace: 'if (',
		tests: FEED,
	},
	{
		mechanism: "the fresh connection's events wait for the old one's",
		file: OVERLAP,
		find: 'if (!this.holding) return [event];',
		replace: 'entry.held = false;\n\t\tif (this.holding) return [event];',
		tests: FEED,
	},
	{
		mechanism: 'copies are known for a while after the overlap',
		file: EVENT_STREAM,
		find: 'event.receivedAt - endedAt > LAG_MS',
		replace: 'endedAt > 0',
		tests: FEED,
	},
	{
		mechanism: 'the account may be let in once only: the old connection that is cut is no break',
		file: STATE,
		find: 'if (state.previous && id === state.previous.id) {',
		replace: 'if (state.previous && id < 0) {',
		tests: FEED,
	},
	{
		mechanism: 'the old connection goes on where a renewal fails',
		file: STATE,
		find: 'if (state.current) {\n\t\treturn renewalFailed(',
		replace: 'if (state.current && state.newest < 0) {\n\t\treturn renewalFailed(',
		tests: FEED,
	},
	{
		mechanism: 'breaking before making as the last resort',
		file: STATE,
		find: 'if (state.renewalRejected && context.now >= lastResortAt(state.current)) {',
		replace: 'if (state.renewalRejected && context.now < 0) {',
		tests: FEED,
	},
	{
		mechanism: 'a new connection that delivers nothing is given up',
		file: OVERLAP_DECISION,
		find: "if (statistics.onlyPrevious > 0 && statistics.next === 0) return { decision: 'revert' };",
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'a dead previous connection is a gap',
		file: OVERLAP_DECISION,
		find: "if (!alive) return { decision: 'switch', uncertainty: 'dead' };",
		replace: "if (!alive) return { decision: 'switch', uncertainty: 'none' };",
		tests: FEED,
	},
	{
		mechanism: 'a previous connection that was stale is a gap',
		file: OVERLAP_DECISION,
		find: "if (statistics.onlyNext > 0) return { decision: 'switch', uncertainty: 'stale' };",
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'a stale connection that ends in its own overlap is a gap',
		file: EVENT_STREAM,
		find: "if (!isHealthy(previous, now)) this.tookOverUncertainly('unknown');\n\t\telse if",
		replace: 'if',
		tests: FEED,
	},
	// ── reconnection ────────────────────────────────────────────────────────────────────────────────────────
	{
		mechanism: 'the back-off grows',
		file: BACKOFF,
		find: 'const ceiling = Math.min(max, first * 2 ** exponent(failures));',
		replace: 'const ceiling = first + 0 * (max + exponent(failures));',
		tests: FEED,
	},
	{
		mechanism: 'the back-off has an upper end',
		file: BACKOFF,
		find: 'const ceiling = Math.min(max, first * 2 ** exponent(failures));',
		replace: 'const ceiling = first * 2 ** exponent(failures) + 0 * max;',
		tests: FEED,
	},
	{
		mechanism: 'the back-off has jitter',
		file: BACKOFF,
		find: 'ceiling / 2 + (random * ceiling) / 2',
		replace: 'ceiling + 0 * random',
		tests: FEED,
	},
	{
		mechanism: 'only a connection that proved itself ends the back-off',
		file: STATE,
		find: 'const good = open.confirmed && !rejected;',
		replace: 'const good = !rejected;',
		tests: FEED,
	},
	{
		mechanism: 'a service that throws out at once proves nothing',
		file: STATE,
		find: 'const good = open.confirmed && !rejected;',
		replace: 'const good = open.confirmed;',
		tests: FEED,
	},
	{
		mechanism: 'at once after a proper disconnect',
		file: STATE,
		find: 'if (clean && !immediateUsed && wait === 0) {',
		replace: 'if (clean && !immediateUsed && state.newest < 0) {',
		tests: FEED,
	},
	{
		mechanism: 'at once, but one time only',
		file: STATE,
		find: 'if (clean && !immediateUsed && wait === 0) {',
		replace: 'if (clean) {',
		tests: FEED,
	},
	{
		mechanism: 'one attempt at a time: a renewal beside an attempt',
		file: STATE,
		find: 'if (!state.current || state.attemptId !== undefined) return [state, []];\n\t// A token',
		replace: 'if (!state.current) return [state, []];\n\t// A token',
		tests: FEED,
	},
	{
		mechanism: 'one attempt at a time: a person who acts while one is under way',
		file: STATE,
		find: "case 'retryNow':\n\t\t\treturn isWaiting(state) ?",
		replace: "case 'retryNow':\n\t\t\treturn state.newest > 0 ?",
		tests: FEED,
	},
	{
		mechanism: 'a person who acts is a reason to try now',
		file: STATE,
		find: "case 'retryNow':\n\t\t\treturn isWaiting(state) ?",
		replace: "case 'retryNow':\n\t\t\treturn state.newest < 0 ?",
		tests: FEED,
	},
	{
		mechanism: '401 and 403 are refusals',
		file: SESSION,
		find: 'new Set([401, 403, 407])',
		replace: 'new Set([407])',
		tests: FEED,
	},
	{
		mechanism: '200 without id_session is a refusal',
		file: SESSION,
		find: "throw refused(reason || code || 'the response has no session token (id_session)');",
		replace: "throw failed(reason || code || 'the response has no session token', false);",
		tests: FEED,
	},
	{
		mechanism: "the error body's own reason decides",
		file: SESSION,
		find: 'if (mayRefuse && namesCredentials(words))',
		replace: 'if (mayRefuse && statusCode === 0)',
		tests: FEED,
	},
	{
		mechanism: 'a refused login is tried again slowly',
		file: BACKOFF,
		find: 'return Math.round(delay * (1 + random / 10));',
		replace: 'return Math.round((delay / 300) * (1 + random / 10));',
		tests: FEED,
	},
	{
		mechanism: 'a refusal is told at once',
		file: FEED_FILE,
		find: 'if (status) this.subscribers.notify(status);',
		replace: "if (status && status.event !== 'refused') this.subscribers.notify(status);",
		tests: FEED,
	},
	{
		mechanism: 'only the first refusal of an outage is called the first',
		file: STATE,
		find: 'first: refusals === 1,',
		replace: 'first: true,',
		tests: FEED,
	},
	{
		mechanism: 'a refusal right after a break is tried again sooner',
		file: STATE,
		find: 'if (!lingering || context.now - lingering.at > LINGERING_MS)\n\t\treturn',
		replace: 'if (!lingering || context.now > 0) return',
		tests: FEED,
	},
	// ── liveness ────────────────────────────────────────────────────────────────────────────────────────────
	{
		mechanism: 'timers of the bundled clients run (ping timeout)',
		file: 'nodes/VoiceManagementTrigger/feed/socketio/timers.ts',
		find: 'timer.wait = undefined;\n\ttimer.run();',
		replace: 'timer.wait = undefined;',
		tests: [FAULTS, 'test/integration/feed/faults2', SOCKETS],
	},
	{
		mechanism: 'pings count as signs of life',
		file: CONNECTION,
		find: 'if (!this.closed) this.aliveAt = this.dependencies.clock.now();',
		replace: '',
		tests: [...FEED, SOCKETS],
	},
	{
		mechanism: 'a long silence leads to a new login',
		file: STATE,
		find: 'if (context.silenceTimeoutMs > 0) {\n\t\ttimers.push',
		replace: 'if (context.silenceTimeoutMs < 0) {\n\t\ttimers.push',
		tests: FEED,
	},
	{
		mechanism: 'events put the silence off',
		file: FEED_FILE,
		find: 'if (rest > 0) return this.timers.set',
		replace: 'if (rest > Infinity) return this.timers.set',
		tests: FEED,
	},
	{
		mechanism: 'a connection replaced for its silence is not taken for a working one',
		file: FEED_FILE,
		find: 'if (connection) connection.stale = true;',
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'a login that hangs is given up',
		file: CONNECTION,
		find: 'const cancel = this.dependencies.clock.after(timeoutMs, () => {',
		replace: 'const cancel = this.dependencies.clock.after(timeoutMs * 1e6, () => {',
		tests: FEED,
	},
	{
		mechanism: 'a socket that never joins is given up',
		file: CONNECTION,
		find: 'this.dependencies.clock.after(inTime, () =>',
		replace: 'this.dependencies.clock.after(inTime * 1e6, () =>',
		tests: FEED,
	},
	// ── continuity ──────────────────────────────────────────────────────────────────────────────────────────
	{
		mechanism: 'nothing is concluded from cpt before it was seen to count by one',
		file: CONTINUITY,
		find: 'countsByOne = false;\n\n',
		replace: 'countsByOne = true;\n\n',
		tests: FEED,
	},
	{
		mechanism: 'missing numbers are a gap',
		file: CONTINUITY,
		find: 'if (missing === 0 || !alone || !this.countsByOne) return;',
		replace: 'if (missing >= 0) return;',
		tests: FEED,
	},
	{
		mechanism: 'numbers that one of two connections lacks are no gap',
		file: CONTINUITY,
		find: 'if (missing === 0 || !alone || !this.countsByOne) return;',
		replace: 'if (missing === 0 || !this.countsByOne) return;',
		tests: FEED,
	},
	{
		mechanism: 'a missing number that comes late fills its gap',
		file: CONTINUITY,
		find: 'this.fill(cpt);\n',
		replace: '\n',
		tests: FEED,
	},
	{
		mechanism: 'a counter that begins again is no gap',
		file: SEQUENCE_NUMBERS,
		find: 'if (!this.inherited && cpt - 1 !== this.back) {',
		replace: 'if (!this.inherited) {',
		tests: FEED,
	},
	{
		mechanism: 'a numbering that jumps again and again is not believed any more',
		file: CONTINUITY,
		find: 'if (this.jumpsSinceTrusted < JUMPS_TO_UNLEARN) return;',
		replace: 'if (this.jumpsSinceTrusted > 0) return;',
		tests: FEED,
	},
	{
		mechanism: 'a break is a gap',
		file: EVENT_STREAM,
		find: 'this.continuity.lost(connection.numbers, { from,',
		replace: 'if (from < 0) this.continuity.lost(connection.numbers, { from,',
		tests: FEED,
	},
	{
		mechanism: 'a gap begins a little before the last sign of life',
		file: COMPLETENESS,
		find: 'export const TRANSIT_MS = 1_000;',
		replace: 'export const TRANSIT_MS = -1_000;',
		tests: FEED,
	},
	{
		mechanism: 'after the end of its token only events prove a connection',
		file: COMPLETENESS,
		find: 'Math.min(seen, Math.max(lastEventAt, session?.expiresAt ?? seen))',
		replace: 'seen',
		tests: FEED,
	},
	{
		mechanism: 'a gap waits for the first event after it',
		file: EVENT_STREAM,
		find: 'const gap = this.continuity.beforeEvent(event);\n\t\tif (gap) this.output.onGap(gap);',
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'a gap without an event after it is told after a while',
		file: CONTINUITY,
		find: 'const hearing =\n\t\t\tpending?.to === undefined || pending.deferred ? Infinity : pending.to + FIRST_EVENT_MS;',
		replace: 'const hearing = Infinity;',
		tests: FEED,
	},
	{
		mechanism: 'how many were missed, where cpt allows',
		file: CONTINUITY,
		find: 'const missed = this.countsByOne && ahead >= 0 && ahead <= LONGEST_JUMP ? ahead : undefined;',
		replace: 'const missed = this.countsByOne && ahead < -1 ? ahead : undefined;',
		tests: FEED,
	},
	{
		mechanism: 'numbers missing between the two connections of a renewal are a gap',
		file: CONTINUITY,
		find: 'if (!this.countsByOne || missed <= 0 || missed > LONGEST_JUMP) return undefined;',
		replace: 'if (!this.countsByOne || missed > -Infinity) return undefined;',
		tests: FEED,
	},
	// ── payloads ────────────────────────────────────────────────────────────────────────────────────────────
	{
		mechanism: "['update', object], and several objects in one update",
		file: ENVELOPE,
		find: ': value.flatMap((entry: unknown) => findObjects(entry, depth + 1));',
		replace: ': findObjects(value[0], depth + 1);',
		tests: FEED,
	},
	{
		mechanism: 'JSON text',
		file: ENVELOPE,
		find: "if (typeof value === 'string') return findObjects(parse(value), depth + 1);",
		replace: "if (typeof value === 'string') return [];",
		tests: FEED,
	},
	{
		mechanism: 'binary that holds JSON',
		file: ENVELOPE,
		find: 'if (bytes !== undefined) return findObjects(parse(decode(bytes)), depth + 1);',
		replace: 'if (bytes !== undefined) return [];',
		tests: FEED,
	},
	{
		mechanism: 'the form with everything at the top level (num)',
		file: ENVELOPE,
		find: 'const envelope = inside ?? received;',
		replace: 'const envelope = inside ?? {};',
		tests: FEED,
	},
	{
		mechanism: 'fields in another letter case',
		file: 'nodes/VoiceManagementTrigger/feed/documentNames.ts',
		find: 'if (!fields.has(key) && nameIn(object, key) !== key) return renamed(object);',
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'values in another letter case',
		file: 'nodes/VoiceManagementTrigger/feed/documentNames.ts',
		find: 'return this.bySpelling.get(letters(text)) ?? text;',
		replace: 'return text;',
		tests: FEED,
	},
	{
		mechanism: 'a moment as ISO text',
		file: ENVELOPE,
		find: 'return Number.isNaN(moment) ? undefined : moment / 1000;',
		replace: 'return undefined;',
		tests: FEED,
	},
	{
		mechanism: 'nesting has an end',
		file: ENVELOPE,
		find: 'if (depth > DEEPEST) return [];',
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'what can not be read is counted',
		file: FEED_FILE,
		find: 'this.unreadable++;',
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'events other than update are none of the feed',
		file: CONNECTION,
		find: "if (name !== 'update') {",
		replace: "if (name === '') {",
		tests: FEED,
	},
	{
		mechanism: 'a workflow gets copies',
		file: 'nodes/VoiceManagementTrigger/events/simplify.ts',
		find: "if (typeof value !== 'object' || value === null) return value;\n\tif (depth > DEEPEST)",
		replace: 'if (depth >= 0) return value;\n\tif (depth > DEEPEST)',
		tests: [UNIT, ...TRIGGER],
	},
	{
		mechanism: '__proto__ stays a field',
		file: 'nodes/VoiceManagementTrigger/events/simplify.ts',
		find: "if (key === '__proto__') {",
		replace: "if (key === '__nothing__') {",
		tests: [UNIT, ...TRIGGER],
	},
	{
		mechanism: 'the token is not in the log',
		file: LOG_MESSAGES,
		find: "if (secret !== '') text",
		replace: "if (secret === 'none') text",
		tests: FEED,
	},
	{
		mechanism: 'a logged payload is cut',
		file: LOG_MESSAGES,
		find: 'text.length > 200 ?',
		replace: 'text.length < 0 ?',
		tests: FEED,
	},
	// ── sharing ─────────────────────────────────────────────────────────────────────────────────────────────
	{
		mechanism: 'one feed for one account',
		file: HUB,
		find: 'if (open) return open.add(subscriber, options);',
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'a trigger that throws stops no other',
		file: SUBSCRIBERS,
		find: "this.reportError(subscriber, 'event', error);",
		replace: 'throw error;',
		tests: FEED,
	},
	{
		mechanism: 'whoever closed hears nothing more',
		file: SUBSCRIBERS,
		find: 'if (!subscriber.present) continue;',
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'the last one out closes the socket',
		file: FEED_FILE,
		find: "this.dispatch({ type: 'close' });",
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'a closed feed is not joined any more',
		file: FEED_FILE,
		find: 'this.setup.onEmpty();',
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'a successor waits a moment for its predecessor to be noticed',
		file: HUB,
		find: 'feed.start(this.succession(key));',
		replace: 'this.succession(key);\n\t\tfeed.start(0);',
		tests: FEED,
	},
	{
		mechanism: 'whoever comes to an open connection hears so',
		file: FEED_FILE,
		find: 'if (this.state.current) this.notifyLate(subscriber);',
		replace: 'if (this.state.current) void 0;',
		tests: FEED,
	},
	{
		mechanism: 'another password is another feed',
		file: 'nodes/VoiceManagementTrigger/login.ts',
		find: 'credential.password ?? null,',
		replace: '',
		tests: TRIGGER,
	},
	{
		mechanism: 'a login goes through a trigger that is still there',
		file: FEED_FILE,
		find: 'this.subscribers.newest()?.options ?? options',
		replace: 'options',
		tests: [...FEED, ...TRIGGER],
	},
	// ── generations ─────────────────────────────────────────────────────────────────────────────────────────
	{
		mechanism: 'the probe tells Socket.IO 2 from 4',
		file: PROBE,
		find: 'const protocol = found[1] === undefined ? 4 : 2;',
		replace: 'const protocol = found[1] === "" ? 2 : 4;',
		tests: [UNIT, 'test/integration/feed/faults2'],
	},
	{
		mechanism: "the probe's answer is remembered",
		file: CONNECTION,
		find: 'endpoints.set(this.endpointKey(), found);',
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'the probe is asked again after a failure',
		file: CONNECTION,
		find: 'this.dependencies.endpoints.delete(this.endpointKey());',
		replace: '',
		tests: FEED,
	},
	{
		mechanism: 'the probe leaves no session at the service',
		file: PROBE,
		find: 'for (let poll = 0; poll < 3; poll++) {',
		replace: 'for (let poll = 0; poll < 0; poll++) {',
		tests: [...FEED, SOCKETS, 'test/integration/feed/faults2'],
	},
	{
		mechanism: 'long polling where a proxy refuses websocket',
		file: 'nodes/VoiceManagementTrigger/feed/socketio/index.ts',
		find: "['polling', 'websocket'] : ['polling']",
		replace: "['websocket'] : ['websocket']",
		tests: [SOCKETS],
	},
	{
		mechanism: 'a feed goes through n8n if nothing answers a direct connection',
		file: CANDIDATES,
		find: "transport === (unreached ? 'n8n' : 'direct')",
		replace: "transport === 'direct'",
		tests: [UNIT],
	},
	{
		mechanism: 'a renewal tries the direct way again',
		file: CONNECTION,
		find: 'behindN8n.has(this.endpointKey()) && !this.renewal',
		replace: 'behindN8n.has(this.endpointKey())',
		tests: [UNIT],
	},
	{
		mechanism: 'the probe tries the other version before it asks a person',
		file: PROBE,
		find: "options.protocol === 'auto' ? [4, 2]",
		replace: "options.protocol === 'auto' ? [4]",
		tests: [UNIT],
	},
	{
		mechanism: 'the wait that a login asks for is kept',
		file: STATE,
		find: 'const asked = Math.min(RETRY_AFTER_MAX_MS, failure.retryAfterMs ?? 0);',
		replace: 'const asked = 0;',
		tests: [UNIT],
	},
	{
		mechanism: 'cookies go to their own host alone',
		file: 'nodes/VoiceManagementTrigger/feed/socketio/cookies.ts',
		find: 'new URL(url).hostname === this.host',
		replace: 'this.host !== ""',
		tests: [UNIT],
	},
	{
		mechanism: 'a second handshake reaches no client',
		file: 'nodes/VoiceManagementTrigger/feed/socketio/handshake.ts',
		find: "if (isOpen) return { kind: 'ignored' };",
		replace: '',
		tests: [UNIT],
	},
	{
		mechanism: 'each poll has a signal of its own',
		file: 'nodes/VoiceManagementTrigger/feed/socketio/pollingHttp.ts',
		find: 'body, aborter.signal);',
		replace: 'body, new AbortController().signal);',
		tests: [UNIT],
	},
	// ── closing ─────────────────────────────────────────────────────────────────────────────────────────────
	{
		mechanism: 'closing aborts a login that hangs',
		file: CONNECTION,
		find: 'this.closed = true;\n\t\tthis.aborter.abort();',
		replace: 'this.closed = true;',
		tests: FEED,
	},
	{
		mechanism: 'closing ends the socket',
		file: CONNECTION,
		find: 'this.cancelConnectTimeout?.();\n\t\tthis.socket?.close();\n\t}\n\n\tprivate async run',
		replace: 'this.cancelConnectTimeout?.();\n\t}\n\n\tprivate async run',
		tests: FEED,
	},
	{
		mechanism: 'closing ends what the network never took',
		file: 'nodes/VoiceManagementTrigger/feed/socketio/index.ts',
		find: 'network.http.abort();',
		replace: '',
		tests: [SOCKETS, FAULTS, SHARING],
	},
	{
		mechanism: 'closing cancels the timers',
		file: NAMED_TIMERS,
		find: 'for (const cancel of this.cancels.values()) cancel();',
		replace: '',
		tests: FEED,
	},
	// ── joining ─────────────────────────────────────────────────────────────────────────────────────────────
	{
		mechanism: 'a connection counts from before its init on',
		file: CONNECTION,
		find: 'this.handlers.opened(this);\n\t\tif (this.closed) return;',
		replace: 'void Promise.resolve().then(() => this.handlers.opened(this));',
		tests: FEED,
	},
	{
		mechanism: 'the init carries the account type that is set',
		file: 'nodes/VoiceManagementTrigger/feed/initMessage.ts',
		find: 'return [initAccountType, target, idSession];',
		replace: "return ['supervisor', target, idSession];",
		tests: [...FEED, ...TRIGGER],
	},
	{
		mechanism: 'a voice URL with a path is told',
		file: VOICE_URL,
		find: "if (url.pathname !== '/' || url.search",
		replace: 'if (url.search',
		tests: [UNIT],
	},
	{
		mechanism: 'ws:// is told',
		file: VOICE_URL,
		find: "if (scheme === 'ws' || scheme === 'wss') {",
		replace: "if (scheme === 'nothing') {",
		tests: [UNIT],
	},
	{
		mechanism: 'a voice URL without a scheme is told',
		file: VOICE_URL,
		find: 'if (scheme === undefined) {',
		replace: 'if (scheme === "") {',
		tests: [UNIT],
	},
	{
		mechanism: 'a certificate that is not trusted has its own sentence',
		file: 'nodes/shared/networkErrors.ts',
		find: 'if (CERTIFICATE.test(code)) {',
		replace: 'if (code === "" && CERTIFICATE.test(code)) {',
		tests: [UNIT, SOCKETS, FAULTS],
	},
	{
		mechanism: 'a host that does not exist has its own sentence',
		file: 'nodes/shared/networkErrors.ts',
		find: "case 'ENOTFOUND':\n",
		replace: '',
		tests: [UNIT, SOCKETS, FAULTS],
	},
	{
		mechanism: 'a server that is not Socket.IO has its own sentence',
		file: PROBE,
		find: 'if (refusal && !isOverloaded(refusal)',
		replace:
			'if (refusal) return { protocol: 4, path: options.socketPath, transports: ["polling"] };\n\tif (refusal && !isOverloaded(refusal)',
		tests: [UNIT, FAULTS],
	},
	// ── the trigger ─────────────────────────────────────────────────────────────────────────────────────────
	{
		mechanism: 'the list of active triggers',
		...WITHOUT_ACTIVE_TRIGGERS,
		tests: TRIGGER,
	},
	{
		mechanism: 'a replaced instance of the trigger is ended',
		file: ACTIVE_TRIGGERS,
		find: 'predecessorEnded: predecessor ? end(predecessor) : Promise.resolve(),',
		replace: 'predecessorEnded: Promise.resolve(),',
		tests: TRIGGER,
	},
	{
		mechanism: 'closing a replaced instance ends the one that replaced it',
		file: ACTIVE_TRIGGERS,
		find: 'if (current !== instance) await end(current);',
		replace: '',
		tests: TRIGGER,
	},
	{
		mechanism: 'at most so many executions in flight',
		file: QUEUE,
		find: 'if (this.running.size >= this.options.concurrency) return this.lookLater();',
		replace: '',
		tests: EXECUTION,
	},
	{
		mechanism: 'a batch that n8n could not start is tried again',
		file: QUEUE,
		find: 'this.unstarted.splice(place < 0 ? this.unstarted.length : place, 0, batch);',
		replace: 'void place;',
		tests: EXECUTION,
	},
	{
		mechanism: 'one batch at a time is tried while n8n can not start executions',
		file: QUEUE,
		find: 'while (!this.closed && !this.hold && this.mayLeave()) {',
		replace: 'while (!this.closed && this.mayLeave()) {',
		tests: EXECUTION,
	},
	{
		mechanism: 'each try of a batch has the same key',
		file: HAND_OVER,
		find: 'this.context.emit([items], undefined, watched, key);',
		replace: 'this.context.emit([items], undefined, watched);',
		tests: EXECUTION,
	},
	{
		mechanism: 'an execution that was started and stopped is not repeated',
		file: HAND_OVER,
		find: "if (wasStopped(error)) return 'ended';",
		replace: '',
		tests: EXECUTION,
	},
	{
		mechanism: 'an execution that failed is not repeated',
		file: HAND_OVER,
		find: 'if (run) {',
		replace: "if (run?.status !== 'error' && run) {",
		tests: EXECUTION,
	},
	{
		mechanism: 'an execution that n8n never reports after an outage is told',
		file: QUEUE,
		find: 'slot.inDoubt = true;',
		replace: '',
		tests: EXECUTION,
	},
	{
		mechanism: 'one batch at a time is tried after an execution failed outside of its nodes',
		file: QUEUE,
		find: "if (fate === 'unseen' && !this.closed) this.holdBack(slot, UNSEEN_REASON);",
		replace: "if (fate === 'unseen' && this.closed) this.holdBack(slot, UNSEEN_REASON);",
		tests: EXECUTION,
	},
	{
		mechanism: 'a batch whose row nothing will run takes the next key',
		file: HAND_OVER,
		find: 'else if (history.key < MOST_KEYS) {',
		replace: 'else if (history.key < 1) {',
		tests: EXECUTION,
	},
	{
		mechanism: 'engine 2.0 is given executions at a pace',
		file: HAND_OVER,
		find: 'await this.wait(PACE_MS);',
		replace: '',
		tests: EXECUTION,
	},
	{
		mechanism: 'a restart of n8n is a gap',
		file: POSITION,
		find: 'if (restarted) this.before = readSaved(staticData.position);',
		replace: 'if (restarted) this.before = undefined;',
		tests: EXECUTION,
	},
	{
		mechanism: 'an execution that never tells its end frees its place',
		file: QUEUE,
		find: 'if (slot.deadline > now) continue;',
		replace: 'if (slot.deadline > 0) continue;',
		tests: EXECUTION,
	},
	{
		mechanism: 'deactivation hands over what is buffered',
		file: QUEUE,
		find: 'this.probe(this.hold);\n\t\tthis.drain();',
		replace: 'this.probe(this.hold);\n\t\tthis.waiting.clear();',
		tests: EXECUTION,
	},
	{
		mechanism: 'a lasting refusal runs the error workflow once',
		file: PRODUCTION,
		find: "status.event !== 'refused' || !status.first",
		replace: "status.event !== 'refused'",
		tests: TRIGGER,
	},
	{
		mechanism: 'nothing throws when n8n starts',
		file: PRODUCTION,
		find: 'if (watched) throw shown;',
		replace: 'if (this.ended === false) throw shown;',
		tests: TRIGGER,
	},
	{
		mechanism: 'what an event lacks does not match a filter on it',
		file: FILTER,
		find: 'return id !== undefined && texts.has(id);',
		replace: 'return id === undefined || texts.has(id);',
		tests: FILTERS,
	},
	{
		mechanism: 'every criterion counts, not one of them',
		file: FILTER,
		find: 'for (const check of checks) if (!check(event)) return false;\n\t\treturn true;',
		replace: 'return checks.length === 0 || checks.some((check) => check(event));',
		tests: FILTERS,
	},
	{
		mechanism: "a later login's groups count",
		file: FILTER,
		find: 'if (current !== known) {',
		replace: 'if (known === undefined) {',
		tests: FILTERS,
	},
	{
		mechanism: 'statut is status',
		file: FILTER,
		find: '(event) => event.msg.status ?? event.msg.statut',
		replace: '(event) => event.msg.status',
		tests: FILTERS,
	},
	{
		mechanism: 'numbers match whatever their punctuation',
		file: NUMBERS,
		find: "toAscii(subscriber).replace(PUNCTUATION, '')",
		replace: 'toAscii(subscriber)',
		tests: FILTERS,
	},
	{
		mechanism: 'a national number matches an international one',
		file: NUMBERS,
		find: 'if (national.has(number.national)) return true;',
		replace: '',
		tests: FILTERS,
	},
	{
		mechanism: 'a short number matches as it is written only',
		file: NUMBERS,
		find: 'return digits.length >= FEWEST_DIGITS;',
		replace: 'return digits.length > 0;',
		tests: FILTERS,
	},
	{
		mechanism: 'a call that moves to another queue in time is not missed',
		file: CALLS,
		find: 'this.leaving.set(call.id, now + this.options.graceMs);',
		replace: 'this.leaving.set(call.id, now);',
		tests: FILTERS,
	},
	{
		mechanism: 'a call that rings is not answered',
		file: CALLS,
		find: "['ringing', 'ringing'],",
		replace: "['ringing', 'connect'],",
		tests: FILTERS,
	},
	{
		mechanism: 'a call in a queue is not answered by its trunk',
		file: 'nodes/VoiceManagementTrigger/live/callHistory.ts',
		find: 'if (isQueue(place)) this.unanswerTrunk();',
		replace: '',
		tests: FILTERS,
	},
	{
		mechanism: 'a call ends with an event that names no place',
		file: 'nodes/VoiceManagementTrigger/live/callHistory.ts',
		find: 'for (const place of ofKind.length > 0 ? ofKind : open) this.leavePlace(place, at);',
		replace: '',
		tests: FILTERS,
	},
	{
		mechanism: 'a call that the feed lost sight of is partial',
		file: CALLS,
		find: 'call.cut = true;',
		replace: '',
		tests: FILTERS,
	},
	{
		mechanism: 'what comes late makes no new call',
		file: CALLS,
		find: 'if (!callEvent || this.isLate(callId, callEvent)) return outcomes;',
		replace: 'if (!callEvent) return outcomes;',
		tests: FILTERS,
	},
	{
		mechanism: 'so many calls at once and no more',
		file: CALLS,
		find: 'if (this.calls.size > this.options.maxCalls) this.giveUp',
		replace: 'if (this.calls.size < 0) this.giveUp',
		tests: FILTERS,
	},
	{
		mechanism: 'a call without an end leaves after a while',
		file: CALLS,
		find: 'if (call.lastSeen + this.options.maxAgeMs > now) break;',
		replace: 'if (now > 0) break;',
		tests: FILTERS,
	},
	{
		mechanism: 'an answer that overtook its beginning waits for it',
		file: CALLS,
		find: 'this.heldAnswers.set(call.id, now + this.options.reorderMs);',
		replace: 'this.heldAnswers.set(call.id, now);',
		tests: FILTERS,
	},
	{
		mechanism: 'a break of the feed reaches the calls',
		file: SELECTION,
		find: "else if (event !== 'refused') tracker.onBreak();",
		replace: '',
		tests: TRIGGER,
	},
	{
		mechanism: 'an overflow is told',
		file: QUEUE,
		find: 'if (status !== undefined) head.push(status);',
		replace: 'void status;',
		tests: EXECUTION,
	},
	{
		mechanism: 'batches grow while executions are behind',
		file: QUEUE,
		find: 'this.waiting.take(batchSize - head.length)',
		replace: 'this.waiting.take(1)',
		tests: EXECUTION,
	},
	{
		mechanism: 'an incomplete batch leaves after its interval',
		file: QUEUE,
		find: 'else if (!this.hold) this.armInterval();',
		replace: '',
		tests: EXECUTION,
	},
	{
		mechanism: 'a test run ends its connection after the event',
		file: TEST_RUN,
		find: '// Also after an event: nobody sees what comes later.\n\t\t\t\tawait active.close();',
		replace: '',
		tests: TRIGGER,
	},
	{
		mechanism: 'a test run without a match says what did arrive',
		file: TEST_RUN,
		find: 'onEvent: (event) => seen.add(event),',
		replace: 'onEvent: () => {},',
		tests: TRIGGER,
	},
	{
		mechanism: 'a test run passes over a call that it saw half of',
		file: TEST_RUN,
		find: "'item' in entry && entry.item.partial === true",
		replace: 'false',
		tests: TRIGGER,
	},
	{
		mechanism: 'an outage is told once',
		file: 'nodes/VoiceManagementTrigger/outages.ts',
		find: 'if (down || signal.aborted) return;',
		replace: 'if (signal.aborted) return;',
		tests: TRIGGER,
	},
	{
		mechanism: 'a refused login fails the activation',
		file: PRODUCTION,
		find: "if (outcome?.kind === 'refused') {",
		replace: "if (outcome?.kind === 'closed') {",
		tests: TRIGGER,
	},
	{
		mechanism: 'checkout is never sent twice',
		file: 'nodes/VoiceManagement/transport/apiClient.ts',
		find: "request.effect === 'read' && TOO_MANY",
		replace: 'TOO_MANY',
		tests: ['test/unit/VoiceManagement/', 'test/integration/VoiceManagement/'],
	},
	{
		mechanism: 'nothing is bought without the confirmation',
		file: 'nodes/VoiceManagement/resources/cart/checkout.ts',
		find: "if (context.parameter('confirmPurchase') !== true) {",
		replace: "if (context.parameter('confirmPurchase') === null) {",
		tests: ['test/integration/VoiceManagement/checkout.test.ts'],
	},
	{
		mechanism: 'a redirect never carries a login to another host',
		file: 'nodes/shared/requests.ts',
		find: 'target.origin !== from.origin ||',
		replace: '',
		tests: ['test/unit/shared/requests.test.ts'],
	},
	{
		mechanism: 'a redirected checkout is not sent again',
		file: 'nodes/VoiceManagement/transport/apiClient.ts',
		find: "request.effect === 'purchase'\n\t\t\t\t? await send(url)",
		replace: "request.effect === 'login'\n\t\t\t\t? await send(url)",
		tests: ['test/integration/VoiceManagement/checkout.test.ts'],
	},
	{
		mechanism: 'a list ends where the operator repeats a page',
		file: 'nodes/VoiceManagement/transport/paging.ts',
		find: 'const again = fingerprint === this.previous;',
		replace: 'const again = false;',
		tests: ['test/unit/VoiceManagement/paging.test.ts'],
	},
	// ── in a real n8n ───────────────────────────────────────────────────────────────────────────────────────
	{
		mechanism: 're-login',
		file: STATE,
		find: "case 'retry':\n\t\t\treturn isWaiting(state) ? attempt(state) : [state, []];",
		replace: "case 'retry':\n\t\t\treturn [state, []];",
		tests: [],
		acceptance: ['--n8n', '2.41', 'mainJob'],
	},
	{
		mechanism: 'the list of active triggers, when n8n starts a second instance',
		...WITHOUT_ACTIVE_TRIGGERS,
		tests: [],
		acceptance: ['--n8n', '1.123', 'triggerFailures'],
	},
	{
		mechanism: 'the part names of the upload',
		file: 'nodes/VoiceManagement/transport/multipart.ts',
		find: 'form-data; name="${part.name}"',
		replace: 'form-data; name="x-${part.name}"',
		tests: [],
		acceptance: ['--n8n', '2.41', 'allOperations'],
	},
];
