/** n8n-core's helper of this name. */
export function createDeferredPromise<T>() {
	const deferred = {} as {
		promise: Promise<T>;
		resolve(value: T): void;
		reject(error: Error): void;
	};
	deferred.promise = new Promise<T>((resolve, reject) => {
		deferred.resolve = resolve;
		deferred.reject = reject;
	});
	return deferred;
}
