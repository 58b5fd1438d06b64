// `npm run bounds`: what reading costs n8n at one stretch and in memory, for responses at the bounds and beyond them. Prints
// the table of docs/security.md. A stretch is the CPU time of one turn of the event loop, which a busy machine changes little.
import { randomUUID } from 'node:crypto';
import { collect, pageReader } from '../nodes/VoiceManagement/transport/paging';
import { readFailure } from '../nodes/shared/failure';
import {
	LOGIN_BYTES,
	LOGIN_VALUES,
	readResponse,
	receive,
	RESPONSE_BYTES,
} from '../nodes/shared/response';
import { secretsOf } from '../nodes/shared/secrets';
import { readingSupervisorLogin } from '../nodes/shared/loginResponse';
import { ADDRESS_IDS } from '../nodes/shared/shapes';
import { inSlices } from '../nodes/shared/slices';
import '../test/integration/feed/bundledClients';
import { openSocket, type SocketOptions } from '../nodes/VoiceManagementTrigger/feed/socketio';
import { median } from './controller/statistics';

const many = <T>(count: number, entry: (at: number) => T) =>
	Array.from({ length: count }, (_none, at) => entry(at));
const json = (value: unknown) => JSON.stringify(value);
const addresses = (count: number, fields: number) =>
	json({
		regulationAddresses: many(count, (addressId) => ({
			addressId,
			...Object.fromEntries(many(fields, (at) => [`field${at}`, 'some text'])),
		})),
	});
const named = (count: number) => json(Object.fromEntries(many(count, (at) => [`k${at}`, {}])));
const login = (lists: object) => json({ id_session: randomUUID(), target: 7, ...lists });

const LISTS: Record<string, () => string> = {
	'5,000 addresses of 40 fields': () => addresses(5_000, 39),
	'160,000 addresses of one field': () => addresses(160_000, 0),
	'5,000 addresses of 40 fields as JSON in a text': () => json({ data: addresses(5_000, 39) }),
	'160 texts of JSON in one object': () =>
		json(
			Object.fromEntries(many(160, (at) => [`a${at}Response`, `[${'{"a":1},'.repeat(3_000)}{}]`])),
		),
	'490,000 identifiers': () => json(many(490_000, (at) => 10_000_000 + at)),
	'380,000 identifiers of 18 digits': () => `[${'123456789012345678,'.repeat(380_000)}0]`,
	'one text of 7.9 MB': () => json({ a: 'x'.repeat(7_900_000) }),
	'one text of 1,300,000 escapes': () => `{"a":"${'\\u0041'.repeat(1_300_000)}"}`,
	'9,990 different names': () => named(9_990),
	'499,000 elements of XML': () => `<a>${'<b/>'.repeat(499_000)}</a>`,
	'80,000 addresses in XML': () =>
		`<r><regulationAddresses>${many(80_000, (at) => `<address><addressId>${at}</addressId></address>`).join('')}</regulationAddresses></r>`,
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
		`<r><id_session>${randomUUID()}</id_session><target>7</target>${many(45_000, (id) => `<ops id="${id}"/>`).join('')}</r>`,
	'beyond: login with 160,000 values': () => login({ ops: many(160_000, () => 0) }),
	'beyond: login of 2 MB': () => login({ x: 'x'.repeat(2_000_000) }),
};

const updates = (count: number, event: object) =>
	many(count, (cpt) => `42${json(['update', { ...event, cpt }])}`);
const CALL = {
	type: 'CALL',
	state: 'RINGING',
	queue: 'Sales',
	ts: 1_767_225_600,
	text: 'x'.repeat(330),
};
const POLLS: Record<string, () => string[]> = {
	'poll of 9,000 usual events': () => updates(9_000, CALL),
	'poll of 110,000 small events': () => updates(110_000, {}),
	'poll of 400,000 packets of nothing': () => many(400_000, () => '6'),
	'poll of 9,000 usual events with accents': () =>
		updates(9_000, { ...CALL, text: 'é'.repeat(160) }),
	'poll of one event of 1.9 MB': () => updates(1, { text: 'x'.repeat(1_900_000) }),
};

/** CPU time of this thread in milliseconds; of the process where the runtime (Node.js before 24) can't tell. */
function cpuTime(): number {
	const { threadCpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage };
	const { user, system } = threadCpuUsage ? threadCpuUsage.call(process) : process.cpuUsage();
	return (user + system) / 1_000;
}

