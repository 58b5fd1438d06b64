// Reads what a server sends, before engine.io-client sees it: the packets in the response to a poll, packets of both
// versions of Engine.IO (3 belongs to Socket.IO 1 and 2), the values in a handshake, and the limits. A server, or a proxy
// in front of it, can send anything.
import { boundCrossed, parseJson, withLongIntegers } from '../../../shared/json';
import { decode } from '../../../shared/answer/parse';
import { DEEPEST_EVENT, MOST_VALUES } from '../envelope/payloadValues';
import { LONGEST_POLL, type PollingAnswer } from './pollingHttp';
import type { LeftOut } from './types';

// ── the response to a poll ──────────────────────────────────────────────────────────────────────────────────

/** A packet as it arrives. */
export type Raw = string | Uint8Array;

export interface Payload {
	packets: Raw[];
	/** A length precedes each packet, as in Engine.IO 3. */
	counted: boolean;
}

const UNREADABLE = 'a packet could not be read';

/** Between two packets of Engine.IO 4. */
export const SEPARATOR = '\x1e';

/** Reads the response to a poll. @throws if the lengths in it do not fit */
export function readPayload(answer: PollingAnswer): Payload {
	const { body } = answer;
	// Engine.IO 3's binary framing begins with 0 (text) or 1 (bytes), its text framing with a digit.
	if (body[0] === 0 || body[0] === 1) return { packets: unframed(body), counted: true };
	const text = payloadText(answer);
	if (!/^\d{1,9}:/.test(text)) return { packets: text.trimEnd().split(SEPARATOR), counted: false };
	// A line break at the end can belong to the last packet or follow it. Servers count in bytes, in UTF-16 units or in
	// characters, which differ as soon as a name has an accent. The way that reads least comes first: what it leaves of a
	// packet shows that it is wrong, while one that reads too much can swallow the next packet.
	for (const payload of new Set([text, text.trimEnd()])) {
		const packets =
			splitByBytes(payload) ??
			split(payload, (start, length) => start + length) ??
			split(payload, (start, length) => behindCharacters(payload, start, length));
		if (packets) return { packets, counted: true };
	}
	throw new Error(UNREADABLE);
}

/** Decodes a text payload in any character set, without what a server or a proxy put before it. */
export function payloadText({ body, contentType }: PollingAnswer): string {
	const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
	// trimStart() also removes a byte order mark.
	return (text.includes('\ufffd') ? decode(body, contentType) : text).trimStart();
}

/** The packets of `<length>:<packet>…`; undefined if the last one does not end with the text. */
function split(
	text: string,
	behind: (start: number, length: number) => number,
): string[] | undefined {
	const packets: string[] = [];
	const head = /(\d{1,9}):/y;
	let at = 0;
	while (at < text.length) {
		head.lastIndex = at;
		const [, length] = head.exec(text) ?? [];
		if (length === undefined) return undefined;
		const start = head.lastIndex;
		at = behind(start, Number(length));
		packets.push(text.slice(start, at));
	}
	return at === text.length ? packets : undefined;
}

function splitByBytes(text: string): string[] | undefined {
	// Each byte as a character.
	const packets = split(Buffer.from(text).toString('latin1'), (start, length) => start + length);
	return packets?.map((packet) => Buffer.from(packet, 'latin1').toString());
}

function behindCharacters(text: string, start: number, length: number): number {
	let at = start;
	for (let left = length; left > 0; left--) at += Number(text.codePointAt(at)) > 0xffff ? 2 : 1;
	return at;
}

/** The packets of Engine.IO 3's binary framing: 0 (text) or 1 (bytes), the digits of the length, 255, the packet. */
function unframed(body: Uint8Array): Raw[] {
	const packets: Raw[] = [];
	for (let at = 0; at < body.length;) {
		const start = body.indexOf(255, at) + 1;
		const end = start + Number(body.subarray(at + 1, start - 1).join(''));
		if (start === 0 || start - at > LONGEST_HEAD || !(end <= body.length))
			throw new Error(UNREADABLE);
		const packet = body.subarray(start, end);
		packets.push(body[at] === 0 ? Buffer.from(packet).toString() : packet);
		at = end;
	}
	return packets;
}

/** Limit for what precedes a packet in the binary framing. */
const LONGEST_HEAD = 12;

// ── one packet ──────────────────────────────────────────────────────────────────────────────────────────────

const PACKET_TYPES = ['open', 'close', 'ping', 'pong', 'message', 'upgrade', 'noop'] as const;

export interface Packet {
	type: (typeof PACKET_TYPES)[number];
	data?: Raw;
}

/** @returns undefined if it is no packet */
export function readPacket(raw: Raw, engine: 3 | 4): Packet | undefined {
	if (typeof raw === 'string' && !raw.startsWith('b'))
		return packetOf(Number(raw[0]), raw.slice(1));
	const bytes =
		typeof raw === 'string' ? Buffer.from(raw.slice(engine === 3 ? 2 : 1), 'base64') : raw;
	if (engine === 4) return { type: 'message', data: bytes };
	return typeof raw === 'string'
		? packetOf(Number(raw[1]), bytes)
		: packetOf(Number(raw[0]), raw.subarray(1));
}

