// Lists the ways to open a socket, and those that are left after one has failed. Pure: connection.ts opens the socket.
import type { Endpoint } from './findEndpoint';
import type { FeedOptions, Transport } from './types';

/** One way to open the socket. */
export interface Candidate {
	transport: Transport;
	transports: Endpoint['transports'];
}

/** In the order in which they are tried; never empty. */
export type Candidates = [Candidate, ...Candidate[]];

export interface CandidateOptions {
	/** The transports that the provider offers. */
	offered: Endpoint['transports'];
	/** The transport that the user chose. */
	transport: FeedOptions['transport'];
	/** Whether the runtime has a WebSocket. */
	hasWebSocket: boolean;
	/** A direct connection failed before, and it is too early to try one again. */
	skipDirect: boolean;
}

/** Lists the ways to open the socket, the preferred one first. */
export function candidates(options: CandidateOptions): Candidates {
	const { offered, transport, hasWebSocket, skipDirect } = options;
	const polls = offered.includes('polling');
	const throughN8n: Candidate = { transport: 'n8n', transports: ['polling'] };
	const usable = offered.filter((one) => one === 'polling' || hasWebSocket);
	const direct: Candidates = [{ transport: 'direct', transports: usable }];
	// A load balancer can send polls to different servers, which refuse them; a WebSocket stays on one server.
	if (usable.length > 1) direct.push({ transport: 'direct', transports: ['websocket'] });
	if (transport === 'direct') return direct;
	if (transport === 'n8n') return [throughN8n];
	if (skipDirect && polls) return [throughN8n];
	return polls ? [...direct, throughN8n] : direct;
}

/**
 * The ways that are left to try: other direct ones if the host responded, otherwise the one through n8n.
 * @param unreached the host did not respond, or not in time
 */
export function remaining(
	failed: Candidate,
	others: readonly Candidate[],
	unreached: boolean,
): Candidate[] {
	if (failed.transport === 'n8n') return [];
	return others.filter(({ transport }) => transport === (unreached ? 'n8n' : 'direct'));
}
