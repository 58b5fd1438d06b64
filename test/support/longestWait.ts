/** A test waits for something at most this long: less than Jest does, so that the error names what did not happen. */
export const LONGEST_WAIT_MS = 120_000;
