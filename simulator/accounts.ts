// The demo accounts and the people, groups, queues, trunks and breaks behind them. Invented, no secrets.

export interface Accounts {
	/** HTTP Basic on the number management REST interface. */
	numbers: { login: string; password: string };
	/** HTTP Basic on `/vm/token` (full event feed). */
	api: { login: string; password: string; clientId: string };
	/** `X-JSON` on `/ws/`. */
	supervisor: { login: string; password: string };
}

export interface Agent {
	id: number;
	name: string;
	groups: number[];
	e164: string;
}

export interface CallCentrePlan {
	agents: Agent[];
	groups: { id: number; name: string }[];
	/** Agent-type queues; each is served by the agents of its group and may overflow to another queue. */
	queues: { id: number; name: string; group: number; overflow?: number }[];
	trunks: { id: number; name: string }[];
	pauses: { id: number; value: string }[];
	/** Number services (`num` and `input` events). */
	numbers: { id: number; service: string }[];
	clientId: number;
	/** Identifier of the supervisor account: the second argument of `init`. */
	target: number;
}

/** Non-ASCII on purpose: HTTP Basic uses UTF-8, and `X-JSON` contains only ASCII. */
export function demoAccounts(): Accounts {
	return {
		numbers: { login: 'numbers', password: 'numbers-secret-é' },
		api: { login: 'api', password: 'api-secret-é', clientId: '4242' },
		supervisor: { login: 'supervisor', password: 'supervisor-secret-é' },
	};
}

export function demoPlan(): CallCentrePlan {
	const names = [
		'Ada Martin',
		'Benoît Leroy',
		'Chloé Petit',
		'Daniel Weber',
		'Elif Kaya',
		'Farid Haddad',
		'Grace Obi',
		'Hugo Moreau',
		'Inês Costa',
		'Jonas Berg',
		'Kira Novak',
		'Lucía Vega',
	];
	return {
		agents: names.map((name, index) => ({
			id: 501 + index,
			name,
			// Three groups of four; every fourth agent also helps in the next group.
			groups:
				index % 4 === 3 ? [11 + (index >> 2), 11 + (((index >> 2) + 1) % 3)] : [11 + (index >> 2)],
			e164: `+3319900${String(501 + index).padStart(4, '0')}`,
		})),
		groups: [
			{ id: 11, name: 'Sales' },
			{ id: 12, name: 'Support' },
			{ id: 13, name: 'Billing' },
		],
		queues: [
			{ id: 301, name: 'Sales', group: 11, overflow: 302 },
			{ id: 302, name: 'Support', group: 12, overflow: 303 },
			{ id: 303, name: 'Billing', group: 13 },
		],
		trunks: [
			{ id: 701, name: 'Head office' },
			{ id: 702, name: 'Warehouse' },
		],
		pauses: [
			{ id: 1, value: 'Lunch' },
			{ id: 2, value: 'Coffee' },
			{ id: 3, value: 'Training' },
		],
		numbers: [
			{ id: 801, service: '+33199000801' },
			{ id: 802, service: '+33199000802' },
		],
		clientId: 4242,
		target: 9001,
	};
}
