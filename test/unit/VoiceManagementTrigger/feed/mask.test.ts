import { secretsOf } from '../../../../nodes/shared/secrets';
import { Mask } from '../../../../nodes/VoiceManagementTrigger/feed/mask';

const TOKEN = 'a "quoted"/token+0815';

function maskOf(...secrets: string[]): Mask {
	const mask = new Mask();
	mask.addConnection(() => secrets);
	return mask;
}

it.each([
	['as it is', TOKEN],
	['in JSON', JSON.stringify({ token: TOKEN })],
	['in JSON in JSON', JSON.stringify(JSON.stringify({ token: TOKEN }))],
	['in a URL', `https://example.com/?token=${encodeURIComponent(TOKEN)}`],
	['in HTML', 'a &quot;quoted&quot;/token+0815'],
])('a token is masked %s', (_how, text) => {
	const shown = maskOf(TOKEN).text(`refused: ${text}`);
	expect(shown).toContain('***');
	expect(shown).not.toMatch(/quoted|0815/);
});

it.each(['\\(', '\\)', '\\[', '\\', '(', '^-]'])(
	'a long token with %s behind its beginning is masked',
	(sign) => {
		const token = `${'a'.repeat(40)}x${sign}yz`;
		expect(maskOf(token).text(`refused: ${token}`)).toBe('refused: ***');
	},
);

it('a token is masked after its connection was closed, and the password after it was changed', () => {
	const mask = new Mask();
	mask.addConnection(() => ['the-token-before'])();
	mask.addConnection(() => ['the-token-now']);
	mask.addLogin(secretsOf({ login: 'boss', password: 'pass-before' }));
	mask.addLogin(secretsOf({ login: 'boss', password: 'pass-now' }));
	expect(mask.text('the-token-before, the-token-now, pass-before, pass-now')).toBe(
		'***, ***, ***, ***',
	);
});

it('a cookie that a connection gets later is masked', () => {
	const secrets: string[] = [];
	const mask = maskOf();
	mask.addConnection(() => secrets);
	secrets.push('cookie-value');
	expect(mask.text('sid=cookie-value')).toBe('sid=***');
});

it('a secret that was cut before it got here is masked too', () => {
	expect(maskOf('0123456789abcdef').text('no: 0123456789a… (with account_type)')).toBe(
		'no: ***… (with account_type)',
	);
});

it('a secret that crosses the end of what is shown leaves nothing', () => {
	const shown = maskOf('0123456789abcdef').line(`${'x'.repeat(195)}0123456789abcdef`);
	expect(shown).toBe(`${'x'.repeat(195)}***`);
});

it('a secret behind so many blanks that it is cut leaves nothing', () => {
	const mask = maskOf('0123456789abcdef');
	mask.addLogin(secretsOf({ login: 'boss', password: 'horse battery' }));
	for (let length = 1_980; length <= 10_020; length += length === 2_020 ? 7_960 : 1) {
		for (const secret of ['0123456789abcdef', 'horse battery'])
			expect(mask.line(' '.repeat(length) + secret)).not.toMatch(/[0-9h]{3}|horse/);
	}
});

it('the token of a closed connection is masked, however many cookies it had', () => {
	const mask = new Mask();
	const cookies = Array.from({ length: 50 }, (_none, index) => `cookie-${index}`);
	for (const token of ['the-token-before', 'the-token-now'])
		mask.addConnection(() => [token, ...cookies])();
	expect(mask.text('the-token-before, the-token-now')).toBe('***, ***');
});

it.each(['', '7', 'abc'])('%j is too short to be a secret', (token) => {
	expect(maskOf(token).text('refused 7 abc')).toBe('refused 7 abc');
});

it('remembers a bounded number of secrets', () => {
	const mask = new Mask();
	for (let each = 0; each < 1_000; each++) mask.addConnection(() => [`token-${each}-end`])();
	expect(mask.text('token-0-end token-999-end')).toBe('token-0-end ***');
});
