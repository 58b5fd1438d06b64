// Short scenes that a person or a test plays on command: an answered call, an abandoned one, a queue that fills.

import type { CallCentrePlan } from '../accounts';
import type { Store } from '../store';
import { EventBuilder, wireForm, type CallView, type EventSeed } from './events';
import { Random } from './random';

export const sceneNames = [
	'answeredCall',
	'missedCall',
	'transferredCall',
	'unansweredRing',
	'callsAgain',
	'calledBack',
	'fillingQueue',
	'nobodyFree',
] as const;
export type SceneName = (typeof sceneNames)[number];

export interface SceneOptions {
	/** Agent-type queue; the first one if omitted. */
	queue?: number;
	/** The first agent if omitted. */
	agent?: number;
	caller?: string;
	/** Milliseconds between two events; 0 = all at once. */
	stepMs?: number;
}

/** What was played, so that it can be found in a workflow. */
export interface Scene {
	/** Identifier of its first call; the others have the following numbers. */
	call: number;
	queue: number;
	agent: number;
	caller: string;
	/** The objects that were sent. */
	events: object[];
}

/** Identifiers of calls in scenes are far from those of the traffic. */
const firstSceneCall = 900_001;

/** Steps that a caller waits before hanging up: long enough to be seen, and to count as missed. */
const patience = 9;

/** Number of callers in the scene in which a queue fills up. */
const crowd = 6;

/** Number of calls of the scenes that have more than one. */
const callsOf: Partial<Record<SceneName, number>> = {
	callsAgain: 2,
	calledBack: 2,
	fillingQueue: crowd,
};

/** An event, or a number of steps in which nothing happens. */
type Beat = EventSeed | { rest: number };

export class Stage {
	private nextCall = firstSceneCall;
	private readonly random = new Random(1);
	private readonly build: EventBuilder;

	constructor(private readonly store: Store) {
		this.build = new EventBuilder(this.random, store.plan.clientId);
	}

	/** Plays a scene; resolves when its last event has been sent. */
	async play(name: SceneName, options: SceneOptions = {}): Promise<Scene> {
		const { plan } = this.store;
		const scene: Scene = {
			call: this.nextCall,
			queue: options.queue ?? plan.queues[0]!.id,
			agent: options.agent ?? plan.agents[0]!.id,
			caller: options.caller ?? '+33199012345',
			events: [],
		};
		this.nextCall += callsOf[name] ?? 1;
		const { stepMs = 1000 } = options;
		for (const [index, beat] of this.write(name, scene, plan, stepMs / 1000).entries()) {
			const steps = 'rest' in beat ? beat.rest : Math.min(index, 1);
			if (steps > 0 && stepMs > 0) {
				await new Promise<void>((resolve) => this.store.later(steps * stepMs, resolve));
			}
			if ('rest' in beat) continue;
			const event = wireForm(
				{ ...beat, at: 0, elapse: 0 },
				Date.now() / 1000,
				() => ++this.store.cpt,
			);
			this.store.push(event);
			scene.events.push(event);
		}
		return scene;
	}

	private write(name: SceneName, scene: Scene, plan: CallCentrePlan, step: number): Beat[] {
		const { build } = this;
		const { call: id, queue, agent, caller } = scene;
		/** The call at a step of the scene. */
		const at = (index: number): CallView => {
			const seconds = Math.floor(index * step);
			return { id, caller, priority: 50, vipRate: 0, rec: 1, duration: seconds, inQueue: seconds };
		};
		const about = (index: number) => ({ view: at(index), queue });
		const colleague = plan.agents.find((each) => each.id !== agent)!.id;
		const answered = [
			build.queueInsert(at(0), queue),
			build.agentStatus(agent, 'ringing', about(1)),
			build.queueConnect(at(2), queue, agent),
			build.agentStatus(agent, 'connected', about(3)),
		];
		const goodbye = (who: number, index: number) => [
			build.queueDelete(id, queue),
			build.agentStatus(who, 'available', about(index), 5),
		];
		/** The same caller in a second call. */
		const next = { ...at(0), id: id + 1 };
		const pause = plan.pauses[0]!.id;
		switch (name) {
			case 'answeredCall':
				return [...answered, ...goodbye(agent, 5)];
			case 'missedCall':
				return [build.queueInsert(at(0), queue), { rest: patience }, build.queueDelete(id, queue)];
			case 'transferredCall':
				return [
					...answered,
					build.agentStatus(agent, 'transfert_start', about(4)),
					build.agentStatus(colleague, 'ringing', about(5)),
					build.queueConnect(at(6), queue, colleague),
					build.agentStatus(colleague, 'connected', about(7)),
					build.agentStatus(agent, 'transfert_end', about(8)),
					build.agentStatus(agent, 'available', about(9), 5),
					...goodbye(colleague, 11),
				];
			case 'unansweredRing':
				return [
					build.queueInsert(at(0), queue),
					build.agentStatus(agent, 'ringing', about(1)),
					{ rest: 30 },
					build.agentStatus(agent, 'available', null),
					build.agentStatus(colleague, 'ringing', about(33)),
					build.queueConnect(at(34), queue, colleague),
					build.agentStatus(colleague, 'connected', about(35)),
					...goodbye(colleague, 37),
				];
			case 'callsAgain':
				return [
					build.queueInsert(at(0), queue),
					{ rest: patience },
					build.queueDelete(id, queue),
					{ rest: 20 },
					build.queueInsert(next, queue),
					build.agentStatus(agent, 'ringing', { view: next, queue }),
					build.queueConnect(next, queue, agent),
					build.agentStatus(agent, 'connected', { view: next, queue }),
					build.queueDelete(next.id, queue),
					build.agentStatus(agent, 'available', { view: next, queue }, 5),
				];
			case 'calledBack':
				return [
					build.queueInsert(at(0), queue),
					{ rest: patience },
					build.queueDelete(id, queue),
					{ rest: 20 },
					build.agentStatus(agent, 'calling', { view: next, queue }),
					build.agentStatus(agent, 'connected', { view: next, queue }),
					build.agentStatus(agent, 'available', { view: next, queue }, 5),
				];
			case 'fillingQueue': {
				const callers = Array.from({ length: crowd }, (_, index) => ({
					...at(0),
					id: id + index,
					caller: index === 0 ? caller : `+331990124${10 + index}`,
				}));
				return [
					...callers.map((view) => build.queueInsert(view, queue)),
					{ rest: 30 },
					...callers.map((view) => build.queueDelete(view.id, queue)),
				];
			}
			case 'nobodyFree':
				return [
					...plan.agents.map(({ id: each }) => build.ui('pause', each, pause)),
					{ rest: 60 },
					...plan.agents.map(({ id: each }) => build.ui('unpause', each, pause)),
				];
		}
	}
}
