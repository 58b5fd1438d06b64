// The state of a provider's customer: addresses, DIDs, carts, money.

import type { MultipartPart } from './multipart';
import { demoDidGroups, type DidGroup, type DidType } from './catalogue';

export type AddressStatus =
	'NOT_VERIFIED' | 'VERIFIED' | 'VERIFICATION_REQUESTED' | 'REJECTED' | 'VERIFICATION_NOT_REQUIRED';

/** An address as returned, plus fields that the provider does not return (`internal`). */
export interface Address {
	addressId: number;
	status: AddressStatus;
	salutation: string;
	companyName: string | null;
	companyDescription: string | null;
	firstName: string | null;
	lastName: string | null;
	countryCodeA3: string;
	city: string;
	zipCode: string;
	streetName: string;
	buildingNumber: string;
	buildingLetter: string | null;
	phoneNumber: string | null;
	customerReference: string | null;
	didType: DidType;
	destinationCountryCodeA3: string;
	extraFields: Record<string, string> | null;
	rejectionReasons: string[];
	internal: {
		proofs: Omit<MultipartPart, 'content'>[];
		identityDocumentProof: Record<string, string> | null;
	};
}

export interface Did {
	didId: number;
	e164: string;
	didGroupId: number;
	/** The address to which it is linked. */
	addressId: number | null;
	/** A number that needs an address can't be called until it is linked to a verified one. */
	blocked: boolean;
}

export type ProductType = 'DID' | 'CAPACITY' | 'CREDIT_PACKAGE';

export interface Product {
	productType: ProductType;
	/** `didGroupId`, zone or `creditPackageId`; null for numbers ordered one by one. */
	what: number | string | null;
	quantity: number;
	phoneNumbers: string[];
}

export interface Cart {
	cartIdentifier: number;
	customerReference: string | null;
	description: string | null;
	dateAdded: string;
	products: Product[];
	checkedOut: boolean;
}

export interface Order {
	cartIdentifier: number;
	orderReference: string;
	product: Product;
	cost: number;
}

export type CheckoutStatus = 'SUCCESS' | 'WARNING' | 'ERROR' | 'PARTIAL';

/** Behaviour that the documents leave open or that a test needs; changed through the control API. */
export interface Behaviour {
	/** How the response to `GET address/<unknown>` reports that. */
	unknownAddress: 'error' | 'emptyList';
	/** Sends identifiers and quantities as digit strings: both forms occur in practice. */
	idsAsText: boolean;
	/** Forces the result of the next checkouts; null: it depends on balance and stock. */
	checkoutStatus: CheckoutStatus | null;
	/** Message of each product with a forced result. */
	checkoutMessage: string | null;
	/** Leaves out `productCheckoutList`, which is optional. */
	omitProductCheckoutList: boolean;
}

export class NumberState {
	readonly addresses = new Map<number, Address>();
	readonly dids = new Map<number, Did>();
	readonly didGroups: DidGroup[] = demoDidGroups();
	readonly carts = new Map<number, Cart>();
	readonly orders: Order[] = [];
	readonly behaviour: Behaviour = {
		unknownAddress: 'error',
		idsAsText: false,
		checkoutStatus: null,
		checkoutMessage: null,
		omitProductCheckoutList: false,
	};
	private readonly sold = new Set<string>();
	private nextAddressId = 123_456;
	private nextCartIdentifier = 4_179_883;
	private nextDidId = 900_001;
	private nextOrder = 1;

	constructor(public balance: number) {
		// The customer already has a few numbers of each of the first groups, for linking.
		for (const group of this.didGroups.slice(0, 4)) this.deliver(group, 10);
	}

	newAddressId = () => this.nextAddressId++;
	newCartIdentifier = () => this.nextCartIdentifier++;
	newOrderReference = () => `ORD-${String(this.nextOrder++).padStart(6, '0')}`;

	group(didGroupId: number) {
		return this.didGroups.find((group) => group.didGroupId === didGroupId);
	}

	/** The numbers of a group that are still available, in order. */
	*inStock(group: DidGroup): Generator<string> {
		for (let number = group.firstE164; number < group.firstE164 + group.size; number++) {
			if (!this.sold.has(String(number))) yield String(number);
		}
	}

	/** The group that sells a number, if the number is still available. */
	seller(e164: string) {
		const number = Number(e164);
		if (this.sold.has(e164)) return undefined;
		return this.didGroups.find(
			({ orderable, firstE164, size }) =>
				orderable && number >= firstE164 && number < firstE164 + size,
		);
	}

	/** Gives the customer the next `count` numbers of a group, or fewer if the stock runs out. */
	deliver(group: DidGroup, count: number) {
		let left = count;
		for (const e164 of this.inStock(group)) {
			if (left-- <= 0) return;
			this.add(group, e164);
		}
	}

	/** Gives the customer one particular number. */
	add(group: DidGroup, e164: string): Did {
		this.sold.add(e164);
		const did: Did = {
			didId: this.nextDidId++,
			e164,
			didGroupId: group.didGroupId,
			addressId: null,
			blocked: group.needsAddress,
		};
		this.dids.set(did.didId, did);
		return did;
	}

	linked(address: Address) {
		return [...this.dids.values()].filter((did) => did.addressId === address.addressId);
	}

	/** Ends a verification. VERIFIED unblocks linked numbers that were waiting for it. */
	review(address: Address, status: AddressStatus, reasons: string[]) {
		address.status = status;
		address.rejectionReasons = status === 'REJECTED' ? reasons : [];
		const open = status === 'VERIFIED' || status === 'VERIFICATION_NOT_REQUIRED';
		for (const did of this.linked(address)) did.blocked = !open;
	}
}

/** `YYYY-MM-DD HH:MM:SS`, no zone, as the provider writes dates. */
export function writeDate(at: Date) {
	return at.toISOString().slice(0, 19).replace('T', ' ');
}
