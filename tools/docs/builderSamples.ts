// The output of each mode of the trigger, for n8n's workflow builder: samples on one line each, since a model reads
// them.

import { QUEUE_FIGURES } from '../../nodes/VoiceManagementTrigger/callCentre/figures';
import { SAMPLED_KINDS } from './eventSamples';
import {
	alertSamples,
	fullOutcomeSample,
	outcomeSamples,
	rareOutcomeSamples,
	simplifiedSample,
	snapshotSamples,
	statusSamples,
	type Json,
} from './samples';

const fieldsOf = (items: readonly Json[]) => [...new Set(items.flatMap(Object.keys))];

/** One sample, and the additional fields that other samples of its mode have. */
function shown(sample: Json, others: readonly Json[]): string {
	const further = fieldsOf(others).filter((field) => !(field in sample));
	return [
		JSON.stringify(sample),
		...(further.length > 0 ? [`Other items of this mode also have: ${further.join(', ')}`] : []),
	].join('\n');
}

/** By mode. */
export function sampleItems(): Record<string, string> {
	const connect = SAMPLED_KINDS.find(
		({ type, event }) => type === 'queue' && event === 'connect_call',
	);
	if (!connect) throw new Error('the sample that most workflows begin with is missing');
	const [alert, ...alerts] = alertSamples();
	const snapshots = snapshotSamples();
	const furtherFigures = QUEUE_FIGURES.filter(
		({ field, optional }) => optional && !snapshots.some((item) => field in item),
	).map(({ field, definition }) => `Queues and totals may also have ${field}: ${definition}`);
	return {
		events: shown(simplifiedSample(connect, true), [
			...SAMPLED_KINDS.map((kind) => simplifiedSample(kind, true)),
			...statusSamples(),
		]),
		callOutcomes: shown(fullOutcomeSample(), [...outcomeSamples(), ...rareOutcomeSamples()]),
		alerts: shown(alert ?? {}, alerts),
		snapshots: [...snapshots.map((item) => JSON.stringify(item)), ...furtherFigures].join('\n'),
	};
}

/** The module that the trigger's description takes them from. */
export function builderSamples(): string {
	return [
		'// Written by `npm run docs` from the code that makes the items.',
		'',
		'/** Items of each mode, one line each. */',
		`export const SAMPLE_ITEMS = ${JSON.stringify(sampleItems())} as const;`,
		'',
	].join('\n');
}
