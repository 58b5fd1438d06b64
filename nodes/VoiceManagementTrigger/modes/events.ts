// Trigger On: Events. The feed's events, filtered.

import { compileFilter } from '../events/filter';
import type { Mode, ModeContext } from './mode';

export function selectEvents({ settings, directory, take }: ModeContext): Mode {
	const wanted = compileFilter(settings.filter, directory);
	return {
		onEvent: (event) => {
			if (wanted(event)) take(event);
		},
		onStatus: () => {},
		close: () => {},
	};
}
