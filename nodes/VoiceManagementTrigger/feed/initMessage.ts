// Builds the arguments of `init` (provider.md#init): account type, target and token, or the user's own list, because the
// `init` of an account feed is not documented.
import type { FeedOptions, FeedSession } from './types';

type InitOptions = Pick<FeedOptions, 'initAccountType' | 'initArguments'>;

/**
 * Replaces `{clientId}` and `{token}` by the session's values. An argument that is only a placeholder becomes the value
 * in its own type.
 */
export function initMessage(options: InitOptions, session: FeedSession): unknown[] {
	const { initAccountType, initArguments } = options;
	const { target, idSession } = session;
	if (!initArguments) return [initAccountType, target, idSession];
	// The target of an account feed is the client account.
	const values = { clientId: target, target, token: idSession };
	return initArguments.map((argument) => filled(argument, values));
}

type Values = Record<'clientId' | 'target' | 'token', unknown>;

function filled(value: unknown, values: Values): unknown {
	if (typeof value === 'string') {
		const whole = /^\{(clientId|target|token)\}$/.exec(value);
		if (whole) return values[whole[1] as keyof Values];
		return value.replace(/\{(clientId|target|token)\}/g, (_text, name: keyof Values) =>
			String(values[name]),
		);
	}
	if (Array.isArray(value)) return value.map((one) => filled(one, values));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [name, filled(one, values)]),
	);
}
