// Trigger On: Alerts. One item for each alert that starts, and more as the settings say.

import { alertItem } from '../callCentre/alertItem';
import { Alerts } from '../callCentre/alerts';
import { shareCentre } from '../callCentre/sharedState';
import { namingOf, type Mode, type ModeContext } from './mode';

export function watchAlerts(context: ModeContext): Mode {
	const { settings, clock, take, gaveUp } = context;
	const { filter, callCentre } = settings;
	const naming = namingOf(context);
	/** From when the feed opens: what lasts by then is reported at its moment too. */
	let alerts: Alerts | undefined;
	const share = shareCentre(
		context,
		(changes, now) => alerts?.take(changes, now),
		() => alerts?.nextDue() ?? Infinity,
	);
	return {
		...share,
		onStatus: (status) => {
			share.onStatus(status);
			if (status.event !== 'connected') return;
			alerts ??= new Alerts(
				{ ...callCentre, filter },
				share.centre,
				share.directory,
				clock.now(),
				(change) => take({ item: alertItem(change, naming) }),
				gaveUp,
			);
			share.passTime();
		},
	};
}
