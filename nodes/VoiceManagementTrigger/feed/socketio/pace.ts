/** How long to compute before n8n gets its turn. */
const SLICE_MS = 8;

/** Decides when a loop has to give n8n its turn: the feed runs in n8n's main process, and every workflow waits for it. */
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
