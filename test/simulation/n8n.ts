// A simulated n8n: processes that run the real trigger, the database that executions depend on, and the items that the
// workflows received. Each engine hands over executions in its own way (the trigger's execution/starters document
// what was found out about them).
import type {
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	IRun,
	ITriggerFunctions,
	ITriggerResponse,
} from 'n8n-workflow';
import { VoiceManagementApi } from '../../credentials/VoiceManagementApi.credentials';
import { VoiceManagementSupervisorApi } from '../../credentials/VoiceManagementSupervisorApi.credentials';
import { Random } from '../../simulator/traffic/random';
import { createDeferredPromise } from '../support/n8n';
import type { Connection, Host } from './network';
import { FIRST_PASSWORD, type Provider } from './provider';
import { ALERT_SECONDS, INTERVAL_MINUTES, type Plan, type WorkflowPlan } from './plan';
import type { Story } from './story';
import { subject } from './subject';
import { ProcessClock, type Timeline, type WallClock } from './virtualTime';

const {
	CREDENTIAL_OF_FEED,
	feedOptions,
	httpOf,
	provideDependencies,
	readSettings,
	startProduction,
} = subject;

type Activation = 'init' | 'activate' | 'update' | 'leadershipChange';

/** One item that reached a workflow. */
export interface Delivery {
	/** When `emit` was called with it, and its position among all items. */
	at: number;
	order: number;
	json: IDataObject;
	instance: Instance;
	/** Whether n8n ran it. It did not if the database was away, or if the worker that was to run it died. */
	ran: boolean;
	/** Its execution was reported to have failed without having run a node (queue mode). */
	died: boolean;
	/** The key of its batch, for one execution (2.41). */
	key?: string;
}

/** One run of `trigger()`. */
export interface Instance {
	workflow: WorkflowPlan;
	process: Process;
	activation: Activation;
	startedAt: number;
	/** When the password that it starts with was saved; 0 for the first one. */
	readonly passwordSince: number;
	/** When `trigger()` returned. */
	upAt?: number;
	closingAt?: number;
	closedAt?: number;
	failure?: unknown;
	close?: () => Promise<void>;
	/** Events that were given up according to the instance's log, on closing or because too many were waiting. */
	givenUp: number;
	/** Whether some of them, or reports of the feed, were given up on closing. */
	discards: boolean;
	/** The executions that reported their end. */
	executions: Array<{ from: number; to: number; items: number }>;
	/** Whether n8n could not read the settings of the trigger when it started. */
	struggled: boolean;
	/** Whether there was a position saved by an earlier process when it started. */
	hadPosition: boolean;
	/** The times at which it checked n8n's database and found it away. */
	foundAwayAt: number[];
}

let hosts = 0;

export class Process implements Host {
	readonly name: string;

	readonly clock: ProcessClock;

	readonly libraryClock: ProcessClock;

	readonly random: Random;

	readonly instances: Instance[] = [];

	readonly connections: Connection[] = [];

	readonly startedAt: number;

	/**
	 * A host name that only this process uses: what is remembered for a host in memory must not outlive the process.
	 */
	readonly host = `voice-${++hosts}.example.com`;

	endedAt?: number;

	/** Whether it was killed; otherwise it stopped by itself. */
	killed = false;

	constructor(
		readonly number: number,
		private readonly timeline: Timeline,
		wall: WallClock,
		seed: number,
	) {
		this.name = `n8n ${number}`;
		this.clock = new ProcessClock(timeline, wall);
		this.libraryClock = new ProcessClock(timeline, wall);
		this.random = new Random(seed + number * 7_919);
		this.startedAt = timeline.now;
	}

	get dead(): boolean {
		return this.endedAt !== undefined;
	}

	/** The times in which it was paused. */
	readonly holds: Array<{ from: number; to: number; asleep: boolean }> = [];

	hold(ms: number, asleep: boolean): void {
		const { now } = this.timeline;
		this.holds.push({ from: now, to: now + ms, asleep });
		this.clock.hold(ms, asleep);
		this.libraryClock.hold(ms, asleep);
	}

	/** Open connections and those being opened. */
	get sockets(): number {
		return this.connections.filter(({ endedAt }) => endedAt === undefined).length;
	}
}

/** What n8n remembers about the key of an execution. */
type Row = 'ran' | 'dead' | 'reclaimable';

