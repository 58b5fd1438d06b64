/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The provider's console at /console: a page that shows what is going on, with buttons that make things happen. This
// file provides the data; the buttons use the control API.

import { transform } from 'esbuild';
import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Control } from '../control/control';
import type { Store } from '../store';
import { Board } from './board';
import { Live } from './live';

/** Files of the page and its libraries; JSX is translated, everything else is served unchanged. */
const files: Readonly<Record<string, { path: () => string; type: string }>> = {
	'/console': { path: () => join(__dirname, 'page/index.html'), type: 'text/html' },
	'/console/app.js': { path: () => join(__dirname, 'page/app.jsx'), type: 'text/javascript' },
	'/console/style.css': { path: () => join(__dirname, 'page/style.css'), type: 'text/css' },
	'/console/lib/preact.js': {
		path: () => preact('dist/preact.mjs'),
		type: 'text/javascript',
	},
	'/console/lib/hooks.js': {
		path: () => preact('hooks/dist/hooks.mjs'),
		type: 'text/javascript',
	},
};

const preact = (file: string) => join(dirname(require.resolve('preact/package.json')), file);

async function textOf(file: string): Promise<string> {
	const text = await readFile(file, 'utf8');
	if (!file.endsWith('.jsx')) return text;
	const options = { loader: 'jsx', jsxFactory: 'h', jsxFragment: 'Fragment' } as const;
	return (await transform(text, options)).code;
}

export function registerConsole(app: FastifyInstance, store: Store, control: () => Control) {
	const board = new Board(store.plan);
	const live = new Live(store, () => ({
		...board.view(),
		...numbersView(control()),
		feed: feedView(store, control()),
		pauses: store.plan.pauses,
		chat: store.chat,
		/** Generated traffic: `none` if the provider was started without any. */
		traffic: store.options.rate > 0 ? (control().trafficOn() ? 'on' : 'off') : 'none',
	}));
	store.news.on('event', (name: string, args: unknown[], reached: number) => {
		board.take(name, args, reached, Date.now());
		live.changed();
	});
	store.news.on('change', () => live.changed());

	for (const [url, { path, type }] of Object.entries(files)) {
		app.get(url, async (_request, reply) =>
			reply.header('content-type', `${type}; charset=utf-8`).send(await textOf(path())),
		);
	}
	app.get('/console/live', (_request, reply) => {
		reply.hijack();
		live.open(reply.raw);
	});
}

/** Addresses, carts and orders, without fields that only tests need. */
function numbersView(control: Control) {
	const { addresses, carts, orders, dids, didGroups, balance } = control.numbers();
	return {
		balance,
		catalogue: didGroups.map((group) => ({
			didGroupId: group.didGroupId,
			country: group.countryCodeA3,
			didType: group.didType,
			price: group.price,
			stock: group.orderable ? control.stockOf(group.didGroupId) : 0,
			needsAddress: group.needsAddress,
		})),
		dids: dids.map(({ didId, e164, didGroupId, addressId, blocked }) => ({
			didId,
			e164,
			didGroupId,
			addressId,
			blocked,
		})),
		addresses: addresses.map(({ internal, ...address }) => ({
			addressId: address.addressId,
			name: address.companyName ?? `${address.firstName} ${address.lastName}`,
			place: `${address.streetName} ${address.buildingNumber}, ${address.zipCode} ${address.city}, ${address.countryCodeA3}`,
			status: address.status,
			rejectionReasons: address.rejectionReasons,
			proofs: internal.proofs.length,
			linked: dids.filter(({ addressId }) => addressId === address.addressId).length,
		})),
		carts: carts.map(({ cartIdentifier, customerReference, products, checkedOut }) => ({
			cartIdentifier,
			customerReference,
			checkedOut,
			products: products.map(
				({ productType, what, quantity, phoneNumbers }) =>
					`${quantity} × ${productType} ${what ?? phoneNumbers.join(', ')}`,
			),
			orders: orders
				.filter((order) => order.cartIdentifier === cartIdentifier)
				.map(({ orderReference }) => orderReference),
		})),
	};
}

function feedView(store: Store, control: Control) {
	const { logins, tokens } = control.counts();
	return { sockets: control.sockets(), logins, tokens, refusal: store.refusal };
}
