// The hints for n8n's workflow builder describe what the trigger emits, and are where n8n reads them.
import { VoiceManagement } from '../../../../nodes/VoiceManagement/VoiceManagement.node';
import { EVENT_KINDS } from '../../../../nodes/VoiceManagementTrigger/events/kinds';
import { VoiceManagementTrigger } from '../../../../nodes/VoiceManagementTrigger/VoiceManagementTrigger.node';
import { sampleItems } from '../../../../tools/docs/builderSamples';
import { samplesByFile } from '../../../../tools/docs/samples';

const { description } = new VoiceManagementTrigger();
const contents = description.builderHint?.extraTypeDefContent ?? [];
const contentOf = (mode: string) =>
	contents.find(({ displayOptions }) => displayOptions?.show?.mode?.[0] === mode)?.content ?? '';

test('the samples are those that npm run docs writes', () => {
	expect(contents.map(({ content }) => content)).toEqual(
		Object.values(sampleItems()).map((items) => expect.stringContaining(items)),
	);
});

test.each([
	['callOutcomes', 'call/'],
	['alerts', 'alert/'],
	['snapshots', 'snapshot/'],
	['events', 'queue/'],
	['events', 'operator/'],
	['events', 'feed/'],
])('mode %s names every field of %s items', (mode, kind) => {
	const samples = [...samplesByFile()].filter(([name]) => name.startsWith(kind));
	expect(samples.length).toBeGreaterThan(0);
	for (const field of samples.flatMap(([, sample]) => Object.keys(sample))) {
		expect(contentOf(mode)).toContain(field);
	}
});

// Whether they are so: filters.test.ts, and the tests of each mode.
test.each(['events', 'callOutcomes', 'alerts', 'snapshots'])(
	'mode %s says which filters narrow it, what a name needs, and which option makes a field',
	(mode) => {
		const content = contentOf(mode);
		expect(content).toMatch(/^Filters: /m);
		expect(content).toContain('Field "queue": only with the option queueNames');
		expect(content).toContain('queueIds takes a name only if queueNames has it');
		expect(content).toContain('alive with statusEvery');
	},
);

test('the hint of "events" lists every event', () => {
	const events = description.properties.find(({ name }) => name === 'events');
	for (const { event } of EVENT_KINDS) expect(events?.builderHint?.propertyHint).toContain(event);
});

// n8n 2.41 refuses to load a node with such a hint.
test.each([description, new VoiceManagement().description])(
	'no hint is on a property that distinguishes kinds of nodes: $name',
	({ properties }) => {
		const named = properties.filter(({ name }) => ['mode', 'resource', 'operation'].includes(name));
		expect(named).not.toHaveLength(0);
		for (const { builderHint } of named) expect(builderHint).toBeUndefined();
	},
);

test('a session that an operation returns, valid for two hours, is marked as a secret', () => {
	expect(new VoiceManagement().description.sensitiveOutputFields).toEqual(['id_session', 'url']);
});
