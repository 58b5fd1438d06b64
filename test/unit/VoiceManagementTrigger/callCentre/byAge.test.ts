import fc from 'fast-check';
import { ByAge } from '../../../../nodes/VoiceManagementTrigger/callCentre/byAge';

const change = fc.oneof(
	fc.record({ what: fc.constant('set' as const), key: fc.constantFrom(...'abcdefg') }),
	fc.record({ what: fc.constant('renew' as const), key: fc.constantFrom(...'abcdefg') }),
	fc.record({ what: fc.constant('delete' as const), key: fc.constantFrom(...'abcdefg') }),
	fc.record({ what: fc.constant('trim' as const), most: fc.nat({ max: 5 }) }),
);

it('behaves like a Map whose entries are deleted before they are set', () => {
	fc.assert(
		fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
			const byAge = new ByAge<number>();
			const plain = new Map<string, number>();
			for (const [value, one] of changes.entries()) {
				const oldest = [...plain].at(0);
				switch (one.what) {
					case 'set':
						plain.delete(one.key);
						plain.set(one.key, value);
						byAge.set(one.key, value);
						break;
					case 'renew': {
						const known = plain.get(one.key);
						if (known !== undefined) {
							plain.delete(one.key);
							plain.set(one.key, known);
						}
						expect(byAge.renew(one.key)).toBe(known);
						break;
					}
					case 'delete':
						expect(byAge.delete(one.key)).toBe(plain.delete(one.key));
						break;
					case 'trim': {
						const given = oldest && plain.size > one.most ? oldest : undefined;
						if (given) plain.delete(given[0]);
						const trimmed = byAge.trim(one.most);
						expect(trimmed && [trimmed.key, trimmed.value]).toEqual(given);
						break;
					}
				}
				const held = [...byAge].map(({ key, value: of }) => [key, of]);
				const keys = [...byAge.keys()].sort();
				expect([
					held,
					keys,
					byAge.oldest()?.key,
					byAge.size,
					byAge.get('a'),
					byAge.has('b'),
				]).toEqual([
					[...plain],
					[...plain.keys()].sort(),
					[...plain.keys()].at(0),
					plain.size,
					plain.get('a'),
					plain.has('b'),
				]);
			}
		}),
	);
});

it('may lose the current entry while it is iterated', () => {
	const byAge = new ByAge<number>();
	for (const [value, key] of [...'abcde'].entries()) byAge.set(key, value);
	const met: string[] = [];
	for (const { key } of byAge) {
		met.push(key);
		byAge.delete(key);
	}
	expect(met).toEqual([...'abcde']);
	expect(byAge.size).toBe(0);
});
