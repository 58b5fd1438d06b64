// The console's page. It shows the state that the operator sends (/console/live) and has no state of its own except
// what a person is typing. Preact and htm are served as they come from their packages: there is nothing to build.

import { h, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import htm from 'htm';

const html = htm.bind(h);

/** Calls the control API; returns the operator's error message, if any. */
async function control(method, ...args) {
	const answer = await fetch(`/control/${method}`, { method: 'POST', body: JSON.stringify(args) });
	const { error } = await answer.json();
	return error;
}

/** Sends events one after the other, up to the first error. */
async function send(...events) {
	for (const event of events) {
		const complaint = await control('send', ...event);
		if (complaint) return complaint;
	}
	return undefined;
}

/** The agent who takes a call: one who is available, else the first one. */
const freeAgent = (agents) =>
	Number((agents.find(({ state }) => state === 'available') ?? agents[0]).id);

/** Identifiers of calls that the console makes; far from those of the traffic and of the scenes. */
let nextCall = 950001;

function useLive() {
	const [state, setState] = useState(null);
	const [connected, setConnected] = useState(false);
	useEffect(() => {
		const source = new EventSource('/console/live');
		source.onmessage = (message) => {
			setConnected(true);
			setState(JSON.parse(message.data));
		};
		source.onerror = () => setConnected(false);
		return () => source.close();
	}, []);
	return { state, connected };
}

/** The current time, updated every second so that durations keep growing. */
function useNow() {
	const [now, setNow] = useState(Date.now());
	useEffect(() => {
		const timer = setInterval(() => setNow(Date.now()), 1000);
		return () => clearInterval(timer);
	}, []);
	return now;
}

function duration(since, now) {
	if (since === null) return '';
	const seconds = Math.max(0, Math.round((now - since) / 1000));
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function Button({ act, say, kind = '', children, ...rest }) {
	const press = async () => {
		try {
			say((await act()) ?? '');
		} catch {
			say('The operator can not be reached.');
		}
	};
	return html`<button type="button" class=${kind} onClick=${press} ...${rest}>${children}</button>`;
}

function Select({ label, value, onChange, options }) {
	return html`<label
		>${label}
		<select value=${value} onChange=${(event) => onChange(event.target.value)}>
			${options.map(([key, name]) => html`<option value=${key}>${name}</option>`)}
		</select></label
	>`;
}

function Panel({ title, aside, name, children }) {
	return html`<section data-panel=${name}>
		<header>
			<h2>${title}</h2>
			<span>${aside}</span>
		</header>
		${children}
	</section>`;
}

function Actions({ state, say }) {
	const [choice, setChoice] = useState({ caller: '', queue: state.queues[0].id, agent: '' });
	const set = (field) => (value) => setChoice({ ...choice, [field]: value });
	const scene = (name) =>
		control('play', name, {
			queue: Number(choice.queue),
			agent: choice.agent ? Number(choice.agent) : freeAgent(state.agents),
			...(choice.caller ? { caller: choice.caller } : {}),
		});
	/** Raises an alert for the caller who waits longest in the queue; if nobody waits, a call is made first. */
	const alert = async (event) => {
		const waiting = state.calls.find(
			(call) => call.queue === choice.queue && call.state === 'waiting',
		);
		const call = waiting ? Number(waiting.id) : nextCall++;
		const about = { id_call: call, id_queue: Number(choice.queue) };
		const calls = {
			...about,
			caller_id_num: choice.caller || '+33199012345',
			duration_in_queue: 0,
		};
		const alerts = { ...about, duration_in_queue: 20, id_operator: null, validity: 60 };
		return await send(...(waiting ? [] : [['queue', 'insert_call', calls]]), [
			'queue',
			event,
			alerts,
		]);
	};
	return html`<${Panel} name="actions" title="Make something happen">
		<div class="form">
			<label
				>Caller
				<input
					value=${choice.caller}
					placeholder="+33199012345"
					onInput=${(event) => set('caller')(event.target.value)}
			/></label>
			<${Select}
				label="Queue"
				value=${choice.queue}
				onChange=${set('queue')}
				options=${state.queues.map(({ id, name }) => [id, name])}
			/>
			<${Select}
				label="Agent"
				value=${choice.agent}
				onChange=${set('agent')}
				options=${[['', 'Whoever is free'], ...state.agents.map(({ id, name }) => [id, name])]}
			/>
		</div>
		<div class="buttons">
			<${Button} say=${say} act=${() => scene('answeredCall')}>A call that is answered<//>
			<${Button} say=${say} act=${() => scene('missedCall')}>A call that gives up<//>
			<${Button} say=${say} act=${() => scene('transferredCall')}>A call that is transferred<//>
			<${Button} say=${say} act=${() => scene('unansweredRing')}>An agent lets it ring<//>
			<${Button} say=${say} act=${() => scene('callsAgain')}>A missed caller calls again<//>
			<${Button} say=${say} act=${() => scene('calledBack')}>A missed caller is called back<//>
			<${Button} say=${say} act=${() => scene('fillingQueue')}>A queue fills<//>
			<${Button} say=${say} act=${() => alert('alert_file')}>Alert: waits too long<//>
			<${Button} say=${say} act=${() => alert('alert_op')}>Alert: no agent<//>
			${
				state.traffic === 'on' &&
				html`<${Button} say=${say} act=${() => control('setTraffic', false)}
					>Stop the generated calls<//
				>`
			}
			${
				state.traffic === 'off' &&
				html`<b class="bad">Generated calls are stopped</b>
					<${Button} say=${say} act=${() => control('setTraffic', true)}>Let them go on<//>`
			}
		</div>
	<//>`;
}

const REFUSALS = [
	['401', 'with status 401'],
	['403', 'with status 403'],
	['500', 'with status 500'],
	['noSession', 'with an answer without a token'],
	['html', 'with a web page'],
	['hang', 'with no answer at all'],
];

function Feed({ feed, say, now }) {
	const [how, setHow] = useState('401');
	const live = feed.sockets.filter(({ initialised }) => initialised);
	return html`<${Panel}
		name="feed"
		title="The feed"
		aside=${`${live.length} connected, ${feed.logins} logins, ${feed.tokens} tokens`}
	>
		<table>
			<tbody>
				${live.map(
					(socket) =>
						html`<tr>
							<td>${socket.kind}</td>
							<td>${socket.transport}</td>
							<td>${socket.receiving ? 'gets events' : 'gets nothing any more'}</td>
							<td>${socket.sent} events</td>
							<td>${duration(socket.connectedAt, now)}</td>
						</tr>`,
				)}
				${
					live.length === 0 &&
					html`<tr>
						<td class="none">Nobody is connected</td>
					</tr>`
				}
			</tbody>
		</table>
		<div class="buttons">
			<${Button} say=${say} kind="danger" act=${() => control('destroySockets')}>Cut the feed<//>
			<${Button} say=${say} act=${() => control('disconnectSockets')}>Disconnect politely<//>
			<${Button} say=${say} act=${() => control('expireTokens')}>End all tokens<//>
			<${Button} say=${say} act=${() => control('silenceSockets')}>Go silent<//>
			<${Button} say=${say} kind="danger" act=${() => control('goAway', { forMs: 10000 })}>
				Away for 10 seconds<//
			>
		</div>
		<div class="form">
			${
				feed.refusal === null
					? html`<${Button}
								say=${say}
								kind="danger"
								act=${() => control('refuseLogins', /^\d+$/.test(how) ? Number(how) : how)}
								>Refuse logins<//
							>
							<${Select} label="How" value=${how} onChange=${setHow} options=${REFUSALS} />`
					: html`<b class="bad">Logins are refused (${String(feed.refusal)})</b>
							<${Button} say=${say} act=${() => control('refuseLogins', null)}
								>Accept logins again<//
							>`
			}
		</div>
	<//>`;
}

function Queues({ queues, now }) {
	return html`<${Panel} name="queues" title="Queues">
		<table>
			<thead>
				<tr>
					<th>Queue</th>
					<th>Waiting</th>
					<th>Longest wait</th>
					<th>With an agent</th>
					<th>Alert</th>
				</tr>
			</thead>
			<tbody>
				${queues.map(
					(queue) =>
						html`<tr data-queue=${queue.id}>
							<td>${queue.name} <span class="dim">(${queue.id})</span></td>
							<td class=${queue.waiting > 0 ? 'bad' : ''}>${queue.waiting}</td>
							<td>${duration(queue.oldest, now)}</td>
							<td>${queue.connected}</td>
							<td>
								${
									queue.alert &&
									`${queue.alert.event === 'alert_op' ? 'no agent' : 'waits too long'}, ${duration(queue.alert.at, now)} ago`
								}
							</td>
						</tr>`,
				)}
			</tbody>
		</table>
	<//>`;
}

function Calls({ calls, agents, say, now }) {
	const place = (call) => ({ id_call: Number(call.id), id_queue: Number(call.queue) });
	const answer = (call) => {
		const about = { ...place(call), caller_id_num: call.caller, id_operator: freeAgent(agents) };
		return send(
			['queue', 'connect_call', { ...about, status: 'connected' }],
			['operator', 'status', { ...about, status: 'connected' }],
		);
	};
	const hangUp = (call) => {
		const agent = agents.find(({ name }) => name === call.agent);
		return send(
			['queue', 'delete_call', place(call)],
			...(agent
				? [
						[
							'operator',
							'status',
							{ ...place(call), id_operator: Number(agent.id), status: 'available' },
						],
					]
				: []),
		);
	};
	return html`<${Panel} name="calls" title="Calls" aside=${String(calls.length)}>
		<table>
			<tbody>
				${calls.map(
					(call) =>
						html`<tr data-call=${call.id}>
							<td>${call.caller || call.id}</td>
							<td>${call.place}</td>
							<td><span class="tag ${call.state}">${call.state}</span></td>
							<td>${call.agent}</td>
							<td>${duration(call.since, now)}</td>
							<td class="actions">
								${
									call.queue !== null &&
									html`${
											call.state === 'waiting' &&
											html`<${Button} say=${say} act=${() => answer(call)}>Answer<//>`
										} <${Button} say=${say} act=${() => hangUp(call)}>Hang up<//>`
								}
							</td>
						</tr>`,
				)}
				${
					calls.length === 0 &&
					html`<tr>
						<td class="none">No calls</td>
					</tr>`
				}
			</tbody>
		</table>
	<//>`;
}

