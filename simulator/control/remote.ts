// The control API of a provider in another process, with the same methods; each returns a promise.

import { ProviderError } from '../options';
import type { Control } from './control';
import type { RemoteMethod } from './routes';

type Method = (...args: never[]) => unknown;

/** Results travel as JSON: a Buffer (small multipart parts in `requests`) arrives as `{ type: 'Buffer', data: [...] }`. */
export type RemoteControl = {
	[Name in RemoteMethod]: Control[Name] extends Method
		? (...args: Parameters<Control[Name]>) => Promise<Awaited<ReturnType<Control[Name]>>>
		: never;
};

/** Controls the provider at `url`. A request that it rejects throws ProviderError. */
export function remoteControl(url: string): RemoteControl {
	return new Proxy({} as RemoteControl, {
		get(_target, name) {
			// A promise looks for `then` on its value: the control is not a promise.
			if (typeof name !== 'string' || name === 'then') return undefined;
			return async (...args: unknown[]) => {
				const response = await fetch(`${url}/control/${name}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify(args),
				});
				const answer = (await response.json()) as { result?: unknown; error?: string };
				if (answer.error !== undefined) throw new ProviderError(answer.error);
				return answer.result ?? undefined;
			};
		},
	});
}
