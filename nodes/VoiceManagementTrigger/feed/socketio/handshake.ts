// Checks what the bundled clients would use unchecked: the values in Engine.IO's handshake, `0{"sid":…}`, and the size
// of packets. A server, or a proxy in front of it, can send anything.

import { boundCrossed } from '../../../shared/json';
import { atOnce } from '../../../shared/slices';
import { DEEPEST_EVENT, MOST_VALUES } from '../envelope/payloadValues';
import { isBinary, payloadText, type PollingAnswer } from './pollingHttp';
import type { LeftOut } from './types';

/** Limits for the ping interval and the ping timeout of a handshake, in milliseconds. */
const SHORTEST_MS = 100;
const LONGEST_MS = 10 * 60_000;
/** Engine.IO's own defaults. */
const PING_INTERVAL_MS = 25_000;
const PING_TIMEOUT_MS = 20_000;

export interface Handshake {
	sid: string;
	upgrades: string[];
	pingInterval: number;
	pingTimeout: number;
	/** Engine.IO 4 only, from Socket.IO 4.5 on. */
	maxPayload?: number;
}

/**
 * Reads a handshake, with ping times that are missing or implausible replaced by plausible ones.
 * @param data JSON text after the packet's `0`
 * @returns undefined if it is not a handshake
 */
export function readHandshake(data: unknown): Handshake | undefined {
	if (typeof data !== 'string') return undefined;
	let value: unknown;
	try {
		value = JSON.parse(data);
	} catch {
		return undefined;
	}
	if (typeof value !== 'object' || value === null) return undefined;
	const { sid, upgrades, pingInterval, pingTimeout, maxPayload } = value as Record<string, unknown>;
	const id = typeof sid === 'number' ? String(sid) : sid;
	if (typeof id !== 'string' || id === '' || id.length > 1_000) return undefined;
	return {
		sid: id,
		upgrades: Array.isArray(upgrades) && upgrades.includes('websocket') ? ['websocket'] : [],
		pingInterval: within(pingInterval, PING_INTERVAL_MS),
		pingTimeout: within(pingTimeout, PING_TIMEOUT_MS),
		...(Number.isSafeInteger(maxPayload) && Number(maxPayload) > 0
			? { maxPayload: Number(maxPayload) }
			: {}),
	};
}

/** No handshake is longer, in bytes. */
const LONGEST_HANDSHAKE = 10_000;

/**
 * Reads the handshake at the beginning of the first payload of long polling.
 * @returns the handshake, and in `counted` whether a length precedes it, as in Engine.IO 3; undefined if there is none
 */
export function handshakeIn(
	answer: PollingAnswer,
): { handshake: Handshake; counted: boolean } | undefined {
	const { body } = answer;
	// Binary framing: digits as bytes, 255, then the packet.
	const end = isBinary(answer) ? body.indexOf(255) : -1;
	const text = beginOf(answer, end + 1);
	const found = /^(\d{1,9}:)?0(?=\{)/.exec(text);
	if (!found) return undefined;
	const handshake = readHandshake(objectAt(text.slice(found[0].length)));
	return handshake && { handshake, counted: end >= 0 || found[1] !== undefined };
}

/** The beginning of a response as text: long enough for a handshake, or for an error in its place. */
export function beginOf(answer: PollingAnswer, from = 0): string {
	const body = answer.body.subarray(from, from + LONGEST_HANDSHAKE);
	return atOnce(payloadText({ ...answer, body }));
}

/** The object at the beginning of a text, which another packet can follow. */
function objectAt(text: string): string {
	let depth = 0;
	for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
		if (token === '{') depth++;
		else if (token === '}' && --depth === 0) return text.slice(0, index + 1);
	}
	return '';
}

function within(value: unknown, otherwise: number): number {
	const number = typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
	return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, number));
}

/** A packet of either client's Engine.IO. */
export interface EnginePacket {
	type: string;
	data?: unknown;
}

/** A Socket.IO event packet without binary parts, in any namespace; the group is set if the event is `update`. */
const EVENT = /^2(?:\/[^,]{0,100},)?\d{0,20}\[\s{0,10}("update"(?=[,\]\s]))?/i;

/** What becomes of a packet. */
export type Admission =
	| { kind: 'packet'; packet: EnginePacket }
	/** A handshake on an open connection, which has no use for it. */
	| { kind: 'ignored' }
	/**
	 * An event exceeds a limit. The connection stays open, because an operator that often sends such events would
	 * otherwise end every connection.
	 */
	| { kind: 'leftOut'; leftOut: LeftOut }
	| { kind: 'broken'; reason: string };

/**
 * Limit for a packet, in characters or bytes. A packet is one event, or a binary part of one; a large event of the
 * operator has a few kilobytes.
 */
const LONGEST_PACKET = 2_000_000;

/**
 * Decides whether a bundled client gets a packet. Packets beyond a limit are kept from it. Handshakes are checked,
 * because the clients parse them without error handling, and would start over if one came on an open connection.
 */
export function admit(packet: EnginePacket, isOpen: boolean): Admission {
	const { data } = packet;
	if (sizeOf(data) > LONGEST_PACKET) return beyond(packet, 'a message larger than 2 MB');
	// Such a value would overflow the stack of recursive code, including n8n's, or block n8n.
	const crossed =
		typeof data === 'string' ? boundCrossed(data, MOST_VALUES, DEEPEST_EVENT) : undefined;
	if (crossed !== undefined) return beyond(packet, `a message with more than ${crossed}`);
	if (packet.type !== 'open') return { kind: 'packet', packet };
	if (isOpen) return { kind: 'ignored' };
	const handshake = readHandshake(packet.data);
	return handshake
		? { kind: 'packet', packet: { ...packet, data: JSON.stringify(handshake) } }
		: { kind: 'broken', reason: 'the handshake could not be read' };
}

/** @param what completes "the operator sent …" */
function beyond({ type, data }: EnginePacket, what: string): Admission {
	const event = type === 'message' && typeof data === 'string' ? EVENT.exec(data) : null;
	return event
		? { kind: 'leftOut', leftOut: { what, isUpdate: event[1] !== undefined } }
		: { kind: 'broken', reason: `the operator sent ${what}` };
}

function sizeOf(data: unknown): number {
	if (typeof data === 'string') return data.length;
	return data instanceof ArrayBuffer || ArrayBuffer.isView(data) ? data.byteLength : 0;
}
