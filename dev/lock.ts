/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A lock between processes that the operating system gives back when its holder ends, however that happens: SQLite's own,
// which comes with the Node.js of this project.

/**
 * @param path of a file that is made if it is not there
 * @returns a function that gives the lock back, or undefined if another process holds it
 */
export async function tryLock(path: string): Promise<(() => void) | undefined> {
	const { DatabaseSync } = await import('node:sqlite');
	const database = new DatabaseSync(path);
	try {
		database.exec('BEGIN EXCLUSIVE');
		return () => database.close();
	} catch (error) {
		database.close();
		if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
		throw error;
	}
}

const SQLITE_BUSY = 5;