function Agents({ agents, pauses, say, now }) {
	const [pause, setPause] = useState(String(pauses[0].id));
	const ui = (event, agent, supp = null) => ['UI', event, { supp, id_operator: Number(agent.id) }];
	const free = (agent) => [
		'operator',
		'status',
		{ status: 'available', id_operator: Number(agent.id) },
	];
	return html`<${Panel}
		name="agents"
		title="Agents"
		aside=${html`<${Select}
			label="Break"
			value=${pause}
			onChange=${setPause}
			options=${pauses.map(({ id, value }) => [String(id), value])}
		/>`}
	>
		<table>
			<tbody>
				${agents.map(
					(agent) =>
						html`<tr data-agent=${agent.id}>
							<td>${agent.name} <span class="dim">(${agent.id})</span></td>
							<td class="dim">${agent.groups.join(', ')}</td>
							<td>
								<span class="tag ${agent.state.replaceAll(' ', '-')}">${agent.state}</span>
								${agent.detail}
							</td>
							<td>${duration(agent.since, now)}</td>
							<td class="actions">
								${
									agent.state === 'logged out'
										? html`<${Button} say=${say} act=${() => send(ui('login', agent), free(agent))}
												>Log in<//
											>`
										: agent.state === 'break'
											? html`<${Button}
													say=${say}
													act=${() => send(ui('unpause', agent), free(agent))}
													>End break<//
												>`
											: html`<${Button}
														say=${say}
														act=${() => send(ui('pause', agent, Number(pause)))}
														>Break<//
													>
													<${Button} say=${say} act=${() => send(ui('logout', agent))}>Log out<//>`
								}
							</td>
						</tr>`,
				)}
			</tbody>
		</table>
	<//>`;
}

