// The modes of the trigger without a feed: what the measured programs have in common.
import { createSelection } from '../../nodes/VoiceManagementTrigger/modes';
import { readSettings } from '../../nodes/VoiceManagementTrigger/panel/settings';
import type { Clock, FeedEvent } from '../../nodes/VoiceManagementTrigger/feed/types';
import { readDirectory } from '../../nodes/shared/directory';
import { eventNumber, sessionInformation, type Traffic } from '../controller/events';

/** What was selected is dropped. */
export function openModes(
	triggers: ReadonlyArray<Record<string, unknown>>,
	traffic: Traffic,
	clock: Clock,
) {
	const directory = readDirectory(sessionInformation(traffic));
	const key = {};
	const selections = triggers.map((parameters) => {
		const settings = readSettings(
			(name, fallback) => parameters[name] ?? fallback,
			() => 'Europe/Paris',
		);
		return createSelection(
			settings,
			() => directory,
			clock,
			() => {},
			{ key },
		);
	});
	type Status = Parameters<(typeof selections)[number]['onStatus']>[0];
	const onStatus = (status: Status) => {
		for (const selection of selections) selection.onStatus(status);
	};
	return {
		onStatus,
		connected: (continuous: boolean | null) =>
			onStatus({
				event: 'connected',
				attempts: 0,
				protocol: 4,
				transport: 'direct',
				continuous,
				at: clock.now(),
			}),
		onEvent(cpt: number) {
			const { ts, event } = eventNumber(cpt, traffic);
			const { type_notification: type, event: name, msg } = event;
			const taken: FeedEvent = {
				type,
				event: name,
				cpt,
				ts,
				msg,
				raw: {},
				receivedAt: clock.now(),
			};
			for (const selection of selections) selection.onEvent(taken);
		},
	};
}
