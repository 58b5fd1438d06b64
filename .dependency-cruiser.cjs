// The walls of nodes/: which room may use which, and no circles. tools/lint.ts runs this. A room that is not named in
// `to` may not be used; the reason stands with each rule.
const NODES = '^nodes/';
const TRIGGER = '^nodes/VoiceManagementTrigger/';

/**
 * @param {string} name of the rule, with its reason, as the linter shows it
 * @param {string} room a folder or file of the trigger
 * @param {string[]} allowed folders and files of the trigger that it may use besides itself and nodes/shared
 */
const room = (name, room, allowed) => ({
	name,
	severity: 'error',
	from: { path: `${TRIGGER}${room}/` },
	to: {
		path: NODES,
		pathNot: ['^nodes/shared/', ...[room, ...allowed].map((one) => `${TRIGGER}${one}(/|\\.ts$)`)],
	},
});

module.exports = {
	forbidden: [
		{ name: 'no circles', severity: 'error', from: { path: NODES }, to: { circular: true } },
		{
			name: 'no file that nothing uses',
			severity: 'error',
			from: { orphan: true, path: NODES },
			to: {},
		},
		{
			name: 'the simulator is written from the documents, not from the nodes',
			severity: 'error',
			from: { path: '^simulator/' },
			to: { path: NODES },
		},
		{
			name: 'the nodes are written without the simulator',
			severity: 'error',
			from: { path: NODES },
			to: { path: '^simulator/' },
		},
		{
			name: 'shared knows no node: both use it',
			severity: 'error',
			from: { path: '^(nodes/shared|credentials)/' },
			to: { path: NODES, pathNot: '^nodes/shared/' },
		},
		{
			name: 'the action node does without the trigger',
			severity: 'error',
			from: { path: '^nodes/VoiceManagement/' },
			to: { path: TRIGGER },
		},
		{
			name: 'a resource does without the others',
			severity: 'error',
			from: { path: '^nodes/VoiceManagement/resources/([^/]+)/' },
			to: {
				path: '^nodes/VoiceManagement/resources/[^/]+/',
				pathNot: '^nodes/VoiceManagement/resources/$1/',
			},
		},
		// The feed could serve another product. What the provider documents of its events is no part of the trigger.
		room('the feed does without the trigger', 'feed', ['events/kinds']),
		room('the state machine is pure: no connections, events or time', 'feed/state', []),
		room('the merge only knows the life of a connection', 'feed/merge', [
			'feed/(envelope/envelope|fifo|gap|namedTimers|types)',
			'feed/state/types',
		]),
		room('an update is read without the rest of the feed', 'feed/envelope', [
			'feed/(clock|types)',
			'events/kinds',
		]),
		{
			name: 'merge and envelope have one entrance each',
			severity: 'error',
			from: { path: TRIGGER, pathNot: `${TRIGGER}feed/(merge|envelope)/` },
			to: { path: `${TRIGGER}feed/merge/(copies|numbers)` },
		},
		room('an event can be described without anything that follows it', 'events', ['feed']),
		room('calls, agents and figures are folded from events alone', 'callCentre', [
			'events',
			'feed',
		]),
		room('the way into n8n knows entries, not what they are about', 'execution', [
			'events',
			'feed',
			'panel/settings',
			'life/context',
		]),
		room('a mode is what it makes of the feed', 'modes', [
			'callCentre',
			'events',
			'feed',
			'panel/settings',
		]),
		{
			...room('the panel starts nothing', 'panel', ['callCentre', 'events', 'feed/types']),
			// Names for the panel's lists come from a login.
			from: { path: `${TRIGGER}panel/`, pathNot: `${TRIGGER}panel/lists` },
		},
	],
	options: { tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' } },
};
