// Two lines: the loss of one is told, one that stopped is replaced, and an operator with one session is left in peace.
import type { IDataObject } from 'n8n-workflow';
import { endOf, type Report } from './judge';
import type { Connection } from './network';
import type { Instance, Process } from './n8n';
import { MINUTE } from './plan';
import type { World } from './simulation';

/** Two connections that were open side by side for so long are two lines, whatever the renewal was about. */
const SURELY_PAIRED_MS = 2 * MINUTE;

function stoodStill({ holds }: Process, from: number, to: number): boolean {
	return holds.some((hold) => hold.from <= to && hold.to >= from);
}

/** The loss of one of two lines is told, once, and nothing else is called so. */
export function judgeLines(
	world: World,
	instance: Instance,
	items: ReadonlyArray<{ json: IDataObject; at: number }>,
	report: Report,
): void {
	const told = items
		.filter(({ json }) => json.event === 'line_lost')
		.map(({ json }) => Math.max(...world.wall.meant(Date.parse(String(json.date)))));
	const { connections } = instance.process;
	const isOpen = (one: Connection, at: number) =>
		one.openedAt !== undefined && one.openedAt < at && (one.endedAt ?? Infinity) > at;
	for (const at of told) {
		if (!world.plan.twoLines || !connections.some((one) => isOpen(one, at - 1))) {
			report('statuses agree', 'the loss of a line is told where there was none', at);
		}
	}
	const { twoLines, operator } = world.plan;
	if (!twoLines || operator.sessions !== 'many' || instance.struggled) return;
	for (const one of connections) {
		const { endedAt = Infinity, endedBy } = one;
		// A process that stood still had no time to find out that both work.
		if (stoodStill(instance.process, endedAt - SURELY_PAIRED_MS, endedAt)) continue;
		if (endedBy === 'client' || endedAt >= endOf(instance)) continue;
		if (endedAt < (instance.upAt as number) || !isOpen(one, endedAt - SURELY_PAIRED_MS)) continue;
		const other = connections.find(
			(line) => line !== one && isOpen(line, endedAt) && isOpen(line, endedAt - SURELY_PAIRED_MS),
		);
		if (other && told.filter((at) => Math.abs(at - endedAt) <= 5).length !== 1) {
			report('statuses agree', `the loss of ${one.name} was not told once`, endedAt);
		}
	}
}
