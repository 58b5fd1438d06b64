// The client account in the credential of an API account, which the full account feed and the test page need.

import { idText } from './ids';
import { InputError } from './inputError';

/**
 * @param value `idClient` of the credential
 * @param neededBy begins the error's sentence
 * @throws InputError if there is none
 */
export function readClientAccount(value: unknown, neededBy: string): string {
	const idClient = idText(value);
	if (idClient !== undefined) return idClient;
	throw new InputError(
		`${neededBy} needs the "Client Account ID" in the credential`,
		'Open the credential and fill it in: the operator calls it id_client',
		'the-full-account-feed',
	);
}
