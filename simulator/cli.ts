/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// `npm run simulator`: a provider on the command line. A wrong option or a port in use ends it with one sentence and
// exit code 1.

import pc from 'picocolors';
import { readArguments } from './arguments';
import { startProvider, type Provider } from './index';
import { ProviderError, type ProviderOptions } from './options';

function describe(provider: Provider, options: Partial<ProviderOptions>) {
	const { numbers, api, supervisor } = provider.accounts;
	const row = (name: string, value: string) => `  ${name.padEnd(22)} ${value}`;
	return [
		`${pc.bold('Simulated provider')} at ${pc.cyan(provider.url)} (voice host and API host), Socket.IO ${options.socketio}`,
		'',
		row('Number management', `${numbers.login} / ${numbers.password}`),
		row('API account', `${api.login} / ${api.password}, client id ${api.clientId}`),
		row('Supervisor', `${supervisor.login} / ${supervisor.password}`),
		...(provider.caFile ? [row('Authority (PEM)', provider.caFile)] : []),
		row('Console', `${provider.url}/console`),
		row('Control API', `${provider.url}/control`),
		'',
		`Not for production: demo accounts, nothing secret. Traffic: ${options.rate} events per second, seed ${options.seed}. Ctrl-C stops it.`,
	].join('\n');
}

/** One event as one line, to show that the feed is alive. */
function line(args: unknown[], reached: number) {
	const update = args[0] as Record<string, unknown>;
	const inner = (
		typeof update?.event === 'object' && update.event ? update.event : update
	) as Record<string, unknown>;
	const time = new Date().toISOString().slice(11, 23);
	const kind = `${String(inner?.type_notification)} ${String(inner?.event)}`;
	const cpt = update?.cpt === undefined ? '-' : JSON.stringify(update.cpt);
	return `${pc.dim(time)} ${cpt.padStart(6)} ${kind.padEnd(22)} ${pc.dim(`to ${reached}`)} ${JSON.stringify(inner?.msg)}`;
}

async function run() {
	const options = readArguments(process.argv.slice(2));
	if (!options) return;
	const provider = await startProvider(options.provider);
	console.log(describe(provider, options.provider));
	if (options.verbose) provider.onEvent((_name, args, reached) => console.log(line(args, reached)));
	const stop = () => void provider.close().then(() => process.exit(0));
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

run().catch((error: unknown) => {
	// Only a failure of the simulator itself needs a stack trace.
	console.error(error instanceof ProviderError ? error.message : error);
	process.exitCode = 1;
});