/** The longest time that n8n waits for its database before it rejects. */
export const REJECTS_WITHIN_MS = 20_000;
/** The death of a worker is reported within this time. */
export const DEATH_TOLD_WITHIN_MS = 3_000;

/** How long a read of the database takes at most to find out that nobody answers. */
const FOUND_AWAY_WITHIN_MS = 3_000;
/** How long a process that is being stopped waits for its executions. */
const LAST_EXECUTIONS_MS = 2_000;

export class N8n {
	process: Process;

	readonly processes: Process[] = [];

	readonly deliveries: Delivery[] = [];

	/** In the credential of all workflows. */
	private password = FIRST_PASSWORD;

	/** When a person changed the credential. */
	readonly credentialSaves: number[] = [];

	/** For each fault that is going on, when it ends. */
	readonly until = { databaseAway: 0, rejects: 0, slow: 0, neverReports: 0, workersDie: 0 };

	/** The share of executions whose worker dies, while that fault lasts. */
	private dying = 0;

	/** Intervals in which n8n could not be relied on to start an execution. */
	readonly troubles: Array<{ from: number; to: number }> = [];

	/**
	 * Intervals in which it could not read a credential for a login: its database was away, or a read that began then had
	 * not failed yet.
	 */
	readonly databaseAway: Array<{ from: number; to: number }> = [];

	private readonly rows = new Map<string, Row>();

	private readonly saved = new Map<string, string>();

	private readonly random: Random;

	private order = 0;

	constructor(
		private readonly plan: Plan,
		private readonly provider: Provider,
		private readonly timeline: Timeline,
		private readonly wall: WallClock,
		private readonly story: Story,
		private readonly seed: number,
	) {
		this.random = new Random(seed);
		this.process = this.boot();
	}

	// ── processes ───────────────────────────────────────────────────────────────────────────────────────────

	/** A new process, without workflows yet. */
	boot(): Process {
		const process = new Process(this.processes.length + 1, this.timeline, this.wall, this.seed);
		this.processes.push(process);
		this.process = process;
		provideDependencies({
			clock: process.clock,
			openSocket: (options, handlers) => {
				const connection = this.provider.connect(process, options, handlers);
				process.connections.push(connection);
				return connection.socket;
			},
			endpoints: new Map(),
			behindN8n: new Set(),
			random: () => process.random.next(),
		});
		return process;
	}

	/** The process ends from one moment to the next. */
	kill(silently: boolean): void {
		const { process } = this;
		if (process.dead) return;
		process.killed = true;
		this.timeline.stirred = true;
		this.end(process, silently);
	}

	/** n8n stops: it closes its triggers, and then the process ends. */
	async stop(): Promise<void> {
		const { process } = this;
		this.timeline.stirred = true;
		if (process.dead) return;
		await Promise.all(process.instances.map(async (instance) => await this.close(instance)));
		// Executions that have begun may continue for a while.
		await new Promise<void>((resolve) => {
			process.clock.after(LAST_EXECUTIONS_MS, resolve);
		});
		if (!process.dead) this.end(process, false);
	}

	private end(process: Process, silently: boolean): void {
		process.endedAt = this.timeline.now;
		for (const connection of process.connections) {
			if (connection.endedAt === undefined) connection.abandoned(silently);
		}
		// The triggers of a dead process have no effect any more; they are closed so that they do not stay in memory.
		for (const { close } of process.instances) close?.().catch(() => {});
	}

	// ── workflows ───────────────────────────────────────────────────────────────────────────────────────────

	/** Calls `trigger()` and stores an exception as `failure`. */
	async start(workflow: WorkflowPlan, activation: Activation): Promise<Instance> {
		const { process } = this;
		this.timeline.stirred = true;
		const staticData = this.staticDataOf(workflow);
		const instance: Instance = {
			workflow,
			process,
			activation,
			startedAt: this.timeline.now,
			passwordSince: this.credentialSaves.at(-1) ?? 0,
			givenUp: 0,
			discards: false,
			executions: [],
			struggled: false,
			hadPosition: staticData.position !== undefined,
			foundAwayAt: [],
		};
		for (const other of process.instances) {
			if (other.workflow === workflow) other.closingAt ??= this.timeline.now;
		}
		process.instances.push(instance);
		this.story.tell(`${workflow.id} starts in ${process.name} (${activation})`);
		const context = this.contextOf(instance, staticData);
		try {
			const response = await start(context, this.plan, workflow, process);
			instance.upAt = this.timeline.now;
			instance.close = async () => await response.closeFunction?.();
			if (process.dead) await instance.close();
		} catch (error) {
			instance.failure = error;
			instance.closingAt = instance.startedAt;
			instance.closedAt = this.timeline.now;
			this.story.tell(`${workflow.id} could not be activated: ${String(error)}`);
		}
		return instance;
	}

