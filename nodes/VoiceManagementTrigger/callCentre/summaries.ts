// One sentence for each item, true as it stands, so that a trigger and a chat node are a whole workflow. Names are written
// as they are given, also at the beginning of a sentence.

import { kindOf } from './alertKinds';
import { groupOf, type AlertChange } from './alerts';
import type { EndReason } from './candidates';
import { wholeSeconds, type MissedReason, type Outcome } from './changes';
import type { Naming } from './naming';

/** What ends a break; a queue or an agent that is not followed any more has left. */
const ENDS: Partial<Record<EndReason, string>> = {
	back: 'is back',
	logged_out: 'has logged out',
};

export function alertSummary(change: AlertChange, naming: Naming): string {
	const { row, subject, reason } = change;
	const value = change.value ?? 0;
	const { queue, agent, call } = subject;
	const { sentence, watched } = kindOf(row.when);
	const who = whoInWords(change, naming);
	const isAboutQueue = watched.of === 'queue' || watched.of === 'window';
	const inQueue = isAboutQueue || queue === undefined ? '' : ` in ${naming.queueInWords(queue)}`;
	if (reason === 'feed-gap')
		return `${kindOf(row.when).name} may be over, since the feed was interrupted: ${who}${inQueue}`;
	if (reason !== undefined) return endInWords(change, reason, who, naming);
	const caller = lowerFirst(callerInWords(subject.caller));
	return sentence({
		who,
		where: subject.isElsewhereToo === true ? `, now${inQueue}` : inQueue,
		agent: agent === undefined ? 'an agent' : naming.agentInWords(agent),
		tipped: call === undefined ? '' : tippedBy(`call ${call} from ${caller}`, subject),
		count: (one) => countOf(value, one),
		value,
		threshold: row.threshold,
		windowMinutes: row.windowMinutes,
	});
}

/** A call in time can bring the number of calls to the minimum: then it is not what the figure suffers from. */
function tippedBy(call: string, { isLower }: AlertChange['subject']): string {
	return isLower === true ? `: ${call} brought it below` : `, with ${call}`;
}

/** Whom an alert is about, at the beginning of a sentence. */
function whoInWords({ row, subject }: AlertChange, naming: Naming): string {
	const { queue, agent, caller } = subject;
	const group = groupOf(row);
	switch (kindOf(row.when).watched.of) {
		case 'caller':
		case 'call':
			return callerInWords(caller);
		case 'agent':
			return agent === undefined ? 'An agent' : naming.agentInWords(agent, true);
		case 'agents':
			return group === undefined ? 'Agents' : `Agents of ${naming.groupInWords(group)}`;
		case 'queue':
		case 'window':
			return queue === undefined ? 'A queue' : naming.queueInWords(queue, true);
	}
}

function endInWords(
	{ row, value, subject, since, at }: AlertChange,
	reason: EndReason,
	who: string,
	naming: Naming,
): string {
	const { name, watched, unit } = kindOf(row.when);
	const lasted = `${wholeSeconds(at - since)} s`;
	if (reason === 'above' || reason === 'below') {
		const figure = value === null ? 'no calls in the window' : `${value}${unit}`;
		return `${name} is over after ${lasted}: ${who}: ${figure}`;
	}
	const { queue = '', agent = '' } = subject;
	const words = (): string => {
		switch (watched.of === 'agent' ? watched.state : watched.of) {
			case 'caller':
				// The wait may be of several queues, and have been longer than the one here.
				if (reason === 'left') {
					const waits = subject.isUnclear
						? `nobody knows what became of ${lowerFirst(who)}`
						: `${who} no longer waits`;
					return `${waits} in ${naming.queueInWords(queue)}, ${lasted} after the wait began`;
				}
				return `${who} ${reason === 'answered' ? 'was answered' : 'gave up'} after ${lasted}`;
			case 'call':
				if (reason === 'left') return `${who} was passed on, ${lasted} after the answer`;
				return `no agent has ${lowerFirst(who)} any more, ${lasted} after the answer`;
			case 'ringing':
				if (reason === 'answered') return `${who} answered after ${lasted}`;
				return `the phone of ${naming.agentInWords(agent)} stopped ringing after ${lasted}`;
			case 'available':
				return `${who} was idle for ${lasted}`;
			default:
				return `${who} ${ENDS[reason] ?? 'is no longer there'} after ${lasted}`;
		}
	};
	return `${name} is over: ${words()}`;
}

