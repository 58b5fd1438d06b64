// Replaces engine.io-client 6's module `globals`, which looks for the global object in ways that n8n's verification
// rejects. The engines of both clients get their timers from here; WebSockets come from webSockets.ts.
import { clearTimeout, setTimeout } from './timers';

export const nextTick = (callback: () => void): Promise<void> => Promise.resolve().then(callback);

export const globalThisShim = { setTimeout, clearTimeout };

export const defaultBinaryType = 'arraybuffer';

/** Not needed: PollingHttp stores and sends the cookies. */
export const createCookieJar = (): undefined => undefined;
