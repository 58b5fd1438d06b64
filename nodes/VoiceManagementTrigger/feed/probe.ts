// Which generation of Socket.IO a service speaks. A client of version 4 cannot talk to a server of version 1 or 2,
// and the documents do not say which one there is; the answer to one plain GET tells.
import { explainNetworkError, hostOf } from '../../shared/networkErrors';
import type { HttpAnswer } from './types';

export type Generation = 2 | 4;

/** The host does not answer as a Socket.IO server does; the message is one sentence for a person. */
export class ProbeFailed extends Error {
	override name = 'ProbeFailed';
}

type Get = (url: string, signal?: AbortSignal) => Promise<HttpAnswer>;

/**
 * Asks for a long-polling handshake: `0{"sid":…` is Socket.IO 3 or 4, a length in front of it is 1 or 2.
 *
 * @param get plain GET; resolves with any status
 * @param voiceUrl scheme and host
 * @param socketPath `/socket.io/` on the operator's service
 * @throws ProbeFailed
 */
export async function probeGeneration(
	get: Get,
	voiceUrl: string,
	socketPath: string,
	signal?: AbortSignal,
): Promise<Generation> {
	// b64: Socket.IO 1 would otherwise answer in its binary form.
	const endpoint = `${voiceUrl}${socketPath}?transport=polling&b64=1`;
	const answer = await get(`${endpoint}&EIO=4`, signal).catch((error: unknown) => {
		throw new ProbeFailed(explainNetworkError(error, voiceUrl));
	});
	const text = typeof answer.body === 'string' ? answer.body : '';
	const handshake = /^(\d+:)?0\{.*?"sid"\s*:\s*"([^"]+)"/s.exec(text);
	if (!handshake) return explainAnswer(answer, voiceUrl, socketPath);
	const generation = handshake[1] === undefined ? 4 : 2;
	endSession(
		get,
		`${endpoint}&EIO=${generation === 4 ? 4 : 3}&sid=${encodeURIComponent(handshake[2])}`,
	);
	return generation;
}

/**
 * The handshake opened a session at the service (on version 2 even a socket), which would linger until its ping
 * times out. A GET is all we have here, and polls that overlap make the server end the session: of three, one may
 * fetch what waited and one hangs, the third overlaps. Nobody waits for the answers.
 */
function endSession(get: Get, url: string): void {
	const patience = AbortSignal.timeout(5_000);
	for (let poll = 0; poll < 3; poll++) {
		get(url, patience).catch(() => undefined);
	}
}

function explainAnswer(answer: HttpAnswer, voiceUrl: string, socketPath: string): Generation {
	const { statusCode, body } = answer;
	const refusal = engineRefusal(body);
	// "Unsupported protocol version": the server knows Engine.IO, and this one only in the other version.
	if (refusal?.code === 5) return 2;
	const host = hostOf(voiceUrl);
	if (refusal) {
		throw new ProbeFailed(
			`The Socket.IO server at ${host} refused the connection: ${refusal.message.slice(0, 200)}`,
		);
	}
	if (statusCode >= 500 || statusCode === 429) {
		throw new ProbeFailed(`The Socket.IO server at ${host} answers with status ${statusCode}`);
	}
	throw new ProbeFailed(
		`${host} is not a Socket.IO server at ${socketPath} (status ${statusCode}): check the voice URL and the Socket.IO path`,
	);
}

/** Engine.IO's own error form: `{"code":5,"message":"Unsupported protocol version"}`. */
function engineRefusal(body: unknown): { code: number; message: string } | undefined {
	let value = body;
	if (typeof value === 'string' && value.startsWith('{')) {
		try {
			value = JSON.parse(value) as unknown;
		} catch {
			return undefined;
		}
	}
	if (typeof value !== 'object' || value === null) return undefined;
	const { code, message } = value as { code?: unknown; message?: unknown };
	return typeof code === 'number' && typeof message === 'string' ? { code, message } : undefined;
}
