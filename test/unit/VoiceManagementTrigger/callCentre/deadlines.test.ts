import fc from 'fast-check';
import {
	Deadlines,
	type Dated,
} from '../../../../nodes/VoiceManagementTrigger/callCentre/deadlines';

it('returns what is due first, whatever was postponed, cancelled or cleared before', () => {
	const change = fc.record({
		which: fc.nat({ max: 30 }),
		due: fc.option(fc.nat({ max: 100 }), { nil: undefined }),
		how: fc.constantFrom('set', 'set', 'set', 'setIfSooner', 'clear'),
	});
	fc.assert(
		fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
			const deadlines = new Deadlines<Dated>();
			const all: Dated[] = Array.from({ length: 31 }, () => ({}));
			const dueOf = new Map<Dated, number>();
			const dues = () => [...dueOf.values()].sort((a, b) => a - b);
			for (const [index, { which, due, how }] of changes.entries()) {
				const one = all[which] as Dated;
				if (how === 'clear' && which === 0) {
					deadlines.clear();
					dueOf.clear();
				} else if (how === 'setIfSooner' && due !== undefined) {
					deadlines.setIfSooner(one, due);
					dueOf.set(one, Math.min(due, dueOf.get(one) ?? Infinity));
				} else {
					deadlines.set(one, due);
					if (due === undefined) dueOf.delete(one);
					else dueOf.set(one, due);
				}
				const [first] = dues();
				if (index % 7 === 6 && first !== undefined) {
					expect(deadlines.take(first - 1)).toBeUndefined();
					const taken = deadlines.take(first) as Dated;
					expect(dueOf.get(taken)).toBe(first);
					dueOf.delete(taken);
					expect(taken.due).toBeUndefined();
				}
			}
			const rest = dues();
			const given: Array<number | undefined> = [];
			for (let next = deadlines.next(); next < Infinity; next = deadlines.next()) {
				given.push(next);
				deadlines.take(next);
			}
			expect(given).toEqual(rest);
		}),
	);
});
