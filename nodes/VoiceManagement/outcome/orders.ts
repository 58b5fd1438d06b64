// The carts of an execution: what was added to each, and which were checked out. Each is checked out once, and an error
// names what was bought before it.

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { PlainError } from '../transport/errors';

/** What became of a cart, as plain values: n8n stores them with the execution. */
export interface CheckedOut {
	/** Of the execution that checked it out: a person may repeat one that failed. */
	execution: string;
	item?: IDataObject;
	/** `cart 7 (order ORD-1)`, if it was placed. */
	placed?: string;
	error?: PlainError;
}

/** Where n8n keeps them: the data that all nodes of an execution share, also in a loop. */
const KEYS = { checkouts: 'voiceManagementCheckouts', products: 'voiceManagementProducts' };

/** Checkouts under way, by what an execution shares: an agent may call its tools side by side. */
const underWay = new WeakMap<object, Map<string, Promise<CheckedOut>>>();

export class Orders {
	/** By cart: what this execution added to it. */
	readonly products: Record<string, IDataObject[]>;
	private readonly kept: Record<string, CheckedOut>;
	private readonly execution: string;
	private readonly account: string;
	/** The orders of this run of the node. */
	private readonly placed = new Set<string>();

	constructor(n8n: IExecuteFunctions) {
		const flow = sharedData(n8n);
		this.kept = (flow[KEYS.checkouts] ??= {}) as unknown as Record<string, CheckedOut>;
		this.products = (flow[KEYS.products] ??= {}) as Record<string, IDataObject[]>;
		// Older n8n, and an execution that is not saved, may have none.
		this.execution = String((n8n as Partial<IExecuteFunctions>).getExecutionId?.() ?? '');
		const { id, name } = n8n.getNode().credentials?.voiceManagementApi ?? {};
		this.account = id ?? name ?? '';
	}

	/**
	 * Checks a cart out, unless this execution has done so.
	 * @param send checks it out; it does not throw if anything may have been sent
	 * @returns what became of it, and whether that was so before
	 */
	async once(
		cart: string,
		send: () => Promise<Omit<CheckedOut, 'execution'>>,
	): Promise<CheckedOut & { isRepeated: boolean }> {
		const key = `${this.account} ${cart}`;
		const going = underWay.get(this.kept) ?? new Map<string, Promise<CheckedOut>>();
		underWay.set(this.kept, going);
		const before = going.get(key) ?? this.doneBefore(key);
		const sent = before ?? this.sendOnce(key, send).finally(() => going.delete(key));
		if (sent instanceof Promise) going.set(key, sent);
		const one = await sent;
		if (one.placed !== undefined) this.placed.add(one.placed);
		return { ...one, isRepeated: before !== undefined };
	}

	private doneBefore(key: string): CheckedOut | undefined {
		const known = Object.hasOwn(this.kept, key) ? this.kept[key] : undefined;
		const isOver = known?.placed !== undefined || known?.execution === this.execution;
		return isOver ? known : undefined;
	}

	private async sendOnce(
		key: string,
		send: () => Promise<Omit<CheckedOut, 'execution'>>,
	): Promise<CheckedOut> {
		const one = { ...(await send()), execution: this.execution };
		this.kept[key] = one;
		return one;
	}

	/** The orders that this run of the node has placed, for an error that follows. */
	placedBefore(): string | undefined {
		if (this.placed.size === 0) return undefined;
		return `Ordered before this error in the same execution: ${[...this.placed].join('; ')}. n8n does not output these items. Don't order them again.`;
	}
}

/** Without n8n's data, as in some tools, one run of the node is all that is known. */
function sharedData(n8n: IExecuteFunctions): IDataObject {
	try {
		return n8n.getContext('flow');
	} catch {
		return {};
	}
}