function packetOf(number: number, data: Raw): Packet | undefined {
	const type = PACKET_TYPES[number];
	return type && (data.length > 0 ? { type, data } : { type });
}

/** A packet as text. Only text is sent. */
export const writePacket = ({ type, data = '' }: Packet): string =>
	`${PACKET_TYPES.indexOf(type)}${String(data)}`;

// ── the handshake ───────────────────────────────────────────────────────────────────────────────────────────

/** Limits for the ping interval and the ping timeout of a handshake, in milliseconds. */
const SHORTEST_PING_MS = 100;
const LONGEST_PING_MS = 10 * 60_000;
/** Engine.IO's own defaults. */
const PING_INTERVAL_MS = 25_000;
const PING_TIMEOUT_MS = 20_000;
/** No handshake has more characters. */
const LONGEST_HANDSHAKE = 10_000;

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
	if (typeof data !== 'string' || data.length > LONGEST_HANDSHAKE) return undefined;
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
		pingInterval: pingTimeIn(pingInterval, PING_INTERVAL_MS),
		pingTimeout: pingTimeIn(pingTimeout, PING_TIMEOUT_MS),
		...(Number.isSafeInteger(maxPayload) && Number(maxPayload) > 0
			? { maxPayload: Number(maxPayload) }
			: {}),
	};
}

function pingTimeIn(value: unknown, otherwise: number): number {
	const number = typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
	return Math.min(LONGEST_PING_MS, Math.max(SHORTEST_PING_MS, number));
}

// ── the limits ──────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Limit for a packet, in characters or bytes. A packet is one event, or a binary part of one; a large event of the
 * provider has a few kilobytes.
 */
const LONGEST_PACKET = 2_000_000;

/**
 * Limit for a message of a WebSocket; longer polls are refused as well. The runtime unpacks a compressed message before
 * it can be measured, up to a limit of its own (128 MB in Node.js), so the connection ends with the first one.
 */
const LONGEST_MESSAGE = LONGEST_POLL;

/** What becomes of a packet. */
export type Admission =
	/** An event of the first namespace, without binary parts and without an acknowledgement: nearly every packet. */
	| { kind: 'event'; event: unknown[] }
	| { kind: 'packet'; packet: Packet }
	| { kind: 'handshake'; handshake: Handshake }
	/**
	 * An event exceeds a limit of its own. The connection stays open, because a provider that often sends such events would
	 * otherwise end every connection.
	 */
	| { kind: 'leftOut'; leftOut: LeftOut }
	| { kind: 'broken'; reason: string };

/** Decides whether the client gets a packet: nothing beyond a limit, and only a handshake that it can read. */
export function admit(raw: Raw, engine: 3 | 4): Admission {
	if (raw.length > LONGEST_MESSAGE)
		return { kind: 'broken', reason: 'the provider sent a message larger than 4 MB' };
	if (raw.length > LONGEST_PACKET) return beyond(raw, 'a message larger than 2 MB');
	const event = eventIn(raw);
	if (event === UNREADABLE) return { kind: 'broken', reason: UNREADABLE };
	if (event) return { kind: 'event', event };
	const packet = readPacket(raw, engine);
	if (!packet) return { kind: 'broken', reason: UNREADABLE };
	const { type, data } = packet;
	if (type === 'open') {
		const handshake = readHandshake(data);
		return handshake
			? { kind: 'handshake', handshake }
			: { kind: 'broken', reason: 'the handshake could not be read' };
	}
	if (typeof data !== 'string') return { kind: 'packet', packet };
	// Such a value would overflow the stack of recursive code, including n8n's, or block n8n.
	const crossed = boundCrossed(data, MOST_VALUES, DEEPEST_EVENT);
	if (crossed !== undefined) return beyond(raw, `a message with more than ${crossed}`);
	return { kind: 'packet', packet: { type, data: withLongIntegers(data) } };
}

/** Of an event; the client would pass it on five times before it is parsed. */
function eventIn(raw: Raw): unknown[] | typeof UNREADABLE | undefined {
	if (typeof raw !== 'string' || !raw.startsWith('42["')) return undefined;
	if (boundCrossed(raw, MOST_VALUES, DEEPEST_EVENT) !== undefined) return undefined;
	try {
		return parseJson(raw.slice(2)) as unknown[];
	} catch {
		return UNREADABLE;
	}
}

/** A Socket.IO event packet without binary parts, in any namespace; the group is set if the event is `update`. */
const EVENT = /^42(?:\/[^,]{0,100},)?\d{0,20}\[\s{0,10}("update"(?=[,\]\s]))?/i;

/** @param what completes "the provider sent …" */
function beyond(raw: Raw, what: string): Admission {
	const event = typeof raw === 'string' ? EVENT.exec(raw) : null;
	return event
		? { kind: 'leftOut', leftOut: { what, isUpdate: event[1] !== undefined } }
		: { kind: 'broken', reason: `the provider sent ${what}` };
}
