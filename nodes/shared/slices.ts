// Splits long computations into slices: both nodes run in n8n's main process, and every workflow waits while one of
// them computes.

/** A computation that yields every few hundred microseconds, at points where it can be interrupted. */
export type Sliced<T> = Generator<void, T, void>;

/** How long to compute before n8n gets its turn. */
const SLICE_MS = 8;

/** Runs a computation and gives n8n its turn in between. @throws what the computation throws */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
	const pace = new Pace();
	for (;;) {
		const step = work.next();
		if (step.done) return step.value;
		if (pace.isOver) await pace.pause();
	}
}

/** Runs a computation without a pause, if it is known to be small. @throws what the computation throws */
export function atOnce<T>(work: Sliced<T>): T {
	for (;;) {
		const step = work.next();
		if (step.done) return step.value;
	}
}

/** Maps a list and gives n8n its turn in between. */
export async function mapInSlices<T, R>(list: readonly T[], map: (entry: T) => R): Promise<R[]> {
	const results: R[] = [];
	const pace = new Pace();
	for (const entry of list) {
		results.push(map(entry));
		if (pace.isOver) await pace.pause();
	}
	return results;
}

/** Decides when a loop has to give n8n its turn. */
export class Pace {
	private end: number;

	constructor(private readonly stretchMs = SLICE_MS) {
		this.end = performance.now() + stretchMs;
	}

	get isOver(): boolean {
		return performance.now() >= this.end;
	}

	/** Resolves after everything else that was due has run. */
	async pause(): Promise<void> {
		await new Promise<void>((resolve) => {
			AbortSignal.timeout(0).addEventListener('abort', () => resolve(), { once: true });
		});
		this.end = performance.now() + this.stretchMs;
	}
}
