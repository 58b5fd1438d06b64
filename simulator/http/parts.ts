// Parts of a request that are needed on their own.

/** The path of a URL, without its query. */
export const pathOf = (url: string | undefined) => (url ?? '').split('?', 1).join('');

/** A content type without its parameters, in lower case. */
export const mediaType = (header: string | undefined) =>
	(header ?? '').split(';', 1).join('').trim().toLowerCase();
