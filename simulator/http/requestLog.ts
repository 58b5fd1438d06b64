// The log of received requests, in which tests can see exactly what was sent.

import type { MultipartPart } from '../rest/multipart';

export type Area = 'rest' | 'login' | 'token' | 'page' | 'feed' | 'other';

export interface RecordedRequest {
	/** Counts from 1. */
	id: number;
	/** Milliseconds since 1970. */
	at: number;
	/** `login` is `/ws/`, `token` is `/vm/token`, `feed` is the Socket.IO path, `page` the test page. */
	area: Area;
	method: string;
	/** As sent, undecoded. */
	url: string;
	/** The URL's path, undecoded. */
	path: string;
	/** Decoded query; the last one of repeated names. */
	query: Record<string, string>;
	/** Names in lower case; repeated ones joined. */
	headers: Record<string, string>;
	/** Parsed if it is JSON, otherwise text; null if there is none. */
	body: unknown;
	/** Multipart parts in order. */
	parts?: MultipartPart[];
	remoteAddress: string;
	/** Status of the response; null while it is under way, or if the connection was cut instead. */
	status: number | null;
}

export interface RequestFilter {
	area?: Area;
	method?: string;
	/** Exact path, undecoded. */
	path?: string;
}

/** Requests that are kept; older ones are dropped. */
const kept = 10_000;

export class RequestLog {
	private readonly records: RecordedRequest[] = [];
	private nextId = 1;

	constructor(private readonly changed: () => void) {}

	add(record: Omit<RecordedRequest, 'id' | 'path' | 'query' | 'status'>): RecordedRequest {
		const [path = '', query = ''] = record.url.split(/\?(.*)/s);
		const full: RecordedRequest = {
			id: this.nextId++,
			...record,
			path,
			query: Object.fromEntries(new URLSearchParams(query)),
			status: null,
		};
		this.records.push(full);
		if (this.records.length > kept) this.records.shift();
		this.changed();
		return full;
	}

	/** Without a filter, everything except the Socket.IO path, which a polling client requests all the time. */
	list(filter: RequestFilter = {}): RecordedRequest[] {
		return this.records.filter(
			(record) =>
				(filter.area ? record.area === filter.area : record.area !== 'feed' || filter.path) &&
				(filter.method === undefined || record.method === filter.method) &&
				(filter.path === undefined || record.path === filter.path),
		);
	}

	clear() {
		this.records.length = 0;
	}
}
