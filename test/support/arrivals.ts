/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
/** A test waits for something at most this long: less than Jest does, so that the error names what did not happen. */
const LONGEST_WAIT_MS = 120_000;

/** Waits for conditions on what arrives: each is checked whenever something has. */
export class Arrivals {
	private readonly looks = new Set<() => void>();

	/** Something has arrived. */
	changed(): void {
		for (const look of [...this.looks]) look();
	}

	/** Resolves when the condition is met; rejects, with what was waited for, if that takes too long. */
	async until(condition: () => unknown, what: () => string = () => String(condition)) {
		if (condition()) return;
		await new Promise<void>((resolve, reject) => {
			const done = (settle: () => void) => {
				clearTimeout(timer);
				this.looks.delete(look);
				settle();
			};
			const look = () => {
				if (condition()) done(resolve);
			};
			const timer = setTimeout(
				() => done(() => reject(new Error(`Timed out waiting for ${what()}`))),
				LONGEST_WAIT_MS,
			);
			this.looks.add(look);
		});
	}
}
