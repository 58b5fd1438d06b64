import { redactedText } from '../../../../nodes/VoiceManagementTrigger/feed/redaction';

it.each(['7', 'abc', 'a "quoted" token'])(
	'the token %s is masked, however short it is',
	(token) => {
		const shown = redactedText(`refused: ${token} ${JSON.stringify({ token })}`, [token]);
		expect(shown).toBe('refused: *** {"token":"***"}');
	},
);

it('an empty secret masks nothing', () => {
	expect(redactedText('refused', [''])).toBe('refused');
});
