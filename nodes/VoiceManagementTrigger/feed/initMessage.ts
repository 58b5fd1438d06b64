// The arguments of `init`: "the string `supervisor`, the `target` value, the `id_session` value", or a list that the user
// gives for an account feed whose `init` the documents do not show.
import type { FeedOptions, Session } from './types';

type InitOptions = Pick<FeedOptions, 'initAccountType' | 'initArguments'>;

/** What `{clientId}` and `{token}` stand for goes back as it came: same type, same text. */
export function initMessage(options: InitOptions, session: Session): unknown[] {
	const { initAccountType, initArguments } = options;
	const { target, idSession } = session;
	if (!initArguments) return [initAccountType, target, idSession];
	return initArguments.map((argument) => filled(argument, { clientId: target, token: idSession }));
}

type Values = Record<'clientId' | 'token', unknown>;

function filled(value: unknown, values: Values): unknown {
	if (typeof value === 'string') {
		const whole = /^\{(clientId|token)\}$/.exec(value);
		if (whole) return values[whole[1] as keyof Values];
		return value.replace(/\{(clientId|token)\}/g, (_text, name: keyof Values) =>
			String(values[name]),
		);
	}
	if (Array.isArray(value)) return value.map((one) => filled(one, values));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [name, filled(one, values)]),
	);
}
