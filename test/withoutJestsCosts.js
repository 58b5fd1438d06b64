// Jest's copy of `process` builds this list again each time it is read, which axios does for each request.
Object.defineProperty(process, 'allowedNodeEnvironmentFlags', {
	value: process.allowedNodeEnvironmentFlags,
});
