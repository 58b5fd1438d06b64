// Converts the form of "Create an address" to the JSON of the request. Only an empty required field is rejected here;
// rules that only the third party has (provider.md#create-an-address) become hints, since the provider may have others.

import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../../../shared/errors';
import { oneLine } from '../../../shared/oneLine';
import { compact, quoted, toText } from '../../input/values';
import type { OperationContext } from '../../operation';
import { asList, isObject } from '../../../shared/answer/read';
import { DOCUMENT_RULE } from './createFields';

const ALL_NAMES = ['companyName', 'firstName', 'lastName'];

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
	zipCode: 'Postal Code',
	streetName: 'Street Name',
	buildingNumber: 'Building Number',
	didType: 'DID Type',
};

const DOCUMENT_FIELDS: Record<string, string> = {
	nationality: 'Nationality',
	identityDocumentType: 'Document Type',
	identityDocumentNumber: 'Document Number',
	issuingAuthority: 'Issuing Authority',
	issuingDate: 'Issuing Date',
};

/**
 * The address from the form alone: only fields that are set, since the provider rejects unknown and empty ones.
 * @throws InputError for extra fields without a name or with the same name
 */
export function addressFromFields(context: OperationContext): IDataObject {
	const salutation = context.text('salutation');
	const names = Object.keys(SALUTATIONS[salutation] ?? {});
	if (names.length === 0) names.push(...ALL_NAMES);
	const fields: IDataObject = { salutation };
	for (const name of [...names, ...Object.keys(POSTAL_FIELDS), 'destinationCountryCodeA3'])
		fields[name] = context.text(name);
	const additional = context.collection('additionalFields');
	for (const name of ['buildingLetter', 'companyDescription', 'customerReference', 'phoneNumber']) {
		fields[name] = toText(additional[name]);
	}
	fields.extraFields = readExtraFields(additional.extraFields);
	fields.identityDocumentProof = readDocument(additional.identityDocumentProof);
	return compact(fields);
}

/**
 * Checks an address before it is sent.
 * @param address as it will be sent, custom fields merged
 * @param custom the custom fields: the fields that they set are not checked
 * @param fileProblem what is wrong with one of the files
 * @returns sentences about what providers usually require instead
 * @throws InputError that names all required fields that are empty, and what else is missing
 */
export function checkAddress(
	address: IDataObject,
	custom: IDataObject,
	fileProblem?: InputError,
): string[] {
	const own = (name: string) => !Object.hasOwn(custom, name);
	const { salutation, phoneNumber, identityDocumentProof: document } = address;
	const names = SALUTATIONS[toText(salutation)];
	const required = { salutation: 'Salutation', ...names, ...POSTAL_FIELDS };
	const missing = Object.entries(required)
		.filter(([name]) => own(name) && toText(address[name]) === '')
		.map(([, label]) => `"${label}"`);
	const hints: string[] = [];
	if (!names && own('salutation')) {
		hints.push(
			`"Salutation" is ${quoted(salutation)}: providers usually accept COMPANY, MR and MS.`,
		);
	}
	if (own('phoneNumber') && phoneNumber && !/^\+\d{9,15}$/.test(toText(phoneNumber))) {
		hints.push(
			`"Phone Number" is ${quoted(phoneNumber)}: providers usually want + and 9 to 15 digits, for example +33123456789.`,
		);
	}
	if (own('countryCodeA3') && own('destinationCountryCodeA3')) hints.push(...countryHints(address));
	if (own('identityDocumentProof')) {
		hints.push(...(isObject(document) ? documentHints(document) : missingDocumentHints(address)));
	}
	if (missing.length > 0) {
		const [are, fields] = missing.length > 1 ? ['are', 'these fields'] : ['is', 'this field'];
		throw new InputError(
			[`${missing.join(', ')} ${are} empty`, fileProblem?.message].filter(Boolean).join('. '),
			[
				`Fill in ${fields}, or set what your provider wants instead in "Custom Fields".`,
				...hints,
				fileProblem?.description,
			]
				.filter(Boolean)
				.join(' '),
		);
	}
	if (fileProblem) throw fileProblem;
	return hints;
}

function countryHints({
	countryCodeA3: country,
	destinationCountryCodeA3: destination,
	didType,
}: IDataObject): string[] {
	const codes = Object.entries({ Country: country, 'Destination Country': destination })
		.filter(([, code]) => code && !/^[A-Z]{3}$/.test(toText(code)))
		.map(
			([label, code]) =>
				`"${label}" is ${quoted(code)}: providers usually want a three-letter ISO code such as FRA.`,
		);
	if (codes.length > 0 || didType !== 'GEOGRAPHIC' || !country || country === destination) {
		return codes;
	}
	return [
		`"Destination Country" is ${oneLine(toText(destination))}, but the address is in ${oneLine(toText(country))}: geographic numbers usually need an address in their own country.`,
	];
}

/** As long as the country is open, a document may be wanted too. */
function missingDocumentHints({
	destinationCountryCodeA3: country,
	didType,
}: IDataObject): string[] {
	const wanted =
		!country ||
		country === 'ITA' ||
		country === 'ZAF' ||
		(country === 'FRA' && didType === 'GEOGRAPHIC');
	return wanted ? [DOCUMENT_RULE] : [];
}

function documentHints(document: IDataObject): string[] {
	const hints = Object.entries(DOCUMENT_FIELDS)
		.filter(([name]) => toText(document[name]) === '')
		.map(([, label]) => `"${label}" of "Identity Document" is empty.`);
	const date = toText(document.issuingDate);
	if (date !== '' && readDate(date) === undefined) {
		hints.push(`"Issuing Date" is ${quoted(date)}, which is not a date. Enter it as YYYY-MM-DD.`);
	}
	return hints;
}

function readExtraFields(value: unknown): IDataObject | undefined {
	const rows = isObject(value) ? asList(value.field) : [];
	const fields = new Map<string, string>();
	for (const row of rows) {
		const name = toText(row.name);
		if (name === '')
			throw new InputError('An extra field has no name', 'Enter a name or remove the field.');
		if (fields.has(name))
			throw new InputError(`The extra field "${name}" exists twice`, 'Remove one of them.');
		fields.set(name, toText(row.value));
	}
	// Not a plain assignment: a field may be called __proto__, and stays an ordinary field.
	return fields.size === 0 ? undefined : Object.fromEntries(fields);
}

function readDocument(value: unknown): IDataObject | undefined {
	if (!isObject(value) || !isObject(value.document)) return undefined;
	const fields: IDataObject = {};
	for (const name of Object.keys(DOCUMENT_FIELDS)) fields[name] = toText(value.document[name]);
	const date = toText(value.document.issuingDate);
	fields.issuingDate = readDate(date) ?? date;
	const set = compact(fields);
	// The group as it is when it has just been added.
	return Object.keys(set).length === 0 ? undefined : set;
}

/**
 * Converts any of n8n's date forms to the provider's: `YYYY-MM-DD HH:MM:SS`, with the wall-clock time as given.
 * @returns undefined if it is not a date
 */
function readDate(text: string): string | undefined {
	const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?|$)/.exec(text);
	const [, day = '', time = '00:00', seconds = ':00'] = match ?? [];
	const date = new Date(`${day}T${time}${seconds}Z`);
	// Parsing moves a day that does not exist, such as 30 February, into the next month.
	if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) return undefined;
	return `${day} ${time}${seconds}`;
}
