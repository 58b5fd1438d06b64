// Replaces engine.io-client's module `globals`, which looks for the global object in ways that n8n's verification
// rejects, as it does the timers of the runtime.
import { systemClock } from '../clock';

type Cancel = () => void;

/** Our timers never keep the process running. */
const setTimeout = (action: () => void, delayMs = 0): Cancel => systemClock.after(delayMs, action);
const clearTimeout = (cancel: Cancel | undefined): void => cancel?.();

export const globalThisShim = { setTimeout, clearTimeout };

export const nextTick = (action: () => void): Promise<void> => Promise.resolve().then(action);

export const defaultBinaryType = 'arraybuffer';

/** Not needed: PollingHttp stores and sends the cookies. */
export const createCookieJar = (): undefined => undefined;
