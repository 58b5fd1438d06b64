// Postgres is away for minutes, with other rates and batch sizes, or does not respond.
import { EACH_ONCE, pause, runDrill, type Drill } from '../drill';
import { startPostgresBench, streamOf, type PostgresBench } from '../postgresBench';

let at: PostgresBench;

beforeAll(async () => {
	at = await startPostgresBench('outage-postgres-long', () => ({}));
});

afterAll(async () => {
	await at?.close();
});

const stopped: Pick<Drill, 'leave' | 'comeBack'> = {
	leave: async () => await at.postgres.leave(),
	comeBack: async () => await at.postgres.comeBack(),
};
const frozen: Pick<Drill, 'leave' | 'comeBack'> = {
	leave: () => at.postgres.freeze(),
	comeBack: () => at.postgres.thaw(),
};

const readOnly: Pick<Drill, 'leave' | 'comeBack'> = {
	leave: async () => await at.postgres.setReadOnly(true),
	comeBack: async () => await at.postgres.setReadOnly(false),
};

const refusing: Pick<Drill, 'leave' | 'comeBack'> = {
	leave: async () => await at.postgres.setAccepting(false),
	comeBack: async () => await at.postgres.setAccepting(true),
};
/** Back for five seconds in between: waiting events are on their way again when the database goes away once more. */
const twice: Pick<Drill, 'leave' | 'comeBack'> = {
	async leave() {
		await at.postgres.leave();
		await pause(10_000);
		await at.postgres.comeBack();
		await pause(5_000);
		await at.postgres.leave();
	},
	comeBack: async () => await at.postgres.comeBack(),
};

const BOTH = [streamOf('insert_call', 10, 1), streamOf('connect_call', 200, 20)];
/** Events that waited for minutes run in few executions, since n8n's speed is not the subject here. */
const LARGE = [streamOf('insert_call', 10, 10), streamOf('connect_call', 200, 100)];

const CASES: Array<{ title: string } & Drill> = [
	{ title: 'Postgres away for 20 s', awayMs: 20_000, ...stopped, streams: BOTH },
	{
		title: 'Postgres away for 20 s',
		awayMs: 20_000,
		...stopped,
		streams: [streamOf('insert_call', 10, 20)],
	},
	{
		title: 'Postgres away for 20 s',
		awayMs: 20_000,
		...stopped,
		streams: [streamOf('insert_call', 200, 1)],
	},
	{ title: 'Postgres silent for 20 s', awayMs: 20_000, ...frozen, streams: BOTH },
	{ title: 'Postgres read-only for 20 s', awayMs: 20_000, ...readOnly, streams: BOTH },
	{ title: 'Postgres refuses connections for 20 s', awayMs: 20_000, ...refusing, streams: BOTH },
	{ title: 'Postgres away twice', awayMs: 20_000, ...twice, streams: BOTH },
	{ title: 'Postgres away for 3 min', awayMs: 180_000, ...stopped, streams: LARGE },
];

test.each(CASES)(
	'$title: each event arrives once',
	async ({ title, ...drill }) => {
		const { accounts } = await runDrill(title, at.site, drill);
		for (const account of accounts) expect(account).toMatchObject(EACH_ONCE);
	},
	1_800_000,
);
