// What may have become of a batch that n8n was given: whether anybody could learn that it did not run.
import { endOf, type Span } from './facts';
import { DEATH_TOLD_WITHIN_MS, REJECTS_WITHIN_MS, type Delivery, type Instance } from './n8n';
import { tellsWhatWasLost } from './judgeOwed';
import { SECOND } from './plan';
import type { World } from './simulation';

/** The maximum number of keys under which n8n gets a batch (2.41). */
const MOST_KEYS = 3;

/**
 * A response may be up to a second old when the last batch relies on it, and the next check follows up to a second
 * later.
 */
const LOOKS_MS = 2 * SECOND;

/** Whether each key of what was tried was used up by a rejected start: then it is given up, and reported. */
export function areKeysUsedUp(n8n: World['n8n'], tries: readonly Delivery[]): boolean {
	const keys = [...new Set(tries.map(({ key }) => key))];
	return keys.length === MOST_KEYS && keys.every((key) => n8n.isDeadRow(key));
}

/** The worker of an execution died, and n8n reports that when the trigger has ended or is about to. */
export function isToldTooLate({ died, at, instance }: Delivery): boolean {
	return died && at + DEATH_TOLD_WITHIN_MS >= endOf(instance);
}

/**
 * Whether a batch that n8n got while its database was away is lost without any report, because the trigger did not
 * check the database in that time.
 */
export function isUnseen(world: World, delivery: Delivery): boolean {
	return (
		!delivery.ran && world.plan.n8n.release === 'engine 2.0' && isBetweenAnswers(world, delivery)
	);
}

/** With engine 2.0 the trigger checks the database before and after a batch. */
function isBetweenAnswers(world: World, delivery: Delivery): boolean {
	return troublesAt(world, delivery).some(
		(trouble) => trouble.to - trouble.from < LOOKS_MS && !isFound(trouble, delivery),
	);
}

/** The troubles in which n8n was to start what it got. */
function troublesAt({ plan, n8n }: World, { at }: Delivery): Span[] {
	return n8n.troubles.filter(({ from, to }) => from <= at + plan.n8n.startMs && at <= to);
}

function isFound({ from, to }: Span, { instance }: Delivery): boolean {
	return instance.foundAwayAt.some((found) => from <= found && found <= to);
}

/**
 * n8n had not reported by the end of its process that it could not start a batch, and the next process is not told up
 * to where the workflow had got.
 */
export function isRejectedTooLate(
	world: World,
	delivery: Delivery,
	instances: Instance[],
): boolean {
	const { at, ran, instance } = delivery;
	const { endedAt = Infinity } = instance.process;
	if (world.plan.n8n.release !== '2.41' || ran || endedAt > at + REJECTS_WITHIN_MS) return false;
	if (troublesAt(world, delivery).length === 0) return false;
	return !instance.workflow.emitFeedStatus || !tellsWhatWasLost(instances, endedAt);
}
