// Long computations in slices: both nodes run inside n8n's main process, and what they read at one stretch, every workflow
// waits for.

/** A computation that yields wherever it may be interrupted, every few hundred microseconds. */
export type Sliced<T> = Generator<void, T, void>;

/** After so much of it n8n gets its turn. */
const SLICE_MS = 8;

/** The result, with n8n's turns in between. @throws what the computation throws */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
	const pace = new Pace();
	for (;;) {
		const step = work.next();
		if (step.done) return step.value;
		if (pace.isOver) await pace.pause();
	}
}

/** The result at once: for what is known to be small. @throws what the computation throws */
export function atOnce<T>(work: Sliced<T>): T {
	for (;;) {
		const step = work.next();
		if (step.done) return step.value;
	}
}

/** What a list becomes, entry by entry, with n8n's turns in between. */
export async function mapInSlices<T, R>(list: readonly T[], map: (entry: T) => R): Promise<R[]> {
	const results: R[] = [];
	const pace = new Pace();
	for (const entry of list) {
		results.push(map(entry));
		if (pace.isOver) await pace.pause();
	}
	return results;
}

/** When a loop has to let n8n have its turn. */
export class Pace {
	private end: number;

	constructor(private readonly stretchMs = SLICE_MS) {
		this.end = performance.now() + stretchMs;
	}

	get isOver(): boolean {
		return performance.now() >= this.end;
	}

	/** Resolves after everything else that was due. */
	async pause(): Promise<void> {
		await new Promise<void>((resolve) => {
			AbortSignal.timeout(0).addEventListener('abort', () => resolve(), { once: true });
		});
		this.end = performance.now() + this.stretchMs;
	}
}
