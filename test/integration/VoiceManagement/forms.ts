// Parameters and files that several suites use.

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** A form that the simulated operator accepts: a company in Belgium, which needs no identity document. */
export const companyForm: IDataObject = {
	resource: 'address',
	operation: 'create',
	salutation: 'COMPANY',
	companyName: 'Exemple & Fils SA',
	countryCodeA3: 'BEL',
	city: 'Liège',
	zipCode: '4000',
	streetName: 'Rue de l’Été',
	buildingNumber: '12',
	didType: 'GEOGRAPHIC',
	destinationCountryCodeA3: 'BEL',
};

/** A person in Paris: France requires the identity document for geographic numbers. */
export const personForm: IDataObject = {
	...companyForm,
	salutation: 'MS',
	firstName: 'Ada',
	lastName: 'Exemple',
	countryCodeA3: 'FRA',
	city: 'Paris',
	zipCode: '75001',
	destinationCountryCodeA3: 'FRA',
	additionalFields: {
		identityDocumentProof: {
			document: {
				nationality: 'FRA',
				identityDocumentType: 'PASSPORT',
				identityDocumentNumber: '12AB34567',
				issuingAuthority: 'Préfecture',
				issuingDate: '2021-03-04T00:00:00',
			},
		},
	},
};

export const pdf = Buffer.concat([
	Buffer.from('%PDF-1.7\n'),
	Buffer.from([0, 255, 128, 13, 10, 45, 45]),
]);

/** An item with a file in memory, as n8n stores it in its default mode. */
export function itemWithFile(
	field = 'data',
	file: { content?: Buffer; fileName?: string; mimeType?: string } = {},
): INodeExecutionData {
	const { content = pdf, fileName = 'proof.pdf', mimeType = 'application/pdf' } = file;
	return {
		json: {},
		binary: { [field]: { data: content.toString('base64'), fileName, mimeType } },
	};
}
