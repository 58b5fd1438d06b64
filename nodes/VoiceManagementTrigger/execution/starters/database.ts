// Whether n8n's database responds: executions can't be started or saved without it. A trigger can find out by reading
// its credential, which n8n reads from the database each time.

import { oneLine } from '../../../shared/oneLine';
import { settledWithin } from '../../feed/clock';
import type { Clock } from '../../feed/types';

/** If the network to it breaks without a word, a read may never end. n8n itself gives up waiting after 20 s. */
const ANSWERS_WITHIN_MS = 30_000;

export class Database {
	private checkedAt = Number.NEGATIVE_INFINITY;
	private responded = true;
	private checking: Promise<boolean> | undefined;
	/** Why it did not respond last time. */
	reason = '';
	/** When it responded again, having been down before. */
	backAt = Number.NEGATIVE_INFINITY;

	/** @param read reads the database; rejects if it can't */
	constructor(
		private readonly read: () => Promise<unknown>,
		private readonly clock: Clock,
	) {}

	/**
	 * Whether it responds; concurrent questions cost one read.
	 * @param maxAgeMs the result of a read this recent counts
	 */
	async answers(maxAgeMs = 0): Promise<boolean> {
		if (this.clock.now() - this.checkedAt < maxAgeMs) return this.responded;
		this.checking ??= this.check().finally(() => (this.checking = undefined));
		return await this.checking;
	}

	private async check(): Promise<boolean> {
		this.reason = `no answer within ${ANSWERS_WITHIN_MS / 1000} s`;
		const answer = this.read().then(
			() => true,
			(error: unknown) => {
				this.reason = reasonLine(error);
				return isAnswer(error);
			},
		);
		const responds = (await settledWithin(answer, ANSWERS_WITHIN_MS, this.clock)) === true;
		this.checkedAt = this.clock.now();
		if (responds && !this.responded) this.backAt = this.checkedAt;
		return (this.responded = responds);
	}
}

/** n8n's error for a credential that it could not find, decrypt or must not use: its database did respond. */
export function isAnswer(error: unknown): boolean {
	return /NotFound|^Credential|^(NodeOperation|User|Application|Unexpected|Operational)Error$/.test(
		classOf(error),
	);
}

/** The name of an error's class, which may come from another copy of it, or be stored with what n8n has stored of it. */
export function classOf(error: unknown): string {
	if (!(error instanceof Error)) {
		const { name } = Object(error) as { name?: unknown };
		return typeof name === 'string' ? name.slice(0, 50) : '';
	}
	const { name } = error.constructor;
	return name === 'Error' || name === '' ? error.name : name;
}

/** The error of a host with several IP addresses has its messages in the list of causes. */
export function reasonLine(error: unknown): string {
	// An error that n8n has stored is no longer one.
	const textOf = (one: unknown) => {
		const { message } = Object(one) as { message?: unknown };
		return typeof message === 'string' ? message : String(one);
	};
	const { errors, code } = Object(error) as { errors?: unknown; code?: unknown };
	const cause: unknown = Array.isArray(errors) ? errors[0] : undefined;
	const text = textOf(error) || textOf(cause ?? code ?? 'no reason was given');
	return oneLine(text);
}
