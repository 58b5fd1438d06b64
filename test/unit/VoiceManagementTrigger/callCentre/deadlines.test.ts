import fc from 'fast-check';
import {
	Deadlines,
	type Dated,
} from '../../../../nodes/VoiceManagementTrigger/callCentre/deadlines';

it('returns what is due first, whatever was postponed or cancelled before', () => {
	const change = fc.record({
		which: fc.nat({ max: 30 }),
		due: fc.option(fc.nat({ max: 100 }), { nil: undefined }),
	});
	fc.assert(
		fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
			const deadlines = new Deadlines<Dated>();
			const all: Dated[] = Array.from({ length: 31 }, () => ({}));
			const dues = () =>
				all.flatMap(({ due }) => (due === undefined ? [] : [due])).sort((a, b) => a - b);
			for (const [index, { which, due }] of changes.entries()) {
				deadlines.set(all[which] as Dated, due);
				const [first] = dues();
				if (index % 7 === 6 && first !== undefined) {
					expect(deadlines.take(first - 1)).toBeUndefined();
					const taken = deadlines.take(first);
					expect(all).toContain(taken);
					expect(taken?.due).toBeUndefined();
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
