/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The options of the command line: parsed, checked in the same way as in the library, and rejected in one sentence.

import { Command, CommanderError, Option } from 'commander';
import { forms } from './forms';
import { complaint, defaultOptions, ProviderError, type ProviderOptions } from './options';

/** The default port is fixed, so that credentials created once keep working. */
const usual = { ...defaultOptions, port: 8080, rate: 1, reviewTime: 10_000 };

/** The settings that take a value. The others of the library are for tests. */
const settings: Array<[name: keyof ProviderOptions, flags: string, text: string]> = [
	['port', '-p, --port <number>', 'port to listen on; 0 = any free port'],
	['host', '--host <address>', 'address to listen on'],
	['socketio', '--socketio <version>', 'version of the Socket.IO server: 4, 2 or 1'],
	['seed', '--seed <number>', 'seed of the traffic: the same seed gives the same traffic'],
	['rate', '--rate <number>', 'events per second; 0 = none'],
	['tokenLifetime', '--token-lifetime <seconds>', 'how long a token is valid'],
	[
		'onExpiry',
		'--on-expiry <what>',
		'what happens to a connection when its token ends: disconnect, silence or nothing',
	],
	[
		'secondLogin',
		'--second-login <what>',
		'what happens to a login while the account is connected: allow or refuse',
	],
	[
		'reviewTime',
		'--review-time <ms>',
		'milliseconds until an address is verified (without a proof: rejected); 0 = only by the control API or the console',
	],
];

/** An option whose value is parsed as the setting's type and checked in the same way as in the library. */
function option([name, flags, text]: (typeof settings)[number]) {
	const made = new Option(flags, text).default(usual[name]);
	return made.argParser((value) => {
		const isNumber = typeof usual[name] === 'number' && /^-?\d+(\.\d+)?$/.test(value);
		const read = isNumber ? Number(value) : value;
		const reason = complaint(name, read, made.long);
		if (reason) throw new ProviderError(reason);
		return read;
	});
}

const listOfForms = () =>
	Object.entries(forms)
		.map(([name, { says }]) => `  ${name.padEnd(23)} ${says}`)
		.join('\n');

export interface CliOptions {
	/** Print each event. */
	verbose: boolean;
	provider: Partial<ProviderOptions>;
}

/**
 * Parses the arguments after the program's name. Prints the help and returns undefined if it was requested. Throws
 * ProviderError.
 */
export function readArguments(args: string[]): CliOptions | undefined {
	const command = new Command('simulator').description(
		'A simulated telephony provider: number management over REST, the notification feed over Socket.IO, and a call center that keeps it busy.',
	);
	for (const setting of settings) command.addOption(option(setting));
	command
		.option('--tls', 'use https, with a certificate of a private authority made by openssl', false)
		.option('--num-events', 'also send num and input events, which are sent on request only', false)
		.option('--single-session', 'a new connection of an account closes its older one', false)
		.addOption(
			new Option('--form <name>', 'a reading of the unseen provider; may be given more than once')
				.default([], 'none')
				.argParser((name, before: string[]) => {
					const reason = complaint('forms', [name], '--form');
					if (reason) throw new ProviderError(`There is no form "${name}". See --help.`);
					return [...before, name];
				}),
		)
		.addHelpText('after', `\nForms:\n${listOfForms()}`)
		.option('-v, --verbose', 'print each event on a line', false)
		.allowExcessArguments(false)
		.exitOverride()
		.configureOutput({ writeErr: () => undefined });
	try {
		const { verbose, form, ...provider } = command.parse(args, { from: 'user' }).opts();
		return { verbose: verbose as boolean, provider: { ...provider, forms: form as string[] } };
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
		// The help was requested and has already been printed.
		if (error.exitCode === 0) return undefined;
		const reason = error.message.replace(/^error: /, '').replace(/\.?$/, '.');
		throw new ProviderError(`${reason.charAt(0).toUpperCase()}${reason.slice(1)} See --help.`);
	}
}