function Addresses({ addresses, say }) {
	const [reason, setReason] = useState('The proof can not be read');
	return html`<${Panel}
		name="addresses"
		title="Addresses"
		aside=${html`<label
			>Reason of a rejection
			<input value=${reason} onInput=${(event) => setReason(event.target.value)}
		/></label>`}
	>
		<table>
			<tbody>
				${[...addresses].reverse().map(
					(address) =>
						html`<tr data-address=${address.addressId}>
							<td>${address.addressId}</td>
							<td>${address.name}<br /><span class="dim">${address.place}</span></td>
							<td>
								<span class="tag ${address.status}">${address.status}</span>
								<span class="dim">${address.rejectionReasons.join(', ')}</span>
							</td>
							<td class="dim">${address.proofs} proofs, ${address.linked} numbers</td>
							<td class="actions">
								<${Button}
									say=${say}
									act=${() => control('reviewAddress', address.addressId, 'VERIFIED')}
									>Verify<//
								>
								<${Button}
									say=${say}
									act=${() => control('reviewAddress', address.addressId, 'REJECTED', [reason])}
									>Reject<//
								>
							</td>
						</tr>`,
				)}
				${
					addresses.length === 0 &&
					html`<tr>
						<td class="none">No addresses yet</td>
					</tr>`
				}
			</tbody>
		</table>
	<//>`;
}

