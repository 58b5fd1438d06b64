/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Information about processes from Linux.
import { readdirSync, readFileSync } from 'node:fs';

/** The ids of a process and all its descendants, parents before their children (Linux only). */
export function familyOf(pid: number): number[] {
	const family = [pid];
	const parents = new Map<number, number>();
	for (const entry of readdirSync('/proc')) {
		if (!/^\d+$/.test(entry)) continue;
		try {
			const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
			// The name before it may contain spaces and parentheses. The state and then the parent's id follow.
			parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
		} catch {
			// It has ended in the meantime.
		}
	}
	for (const ancestor of family) {
		for (const [child, parent] of parents) if (parent === ancestor) family.push(child);
	}
	return family;
}
