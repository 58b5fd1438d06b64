// From the form of "Create an address" to the JSON part of the request, and what can be said about it before it is
// sent. The service judges the rest: it alone knows its postal codes and the extra fields of each country.

import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../../../shared/inputError';
import { compact, toText } from '../../input/values';
import type { Call } from '../../operation';
import { asList, isObject } from '../../../shared/shapes';

const COMPANY_FIELDS = { companyName: 'Company Name' };
const PERSON_FIELDS = { firstName: 'First Name', lastName: 'Last Name' };
const SALUTATIONS: Record<string, Record<string, string>> = {
	COMPANY: COMPANY_FIELDS,
	MR: PERSON_FIELDS,
	MS: PERSON_FIELDS,
};

const POSTAL_FIELDS: Record<string, string> = {
	countryCodeA3: 'Country',
	city: 'City',
	zipCode: 'Zip Code',
	streetName: 'Street Name',
	buildingNumber: 'Building Number',
	didType: 'DID Type',
	destinationCountryCodeA3: 'Destination Country',
};

const DOCUMENT_FIELDS: Record<string, string> = {
	nationality: 'Nationality',
	identityDocumentType: 'Document Type',
	identityDocumentNumber: 'Document Number',
	issuingAuthority: 'Issuing Authority',
	issuingDate: 'Issuing Date',
};

/**
 * The JSON part, out of the form alone: only fields that are set, since the service refuses unknown and empty ones.
 * @throws InputError for extra fields without a name and for a date that is none
 */
export function readAddress(call: Call): IDataObject {
	const salutation = toText(call.parameter('salutation'));
	const names = Object.keys(SALUTATIONS[salutation] ?? {});
	const fields: IDataObject = { salutation };
	for (const name of [...names, ...Object.keys(POSTAL_FIELDS)])
		fields[name] = toText(call.located(name));
	const additional = call.collection('additionalFields');
	for (const name of ['buildingLetter', 'companyDescription', 'customerReference', 'phoneNumber']) {
		fields[name] = toText(additional[name]);
	}
	fields.extraFields = readExtraFields(additional.extraFields);
	fields.identityDocumentProof = readDocument(additional.identityDocumentProof);
	return compact(fields);
}

/**
 * Checks what the documents say about every address.
 * @param address the JSON part as it would be sent
 * @param custom names that the user set as custom fields: those are the user's own affair
 * @throws InputError naming the parameter
 */
export function checkAddress(address: IDataObject, custom: string[]): void {
	const judged = (name: string) => !custom.includes(name);
	const salutation = toText(address.salutation);
	const names = SALUTATIONS[salutation];
	if (!names && judged('salutation')) {
		throw new InputError(
			`"Salutation" is ${JSON.stringify(salutation)}, which is none`,
			'Use one of COMPANY, MR, MS.',
		);
	}
	for (const [name, label] of Object.entries({ ...names, ...POSTAL_FIELDS })) {
		if (judged(name) && toText(address[name]) === '') {
			throw new InputError(
				`"${label}" is empty`,
				`The service needs it for the salutation ${salutation}.`,
			);
		}
	}
	const phone = address.phoneNumber;
	if (judged('phoneNumber') && phone !== undefined && !/^\+\d{9,15}$/.test(toText(phone))) {
		throw new InputError(
			`"Phone Number" is ${JSON.stringify(phone)}`,
			'Write it as + and 9 to 15 digits, for example +33123456789.',
		);
	}
	checkCountries(address, judged);
	checkDocument(address, judged);
}

function checkCountries(address: IDataObject, judged: (name: string) => boolean): void {
	const { countryCodeA3: own, destinationCountryCodeA3: destination, didType } = address;
	const free = !judged('countryCodeA3') || !judged('destinationCountryCodeA3');
	if (!free && didType === 'GEOGRAPHIC' && own !== destination) {
		throw new InputError(
			`"Destination Country" is ${String(destination)}, but the address is in ${String(own)}`,
			'Geographic numbers need an address in their own country.',
		);
	}
}

/** France (geographic), South Africa and Italy ask for an identity document; all of it, wherever it is given. */
function checkDocument(address: IDataObject, judged: (name: string) => boolean): void {
	if (!judged('identityDocumentProof')) return;
	const { destinationCountryCodeA3: country, didType, identityDocumentProof: document } = address;
	if (isObject(document)) {
		for (const [name, label] of Object.entries(DOCUMENT_FIELDS)) {
			if (toText(document[name]) === '') {
				throw new InputError(
					`"${label}" of "Identity Document" is empty`,
					'Fill in the whole document.',
				);
			}
		}
		return;
	}
	if (country === 'ITA' || country === 'ZAF' || (country === 'FRA' && didType === 'GEOGRAPHIC')) {
		throw new InputError(
			`${country} asks for "Identity Document"`,
			'Add it under "Additional Fields". Should your operator not ask for it, put {"identityDocumentProof": null} into "Custom Fields".',
		);
	}
}

function readExtraFields(value: unknown): IDataObject | undefined {
	const rows = isObject(value) ? asList(value.field) : [];
	const fields = new Map<string, string>();
	for (const row of rows) {
		const name = toText(row.name);
		if (name === '') throw new InputError('An extra field has no name', 'Name it or remove it.');
		if (fields.has(name))
			throw new InputError(`The extra field "${name}" is there twice`, 'Remove one.');
		fields.set(name, toText(row.value));
	}
	// Not a plain assignment: a field may be called __proto__, and stays an ordinary field.
	return fields.size === 0 ? undefined : Object.fromEntries(fields);
}

function readDocument(value: unknown): IDataObject | undefined {
	if (!isObject(value) || !isObject(value.document)) return undefined;
	const fields: IDataObject = {};
	for (const name of Object.keys(DOCUMENT_FIELDS)) fields[name] = toText(value.document[name]);
	if (fields.issuingDate !== '') fields.issuingDate = readDate(String(fields.issuingDate));
	return fields;
}

/** Any of n8n's date forms as the service writes dates: `YYYY-MM-DD HH:MM:SS`, the wall-clock time as it was given. */
function readDate(text: string): string {
	const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?|$)/.exec(text);
	const [, day = '', time = '00:00', seconds = ':00'] = match ?? [];
	const date = new Date(`${day}T${time}${seconds}Z`);
	// A day that no month has, such as 30 February, moves on to the next month when it is parsed.
	if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) {
		throw new InputError(
			`"Issuing Date" is ${JSON.stringify(text)}, which is not a date`,
			'Write it as YYYY-MM-DD.',
		);
	}
	return `${day} ${time}${seconds}`;
}
