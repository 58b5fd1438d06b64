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
const login = (lists: object) => json({ id_session: randomUUID(), target: 7, ...lists });
const xml = (count: number, entry: (at: number) => string) => many(count, entry).join('');

const LISTS: Record<string, () => string> = {
	'5,000 addresses of 40 fields': () => addresses(5_000, 39),
	'160,000 addresses of one field': () => addresses(160_000, 0),
	'5,000 addresses of 40 fields as JSON in a text': () => json({ data: addresses(5_000, 39) }),
	'160 texts of JSON in one object': () =>
		json(object(160, (at) => [`a${at}Response`, `[${'{"a":1},'.repeat(3_000)}{}]`])),
	'490,000 identifiers': () => json(many(490_000, (at) => 10_000_000 + at)),
	'380,000 identifiers of 18 digits': () => `[${'123456789012345678,'.repeat(380_000)}0]`,
	'one text of 7.9 MB': () => json({ a: 'x'.repeat(7_900_000) }),
	'one text of 1,300,000 escapes': () => `{"a":"${'\\u0041'.repeat(1_300_000)}"}`,
	'9,990 different names': () => named(9_990),
	'499,000 elements of XML': () => `<a>${'<b/>'.repeat(499_000)}</a>`,
	'80,000 addresses in XML': () =>
		`<r><regulationAddresses>${xml(80_000, (at) => `<address><addressId>${at}</addressId></address>`)}</regulationAddresses></r>`,
	'beyond: 600,000 values': () => json(many(600_000, () => 0)),
	'beyond: 11,000 different names': () => named(11_000),
	'beyond: 100,000 levels': () => '['.repeat(100_000),
	'beyond: 12 MB': () => json('x'.repeat(12_000_000)),
};
const LOGINS: Record<string, () => string> = {
	'login with 5,000 agents': () =>
		login({ ops: many(5_000, (id) => ({ id, nom: 'Ada', groups: [1, 2] })) }),
	'login with 73,000 identifiers': () => login({ ops: many(73_000, (id) => ({ id })) }),
	'login with 45,000 agents in XML': () =>
		`<r><id_session>${randomUUID()}</id_session><target>7</target>${xml(45_000, (id) => `<ops id="${id}"/>`)}</r>`,
	'beyond: login with 160,000 values': () => login({ ops: many(160_000, () => 0) }),
	'beyond: login of 2 MB': () => login({ x: 'x'.repeat(2_000_000) }),
};

const updates = (count: number, event: object) =>
	many(count, (cpt) => `42${json(['update', { ...event, cpt }])}`);
const usual = { type: 'CALL', state: 'RINGING', queue: 'Sales', ts: 1_767_225_600 };
const POLLS: Record<string, () => string[]> = {
	'poll of 9,000 usual events': () => updates(9_000, { ...usual, text: 'x'.repeat(330) }),
	'poll of 9,000 usual events with accents': () =>
		updates(9_000, { ...usual, text: 'é'.repeat(160) }),
	'poll of 110,000 small events': () => updates(110_000, {}),
	'poll of 400,000 packets of nothing': () => many(400_000, () => '6'),
	'poll of one event of 1.9 MB': () => updates(1, { text: 'x'.repeat(1_900_000) }),
};

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

function framed(protocol: 2 | 4, packets: string[]): Buffer {
	const withLength = (packet: string) => `${Buffer.byteLength(packet)}:${packet}`;
	return Buffer.from(protocol === 4 ? packets.join('\x1e') : packets.map(withLength).join(''));
}

/** What a client makes of a poll, up to the trigger: after the handshake, before Engine.IO's goodbye. */
const pollReader = (protocol: 2 | 4) => async (poll: Buffer) => {
	const open = '0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000}';
	const [first, second, last] = [open, '40{"sid":"b"}', '1'].map((one) => framed(protocol, [one]));
	const polls = [first, second, poll, last];
	const send = async ({ method }: { method: string }) =>
		answerOf((method === 'GET' && polls.shift()) || Buffer.from('ok'));
	const url = 'http://voice.example.com';
	const options = { url, path: '/socket.io/', protocol, connectTimeoutMs: 60_000, send };
	await new Promise<void>((resolve) => {
		const nothing = () => undefined;
		const over = () => resolve();
		openSocket(options, { connect: nothing, event: nothing, disconnect: over, connectError: over });
	});
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

async function row(name: string, body: Buffer, read: (body: Buffer) => Promise<void>) {
	const costs = [];
	// What is beyond its bounds is refused. The first run is the compiler's; the table has the middle one of the others.
	for (let run = 0; run < 6; run++) {
		costs.push(await costOf(async () => await read(body).catch(() => undefined)));
	}
	const stretch = median(costs.slice(1).map((cost) => cost.stretch)).toFixed(0);
	const [size, memory] = [body.length, Math.max(...costs.map((cost) => cost.memory))];
	process.stdout.write(
		`| ${name} | ${(size / 1e6).toFixed(1)} | ${stretch} ms | ${(memory / 1e6).toFixed(0)} MB |\n`,
	);
}

async function main(): Promise<void> {
	process.stdout.write(`Node.js ${process.versions.node}\n\n`);
	process.stdout.write(
		'| what came | MB | longest stretch | memory |\n| --- | --- | --- | --- |\n',
	);
	for (const [name, make] of Object.entries(LISTS)) await row(name, Buffer.from(make()), readList);
	for (const [name, make] of Object.entries(LOGINS))
		await row(name, Buffer.from(make()), readLogin);
	for (const protocol of [4, 2] as const) {
		for (const [name, make] of Object.entries(POLLS)) {
			const poll = framed(protocol, make());
			await row(`${name}, Socket.IO ${protocol}`, poll, pollReader(protocol));
		}
	}
}

void main();
