/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// One seed from its beginning to its verdict.
import { createHash } from 'node:crypto';
import type { Violation } from './facts';
import { judge } from './judge';
import { noWatermark, type Watermark } from './judgeAlive';
import { Network } from './network';
import { N8n, type Instance } from './n8n';
import { Provider } from './provider';
import { drawPlan, MINUTE, SECOND, type Fault, type Plan, type WorkflowPlan } from './plan';
import { Story } from './story';
import { Traffic } from './traffic';
import { START, takeOverRuntime, Timeline, WallClock } from './virtualTime';

export interface Outcome {
	plan: Plan;
	violations: Violation[];
	story: Story;
	/** Days of simulated time. */
	days: number;
	events: number;
	/** Items that reached a workflow. */
	items: number;
	faults: number;
	logins: number;
	marks: Watermark;
	/** The states that it reached, for people. */
	reached: string[];
	/** Of all items, in order: equal for equal runs, on any machine. */
	digest: string;
}

export class World {
	readonly timeline = new Timeline();

	readonly story = new Story(this.timeline);

	readonly wall: WallClock;

	readonly network: Network;

	readonly provider: Provider;

	readonly n8n: N8n;

	readonly traffic: Traffic;

	/** Violations that were noticed while the seed ran. */
	readonly seen: Violation[] = [];

	readonly begin = START;

	/** Workflows that should be active, whether or not their activation worked. */
	private readonly wanted = new Set<WorkflowPlan>();

	/** n8n is stopped or being stopped. */
	private down = false;

	constructor(readonly plan: Plan) {
		const { timeline, story } = this;
		const seed = plan.seed * 101;
		this.wall = new WallClock(timeline, plan.n8n.skewMs);
		this.network = new Network(timeline, plan.network, seed + 1);
		this.provider = new Provider(plan.provider, this.network, story, seed + 2);
		this.n8n = new N8n(plan, this.provider, timeline, this.wall, story, seed + 3);
		this.traffic = new Traffic(
			timeline,
			(type, event, msg) => this.provider.send(type, event, msg),
			plan.everyMs,
			seed + 4,
		);
	}

	async run(): Promise<void> {
		const { plan, timeline } = this;
		for (const workflow of plan.workflows) {
			timeline.after(workflow.startsAt, () => {
				this.wanted.add(workflow);
				this.n8n.process.clock.enter(() => {
					if (!this.down) void this.activate(workflow);
				});
			});
		}
		this.traffic.start();
		for (const fault of plan.faults) timeline.after(fault.at, () => this.strike(fault));
		timeline.after(plan.calmFrom, () => {
			this.story.tell('from here on nothing goes wrong');
			this.provider.calm = true;
			this.traffic.steadily(7 * SECOND);
		});
		await timeline.run(START + plan.endsAt);
		this.traffic.stop();
		await timeline.run(timeline.now + 2 * MINUTE);
		this.story.tell('every workflow is deactivated');
		for (const instance of this.n8n.running) void this.n8n.close(instance);
		await timeline.run(timeline.now + 10 * SECOND);
	}

	/** A person activates a workflow, and tries again if that fails. */
	private async activate(workflow: WorkflowPlan): Promise<void> {
		const { process } = this.n8n;
		const { failure } = await this.n8n.start(workflow, 'activate');
		if (failure === undefined) return;
		process.clock.after(MINUTE, () => {
			if (this.n8n.process === process && !this.down) void this.activate(workflow);
		});
	}

