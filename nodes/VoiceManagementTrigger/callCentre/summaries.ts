// One sentence for each item, with names where they are known, so that a trigger and a chat node are a whole workflow.

import { kindOf, type AlertUnit } from './alertKinds';
import type { AlertChange, EndReason } from './alerts';
import { idOf } from './callHistory';
import type { Reached } from './callCentre';
import type { Naming } from './naming';
import type { CallOutcome } from './outcomeTypes';
import type { MissedReason } from './outcomeItem';
import { secondsBetween } from './seconds';

const UNITS: Record<AlertUnit, string> = {
	seconds: ' s',
	callers: '',
	agents: '',
	calls: '',
	percent: '%',
};

const ENDS: Record<EndReason, string> = {
	answered: 'was answered',
	abandoned: 'gave up',
	left: 'is not there any more',
	ended: 'is done',
	back: 'is back',
	logged_out: 'has logged out',
	below: 'is below the threshold again',
	above: 'is above the threshold again',
	'feed-gap': 'is not known any more, since the feed was interrupted',
};

export function alertSummary(change: AlertChange, naming: Naming): string {
	const { alert, value, subject, since, at, reason } = change;
	const { name, sentence, watched, unit } = kindOf(alert.when);
	const { queue, agent, group, call } = subject;
	const ofQueue = watched.of === 'queue';
	const where = ofQueue || queue === undefined ? '' : ` in ${naming.queueInWords(queue)}`;
	const caller = callerInWords(subject.caller);
	const who = {
		caller,
		call: caller,
		agent: agent === undefined ? 'An agent' : naming.agentInWords(agent),
		agents: group === undefined ? 'Agents' : `Agents of ${naming.groupInWords(group)}`,
		queue: queue === undefined ? 'A queue' : naming.queueInWords(queue),
	}[watched.of];
	if (reason === undefined) {
		return upperFirst(
			sentence({
				who,
				where,
				to: agent === undefined ? '' : ` to ${naming.agentInWords(agent)}`,
				tipped: call === undefined ? '' : `: call ${call} of ${lowerFirst(caller)} tipped it`,
				count: (one) => countOf(value, one),
				value,
				threshold: alert.threshold,
				windowMinutes: alert.windowMinutes,
			}),
		);
	}
	if (reason === 'feed-gap') return `${name}: ${who}${where} ${ENDS[reason]}`;
	const lasted = `after ${secondsBetween(since, at)} s`;
	// There is no figure any more.
	if (ofQueue && reason === 'left')
		return `${name} is over: ${who} has too few calls to tell, ${lasted}`;
	const figure = unit === 'seconds' ? '' : ` (${value}${UNITS[unit]})`;
	return `${name} is over: ${who}${where} ${ENDS[reason]} ${lasted}${figure}`;
}

export function outcomeSummary(
	{ kind, answered, caller, agents, place, wait, talk, offers }: CallOutcome,
	reason: MissedReason | undefined,
	naming: Naming,
): string {
	const who = callerInWords(caller);
	const where = place === undefined ? '' : ` in ${placeInWords(place, naming)}`;
	const waited = wait === undefined ? '' : ` after ${wait} s`;
	const [first] = agents;
	const agent = first === undefined ? 'an agent' : naming.agentInWords(first);
	if (kind === 'missed') {
		const rung = new Set(offers.map((offer) => offer.agent)).size;
		const why = {
			short_abandoned: '',
			no_available_agent: ': no agent was available',
			agents_did_not_answer: `: ${countOf(rung, 'agent')} did not answer`,
			abandoned_before_ringing: ': it rang no agent',
		};
		return `${who} gave up${waited}${where}${reason === undefined ? '' : why[reason]}`;
	}
	if (answered !== true)
		return `The call of ${lowerFirst(who)} is over${where}: its end was not seen`;
	if (kind === 'answered')
		return `${upperFirst(agent)} answered ${lowerFirst(who)}${waited}${where}`;
	const talked = talk === undefined ? '' : ` for ${talk} s`;
	return `${who} talked to ${agent}${talked}${wait === undefined ? '' : `, after a wait of ${wait} s`}${where}`;
}

export function reachedSummary(
	{ caller, at, by, agent }: Reached,
	missedAt: number,
	naming: Naming,
): string {
	const who = agent === undefined ? 'an agent' : naming.agentInWords(agent);
	const after = `${secondsBetween(missedAt, at)} s after the missed call`;
	return by === 'agent'
		? `${upperFirst(who)} reached ${caller} ${after}`
		: `${caller} called again and was answered by ${who}, ${after}`;
}

function callerInWords(caller: string | undefined): string {
	return caller ?? 'A caller without a number';
}

function placeInWords(place: string, naming: Naming): string {
	const id = idOf(place);
	if (place.startsWith('queue:')) return naming.queueInWords(id);
	return naming.directory()?.trunks.get(id)?.name ?? `trunk ${id}`;
}

function countOf(count: number, one: string): string {
	return `${count} ${one}${count === 1 ? '' : 's'}`;
}

function upperFirst(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** In the middle of a sentence; numbers and names stay as they are. */
function lowerFirst(text: string): string {
	return text.startsWith('A caller') ? `a${text.slice(1)}` : text;
}
