// A log of what happened, for people: recorded while a seed runs, shown if the seed fails or with --trace.
import { START, type Timeline } from './virtualTime';

export class Story {
	readonly lines: Array<{ at: number; text: string }> = [];

	constructor(private readonly timeline: Timeline) {}

	tell(text: string): void {
		this.lines.push({ at: this.timeline.now, text });
	}
}

/** A time as `1:02:03.456` since the beginning. */
export function moment(at: number): string {
	const ms = Math.max(0, Math.round(at - START));
	const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
	const seconds = `${two((ms / 1_000) % 60)}.${String(ms % 1_000).padStart(3, '0')}`;
	return `${Math.floor(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${seconds}`;
}
