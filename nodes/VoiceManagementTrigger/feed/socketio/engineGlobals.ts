// Stands in for engine.io-client 6's `globals` module: the original looks for the global object in ways that n8n's
// verification refuses. Both clients' engines find the runtime's WebSocket and their timers through it.
import { clearTimeout, setTimeout } from './timers';

export const nextTick = (callback: () => void): Promise<void> => Promise.resolve().then(callback);

export const globalThisShim = {
	setTimeout,
	clearTimeout,
	WebSocket: typeof WebSocket === 'undefined' ? undefined : WebSocket,
};

export const defaultBinaryType = 'arraybuffer';

/** Cookies are kept by PollingHttp. */
export const createCookieJar = (): undefined => undefined;
