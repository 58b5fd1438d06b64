// `npm run bounds`: what reading costs n8n at one stretch and in memory, for responses at the bounds and beyond them. Prints
// the table of docs/security.md. A stretch is the CPU time of one turn of the event loop, which a busy machine changes little.
import { randomUUID } from 'node:crypto';

import { collect, pageReader } from '../nodes/VoiceManagement/transport/paging';
import { openSocket } from '../nodes/VoiceManagementTrigger/feed/socketio';
import { readFailure } from '../nodes/shared/failure';
import { readingSupervisorLogin } from '../nodes/shared/loginResponse';
import {
	LOGIN_BYTES,
	LOGIN_VALUES,
	readResponse,
	receive,
	RESPONSE_BYTES,
} from '../nodes/shared/response';
import { secretsOf } from '../nodes/shared/secrets';
import { ADDRESS_IDS } from '../nodes/shared/shapes';
import { inSlices } from '../nodes/shared/slices';
import '../test/integration/feed/bundledClients';
import { megabytes, print, type Row } from './controller/report';
import { median } from './controller/statistics';

const json = JSON.stringify;
const many = <T>(count: number, entry: (at: number) => T) =>
	Array.from({ length: count }, (_none, at) => entry(at));
const object = (count: number, entry: (at: number) => [string, unknown]) =>
	Object.fromEntries(many(count, entry));
const addresses = (count: number, fields: number) => {
	const rest = object(fields, (at) => [`field${at}`, 'some text']);
	return json({ regulationAddresses: many(count, (addressId) => ({ addressId, ...rest })) });
};
const named = (count: number) => json(object(count, (at) => [`k${at}`, {}]));
const login = (ops: unknown[]) => json({ id_session: randomUUID(), target: 7, ops });
const updates = (count: number, event: object) =>
	many(count, (cpt) => `42${json(['update', { ...event, cpt }])}`).join('\x1e');

const secrets = secretsOf({ login: 'jane@example.com', password: 'correct-horse-1' });
const answerOf = (body: Buffer) => ({ statusCode: 200, headers: {}, body });

/** What a node does with the pages of a list, from their bytes on. This operator gives the same page again and again. */
async function readList(body: Buffer): Promise<void> {
	const bounds = { bytes: RESPONSE_BYTES, timeoutMs: 60_000, secrets };
	const service = {
		async tryRequest() {
			const response = readResponse(await receive(answerOf(body), bounds));
			const failure = readFailure(response, { effect: 'read', urlField: 'Base URL' });
			return { response, refusal: failure && { failure, error: new Error(failure.message) } };
		},
		unreadableResponse: (what: string) => new Error(what),
	} as unknown as Parameters<typeof pageReader>[0];
	const shape = { names: ['regulationAddresses'], ids: ADDRESS_IDS };
	await collect(pageReader(service, { path: '', query: {}, shape }), { key: ADDRESS_IDS });
}

async function readLogin(body: Buffer): Promise<void> {
	const bounds = { bytes: LOGIN_BYTES, values: LOGIN_VALUES, timeoutMs: 60_000, secrets };
	await inSlices(readingSupervisorLogin(await receive(answerOf(body), bounds), Date.now()));
}

/** What a client makes of a poll, up to the trigger: after the handshake, before Engine.IO's goodbye. */
async function readPoll(poll: Buffer): Promise<void> {
	const open = '0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000}';
	const polls = [Buffer.from(open), Buffer.from('40{"sid":"b"}'), poll, Buffer.from('1')];
	const send = async ({ method }: { method: string }) =>
		answerOf((method === 'GET' && polls.shift()) || Buffer.from('ok'));
	const url = 'http://voice.example.com';
	const options = {
		url,
		path: '/socket.io/',
		protocol: 4,
		connectTimeoutMs: 60_000,
		send,
	} as const;
	await new Promise<void>((resolve) => {
		const nothing = () => undefined;
		const over = () => resolve();
		openSocket(options, { connect: nothing, event: nothing, disconnect: over, connectError: over });
	});
}

const LISTS: Record<string, () => string> = {
	'5,000 addresses of 40 fields': () => addresses(5_000, 39),
	'the same as JSON in a text': () => json({ data: addresses(5_000, 39) }),
	'160,000 addresses of one field': () => addresses(160_000, 0),
	'490,000 identifiers': () => json(many(490_000, (at) => 10_000_000 + at)),
	'one text of 7.9 MB': () => json({ a: 'x'.repeat(7_900_000) }),
	'9,990 different names of fields': () => named(9_990),
	'499,000 elements of XML': () => `<a>${'<b/>'.repeat(499_000)}</a>`,
	'beyond a bound: 600,000 values': () => json(many(600_000, () => 0)),
	'beyond a bound: 11,000 different names': () => named(11_000),
};
const LOGINS: Record<string, () => string> = {
	'login with 73,000 identifiers': () => login(many(73_000, (id) => ({ id }))),
	'beyond a bound: login with 160,000 values': () => login(many(160_000, () => 0)),
};
const POLLS: Record<string, () => string> = {
	'poll of 9,000 usual events': () => updates(9_000, { text: 'x'.repeat(390) }),
	'poll of 110,000 small events': () => updates(110_000, {}),
	'poll of one event of 1.9 MB': () => updates(1, { text: 'x'.repeat(1_900_000) }),
};

/** CPU time of this thread in milliseconds; of the process where the runtime (Node.js before 24) can't tell. */
function cpuTime(): number {
	const { threadCpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage };
	const { user, system } = threadCpuUsage ? threadCpuUsage.call(process) : process.cpuUsage();
	return (user + system) / 1_000;
}

/** Milliseconds of CPU time between two turns of the event loop, and bytes of heap beyond what there was, at most. */
async function costOf(work: () => Promise<unknown>): Promise<{ stretch: number; memory: number }> {
	let [running, stretch, memory] = [true, 0, 0];
	const before = process.memoryUsage().heapUsed;
	let last = cpuTime();
	const turn = () => {
		stretch = Math.max(stretch, cpuTime() - last);
		memory = Math.max(memory, process.memoryUsage().heapUsed - before);
		last = cpuTime();
		if (running) setImmediate(turn);
	};
	setImmediate(turn);
	await work();
	await new Promise<void>((resolve) => setImmediate(resolve));
	running = false;
	return { stretch, memory };
}

async function main(): Promise<void> {
	const rows: Row[] = [];
	const measure = async (forms: typeof LISTS, read: (body: Buffer) => Promise<void>) => {
		for (const [name, make] of Object.entries(forms)) {
			const body = Buffer.from(make());
			const costs = [];
			// What is beyond its bounds is refused. The first run is the compiler's; the table has the middle one of the others.
			for (let run = 0; run < 6; run++) {
				costs.push(await costOf(async () => await read(body).catch(() => undefined)));
			}
			const stretch = median(costs.slice(1).map((cost) => cost.stretch)).toFixed(0);
			const memory = Math.max(...costs.map((cost) => cost.memory));
			const size = (body.length / 1e6).toFixed(1);
			rows.push({ name, cells: [size, `${stretch} ms`, `${megabytes(memory)} MB`] });
		}
	};
	await measure(LISTS, readList);
	await measure(LOGINS, readLogin);
	await measure(POLLS, readPoll);
	const title = `What came, Node.js ${process.versions.node}`;
	await print({ title, columns: ['MB', 'longest stretch', 'memory'], rows });
}

void main();
