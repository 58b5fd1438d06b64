/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Regulatory addresses: create, list, get, delete, proof, validation, verification.

import { common, regulation } from './errors';
import { parseObject, refuseBody, type ReceivedBody } from './body';
import { checkCountry, readAddressForm, readDidType } from './addressForm';
import { withoutVerification } from './catalogue';
import type { MultipartPart } from './multipart';
import type { RestContext, RestOperation } from './operation';
import { page, readInteger, readQuery, required, type Query } from './paging';
import type { Address, AddressStatus, NumberState } from './state';

const statuses: readonly string[] = [
	'NOT_VERIFIED',
	'VERIFIED',
	'VERIFICATION_REQUESTED',
	'REJECTED',
	'VERIFICATION_NOT_REQUIRED',
] satisfies AddressStatus[];

/** The customer's address with the identifier from the path or a filter; error 507. */
export function ownAddress(state: NumberState, id: string): Address {
	const number = readInteger(id);
	const address = number === undefined ? undefined : state.addresses.get(number);
	if (!address) throw regulation(507, 'The address id is invalid or not owned by this account');
	return address;
}

/** An id or a quantity as the provider writes it: numbers and digit strings both occur. */
export const writeNumber = (state: NumberState, value: number) =>
	state.behaviour.idsAsText ? String(value) : value;

function answer(state: NumberState, address: Address) {
	// The provider's list shows none of the three: they are not part of a postal address.
	const { internal, addressId, phoneNumber, didType, destinationCountryCodeA3, ...shown } = address;
	return {
		addressId: writeNumber(state, addressId),
		linked: state.linked(address).length > 0,
		...shown,
	};
}

const create: RestOperation = {
	method: 'PUT',
	path: '/regulation/address',
	run({ state, body, query, startReview }) {
		readQuery(query, []);
		const parts = readParts(body);
		const form = readAddressForm(readRequestPart(parts));
		const proofs = (['proofOfAddress', 'proofOfIdentityDocument'] as const).flatMap((name) => {
			const part = parts.find((candidate) => candidate.name === name);
			return part ? [checkFile(part)] : [];
		});
		const { identityDocumentProof, ...fields } = form;
		const address: Address = {
			addressId: state.newAddressId(),
			...fields,
			status: 'NOT_VERIFIED',
			rejectionReasons: [],
			internal: { proofs, identityDocumentProof },
		};
		if (withoutVerification.has(address.destinationCountryCodeA3)) {
			address.status = 'VERIFICATION_NOT_REQUIRED';
		} else if (proofs.some((proof) => proof.name === 'proofOfAddress')) {
			// A proof in the form starts the verification.
			address.status = 'VERIFICATION_REQUESTED';
		}
		state.addresses.set(address.addressId, address);
		if (address.status === 'VERIFICATION_REQUESTED') startReview(address.addressId);
		return { addressId: writeNumber(state, address.addressId) };
	},
};

function readParts(body: ReceivedBody): MultipartPart[] {
	if (body.problem) throw common(24, `The upload could not be read: ${body.problem}`);
	if (!body.parts) throw common(25, 'Content-Type must be multipart/form-data with a boundary');
	const names = ['createRegulationAddressRequest', 'proofOfAddress', 'proofOfIdentityDocument'];
	for (const [index, part] of body.parts.entries()) {
		if (part.name === null || !names.includes(part.name)) {
			throw common(21, `Unknown part "${part.name ?? ''}"`);
		}
		if (body.parts.findIndex((other) => other.name === part.name) !== index) {
			throw common(21, `Duplicate part "${part.name}"`);
		}
	}
	return body.parts;
}

function readRequestPart(parts: MultipartPart[]) {
	const name = 'createRegulationAddressRequest';
	const part = parts.find((candidate) => candidate.name === name);
	if (!part) throw common(24, `Part "${name}" is missing`);
	if (contentId(part) !== name)
		throw common(24, `Part "${name}" needs the header Content-ID: ${name}`);
	if (part.contentType !== 'application/json') {
		throw common(25, `Part "${name}" must be application/json`);
	}
	if (!part.content) throw common(25, `Part "${name}" is too long`);
	return parseObject(part.content.toString('utf8'));
}

/** `Content-ID` with or without the angle brackets of the mail standard. */
const contentId = (part: MultipartPart) =>
	part.headers['content-id']?.trim().replace(/^<(.*)>$/, '$1');

/** Checks an uploaded document: binary, named, typed, not empty. Returns it without its content. */
function checkFile(part: MultipartPart): Omit<MultipartPart, 'content'> {
	const label = part.name ?? contentId(part) ?? 'file';
	if (!part.filename) throw common(24, `Part "${label}" needs a file name`);
	if (!part.contentType) throw common(24, `Part "${label}" needs a content type`);
	if (part.size === 0) throw common(24, `The file of part "${label}" is empty`);
	if (part.headers['content-transfer-encoding']?.trim().toLowerCase() === 'base64') {
		throw common(25, `The file of part "${label}" must be binary, not base64`);
	}
	const { content, ...kept } = part;
	// A file sent as base64 text contains nothing but that alphabet, unlike any document format.
	if (
		content &&
		content.length > 16 &&
		!part.contentType.startsWith('text/') &&
		/^[A-Za-z0-9+/\r\n]+={0,2}$/.test(content.toString('latin1').trimEnd())
	) {
		throw common(25, `The file of part "${label}" must be binary, not base64`);
	}
	return kept;
}

const textFilters = [
	'companyName',
	'firstName',
	'lastName',
	'city',
	'zipCode',
	'streetName',
	'buildingNumber',
	'customerReference',
] as const;

