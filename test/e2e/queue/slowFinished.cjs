// Preloaded into n8n's main process: it listens for the end of a job only when that job has ended, as it happens with a busy
// database. Such a job is gone before n8n looks (n8n issue 30392), unless n8n keeps it.
const paths = [process.env.TEST_N8N_FOLDER ?? ''];
/** @type {unknown} */
const loaded = require(require.resolve('bull/lib/job', { paths }));
/** @typedef {{ id: unknown, queue: { getJob: (id: unknown) => Promise<BullJob | null> }, isCompleted: () => Promise<boolean>, finished: () => Promise<unknown> }} BullJob */
const Job = /** @type {{ prototype: BullJob }} */ (loaded);

const LOOK_MS = 50;

const { finished } = Job.prototype;
let jobs = 0;
/** @this {BullJob} */
Job.prototype.finished = async function () {
	// By number and not by chance, so that each run has some.
	if (jobs++ % Number(process.env.TEST_LATE_EVERY) !== 0) return await finished.call(this);
	// Not for a fixed time: a slow machine takes longer to run the job.
	for (;;) {
		const job = await this.queue.getJob(this.id);
		if (!job || (await job.isCompleted())) break;
		await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
	}
	const result = await finished.call(this);
	console.log('n8n was late, and has the end');
	return result;
};