interface Cost {
	/** Milliseconds of CPU time between two turns of the event loop, at most. */
	stretch: number;
	/** Bytes of heap beyond what there was, at most. */
	memory: number;
}

/** Runs something and looks at each turn of the event loop meanwhile. */
async function costOf(work: () => Promise<unknown>): Promise<Cost> {
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

const secrets = secretsOf({ login: 'jane@example.com', password: 'correct-horse-1' });

/** What a node does with the pages of a list, from their bytes on. The operator here gives the same page again and again. */
async function readList(body: Buffer): Promise<void> {
	const bounds = { bytes: RESPONSE_BYTES, timeoutMs: 60_000, secrets };
	const service = {
		async tryRequest() {
			const response = readResponse(await receive({ statusCode: 200, headers: {}, body }, bounds));
			const failure = readFailure(response, { effect: 'read', urlField: 'Base URL' });
			const error = new Error(failure?.message);
			return { response, refusal: failure && { failure, error } };
		},
		unreadableResponse: (what: string) => new Error(what),
	};
	const shape = { names: ['regulationAddresses'], ids: ADDRESS_IDS };
	const read = pageReader(service as unknown as Parameters<typeof pageReader>[0], {
		path: '',
		query: {},
		shape,
	});
	await collect(read, { key: ADDRESS_IDS });
}

async function readLogin(body: Buffer): Promise<void> {
	const bounds = { bytes: LOGIN_BYTES, values: LOGIN_VALUES, timeoutMs: 60_000, secrets };
	const response = await receive({ statusCode: 200, headers: {}, body }, bounds);
	await inSlices(readingSupervisorLogin(response, Date.now()));
}

/** What a client makes of a poll, up to the trigger. */
async function readPoll(protocol: 2 | 4, poll: Buffer): Promise<void> {
	const open = '0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000}';
	const polls = [
		framed(protocol, [open]),
		framed(protocol, ['40{"sid":"b"}']),
		poll,
		// Engine.IO's goodbye.
		framed(protocol, ['1']),
	];
	const send: SocketOptions['send'] = async ({ method }) => {
		const body = method === 'GET' ? polls.shift() : undefined;
		return await Promise.resolve({ statusCode: 200, headers: {}, body: body ?? Buffer.from('ok') });
	};
	await new Promise<void>((resolve) => {
		const handlers = {
			connect: () => undefined,
			event: () => undefined,
			disconnect: () => resolve(),
			connectError: () => resolve(),
		};
		openSocket(
			{
				url: 'http://voice.example.com',
				path: '/socket.io/',
				protocol,
				connectTimeoutMs: 60_000,
				send,
			},
			handlers,
		);
	});
}

function framed(protocol: 2 | 4, packets: string[]): Buffer {
	return Buffer.from(
		protocol === 4
			? packets.join('\x1e')
			: packets.map((packet) => `${Buffer.byteLength(packet)}:${packet}`).join(''),
	);
}

async function main(): Promise<void> {
	process.stdout.write(
		`Node.js ${process.versions.node}\n\n| what came | MB | longest stretch | memory |\n| --- | --- | --- | --- |\n`,
	);
	const polls = ([4, 2] as const).flatMap((protocol) =>
		Object.entries(POLLS).map(
			([name, make]) =>
				[
					`${name}, Socket.IO ${protocol}`,
					() => framed(protocol, make()),
					async (body: Buffer) => await readPoll(protocol, body),
				] as const,
		),
	);
	const all = [
		...Object.entries(LISTS).map((entry) => [...entry, readList] as const),
		...Object.entries(LOGINS).map((entry) => [...entry, readLogin] as const),
		...polls,
	];
	for (const [name, make, read] of all) {
		const body = Buffer.from(make());
		const costs: Cost[] = [];
		// Beyond its bounds it is refused. The first run is the compiler's; of the others the middle one is told.
		for (let run = 0; run < 6; run++)
			costs.push(await costOf(async () => await read(body).catch(() => undefined)));
		const stretch = median(costs.slice(1).map((cost) => cost.stretch));
		const memory = Math.max(...costs.map((cost) => cost.memory));
		process.stdout.write(
			`| ${name} | ${(body.length / 1e6).toFixed(1)} | ${stretch.toFixed(0)} ms | ${(memory / 1e6).toFixed(0)} MB |\n`,
		);
	}
}

void main();
