// The parameters of conditions, snapshots and outcomes: an error names the field and the row.

import { readLiveSettings } from '../../../nodes/VoiceManagementTrigger/liveSettings';

const read = (
	mode: string,
	parameters: Record<string, unknown> = {},
	options: Record<string, unknown> = {},
) => readLiveSettings(mode, (name, fallback) => parameters[name] ?? fallback, options);

const conditions = (...condition: unknown[]) =>
	read('conditions', { conditions: { condition } }).conditions;

const waiting = { when: 'callerWaiting', threshold: 60 };

describe('a condition', () => {
	it.each([[0], [-5], ['soon'], [''], [null], [Number.NaN], [86_401]])(
		'with the threshold %j is rejected with its row',
		(threshold) => {
			expect(() => conditions(waiting, { ...waiting, threshold })).toThrow(
				/^"Threshold" of condition 2 \(Caller Waits Too Long\) must be a number from/,
			);
		},
	);

	it.each([
		['callersWaiting', 2.5, /"Threshold" of condition 1 .* whole number/],
		['agentsAvailableBelow', 0, /"Threshold" of condition 1/],
		['serviceLevelBelow', 101, /"Threshold" of condition 1 .* to 100/],
	])('%s has no threshold of %d', (when, threshold, message) => {
		expect(() => conditions({ when, threshold })).toThrow(message);
	});

	it.each([
		['callersWaiting', { forSeconds: -1 }, /"For \(Seconds\)" of condition 1/],
		['missedCalls', { windowMinutes: 0 }, /"Window \(Minutes\)" of condition 1/],
		[
			'serviceLevelBelow',
			{ answerWithinSeconds: 'x' },
			/"Answer Within \(Seconds\)" of condition 1/,
		],
		['serviceLevelBelow', { minimumCalls: 0.5 }, /"Minimum Calls" of condition 1/],
	])('%s with %j is rejected with the field', (when, fields, message) => {
		expect(() => conditions({ when, threshold: 5, ...fields })).toThrow(message);
	});

	it('ignores fields that do not apply to it, so that equal rows are equal', () => {
		const [one, other] = conditions(waiting, { ...waiting, windowMinutes: -1, minimumCalls: 'x' });
		expect(one).toEqual(other);
	});

	it('of a kind that does not exist is rejected with the kinds that do', () => {
		expect(() => conditions({ when: 'rain', threshold: 1 })).toThrow(/"When" of condition 1/);
	});

	it.each([['60'], [60], [' 60 ']])('reads %j as sixty', (threshold) => {
		expect(conditions({ ...waiting, threshold })[0]?.threshold).toBe(60);
	});

	it.each([[{}], [''], ['{'], [[]], [undefined]])('is missing in %j', (given) => {
		expect(() => read('conditions', { conditions: given })).toThrow('"Conditions" is empty');
	});

	it('can come from an expression as JSON', () => {
		const text = JSON.stringify({ condition: [waiting] });
		expect(read('conditions', { conditions: text }).conditions).toHaveLength(1);
	});
});

describe('snapshots', () => {
	it.each([[0], [3601], ['often']])('cannot be taken every %j seconds', (every) => {
		expect(() => read('snapshots', { every })).toThrow('"Every (Seconds)"');
	});

	it('contain everything if nothing is chosen', () => {
		expect(read('snapshots').snapshotOf).toEqual(['queues', 'agents', 'totals']);
		expect(read('snapshots', { snapshotOf: 'queues, totals' }).snapshotOf).toEqual([
			'queues',
			'totals',
		]);
		expect(() => read('snapshots', { snapshotOf: ['weather'] })).toThrow('"Snapshot Of"');
	});
});

test.each([
	['conditions', 'repeatEvery', -1, 'Repeat Every (Seconds)'],
	['snapshots', 'windowMinutes', 'x', 'Window (Minutes)'],
	['callOutcomes', 'answerWithinSeconds', 0, 'Answer Within (Seconds)'],
	['callOutcomes', 'shortAbandonSeconds', -1, 'Short Abandon (Seconds)'],
	['callOutcomes', 'callerHistoryHours', -1, 'Caller History (Hours)'],
])('with %s, the option %s cannot be %j', (mode, option, value, label) => {
	const parameters = { conditions: { condition: [waiting] } };
	expect(() => read(mode, parameters, { [option]: value })).toThrow(`"${label}"`);
	expect(() => read('events', parameters, { [option]: value })).not.toThrow();
});