function Carts({ carts, balance }) {
	return html`<${Panel} name="carts" title="Carts" aside=${`balance ${balance}`}>
		<table>
			<tbody>
				${[...carts].reverse().map(
					(cart) =>
						html`<tr data-cart=${cart.cartIdentifier}>
							<td>${cart.cartIdentifier}</td>
							<td>${cart.customerReference}</td>
							<td>${cart.products.join(', ') || html`<span class="dim">empty</span>`}</td>
							<td>
								<span class="tag ${cart.checkedOut ? 'VERIFIED' : ''}"
									>${cart.checkedOut ? `bought ${cart.orders.join(', ')}` : 'open'}</span
								>
							</td>
						</tr>`,
				)}
				${
					carts.length === 0 &&
					html`<tr>
						<td class="none">No carts yet</td>
					</tr>`
				}
			</tbody>
		</table>
	<//>`;
}

function Catalogue({ catalogue, dids }) {
	return html`<${Panel} name="catalogue" title="For sale and yours">
		<div class="scroll">
			<table>
				<thead>
					<tr>
						<th>DID group</th>
						<th>Country</th>
						<th>Type</th>
						<th>Price</th>
						<th>In stock</th>
						<th>Address</th>
					</tr>
				</thead>
				<tbody>
					${catalogue.map(
						(group) =>
							html`<tr data-group=${group.didGroupId}>
								<td>${group.didGroupId}</td>
								<td>${group.country}</td>
								<td>${group.didType}</td>
								<td>${group.price}</td>
								<td>${group.stock || html`<span class="bad">not to be had</span>`}</td>
								<td class="dim">${group.needsAddress ? 'needed' : 'not needed'}</td>
							</tr>`,
					)}
				</tbody>
			</table>
			<table>
				<thead>
					<tr>
						<th>DID ID</th>
						<th>Your number</th>
						<th>DID group</th>
						<th>Linked to</th>
					</tr>
				</thead>
				<tbody>
					${dids.map(
						(did) =>
							html`<tr data-did=${did.didId}>
								<td>${did.didId}</td>
								<td>+${did.e164}</td>
								<td>${did.didGroupId}</td>
								<td>
									${did.addressId === null ? html`<span class="dim">–</span>` : `address ${did.addressId}`}
									${did.blocked && html` <span class="tag">blocked</span>`}
								</td>
							</tr>`,
					)}
				</tbody>
			</table>
		</div>
	<//>`;
}

function Chat({ messages }) {
	return html`<${Panel} name="chat" title="Chat" aside=${`${location.origin}/chat`}>
		<div class="scroll">
			<table>
				<tbody>
					${messages.map(
						(message) =>
							html`<tr>
								<td class="dim">${new Date(message.at).toLocaleTimeString()}</td>
								<td class="dim">${message.path === '/chat' ? '' : message.path}</td>
								<td>${message.text}</td>
							</tr>`,
					)}
					${
						messages.length === 0 &&
						html`<tr>
							<td class="none">
								The examples send their messages to this channel until you enter yours; a POST of
								{"text": "…"} as JSON is shown too
							</td>
						</tr>`
					}
				</tbody>
			</table>
		</div>
	<//>`;
}

function Events({ events, sent }) {
	return html`<${Panel} name="events" title="Events" aside=${`${sent} since the start`}>
		<div class="scroll">
			<table>
				<tbody>
					${events.map(
						(event) =>
							html`<tr>
								<td class="dim">${new Date(event.at).toLocaleTimeString()}</td>
								<td class="dim">${event.cpt ?? ''}</td>
								<td>${event.type} <b>${event.event}</b></td>
								<td>${event.about}</td>
								<td class="dim">${event.reached ? `to ${event.reached}` : 'nobody listens'}</td>
							</tr>`,
					)}
				</tbody>
			</table>
		</div>
	<//>`;
}

function Console() {
	const { state, connected } = useLive();
	const [complaint, say] = useState('');
	const now = useNow();
	if (!state) return html`<p class="none">Looking for the operator…</p>`;
	return html`
		<header class="top">
			<h1>Operator console</h1>
			<span class="tag ${connected ? 'VERIFIED' : 'REJECTED'}" id="operator">
				${connected ? 'live' : 'the operator is away'}
			</span>
			<span class="bad" role="status">${complaint}</span>
		</header>
		<main>
			<div>
				<${Actions} state=${state} say=${say} />
				<${Feed} feed=${state.feed} say=${say} now=${now} />
				<${Queues} queues=${state.queues} now=${now} />
				<${Calls} calls=${state.calls} agents=${state.agents} say=${say} now=${now} />
				<${Events} events=${state.events} sent=${state.sent} />
			</div>
			<div>
				<${Agents} agents=${state.agents} pauses=${state.pauses} say=${say} now=${now} />
				<${Addresses} addresses=${state.addresses} say=${say} />
				<${Chat} messages=${state.chat} />
				<${Carts} carts=${state.carts} balance=${state.balance} />
				<${Catalogue} catalogue=${state.catalogue} dids=${state.dids} />
			</div>
		</main>
	`;
}

render(html`<${Console} />`, document.body);
