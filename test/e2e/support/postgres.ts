/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A temporary PostgreSQL server on loopback, from the machine's own packages: not the system's service, with its own
// folder, removed afterwards. It can go away and come back with its data, like a server that is restarted.
import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePorts } from '../../../dev/process/ports';
import { GuardedProcess } from '../../../dev/process/guarded';
import { familyOf } from './processes';
import { UserError } from '../../../dev/userError';
import { firstOf, present } from '../../support/present';

const execFileAsync = promisify(execFile);

/** Debian keeps each major version's programs in a folder that is not in the PATH. */
const DEBIAN_ROOT = '/usr/lib/postgresql';
const START_TIMEOUT_MS = 60_000;

function isProgram(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** The folder with `initdb` and `postgres`, the newest first; undefined if there is none. */
function findPostgres(): string | undefined {
	let majors: string[] = [];
	try {
		majors = readdirSync(DEBIAN_ROOT).sort((a, b) => Number(b) - Number(a));
	} catch {
		// Not a Debian with PostgreSQL: the PATH is searched.
	}
	return [
		...majors.map((major) => join(DEBIAN_ROOT, major, 'bin')),
		...(process.env.PATH ?? '').split(':'),
	].find((folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres')));
}

export interface Postgres {
	/** Settings that make n8n use this server. */
	environment: Record<string, string>;
	/** Creates another database; returns its URL. */
	createDatabase(name: string): Promise<string>;
	/** Stops the server: its connections are cut, new ones are refused. */
	leave(): Promise<void>;
	/** Starts it again, on the same port and with the same data. */
	comeBack(): Promise<void>;
	/** Pauses all of its processes without ending them: connections stay open, and get no response. */
	freeze(): void;
	/** Lets paused processes continue. */
	thaw(): void;
	/** Makes every write fail, like a replica or a server without disk space, or accepts writes again. */
	setReadOnly(readOnly: boolean): Promise<void>;
	/**
	 * Cuts every connection to the database and accepts no new ones, like a server with too many clients, or accepts
	 * them again.
	 */
	setAccepting(accepting: boolean): Promise<void>;
	stop(): Promise<void>;
}

/**
 * Starts a server with an empty database.
 * @throws UserError if PostgreSQL is not installed.
 */
export async function startPostgres(logFile: string): Promise<Postgres> {
	const programs = findPostgres();
	if (!programs) {
		throw new UserError(
			'These suites need PostgreSQL, which is not installed: apt-get install -y postgresql',
		);
	}
	// A separate folder, since PostgreSQL's user may not be able to enter the folders of this one.
	const data = mkdtempSync(join(tmpdir(), 'voice-management-postgres-'));
	const run: string[] = [];
	if (process.getuid?.() === 0) {
		// PostgreSQL refuses to run as root, so it runs as the user that Debian's package creates. "setpriv" replaces
		// itself with the program, so that signals reach PostgreSQL itself.
		const [uid, gid] = firstOf(
			await Promise.all(
				['-u', '-g'].map(async (flag) =>
					Number((await execFileAsync('id', [flag, 'postgres'])).stdout),
				),
			),
			2,
		);
		await chown(data, uid, gid);
		run.push('setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups');
	}
	const user = 'n8n';
	const database = 'postgres';
	/** A program of PostgreSQL, run as the same user. */
	const programOf = (name: string, args: string[]) => {
		const [command, ...more] = [...run, join(programs, name), ...args];
		return { command: present(command), args: more };
	};
	const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
	const init = programOf('initdb', [
		`--pgdata=${data}`,
		`--username=${user}`,
		'--auth=trust',
		'--encoding=UTF8',
		'--locale=C',
		'--no-sync',
	]);
	await execFileAsync(init.command, init.args, { cwd: data, env });

	const [port] = await freePorts(1);
	const serve = programOf('postgres', [
		'-D',
		data,
		'-h',
		'127.0.0.1',
		'-p',
		String(port),
		'-k',
		data,
		// This data is not needed after a crash of the machine.
		'-c',
		'fsync=off',
	]);
	const launch = async () => {
		const started = new GuardedProcess({ ...serve, cwd: data, env, logFile, graceMs: 3_000 });
		try {
			await started.waitForLine(/database system is ready to accept connections/, START_TIMEOUT_MS);
		} catch (error) {
			await started.stop();
			throw error;
		}
		return started;
	};
	let server = await launch();
	const signalAll = (signal: NodeJS.Signals) => {
		for (const pid of familyOf(server.pid)) process.kill(pid, signal);
	};
	/** Runs statements in another database than n8n's, whatever the state of that one. */
	const asAdministrator = async (...statements: string[]) => {
		const login = ['-h', '127.0.0.1', '-p', String(port), '-U', user, '-d', 'template1'];
		const { command, args } = programOf('psql', [
			...login,
			...statements.flatMap((statement) => ['-c', statement]),
		]);
		await execFileAsync(command, args, {
			cwd: data,
			env: { ...env, PGOPTIONS: '-c default_transaction_read_only=off' },
		});
	};
	return {
		environment: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: database,
			DB_POSTGRESDB_USER: user,
			DB_POSTGRESDB_PASSWORD: '',
		},
		async createDatabase(name) {
			await asAdministrator(`CREATE DATABASE ${name}`);
			return `postgres://${user}@127.0.0.1:${port}/${name}`;
		},
		async leave() {
			// PostgreSQL's "immediate shutdown": with SIGTERM it would wait until the last client has gone.
			process.kill(server.pid, 'SIGQUIT');
			await server.exited;
		},
		async comeBack() {
			server = await launch();
		},
		freeze: () => signalAll('SIGSTOP'),
		thaw: () => signalAll('SIGCONT'),
		async setReadOnly(readOnly) {
			await asAdministrator(
				`ALTER SYSTEM SET default_transaction_read_only = ${readOnly ? 'on' : 'off'}`,
				'SELECT pg_reload_conf()',
			);
		},
		async setAccepting(accepting) {
			await asAdministrator(
				`ALTER DATABASE ${database} ALLOW_CONNECTIONS ${accepting}`,
				...(accepting
					? []
					: [
							`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
						]),
			);
		},
		async stop() {
			await server.stop();
			rmSync(data, { recursive: true, force: true });
		},
	};
}
