// What the full account feed and the test page need from the credential of an API account, beyond login and hosts.

import { idText } from './ids';
import { InputError } from './errors';

/** The labels of these fields in the credential. */
export const ACCOUNT_FIELDS = { idClient: 'Client Account ID', ip: 'Machine IP Address' } as const;

const HOW_TO = {
	idClient: 'Open the credential and fill it in: the provider calls it id_client',
	ip: 'Open the credential and enter the IP address from which the provider sees this n8n instance',
} as const;

/**
 * @param neededBy begins the error's sentence
 * @throws InputError if the credential does not have it
 */
export function readAccountField(
	credential: Readonly<Record<string, unknown>>,
	field: keyof typeof ACCOUNT_FIELDS,
	neededBy: string,
): string {
	const value = idText(credential[field]);
	if (value !== undefined) return value;
	throw new InputError(
		`${neededBy} needs the "${ACCOUNT_FIELDS[field]}" in the credential`,
		HOW_TO[field],
		'the-full-account-feed',
	);
}
