// Stands in for engine.io-client 6's `globals` module: the original looks for the global object in ways that n8n's
// verification refuses. Both clients' engines find their timers through it; WebSockets come from webSockets.ts.
import { clearTimeout, setTimeout } from './timers';

export const nextTick = (callback: () => void): Promise<void> => Promise.resolve().then(callback);

export const globalThisShim = { setTimeout, clearTimeout };

export const defaultBinaryType = 'arraybuffer';

/** Cookies are kept by PollingHttp. */
export const createCookieJar = (): undefined => undefined;
