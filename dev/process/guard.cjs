// Stands between this project and a program that it starts, so that the program never outlives its starter: when the
// channel to the starting process closes (because that ended in any way), or on SIGTERM, it ends the program and
// everything in its process group, first with SIGTERM, then with SIGKILL. If the program ends by itself, the rest of
// its group is ended too. Plain JavaScript, because it has to start quickly under any Node.js.
'use strict';

const { spawn } = require('node:child_process');

const [graceText, command = '', ...args] = process.argv.slice(2);
const graceMs = Number(graceText);

const child = spawn(command, args, {
	// A process group of its own: it contains what the program starts, but not this guard.
	detached: true,
	stdio: ['ignore', 'inherit', 'inherit'],
});

/** @param {NodeJS.Signals} signal */
function signalGroup(signal) {
	if (child.pid === undefined) return;
	try {
		process.kill(-child.pid, signal);
	} catch {
		// The group is empty.
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
// The signal is meant for the parent, which decides what to end in which order.
process.on('SIGINT', () => {});
process.on('SIGHUP', () => {});
