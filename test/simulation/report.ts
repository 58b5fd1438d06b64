// Output for people: a seed as a short story, and the totals of many seeds.
import type { Watermark } from './judgeAlive';
import type { Outcome } from './simulation';
import { moment } from './story';
import { START } from './virtualTime';

export interface Totals {
	seeds: number;
	/** Days of simulated time. */
	days: number;
	events: number;
	items: number;
	faults: number;
	/** Of the signs of life. */
	marks: Watermark;
}

/** How many lines of the story are shown before the first violation, and how many violations. */
const LINES_BEFORE = 30;
const VIOLATIONS = 6;

export function totalsLine(
	{ seeds, days, events, items, faults, marks }: Totals,
	seconds: number,
): string {
	const speed = (days * 24) / seconds;
	const signs =
		marks.signs === 0
			? ''
			: `; ${marks.signs} signs of life: ${marks.lies} s vouched for in which an event was lost (${marks.unknowable} s in which nothing could show it), ${marks.behind} of ${marks.living} behind by more than 30 s`;
	return `${seeds} seeds: ${days.toFixed(1)} days, ${events} events, ${items} items, ${faults} faults in ${seconds.toFixed(1)} s (${speed.toFixed(0)} hours of feed time a second)${signs}`;
}

/** A seed in a few lines. @param whole whether to include everything that happened */
export function seedStory({ plan, violations, story, digest }: Outcome, whole: boolean): string {
	const { provider, network, n8n, workflows } = plan;
	const lines = [
		`── seed ${plan.seed} (${plan.temper}, ${plan.faults.length} faults, ${moment(START + plan.endsAt)} long) ──`,
		`provider: ${shown(provider)}`,
		`network: ${shown(network)}; n8n: ${shown(n8n)}`,
		`silence timeout ${plan.silenceTimeoutMinutes} min, ${plan.twoConnections ? 'two connections' : 'one connection'}`,
		...workflows.map((workflow) => `workflow: ${shown(workflow)}`),
	];
	const [first] = [...violations].sort((a, b) => a.at - b.at);
	const until = first ? story.lines.findIndex(({ at }) => at > first.at) : -1;
	const end = until < 0 ? story.lines.length : until;
	const told = whole ? story.lines : story.lines.slice(Math.max(0, end - LINES_BEFORE), end + 5);
	if (whole || violations.length > 0) {
		if (told.length < story.lines.length) lines.push('…');
		lines.push(...told.map(({ at, text }) => `${moment(at)}  ${text}`));
	}
	for (const { rule, what, at } of violations.slice(0, VIOLATIONS)) {
		lines.push(`BROKEN at ${moment(at)}: ${rule}: ${what}`);
	}
	if (violations.length > VIOLATIONS) lines.push(`… and ${violations.length - VIOLATIONS} more`);
	if (violations.length === 0) lines.push(`Every promise was kept (${digest.slice(0, 12)}).`);
	else lines.push(`Again: npm run simulate -- --seed ${plan.seed} --trace`);
	return lines.join('\n');
}

function shown(value: object): string {
	return Object.entries(value)
		.map(([name, one]) => `${name} ${Array.isArray(one) ? `[${one.join()}]` : String(one)}`)
		.join(', ');
}
