// Engine.IO's handshake, `0{"sid":…}`, read with care: the bundled clients take its numbers and lists as they come, and
// a server, or what stands in front of it, can send anything.

import { boundCrossed } from '../../../shared/json';
import { atOnce } from '../../../shared/slices';
import { DEEPEST_EVENT, MOST_VALUES } from '../envelope/payloadValues';
import { isBinary, payloadText, type PollingAnswer } from './pollingHttp';
import type { LeftOut } from './types';

/** What a connection may be told about its pings, in milliseconds. */
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
 * @param data JSON text after the packet's `0`
 * @returns undefined if it is none; numbers that nobody can mean are brought within reason
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

/** No handshake is longer. */
const LONGEST_HANDSHAKE = 10_000;

/**
 * The handshake at the begin of the first payload of long polling.
 * @returns it, and whether a length stands before it, as in Engine.IO 3; undefined if there is none
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

/** As much text of an answer as a handshake can have, or what is said in its place. */
export function beginOf(answer: PollingAnswer, from = 0): string {
	const body = answer.body.subarray(from, from + LONGEST_HANDSHAKE);
	return atOnce(payloadText({ ...answer, body }));
}

/** The object that a text begins with. Another packet may follow it. */
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

/** Socket.IO's event without binary parts, in whatever namespace, and whether it is `update`. */
const EVENT = /^2(?:\/[^,]{0,100},)?\d{0,20}\[\s{0,10}("update"(?=[,\]\s]))?/i;

/** What a bundled client gets to see of a packet. */
export type Admission =
	| { kind: 'packet'; packet: EnginePacket }
	/** Nothing that an open connection has a use for. */
	| { kind: 'ignored' }
	/** An event beyond the bounds. The connection goes on: an operator that often sends such ones would end each. */
	| { kind: 'leftOut'; leftOut: LeftOut }
	| { kind: 'broken'; reason: string };

/** The longest packet: one event, or a part of it in binary form. A large event of the operator has a few kilobytes. */
const LONGEST_PACKET = 2_000_000;

/**
 * Lets a packet through to a bundled client. Only handshakes need care: the clients parse them without a net, and take
 * one on an open connection for a new beginning.
 */
export function admit(packet: EnginePacket, isOpen: boolean): Admission {
	const { data } = packet;
	if (sizeOf(data) > LONGEST_PACKET) return beyond(packet, 'a message larger than 2 MB');
	// Whatever handles such a value by recursion, n8n included, would run out of stack.
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

/** @param what as the end of a sentence */
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
