// The session information of a supervisor login, as in the feed document and as otherwise known.

import type { CallCentrePlan } from '../accounts';
import type { Token } from './tokens';

/**
 * Names are in `nom` or `name`, and ids are numbers or text, mixed on purpose: the provider's own clients have to
 * accept both. `expire` is written `yyyy-mm-ddthh-mm-ss.000000+GMT`.
 */
export function sessionInformation(plan: CallCentrePlan, token: Token) {
	const named = (index: number, name: string) => (index % 2 === 0 ? { nom: name } : { name });
	const id = (index: number, value: number) => (index % 3 === 2 ? String(value) : value);
	return {
		status: 200,
		id_session: token.idSession,
		target: token.target,
		id_client: plan.clientId,
		expire: writeExpire(token.expiresAt),
		ops: plan.agents.map((agent, index) => ({
			id: id(index, agent.id),
			...named(index, agent.name),
			groups: agent.groups.map((group) => id(index + 1, group)),
		})),
		groupes: plan.groups.map((group, index) => ({
			id: id(index + 1, group.id),
			...named(index + 1, group.name),
		})),
		trunks: plan.trunks.map((trunk, index) => ({
			id: id(index, trunk.id),
			...named(index, trunk.name),
		})),
		pauses: plan.pauses.map((pause, index) => ({ id: id(index, pause.id), value: pause.value })),
	};
}

/** `yyyy-mm-ddthh-mm-ss.000000+GMT`, in UTC. */
export function writeExpire(at: number) {
	const iso = new Date(at).toISOString();
	return `${iso.slice(0, 10)}t${iso.slice(11, 19).replaceAll(':', '-')}.000000+GMT`;
}
