// Stands between us and a program that we start, so that the program never outlives us: when the channel
// to our process closes (we ended, however), or on SIGTERM, it ends the program and everything in its
// process group, first politely, then for good. When the program ends by itself, what it left goes too.
// Plain JavaScript: it has to start in a moment and under any Node.js.
'use strict';

const { spawn } = require('node:child_process');

const [graceText, command = '', ...args] = process.argv.slice(2);
const graceMs = Number(graceText);

const child = spawn(command, args, {
	// A process group of its own: what the program starts belongs to it, we do not.
	detached: true,
	stdio: ['ignore', 'inherit', 'inherit'],
});

/** @param {NodeJS.Signals} signal */
function signalGroup(signal) {
	if (child.pid === undefined) return;
	try {
		process.kill(-child.pid, signal);
	} catch {
		// Nobody is left in the group.
	}
}

let stopping = false;
function stop() {
	if (stopping) return;
	stopping = true;
	signalGroup('SIGTERM');
	setTimeout(() => signalGroup('SIGKILL'), graceMs).unref();
}

child.once('error', (error) => {
	if (process.connected) process.send?.({ error: error.message });
	process.exitCode = 127;
	process.disconnect?.();
});
child.once('exit', (code, signal) => {
	signalGroup('SIGKILL');
	const report = { exit: { code, signal } };
	if (process.send && process.connected) process.send(report, () => process.exit(0));
	else process.exit(0);
});
if (child.pid !== undefined && process.connected) process.send?.({ pid: child.pid });

process.on('disconnect', stop);
process.on('SIGTERM', stop);
// Meant for our parent, which decides what ends and in what order.
process.on('SIGINT', () => {});
process.on('SIGHUP', () => {});
