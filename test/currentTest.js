// Jest 30 runs each test in an AsyncLocalStorage, to know which test an unhandled rejection comes from. Before Node.js 24 that
// makes every promise of every test three times as slow. The tests of a file run one after the other, so it is enough to
// know which one is running.
const asyncHooks = require('node:async_hooks');

/** Jest's two calls of the original, for callbacks that never overlap. */
class CurrentStore {
	/** @type {unknown} */
	store = undefined;

	getStore() {
		return this.store;
	}

	/**
	 * @param {unknown} store
	 * @param {() => Promise<unknown>} callback
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
