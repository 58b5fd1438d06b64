// The parts of what a request says that are looked at alone.

/** A URL's path: without its query. */
export const pathOf = (url: string | undefined) => (url ?? '').split('?', 1).join('');

/** A content type without its parameters, in lower case. */
export const mediaType = (header: string | undefined) =>
	(header ?? '').split(';', 1).join('').trim().toLowerCase();