	async close(instance: Instance): Promise<void> {
		if (!instance.close || instance.closedAt !== undefined) return;
		instance.closingAt ??= this.timeline.now;
		this.timeline.stirred = true;
		this.story.tell(`${instance.workflow.id} is closed`);
		await instance.close();
		instance.closedAt = this.timeline.now;
	}

	/** Instances that n8n has not closed. */
	get running(): Instance[] {
		return this.process.instances.filter(
			({ closingAt, failure }) => closingAt === undefined && failure === undefined,
		);
	}

	private staticDataOf({ id }: WorkflowPlan): IDataObject {
		return JSON.parse(this.saved.get(id) ?? '{}') as IDataObject;
	}

	private contextOf(instance: Instance, staticData: IDataObject): ITriggerFunctions {
		const { workflow, process } = instance;
		const { plan } = this;
		const log = (level: string) => (message: string) => {
			if (process.dead) return;
			const [, count, how] = /(\d+) events were (discarded|dropped)/.exec(message) ?? [];
			instance.givenUp += Number(count ?? 0);
			instance.discards ||= how === 'discarded';
			if (message.includes("can't start, will try again")) instance.struggled = true;
			if (level !== 'debug') {
				this.story.tell(
					`${workflow.id} ${level}: ${message.replace(/^.*?": /, '').replaceAll(process.host, 'the provider')}`,
				);
			}
		};
		const parameters = parametersOf(plan, workflow);
		const credentials = () => credentialsOf(process, plan, this.password);
		const functions = {
			logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
			getNode: () => ({ id: 'node', name: 'Trigger', parameters }),
			// An id that only this process uses, since the triggers of killed processes are still in memory.
			getWorkflow: () => ({ id: `${process.host}.${workflow.id}`, name: workflow.id }),
			getWorkflowSettings: () => ({
				...(plan.n8n.release === 'engine 2.0' ? { engineType: 'v2' } : {}),
			}),
			getWorkflowStaticData: () => staticData,
			getActivationMode: () => instance.activation,
			getNodeParameter: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
			getCredentials: async (type: string) => {
				await this.readDatabase(instance);
				return credentials()[type];
			},
			saveFailedExecution: () => {},
			helpers: {
				createDeferredPromise,
				httpRequest: async (request: IHttpRequestOptions) =>
					await this.provider.request(process, request),
				httpRequestWithAuthentication: async (type: string, request: IHttpRequestOptions) => {
					// n8n reads the credential for each request.
					const askedAt = this.timeline.now;
					await this.readDatabase(instance).catch((error: unknown) => {
						this.provider.breaksOff(process, askedAt);
						throw error;
					});
					return await this.provider.request(
						process,
						await (CREDENTIAL_TYPES[type] as Authenticating).authenticate(
							credentials()[type] as never,
							request,
						),
					);
				},
			},
			emit: (
				data: INodeExecutionData[][],
				response: Done | undefined,
				done: Done | undefined,
				key: string | undefined,
			) => this.emit(instance, data[0] ?? [], response, done, key, staticData),
			emitError: () => {
				throw new Error('the trigger used emitError');
			},
		};
		return functions as unknown as ITriggerFunctions;
	}

	// ── the database ────────────────────────────────────────────────────────────────────────────────────────

	private get isAway(): boolean {
		return this.timeline.now < this.until.databaseAway;
	}

	/** Whether a rejected start left a row that nothing will run. */
	isDeadRow(key: string | undefined): boolean {
		return key !== undefined && this.rows.get(key) === 'dead';
	}

	private findsAway({ foundAwayAt }: Instance): boolean {
		if (this.isAway) foundAwayAt.push(this.timeline.now);
		return this.isAway;
	}

