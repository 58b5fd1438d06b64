// The JSON part of "create address": fields, maximum lengths, and requirements of each country.

import { common, regulation } from './errors';
import { onlyKeys, type JsonObject } from './body';
import { isObject } from '../forms/form';
import {
	countries,
	didTypes,
	extraFields as knownExtraFields,
	needsIdentityDocument,
	zipCodes,
	type DidType,
} from './catalogue';
import type { Address } from './state';

/** Longest value of each text field. */
const lengths = {
	salutation: 10,
	companyName: 255,
	companyDescription: 255,
	firstName: 255,
	lastName: 255,
	countryCodeA3: 3,
	city: 255,
	zipCode: 20,
	streetName: 255,
	buildingNumber: 20,
	buildingLetter: 20,
	phoneNumber: 20,
	customerReference: 255,
	didType: 20,
	destinationCountryCodeA3: 3,
} as const;
type TextField = keyof typeof lengths;

const alwaysRequired: readonly TextField[] = [
	'salutation',
	'countryCodeA3',
	'city',
	'zipCode',
	'streetName',
	'buildingNumber',
	'didType',
	'destinationCountryCodeA3',
];
const identityFields = [
	'nationality',
	'identityDocumentType',
	'identityDocumentNumber',
	'issuingAuthority',
	'issuingDate',
] as const;

export type AddressForm = Omit<
	Address,
	'addressId' | 'status' | 'rejectionReasons' | 'internal'
> & {
	identityDocumentProof: Record<string, string> | null;
};

/**
 * Reads the JSON part. Errors: 21 unknown element, 500 field missing, 501 too long, 502/504 extra fields, 503 invalid,
 * 505 address country and destination differ, 521 phone number, 10/19 date.
 */
export function readAddressForm(form: JsonObject): AddressForm {
	onlyKeys(form, [...Object.keys(lengths), 'extraFields', 'identityDocumentProof']);
	const text = Object.fromEntries(
		Object.keys(lengths).map((name) => [name, readText(form, name as TextField)]),
	) as Record<TextField, string | null>;
	const needed = [...alwaysRequired, ...namesNeeded(text.salutation)];
	for (const name of needed) if (!text[name]) throw regulation(500, `Field "${name}" is missing`);

	checkCountry('countryCodeA3', text.countryCodeA3!);
	checkCountry('destinationCountryCodeA3', text.destinationCountryCodeA3!);
	const didType = readDidType(text.didType!);
	if (didType === 'GEOGRAPHIC' && text.countryCodeA3 !== text.destinationCountryCodeA3) {
		throw regulation(505, 'The address country must equal the destination country');
	}
	if (text.phoneNumber !== null && !/^\+\d{9,15}$/.test(text.phoneNumber)) {
		throw regulation(521, 'The phone number must be + and 9 to 15 digits');
	}
	checkZipCode(text.countryCodeA3!, text.zipCode!, text.city!);
	const identityDocumentProof = readIdentityDocument(form.identityDocumentProof);
	if (!identityDocumentProof && needsIdentityDocument(text.destinationCountryCodeA3!, didType)) {
		throw regulation(500, 'Field "identityDocumentProof" is missing');
	}
	return {
		...(text as Omit<AddressForm, 'didType' | 'extraFields' | 'identityDocumentProof'>),
		didType,
		extraFields: readExtraFields(form.extraFields, text.destinationCountryCodeA3!),
		identityDocumentProof,
	};
}

/** A DID type; error 14. */
export function readDidType(value: string): DidType {
	if (!(didTypes as readonly string[]).includes(value)) {
		throw common(14, `"${value}" is not a DID type`);
	}
	return value as DidType;
}

/** An ISO 3166-1 alpha-3 code; error 14. */
export function checkCountry(name: string, value: string) {
	if (!countries.has(value)) throw common(14, `"${value}" is not a country code (${name})`);
}

function namesNeeded(salutation: string | null): readonly TextField[] {
	if (salutation === 'COMPANY') return ['companyName'];
	if (salutation === 'MR' || salutation === 'MS') return ['firstName', 'lastName'];
	if (!salutation) return [];
	throw common(14, `"${salutation}" is not a salutation`);
}

function readText(form: JsonObject, name: TextField): string | null {
	const value = form[name];
	if (value === undefined || value === null) return null;
	if (typeof value !== 'string') throw regulation(503, `Field "${name}" must be text`);
	if (value.length > lengths[name]) {
		throw regulation(501, `Field "${name}" is longer than ${lengths[name]} characters`);
	}
	return value === '' ? null : value;
}

function checkZipCode(country: string, zipCode: string, city: string) {
	const accepted = zipCodes[country];
	if (!accepted) return;
	const place = accepted.find((entry) => entry.zipCode === zipCode);
	if (!place)
		throw regulation(503, `Field "zipCode" is invalid: ${zipCode} is not accepted in ${country}`);
	if (place.cityName.toLowerCase() !== city.toLowerCase()) {
		throw regulation(503, `Field "city" is invalid: ${zipCode} belongs to ${place.cityName}`);
	}
}

function readExtraFields(value: unknown, country: string): Record<string, string> | null {
	if (value === undefined || value === null) return null;
	if (!isObject(value)) throw regulation(503, 'Field "extraFields" must be an object');
	const known = knownExtraFields[country] ?? {};
	for (const [name, content] of Object.entries(value)) {
		const pattern = Object.hasOwn(known, name) ? known[name] : undefined;
		if (!pattern) {
			throw regulation(502, `Extra field "${name}" is not known for ${country}`);
		}
		if (typeof content !== 'string' || !pattern.test(content)) {
			throw regulation(504, `The value of extra field "${name}" is invalid`);
		}
	}
	return value as Record<string, string>;
}

function readIdentityDocument(value: unknown): Record<string, string> | null {
	if (value === undefined || value === null) return null;
	if (!isObject(value)) throw regulation(503, 'Field "identityDocumentProof" must be an object');
	onlyKeys(value, identityFields, 'identityDocumentProof.');
	for (const name of identityFields) {
		const content = value[name];
		if (content === undefined || content === null || content === '') {
			throw regulation(500, `Field "identityDocumentProof.${name}" is missing`);
		}
		if (typeof content !== 'string') {
			throw regulation(503, `Field "identityDocumentProof.${name}" must be text`);
		}
		if (content.length > 255) {
			throw regulation(501, `Field "identityDocumentProof.${name}" is longer than 255 characters`);
		}
	}
	checkCountry('identityDocumentProof.nationality', value.nationality as string);
	checkDate('identityDocumentProof.issuingDate', value.issuingDate as string);
	return value as Record<string, string>;
}

function checkDate(name: string, value: string) {
	if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)) {
		throw common(10, `Field "${name}" must be written YYYY-MM-DD HH:MM:SS`);
	}
	const date = new Date(`${value.replace(' ', 'T')}Z`);
	if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== value.slice(0, 10)) {
		throw common(19, `Field "${name}" is not a valid date`);
	}
}
