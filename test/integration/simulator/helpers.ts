/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Shared by the simulator's own tests: clients for its HTTP interface and for all Socket.IO versions. Nothing of the
// nodes.

import './withoutWebSocket';
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { io } from 'socket.io-client';
import io2 from 'socket.io-client-2';
import type { Provider } from '../../../simulator';
import { Arrivals } from '../../support/arrivals';
import { nth } from '../../support/present';

export const basic = ({ login, password }: { login: string; password: string }) =>
	`Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

/** A client of the number management interface that does not throw, whatever the status. */
export function restClient(
	provider: Provider,
	headers: Record<string, string | null> = {},
): AxiosInstance {
	const client = axios.create({
		baseURL: `${provider.url}/vbapi/v1`,
		headers: {
			Authorization: basic(provider.accounts.numbers),
			Accept: 'application/json',
			...headers,
		},
		validateStatus: () => true,
		maxRedirects: 0,
		maxBodyLength: Infinity,
		maxContentLength: Infinity,
	});
	// Without a body there must be no content type, but axios would send that of a web form.
	client.interceptors.request.use((config) => {
		if (config.data === undefined && !headers['Content-Type']) config.headers.setContentType(false);
		return config;
	});
	return client;
}

/** Module and code of a third-party error body, such as `REGULATION 507`. */
export function errorOf(response: AxiosResponse) {
	const { httpStatusCode, apiModule, errors } = response.data as {
		httpStatusCode: number;
		apiModule: string;
		errors: { apiErrorCode: string; apiErrorMessage: string }[];
	};
	expect(httpStatusCode).toBe(response.status);
	expect(errors).toHaveLength(1);
	expect(nth(errors, 0).apiErrorCode).toMatch(/^\d+$/);
	expect(nth(errors, 0).apiErrorMessage).not.toBe('');
	return `${apiModule} ${nth(errors, 0).apiErrorCode}`;
}

/** A create form that the provider accepts: Paris, for geographic numbers of France. */
export const parisForm = {
	salutation: 'COMPANY',
	companyName: 'Example SARL',
	countryCodeA3: 'FRA',
	city: 'Paris',
	zipCode: '75001',
	streetName: 'rue de l’Exemple',
	buildingNumber: '12bis',
	didType: 'GEOGRAPHIC',
	destinationCountryCodeA3: 'FRA',
	identityDocumentProof: {
		nationality: 'FRA',
		identityDocumentType: 'PASSPORT',
		identityDocumentNumber: '12AB34567',
		issuingAuthority: 'Préfecture',
		issuingDate: '2020-02-29 00:00:00',
	},
};

export const pdf = Buffer.from('%PDF-1.7\n\u0000\u0001 example proof \n%%EOF');

export interface Part {
	headers: Record<string, string>;
	content: Buffer | string;
}

export const formPart = (form: unknown): Part => ({
	headers: {
		'Content-Disposition': 'form-data; name="createRegulationAddressRequest"',
		'Content-ID': 'createRegulationAddressRequest',
		'Content-Type': 'application/json',
	},
	content: typeof form === 'string' ? form : JSON.stringify(form),
});

export const filePart = (name = 'proofOfAddress', content = pdf): Part => ({
	headers: {
		'Content-Disposition': `form-data; name="${name}"; filename="proof é.pdf"`,
		'Content-ID': name,
		'Content-Type': 'application/pdf',
	},
	content,
});

/** A part without one of its headers, or with another value for it. */
export function withHeader(part: Part, name: string, value?: string): Part {
	const { [name]: _dropped, ...headers } = part.headers;
	return { ...part, headers: value === undefined ? headers : { ...headers, [name]: value } };
}

const boundary = 'x-boundary-of-the-tests';
export const multipartHeaders = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };

/** A multipart body, byte by byte as specified, without the habits of a library. */
export function multipart(...parts: Part[]): Buffer {
	return Buffer.concat([
		...parts.flatMap(({ headers, content }) => [
			Buffer.from(
				[
					`--${boundary}`,
					...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
					'\r\n',
				].join('\r\n'),
			),
			Buffer.from(content),
			Buffer.from('\r\n'),
		]),
		Buffer.from(`--${boundary}--\r\n`),
	]);
}

/** PUT of "create address" with these parts. */
export const putAddress = (rest: AxiosInstance, ...parts: Part[]) =>
	rest.put('/regulation/address', multipart(...parts), { headers: multipartHeaders });

/** Creates an address and returns its id. */
export async function createAddress(rest: AxiosInstance, form: object = {}, ...files: Part[]) {
	const response = await putAddress(rest, formPart({ ...parisForm, ...form }), ...files);
	expect(response.data).toEqual({ addressId: expect.any(Number) });
	return (response.data as { addressId: number }).addressId;
}

/** PUT of a proof with these parts. */
export const putProof = (rest: AxiosInstance, addressId: number, ...parts: Part[]) =>
	rest.put(`/regulation/address/${addressId}/proof`, multipart(...parts), {
		headers: multipartHeaders,
	});

export async function createCart(rest: AxiosInstance) {
	const response = await rest.put('/ordering/cart', {});
	return (response.data as { cart: { cartIdentifier: number } }).cart.cartIdentifier;
}

/** The header X-JSON in pure ASCII, as the provider's clients write it. */
export function xJson(value: unknown) {
	return JSON.stringify(value).replace(
		/[\u007f-\uffff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

export function supervisorHeader(provider: Provider, header: object = {}) {
	return {
		requete: 'init',
		header: { ...provider.accounts.supervisor, account_type: 'supervisor', ...header },
		msg: {},
	};
}

/** POST `/ws/` with this value in X-JSON. */
export function login(provider: Provider, value: unknown = supervisorHeader(provider)) {
	return axios.post<unknown>(`${provider.url}/ws/`, undefined, {
		// Without a body there must be no content type, but axios would send that of a web form.
		headers: { 'X-JSON': typeof value === 'string' ? value : xJson(value), 'Content-Type': false },
		validateStatus: () => true,
	});
}

/** POST `/vm/token`. */
export function tokenRequest(
	provider: Provider,
	body: unknown = { ip: '127.0.0.1', user_type: 'api' },
	headers: Record<string, string> = {},
) {
	return axios.post(`${provider.url}/vm/token`, body, {
		headers: { Authorization: basic(provider.accounts.api), ...headers },
		validateStatus: () => true,
	});
}

/** A real client that records everything it receives. The client of Socket.IO 2 also works with servers of 1. */
export class FeedClient {
	readonly updates: unknown[][] = [];
	readonly reasons: string[] = [];
	private readonly arrivals = new Arrivals();
	private readonly socket: {
		on(name: string, handler: (...args: never[]) => void): unknown;
		emit(name: string, ...args: unknown[]): unknown;
		close(): unknown;
		connected: boolean;
		io: {
			engine: {
				readyState: string;
				once(name: string, handler: () => void): unknown;
			};
		};
	};

	constructor(generation: 4 | 2 | 1, url: string, transports = ['websocket'], more: object = {}) {
		const options = { transports, reconnection: false, forceNew: true, ...more };
		this.socket = (generation === 4 ? io(url, options) : io2(url, options)) as never;
		this.socket.on('connect', () => this.heard());
		this.socket.on('connect_error', () => this.heard('connect_error'));
		this.socket.on('update', (...args: never[]) => {
			this.updates.push(args);
			this.heard();
		});
		this.socket.on('disconnect', (reason: never) => this.heard(reason));
	}

	get connected() {
		return this.socket.connected;
	}

	emit(name: string, ...args: unknown[]) {
		this.socket.emit(name, ...args);
	}

	/** Waits for a condition on what was received, which is checked after everything received. */
	until(condition: () => boolean) {
		return this.arrivals.until(condition);
	}

	/** Resolves when the transport has ended: a polling client first has to disconnect over HTTP. */
	async close() {
		const { engine } = this.socket.io;
		const ended = new Promise<void>((resolve) => {
			if (!engine || engine.readyState === 'closed') resolve();
			else engine.once('close', () => resolve());
		});
		this.socket.close();
		await ended;
	}

	private heard(reason?: string) {
		if (reason !== undefined) this.reasons.push(reason);
		this.arrivals.changed();
	}
}

/** Logs in as supervisor, connects and sends `init`; resolves when the provider has accepted it. */
export async function connectSupervisor(provider: Provider, generation: 4 | 2 | 1) {
	const session = (await login(provider)).data as { target: number; id_session: string };
	const client = new FeedClient(generation, provider.url);
	await client.until(() => client.connected);
	const before = provider.control.counts().inits;
	client.emit('init', 'supervisor', session.target, session.id_session);
	await provider.control.waitFor((control) => control.counts().inits > before);
	return { client };
}
