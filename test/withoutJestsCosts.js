// Two things that Jest adds to each test on Node.js and that cost more than many tests; both are replaced.
const asyncHooks = require('node:async_hooks');

/**
 * Jest 30 runs each test in an AsyncLocalStorage, to know which test an unhandled rejection comes from. Before Node.js
 * 24 that makes every promise take twice as long. The tests of a file run one after the other, so it is enough to know
 * which one is running. These are the two methods of the original that Jest calls.
 */
class CurrentStore {
	/** @type {unknown} */
	store = undefined;

	getStore() {
		return this.store;
	}

	/**
	 * @param {unknown} store
	 * @param {() => Promise<unknown>} callback must not overlap with another one, except nested
	 */
	async run(store, callback) {
		const outer = this.store;
		this.store = store;
		try {
			return await callback();
		} finally {
			this.store = outer;
		}
	}
}

if (Number.parseInt(process.versions.node) < 24)
	Object.assign(asyncHooks, { AsyncLocalStorage: CurrentStore });

// Jest's copy of `process` builds this list again each time it is read, which axios does for each request.
Object.defineProperty(process, 'allowedNodeEnvironmentFlags', {
	value: process.allowedNodeEnvironmentFlags,
});