	/** Takes no time, except to find out that nobody answers. */
	private async readDatabase(instance: Instance): Promise<void> {
		if (!this.findsAway(instance)) return;
		await new Promise<void>((_resolve, reject) => {
			this.timeline.after(this.random.integer(1, FOUND_AWAY_WITHIN_MS), () =>
				instance.process.clock.enter(() => {
					this.findsAway(instance);
					reject(new Error('Connection terminated unexpectedly'));
				}),
			);
		});
	}

	saveCredential(password: string): void {
		this.password = password;
		this.credentialSaves.push(this.timeline.now);
	}

	databaseGoesAway(forMs: number): void {
		const { now } = this.timeline;
		this.until.databaseAway = Math.max(this.until.databaseAway, now + forMs);
		this.databaseAway.push({ from: now, to: now + forMs + FOUND_AWAY_WITHIN_MS });
		this.troubles.push({ from: now, to: now + forMs });
	}

	rejects(forMs: number): void {
		const { now } = this.timeline;
		this.until.rejects = Math.max(this.until.rejects, now + forMs);
		this.troubles.push({ from: now, to: now + forMs });
	}

	/** @param share the share of executions whose worker dies */
	workersDie(forMs: number, share: number): void {
		this.until.workersDie = Math.max(this.until.workersDie, this.timeline.now + forMs);
		this.dying = share;
	}

	private emit(
		instance: Instance,
		items: INodeExecutionData[],
		response: Done | undefined,
		done: Done | undefined,
		key: string | undefined,
		staticData: IDataObject,
	): void {
		const { process } = instance;
		if (process.dead) return;
		const given = items.map(({ json }): Delivery => {
			const order = this.order++;
			const at = this.timeline.now;
			const delivery = { at, order, json, instance, ran: false, died: false, key };
			this.deliveries.push(delivery);
			return delivery;
		});
		const data = JSON.stringify(staticData);
		const { now: from } = this.timeline;
		const begins = () => {
			const dies = done !== undefined && this.workerDies();
			for (const delivery of given) {
				delivery.ran = !dies;
				delivery.died = dies;
			}
			this.saved.set(instance.workflow.id, data);
			return {
				dies,
				ended: () => instance.executions.push({ from, to: this.timeline.now, items: items.length }),
			};
		};
		if (this.plan.n8n.release !== 'engine 2.0') {
			this.emitWithAnswer(process, response as Done, done as Done, key as string, begins);
			return;
		}
		if (done) throw new Error('Engine 2.0 cannot run a trigger that waits for its execution');
		this.timeline.after(this.plan.n8n.startMs, () => {
			if (!this.isAway && !process.dead) begins();
		});
	}

	/** n8n 2.41: rejects what it could not start, and starts one execution per key. */
	private emitWithAnswer(
		process: Process,
		response: Done,
		{ resolve, reject }: Done,
		key: string,
		begins: Begins,
	): void {
		const { timeline, random, rows } = this;
		const settle = (settling: () => void) => process.clock.enter(settling);
		const rejectSoon = () => {
			const row = random.next();
			if (rows.get(key) !== 'ran') {
				if (row < 0.15) rows.set(key, 'dead');
				else if (row < 0.3) rows.set(key, 'reclaimable');
			}
			timeline.after(random.integer(1, this.isAway ? REJECTS_WITHIN_MS : 50), () =>
				settle(() => reject(new Error('Connection terminated unexpectedly'))),
			);
		};
		const rejected = timeline.now < this.until.rejects && random.chance(0.5);
		if (this.isAway || rejected) {
			rejectSoon();
			return;
		}
		timeline.after(this.plan.n8n.startMs, () => {
			if (process.dead) return;
			if (this.isAway) {
				rejectSoon();
				return;
			}
			const row = rows.get(key);
			if (row === 'ran' || row === 'dead') {
				settle(() => resolve(undefined));
				return;
			}
			rows.set(key, 'ran');
			const { dies, ended } = begins();
			this.ends(
				dies,
				(run, error) => {
					ended();
					settle(() => (error ? reject(error) : resolve(run)));
				},
				(data) => settle(() => response.resolve(data)),
			);
		});
	}

	/** Whether the worker that gets the execution dies (queue mode). */
	private workerDies(): boolean {
		return (
			this.plan.n8n.workers &&
			this.timeline.now < this.until.workersDie &&
			this.random.chance(this.dying)
		);
	}