const list: RestOperation = {
	method: 'GET',
	path: '/regulation/address',
	run({ state, query: raw }) {
		const query = readQuery(raw, [
			'pageNumber',
			'pageSize',
			'regulationAddressId',
			'countryCodeA3',
			'status',
			'linked',
			...textFilters,
		]);
		const filter = addressFilter(state, query);
		const found = [...state.addresses.values()].filter(filter);
		return {
			regulationAddresses: page(query, found).map((address) => answer(state, address)),
			resultCount: writeNumber(state, found.length),
		};
	},
};

/**
 * Filters match whole values; text is compared without case. Errors: 14 illegal value, 17 bad number, 18 bad boolean.
 */
function addressFilter(state: NumberState, query: Query): (address: Address) => boolean {
	const id = query.regulationAddressId;
	if (id !== undefined && readInteger(id) === undefined) {
		throw common(17, `"${id}" is not a number (regulationAddressId)`);
	}
	if (query.countryCodeA3 !== undefined) checkCountry('countryCodeA3', query.countryCodeA3);
	if (query.status !== undefined && !statuses.includes(query.status)) {
		throw common(14, `"${query.status}" is not an address status`);
	}
	if (query.linked !== undefined && !['true', 'false'].includes(query.linked)) {
		throw common(18, `"${query.linked}" is not true or false (linked)`);
	}
	return (address) =>
		(id === undefined || address.addressId === readInteger(id)) &&
		(query.countryCodeA3 === undefined || address.countryCodeA3 === query.countryCodeA3) &&
		(query.status === undefined || address.status === query.status) &&
		(query.linked === undefined ||
			state.linked(address).length > 0 === (query.linked === 'true')) &&
		textFilters.every(
			(name) =>
				query[name] === undefined || address[name]?.toLowerCase() === query[name].toLowerCase(),
		);
}

const get: RestOperation = {
	method: 'GET',
	path: '/regulation/address/:id',
	run({ state, id, query }) {
		readQuery(query, []);
		if (
			state.behaviour.unknownAddress === 'emptyList' &&
			!state.addresses.has(readInteger(id) ?? -1)
		) {
			return { regulationAddresses: [], resultCount: writeNumber(state, 0) };
		}
		return {
			regulationAddresses: [answer(state, ownAddress(state, id))],
			resultCount: writeNumber(state, 1),
		};
	},
};

const remove: RestOperation = {
	method: 'DELETE',
	path: '/regulation/address/:id',
	run({ state, id, query, body }) {
		readQuery(query, []);
		refuseBody(body);
		const address = ownAddress(state, id);
		if (state.linked(address).length > 0) {
			throw regulation(508, 'The address cannot be deleted: it is linked to numbers');
		}
		refusePending(address);
		state.addresses.delete(address.addressId);
		return { status: 'SUCCESS' };
	},
};

function refusePending(address: Address) {
	if (address.status === 'VERIFICATION_REQUESTED') {
		throw regulation(512, 'The verification of this address is pending');
	}
}

const uploadProof: RestOperation = {
	method: 'PUT',
	path: '/regulation/address/:id/proof',
	run({ state, id, query, body }) {
		readQuery(query, []);
		const address = ownAddress(state, id);
		refusePending(address);
		if (body.problem) throw common(24, `The upload could not be read: ${body.problem}`);
		if (!body.parts) throw common(25, 'Content-Type must be multipart/form-data with a boundary');
		// Like the provider, this only uses the first file.
		const file = body.parts.find((part) => part.filename !== null);
		if (!file) throw common(24, 'No file was sent');
		if (contentId(file) !== 'proofOfAddress') {
			throw common(24, 'The file part needs the header Content-ID: proofOfAddress');
		}
		address.internal.proofs.push(checkFile(file));
		return { status: 'SUCCESS' };
	},
};

const validate: RestOperation = {
	method: 'GET',
	path: '/regulation/address/:id/validation',
	run({ state, id, query: raw }) {
		const query = readQuery(raw, ['didType', 'destinationCountryCodeA3']);
		const didType = readDidType(required(query, 'didType'));
		const destination = required(query, 'destinationCountryCodeA3');
		checkCountry('destinationCountryCodeA3', destination);
		const address = ownAddress(state, id);
		const reasons: { code: string; message: string }[] = [];
		if (didType === 'GEOGRAPHIC' && address.countryCodeA3 !== destination) {
			reasons.push({
				code: '505',
				message: 'The address country must equal the destination country',
			});
		}
		if (address.status === 'REJECTED') {
			reasons.push({ code: '515', message: 'The proof was rejected' });
		}
		if (address.status === 'NOT_VERIFIED' && !withoutVerification.has(destination)) {
			reasons.push({ code: '517', message: 'Verification was never requested' });
		}
		if (address.status === 'VERIFICATION_REQUESTED') {
			reasons.push({ code: '512', message: 'The verification is pending' });
		}
		return { isValid: reasons.length === 0, reasons };
	},
};

const requestVerification: RestOperation = {
	method: 'PUT',
	path: '/regulation/address/:id/verification',
	run({ state, id, query, body, startReview }: RestContext) {
		readQuery(query, []);
		refuseBody(body);
		const address = ownAddress(state, id);
		if (address.status === 'VERIFICATION_NOT_REQUIRED') {
			throw regulation(520, 'The numbers of this country need no verification');
		}
		if (address.status === 'VERIFICATION_REQUESTED' || address.status === 'VERIFIED') {
			throw regulation(518, 'The verification was already requested');
		}
		address.status = 'VERIFICATION_REQUESTED';
		address.rejectionReasons = [];
		startReview(address.addressId);
		return { status: 'SUCCESS' };
	},
};

export const addressOperations: readonly RestOperation[] = [
	create,
	list,
	get,
	remove,
	uploadProof,
	validate,
	requestVerification,
];
