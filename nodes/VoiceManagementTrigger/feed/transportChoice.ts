// The ways to open a socket, and which of them is left after one has failed. Pure: connection.ts opens the socket.
import type { Endpoint } from './probe';
import type { FeedOptions, Transport } from './types';

/** One way to open the socket. */
export interface Candidate {
	transport: Transport;
	transports: Endpoint['transports'];
}

/** In the order in which they are tried; there is always one. */
export type Candidates = [Candidate, ...Candidate[]];

export interface CandidateOptions {
	/** What the operator offers. */
	offered: Endpoint['transports'];
	/** What the user wants. */
	transport: FeedOptions['transport'];
	/** Whether the runtime has a WebSocket. */
	hasWebSocket: boolean;
	/** A direct connection is known to fail, and nothing calls for another try. */
	skipDirect: boolean;
}

/** The ways to open the socket. */
export function candidates(options: CandidateOptions): Candidates {
	const { offered, transport, hasWebSocket, skipDirect } = options;
	const polls = offered.includes('polling');
	const throughN8n: Candidate = { transport: 'n8n', transports: ['polling'] };
	const usable = offered.filter((one) => one === 'polling' || hasWebSocket);
	const direct: Candidates = [{ transport: 'direct', transports: usable }];
	// Polls that end on different servers are refused; one WebSocket is on one server.
	if (usable.length > 1) direct.push({ transport: 'direct', transports: ['websocket'] });
	if (transport === 'direct') return direct;
	if (transport === 'n8n') return [throughN8n];
	if (skipDirect && polls) return [throughN8n];
	return polls ? [...direct, throughN8n] : direct;
}

/**
 * What is left to try: another direct way if the operator answered, n8n's if nothing did.
 * @param unreached nothing answered
 */
export function remaining(
	failed: Candidate,
	others: readonly Candidate[],
	unreached: boolean,
): Candidate[] {
	if (failed.transport === 'n8n') return [];
	return others.filter(({ transport }) => transport === (unreached ? 'n8n' : 'direct'));
}