	private strike({ kind, forMs, choice }: Fault): void {
		const { timeline, network, provider, n8n, story } = this;
		const until = timeline.now + forMs;
		const connections = n8n.process.connections.filter(({ endedAt }) => endedAt === undefined);
		const some = choice < 0.5 ? connections : connections.slice(-1);
		story.tell(`FAULT ${kind}${forMs > 0 ? ` for ${(forMs / 1_000).toFixed(1)} s` : ''}`);
		switch (kind) {
			case 'cut':
				return some.forEach((one) => one.cut(choice < 0.3 ? 'transport error' : 'transport close'));
			case 'halfOpen':
				return some.forEach((one) => one.sever());
			case 'partition':
				network.heldUntil = Math.max(network.heldUntil, until);
				return;
			case 'unreachable':
				network.unreachableUntil = Math.max(network.unreachableUntil, until);
				return connections.forEach((one) => one.cut());
			case 'slowNetwork':
				network.slowUntil = Math.max(network.slowUntil, until);
				return;
			case 'disconnectAll':
				return provider.disconnectAll();
			case 'providerRestarts':
				return provider.restart(forMs, choice < 0.5);
			case 'throwsOut':
			case 'loginFails':
			case 'loginHangs':
			case 'loginRefused':
			case 'loginAsksToWait':
			case 'handshakeHangs':
			case 'handshakeFails':
				provider.until[kind] = Math.max(provider.until[kind], until);
				// The fault would go unnoticed if nobody connects.
				if (choice < 0.6) provider.disconnectAll();
				return;
			case 'passwordRotated':
				provider.password += '!';
				if (choice < 0.5) provider.disconnectAll();
				timeline.after(forMs, () => {
					story.tell('a person enters the new password in n8n');
					n8n.saveCredential(provider.password);
				});
				return;
			case 'goesDeaf':
				return provider.goDeaf();
			case 'connectionGoesDeaf':
				return provider.oneGoesDeaf(choice);
			case 'newOnesAreDeaf':
				provider.until.deaf = Math.max(provider.until.deaf, until);
				if (choice < 0.3) provider.disconnectAll();
				return;
			case 'otherGeneration':
				provider.restart(forMs, choice < 0.5);
				provider.generation = provider.generation === 4 ? 2 : 4;
				return;
			case 'numbersBeginAnew':
				return provider.beginNumbersAnew();
			case 'numbersSwapped':
				return provider.swap(1 + Math.floor(choice * 6));
			case 'lostAtTheProvider':
				return provider.lose(1 + Math.floor(choice * 6));
			case 'unreadable':
				return provider.unreadable();
			case 'quiet':
				return this.traffic.quiet(forMs);
			case 'burst':
				return this.traffic.burst(20 + Math.floor(choice * 60));
			case 'databaseAway':
				return n8n.databaseGoesAway(forMs);
			case 'rejects':
				return n8n.rejects(forMs);
			case 'slowExecutions':
				n8n.until.slow = Math.max(n8n.until.slow, until);
				return;
			case 'neverReports':
				n8n.until.neverReports = Math.max(n8n.until.neverReports, until);
				return;
			case 'workersDie':
				return n8n.workersDie(forMs, choice);
			case 'killed':
				if (this.down) return;
				this.down = true;
				n8n.kill(choice < 0.3);
				timeline.after(forMs, () => this.bootAgain());
				return;
			case 'restarted':
				return this.whenItRuns(() => {
					if (this.down) return;
					this.down = true;
					void n8n.stop().then(() => timeline.after(forMs, () => this.bootAgain()));
				});
			case 'startedTwice':
				return this.whenItRuns(() => void this.startTwice(choice));
			case 'replaced':
				return this.whenItRuns(() => void this.replace(choice, forMs));
			case 'reactivated':
				return this.whenItRuns(() => void this.reactivate(choice, forMs));
			case 'clockJumps':
				return this.wall.jump(JUMPS[Math.floor(choice * JUMPS.length)] as number);
			case 'sleeps':
				return n8n.process.hold(forMs, true);
			case 'held':
				return n8n.process.hold(forMs, false);
		}
	}

	/** A paused process handles the action when it resumes, and never if it is killed before that. */
	private whenItRuns(action: () => void): void {
		const { process } = this.n8n;
		process.clock.enter(() => {
			if (!process.dead) action();
		});
	}

	private bootAgain(): void {
		this.down = false;
		this.story.tell('n8n starts again');
		this.n8n.boot();
		for (const workflow of this.wanted) void this.n8n.start(workflow, 'init');
	}

