/**
 * Settles as the work does, or rejects with the signal's reason as soon as the signal aborts. n8n's helpers need it
 * above their own time limit: after a `101 Switching Protocols` they never settle, because Node.js destroys the socket
 * without an error.
 * @param signal `AbortSignal.timeout`, or any of several
 */
export async function withDeadline<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
	let stop = () => {};
	const aborted = new Promise<never>((_resolve, reject) => {
		stop = () => reject(signal.reason as Error);
	});
	signal.addEventListener('abort', stop, { once: true });
	if (signal.aborted) stop();
	try {
		return await Promise.race([work, aborted]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}
