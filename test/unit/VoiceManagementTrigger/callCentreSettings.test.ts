// The parameters of alerts, snapshots and outcomes: an error names the field and the row.

import { readCallCentreSettings } from '../../../nodes/VoiceManagementTrigger/callCentreSettings';

const read = (
	mode: string,
	parameters: Record<string, unknown> = {},
	options: Record<string, unknown> = {},
) => readCallCentreSettings(mode, (name, fallback) => parameters[name] ?? fallback, options);

const alerts = (...alert: unknown[]) => read('alerts', { alerts: { alert } }).alerts;

const waiting = { when: 'callerWaiting', seconds: 60 };

describe('an alert', () => {
	it.each([[0], [-5], ['soon'], [''], [null], [Number.NaN], [86_401]])(
		'after %j seconds is rejected with its row',
		(seconds) => {
			expect(() => alerts(waiting, { ...waiting, seconds })).toThrow(
				/^"Seconds" of alert 2 \(Caller Waits Too Long\) must be a number from/,
			);
		},
	);

	it.each([
		['callersWaiting', { callers: 2.5 }, /"Callers" of alert 1 .* whole number/],
		['agentsAvailableBelow', { agents: 0 }, /"Agents" of alert 1/],
		['missedCalls', { calls: -1 }, /"Calls" of alert 1/],
		['serviceLevelBelow', { percent: 101 }, /"Percent" of alert 1 .* to 100/],
		['callersWaiting', { forSeconds: -1 }, /"For \(Seconds\)" of alert 1/],
		['missedCalls', { windowMinutes: 0 }, /"Window \(Minutes\)" of alert 1/],
		['missedCalls', { windowMinutes: null }, /"Window \(Minutes\)" of alert 1/],
		['serviceLevelBelow', { minimumCalls: 0.5 }, /"Minimum Calls" of alert 1/],
	])('%s with %j is rejected with the field', (when, fields, message) => {
		expect(() => alerts({ when, ...fields })).toThrow(message);
	});

	it.each([
		['callerWaiting', 60, {}],
		['callersWaiting', 5, {}],
		['agentsAvailableBelow', 1, { forSeconds: 30 }],
		['agentOnBreak', 900, {}],
		['agentIdle', 900, {}],
		['agentRinging', 20, {}],
		['callLasting', 1800, {}],
		['missedCalls', 10, { windowMinutes: 60 }],
		['serviceLevelBelow', 80, { windowMinutes: 60, minimumCalls: 10 }],
	])('%s has a default that makes sense for it: %d', (when, threshold, further) => {
		expect(alerts({ when })).toMatchObject([{ when, threshold, ...further }]);
	});

	it('ignores fields that do not apply to it, so that equal rows are equal', () => {
		const [one, other] = alerts(waiting, { ...waiting, windowMinutes: -1, percent: 'x' });
		expect(one).toEqual(other);
	});

	it('of a kind that does not exist is rejected with the kinds that do', () => {
		expect(() => alerts({ when: 'rain' })).toThrow(/"When" of alert 1/);
	});

	it.each([['60'], [60], [' 60 ']])('reads %j as sixty', (seconds) => {
		expect(alerts({ ...waiting, seconds })[0]?.threshold).toBe(60);
	});

	it.each([[{}], [''], ['{'], [[]], [undefined]])('is missing in %j', (given) => {
		expect(() => read('alerts', { alerts: given })).toThrow('"Alerts" is empty');
	});

	it('can come from an expression as JSON', () => {
		const text = JSON.stringify({ alert: [waiting] });
		expect(read('alerts', { alerts: text }).alerts).toHaveLength(1);
	});
});

describe('snapshots', () => {
	it.each([[0], [3601], ['often']])('cannot be taken every %j seconds', (every) => {
		expect(() => read('snapshots', { every })).toThrow('"Every (Seconds)"');
	});

	it.each([
		[0, 'must be a whole number from 1 to 60'],
		[7, 'must divide the hour'],
		[45, 'must divide the hour'],
		[120, 'must be a whole number from 1 to 60'],
		['soon', 'must be a whole number from 1 to 60'],
	])('have no intervals of %j minutes', (intervalMinutes, message) => {
		expect(() => read('snapshots', { snapshotWhen: 'interval', intervalMinutes })).toThrow(
			`"Interval (Minutes)" ${message}`,
		);
	});

	it('contain queues alone, and everything if nothing is chosen', () => {
		expect(read('snapshots').snapshotOf).toEqual(['queues']);
		expect(read('snapshots', { snapshotOf: [] }).snapshotOf).toEqual([
			'queues',
			'agents',
			'totals',
		]);
		expect(read('snapshots', { snapshotOf: 'queues, totals' }).snapshotOf).toEqual([
			'queues',
			'totals',
		]);
		expect(() => read('snapshots', { snapshotOf: ['weather'] })).toThrow('"Snapshot Of"');
	});
});

test.each([
	['alerts', 'repeatEvery', -1, 'Repeat Every (Seconds)'],
	['alerts', 'serviceLevelSeconds', 0, 'Service Level (Seconds)'],
	['alerts', 'serviceLevelFormula', 'mine', 'Service Level Formula'],
	['snapshots', 'windowMinutes', 'x', 'Window (Minutes)'],
	['snapshots', 'serviceLevelTarget', 100, 'Service Level Target (Percent)'],
	['callOutcomes', 'serviceLevelSeconds', 0, 'Service Level (Seconds)'],
	['callOutcomes', 'shortAbandonSeconds', -1, 'Short Abandon (Seconds)'],
	['callOutcomes', 'callerHistoryHours', -1, 'Caller History (Hours)'],
])('with %s, the option %s cannot be %j', (mode, option, value, label) => {
	const parameters = { alerts: { alert: [waiting] } };
	expect(() => read(mode, parameters, { [option]: value })).toThrow(`"${label}"`);
	expect(() => read('events', parameters, { [option]: value })).not.toThrow();
});