	/** @param respond what n8n does when the last node has run, if that was on a worker */
	private ends(
		dies: boolean,
		settle: (run: IRun | undefined, error?: Error) => void,
		respond: (data: object) => void,
	): void {
		const { timeline, random } = this;
		const { now } = timeline;
		if (dies) {
			// Without the job id that every other execution in queue mode has.
			const data = { resultData: { runData: {} } };
			const run = { status: random.pick(['error', 'crashed']), finished: false, data };
			timeline.after(random.integer(1, DEATH_TOLD_WITHIN_MS), () => settle(run as unknown as IRun));
			return;
		}
		const { workers } = this.plan.n8n;
		const isLost = now < this.until.neverReports && random.chance(0.5);
		if (isLost && !workers) return;
		const slow = now < this.until.slow ? 20_000 : 0;
		timeline.after(1 + random.exponential(this.plan.n8n.runMs) + random.next() * slow, () => {
			const ended = random.next();
			if (workers && ended >= 0.05) respond({});
			if (isLost) return;
			if (ended < 0.01) settle(undefined, new ExecutionCancelledError('stopped by a person'));
			else {
				const status = ended < 0.05 ? 'error' : 'success';
				const data = { resultData: { runData: { Trigger: [] } } };
				const job = workers ? { jobId: '1' } : {};
				settle({ status, finished: ended >= 0.05, data, ...job } as unknown as IRun);
			}
		});
	}
}

interface Done {
	resolve: (value: unknown) => void;
	reject: (error: Error) => void;
}

/** Begins an execution; returns whether its worker dies, and a function that records its end. */
type Begins = () => { dies: boolean; ended: () => void };

class ExecutionCancelledError extends Error {}

type Authenticating = Pick<VoiceManagementApi, 'authenticate'>;

const CREDENTIAL_TYPES: Record<string, Authenticating> = {
	voiceManagementApi: new VoiceManagementApi(),
	voiceManagementSupervisorApi: new VoiceManagementSupervisorApi(),
};

/** What an event weighs in the buffer, roughly. */
const EVENT_BYTES = 250;

/** Goes the trigger's own way from its parameters to a feed, on this process's clock. */
async function start(
	context: ITriggerFunctions,
	{ provider }: Plan,
	{ bufferLimit }: WorkflowPlan,
	{ clock }: Process,
): Promise<ITriggerResponse> {
	const prepare = async () => {
		const read = readSettings((name, fallback) => context.getNodeParameter(name, fallback));
		const settings = { ...read, bufferBytes: bufferLimit * EVENT_BYTES };
		const credential = await context.getCredentials(CREDENTIAL_OF_FEED[provider.feed]);
		const feed = feedOptions(settings.feed, credential, httpOf(context));
		// Each process has another host, but all have the same account.
		return { settings, feed: Object.assign(feed, { account: 'account' }) };
	};
	return await startProduction(context, prepare, clock);
}

function parametersOf({ provider }: Plan, workflow: WorkflowPlan): IDataObject {
	return {
		feed: provider.feed,
		mode: workflow.mode,
		outcomes: [],
		alerts: { alert: [{ when: 'callerWaiting', waitSeconds: ALERT_SECONDS }] },
		snapshotWhen: 'interval',
		period: String(INTERVAL_MINUTES),
		notificationTypes: workflow.types,
		output: workflow.output,
		filters: workflow.agents.length > 0 ? { agentIds: workflow.agents } : {},
		options: {
			emitFeedStatus: workflow.emitFeedStatus,
			statusEvery: workflow.statusEvery,
			batchSize: workflow.batchSize,
			maxInFlight: workflow.maxInFlight,
		},
	};
}

/** The host belongs to this process alone, so that nothing remembered about hosts outlives it. */
function credentialsOf(
	{ host }: Process,
	{ silenceTimeoutMinutes, twoConnections }: Plan,
	password: string,
): Record<string, IDataObject> {
	const voiceUrl = `https://${host}`;
	const connection = {
		customConnection: true,
		silenceTimeout: silenceTimeoutMinutes,
		redundantConnection: twoConnections,
	};
	return {
		voiceManagementSupervisorApi: {
			voiceUrl,
			login: 'supervisor',
			password,
			accountTypeKey: 'auto',
			...connection,
		},
		voiceManagementApi: {
			baseUrl: voiceUrl,
			voiceUrl,
			login: 'api',
			password,
			idClient: '4242',
			ip: '192.0.2.7',
			...connection,
		},
	};
}
