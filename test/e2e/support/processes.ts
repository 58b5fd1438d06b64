// What Linux tells of processes.
import { readdirSync, readFileSync } from 'node:fs';

/** A process and all that descend from it, by id: parents before their children (Linux only). */
export function familyOf(pid: number): number[] {
	const family = [pid];
	const parents = new Map<number, number>();
	for (const entry of readdirSync('/proc')) {
		if (!/^\d+$/.test(entry)) continue;
		try {
			const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
			// The name before it may hold spaces and parentheses. State, then the parent's id.
			parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
		} catch {
			// It has ended meanwhile.
		}
	}
	for (const ancestor of family) {
		for (const [child, parent] of parents) if (parent === ancestor) family.push(child);
	}
	return family;
}
