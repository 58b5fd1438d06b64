// The parameters of alerts, snapshots and outcomes: an error names the field and the row.

import { readCallCentreSettings } from '../../../../nodes/VoiceManagementTrigger/panel/callCentreSettings';

const read = (
	mode: string,
	parameters: Record<string, unknown> = {},
	options: Record<string, unknown> = {},
	queueNames?: ReadonlyMap<string, { name: string }>,
) =>
	readCallCentreSettings(
		mode,
		(name, fallback) => parameters[name] ?? fallback,
		options,
		queueNames,
	);

const alerts = (...alert: unknown[]) => read('alerts', { alerts: { alert } }).alerts;

const waiting = { when: 'callerWaiting', waitSeconds: 60 };

describe('an alert', () => {
	it.each([[0], [-5], ['soon'], [''], [[]], [Number.NaN], [86_401]])(
		'after %j seconds is rejected with its row',
		(waitSeconds) => {
			expect(() => alerts(waiting, { ...waiting, waitSeconds })).toThrow(
				/^"Wait \(Seconds\)" of alert 2 \(Caller Waits Too Long\) must be a number from/,
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
		['agentsAvailableBelow', { belowForSeconds: -1 }, /"Below for \(Seconds\)" of alert 1/],
		['serviceLevelBelow', { minimumCalls: 0.5 }, /"Minimum Calls" of alert 1/],
	])('%s with %j is rejected with the field', (when, fields, message) => {
		expect(() => alerts({ when, ...fields })).toThrow(message);
	});

	it.each([
		['callerWaiting', 60, {}],
		['callersWaiting', 5, { hold: 0 }],
		['agentsAvailableBelow', 1, { hold: 30 }],
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

	it.each([['60'], [60], [' 60 ']])('reads %j as sixty', (waitSeconds) => {
		expect(alerts({ ...waiting, waitSeconds })[0]?.threshold).toBe(60);
	});

	it('has queues of its own by ID or name, or groups; a name that nobody gave is refused with its row', () => {
		const names = new Map([
			['51', { name: 'Sales' }],
			['52', { name: 'Support' }],
		]);
		const given = [
			{ ...waiting, queueIds: 'sales, 60', groupIds: ['11'] },
			{ when: 'agentIdle', queueIds: '51', groupIds: ['11', 12] },
		];
		expect(read('alerts', { alerts: { alert: given } }, {}, names).alerts).toMatchObject([
			{ queueIds: ['51', '60'], groupIds: [] },
			{ queueIds: [], groupIds: ['11', '12'] },
		]);
		const wrong = { alerts: { alert: [waiting, { ...waiting, queueIds: 'Marketing' }] } };
		expect(() => read('alerts', wrong, {}, names)).toThrow(
			'"Queue IDs" of alert 2 (Caller Waits Too Long) has the queue Marketing, which "Queue Names" does not have',
		);
	});

	it.each([[{}], [''], ['{'], [[]], [undefined]])('is missing in %j', (given) => {
		expect(() => read('alerts', { alerts: given })).toThrow('"Alerts" is empty');
	});

	it.each<[unknown, string]>([
		[[waiting, 5], 'Row 2 of "Alerts" is no alert'],
		[{ alert: [null] }, 'Row 1 of "Alerts" is no alert'],
		[[{ ...waiting, waitSeconds: null }], '"Wait (Seconds)" of alert 1'],
		[[{ waitSeconds: 60, when: undefined }], '"When" of alert 1'],
	])('is refused in %j, as an expression may make it', (given, says) => {
		expect(() => read('alerts', { alerts: given })).toThrow(says);
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

	it.each([[0], [7], [45], [120], ['soon'], ['hour']])('have no period %j', (period) => {
		for (const snapshotWhen of ['every', 'interval'])
			expect(() => read('snapshots', { snapshotWhen, period })).toThrow('"Period"');
	});

	it('are of the day, or of a quarter of an hour at its end, unless the period is another', () => {
		expect(read('snapshots')).toMatchObject({ every: 30, period: 'day' });
		const atItsEnd = { every: undefined, period: '15' };
		expect(read('snapshots', { snapshotWhen: 'interval' })).toMatchObject(atItsEnd);
		expect(read('snapshots', { period: 60 })).toMatchObject({ period: '60' });
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
	['callOutcomes', 'serviceLevelSeconds', 0, 'Service Level (Seconds)'],
	['callOutcomes', 'shortAbandonSeconds', -1, 'Short Abandon (Seconds)'],
])('with %s, the option %s cannot be %j', (mode, option, value, label) => {
	const parameters = { alerts: { alert: [waiting] } };
	expect(() => read(mode, parameters, { [option]: value })).toThrow(`"${label}"`);
	expect(() => read('events', parameters, { [option]: value })).not.toThrow();
});
