// The logins with which triggers of this process are connected now: another login would only prove what they prove, and
// end one of them at a provider that allows one session.

const open = new Set<() => string | undefined>();

/**
 * @param login gives the key of the login that is in use (`loginKeyOf`); undefined while there is no connection
 * @returns called when it is not used any more
 */
export function noteLogin(login: () => string | undefined): () => void {
	open.add(login);
	return () => void open.delete(login);
}

export const isInUse = (loginKey: string): boolean =>
	[...open].some((login) => login() === loginKey);