	private chosen(choice: number): Instance | undefined {
		const running = this.n8n.running.filter(({ upAt }) => upAt !== undefined);
		return this.down ? undefined : running[Math.floor(choice * running.length)];
	}

	/** n8n starts one trigger twice and closes one of the two, of those that it knows. */
	private async startTwice(choice: number): Promise<void> {
		const instance = this.chosen(choice);
		if (!instance) return;
		const { workflow, process } = instance;
		await this.n8n.close(instance);
		if (process.dead || this.down) return;
		const [first, second] = await Promise.all([
			this.n8n.start(workflow, 'init'),
			this.n8n.start(workflow, 'init'),
		]);
		// n8n cannot close the instance that it forgot.
		if (choice < 0.5 && first.upAt !== undefined) {
			second.close = first.close;
		}
	}

	/** n8n starts a trigger again, and closes the earlier instance afterwards. */
	private async replace(choice: number, forMs: number): Promise<void> {
		const instance = this.chosen(choice);
		if (!instance) return;
		const { workflow, process } = instance;
		await this.n8n.start(workflow, 'init');
		process.clock.after(forMs, () => void this.n8n.close(instance));
	}

	private async reactivate(choice: number, forMs: number): Promise<void> {
		const instance = this.chosen(choice);
		if (!instance) return;
		const { workflow, process } = instance;
		this.wanted.delete(workflow);
		await this.n8n.close(instance);
		process.clock.after(forMs, () => {
			this.wanted.add(workflow);
			// In the next process, if n8n was killed in the meantime.
			if (!this.down) this.whenItRuns(() => void this.activate(workflow));
		});
	}
}

const JUMPS = [-24 * 60 * MINUTE, -MINUTE, -2 * SECOND, 2 * SECOND, MINUTE, 24 * 60 * MINUTE];

/** Plays a seed to its end. The same seed gives the same outcome. */
export async function simulate(seed: number): Promise<Outcome> {
	const plan = drawPlan(seed);
	const world = new World(plan);
	const giveBack = takeOverRuntime(
		() => world.n8n.process.libraryClock,
		() => world.n8n.process.random.next(),
	);
	const unhandled = (error: unknown) => {
		const what = `a promise rejection was not handled: ${String(error)}`;
		world.seen.push({ rule: 'it runs to its end', what, at: world.timeline.now });
	};
	process.on('unhandledRejection', unhandled);
	let violations: Violation[];
	const marks = noWatermark();
	try {
		await world.run();
		violations = judge(world, marks);
	} catch (error) {
		const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
		violations = [{ rule: 'it runs to its end', what, at: world.timeline.now }];
	} finally {
		process.off('unhandledRejection', unhandled);
		giveBack();
	}
	const { provider, n8n, timeline, story } = world;
	return {
		plan,
		violations,
		story,
		days: (timeline.now - START) / 86_400_000,
		events: provider.events.length,
		items: n8n.deliveries.filter(({ ran }) => ran).length,
		faults: plan.faults.length,
		logins: provider.logins.length,
		marks,
		reached: reachedIn(world),
		digest: digestOf(world),
	};
}

function digestOf({ n8n, timeline }: World): string {
	const hash = createHash('sha256');
	for (const { at, json, ran, instance } of n8n.deliveries) {
		// Its name depends on what was played before.
		const item = JSON.stringify(json).replaceAll(instance.process.host, 'the provider');
		hash.update(`${at} ${instance.workflow.id} ${ran} ${item}\n`);
	}
	return hash.update(`${timeline.handled}`).digest('hex');
}

function reachedIn({ plan, n8n }: World): string[] {
	const items = n8n.deliveries
		.filter(
			({ ran, json }) => ran && ['feed', 'call', 'alert'].includes(String(json.type_notification)),
		)
		.map(({ json }) => `item: ${String(json.type_notification)}, ${String(json.event)}`);
	return [...new Set([...plan.faults.map(({ kind }) => `fault: ${kind}`), ...items])];
}