export function outcomeSummary(
	outcome: Outcome,
	reason: MissedReason | undefined,
	naming: Naming,
): string {
	const { kind, answered, call, wait, rings } = outcome;
	const who = callerInWords(call.caller);
	const where = placesInWords(outcome, naming);
	const waited = wait === undefined ? '' : ` after ${wholeSeconds(wait)} s`;
	if (kind === 'missed') {
		const rung = new Set(rings.filter((ring) => ring.isNotAnswered).map(({ agent }) => agent)).size;
		const why: Record<MissedReason, string> = {
			short_abandoned: '',
			agents_did_not_answer: `: ${countOf(rung, 'agent')} did not answer`,
			abandoned_while_ringing: ": an agent's phone rang",
			no_available_agent: ': no agent was available',
			abandoned_before_ringing: ": no agent's phone rang",
		};
		const because = reason === undefined ? '' : why[reason];
		if (!outcome.isPassedOn) return `${who} gave up${waited}${where}${because}`;
		const time = wait === undefined ? '' : ` ${wholeSeconds(wait)} s`;
		return `${who} waited${time}${where} and was not answered${because}`;
	}
	const isGivenUp = outcome.endedAt === undefined;
	if (answered !== true)
		return `The call from ${lowerFirst(who)}${where} is ${isGivenUp ? 'no longer followed' : 'over'}: nobody knows whether it was answered`;
	const [first] = outcome.talks;
	if (kind === 'answered') {
		const agent = first?.agent === undefined ? 'An agent' : naming.agentInWords(first.agent, true);
		return `${agent} answered ${lowerFirst(who)}${waited}${where}`;
	}
	const talked =
		outcome.talks.length > 0 ? `talked to ${talksInWords(outcome, naming)}` : 'was connected';
	const waiting = wait === undefined ? 'waiting' : `a wait of ${wholeSeconds(wait)} s`;
	// A talk may have been in another queue.
	const before = wait === undefined && where === '' ? '' : `, after ${waiting}${where}`;
	const left = outcome.isPassedOn ? 'was not answered' : 'gave up';
	const then = outcome.gaveUp ? `; then waited again, and ${left}` : '';
	const unseen = outcome.reason === 'end-not-seen' ? '; nobody knows how it ended' : '';
	return `${who} ${talked}${before}${then}${unseen}`;
}

/** `Ada for 55 s and Ben for 60 s`. */
function talksInWords({ talks }: Outcome, naming: Naming): string {
	const words = talks.map(({ agent, talk }) => {
		const whom = agent === undefined ? 'an agent' : naming.agentInWords(agent);
		if (talk !== undefined) return `${whom} for ${wholeSeconds(talk)} s`;
		return talks.length === 1 ? whom : `${whom} for an unknown time`;
	});
	const last = words.pop() ?? '';
	return words.length === 0 ? last : `${words.join(', ')} and ${last}`;
}

/** Where the caller waited, before the first answer: ` in Sales`, ` in 2 queues and elsewhere`. */
function placesInWords({ call, stays, away }: Outcome, naming: Naming): string {
	const first = stays.filter(({ isLater }) => !isLater);
	const [queue, ...others] = new Set(first.map((stay) => stay.queue));
	// Of several trunks, nothing says how long the caller was in each.
	const [trunk, ...more] = call.trunks;
	const inTrunk = trunk && more.length === 0 ? naming.trunkInWords(trunk) : undefined;
	const inQueue = queue === undefined ? inTrunk : naming.queueInWords(queue);
	const where = others.length > 0 ? `${others.length + 1} queues` : inQueue;
	return where === undefined ? '' : ` in ${where}${away < 1000 ? '' : ' and elsewhere'}`;
}

function callerInWords(caller: string | undefined): string {
	return caller ?? 'A caller without a number';
}

function countOf(count: number, one: string): string {
	return `${count} ${one}${count === 1 ? '' : 's'}`;
}

/** In the middle of a sentence; numbers and names stay as they are. */
function lowerFirst(text: string): string {
	return text.startsWith('A caller') ? `a${text.slice(1)}` : text;
}
