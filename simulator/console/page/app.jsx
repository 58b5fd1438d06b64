// The console's page. It shows the state that the provider sends (/console/live) and has no state of its own except
// what a person is typing. The provider translates it from JSX when it starts.

import { Fragment, h, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** `1 login`, `2 logins`. */
const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Calls the control API; returns the provider's error message, if any. */
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

/** The name under an identifier. */
const nameOf = (list, id) => list.find((entry) => String(entry.id) === String(id))?.name;

/**
 * @param act resolves to the provider's complaint, if there is one
 * @param done what has happened then
 * @param now what begins to happen: of an act that takes its time
 */
function Button({
	act,
	say,
	done = undefined,
	now = undefined,
	kind = '',
	children = undefined,
	...rest
}) {
	const press = async () => {
		if (now) say(now);
		try {
			const complaint = await act();
			if (complaint) say(complaint, true);
			else if (done) say(done);
		} catch {
			say('The provider cannot be reached.', true);
		}
	};
	return (
		<button type="button" class={kind} onClick={press} {...rest}>
			{children}
		</button>
	);
}

function Select({ label, value, onChange, options }) {
	return (
		<label>
			{label}
			<select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
				{options.map(([key, name]) => (
					<option value={key}>{name}</option>
				))}
			</select>
		</label>
	);
}

function Panel({ title, aside = undefined, name, children }) {
	return (
		<section data-panel={name}>
			<header>
				<h2>{title}</h2>
				<span>{aside}</span>
			</header>
			{children}
		</section>
	);
}

const ifEmpty = (rows, text) =>
	rows.length === 0 && (
		<tr>
			<td class="none">{text}</td>
		</tr>
	);

function Actions({ state, say }) {
	const [choice, setChoice] = useState({ caller: '', queue: state.queues[0].id, agent: '' });
	const caller = choice.caller || '+33199012345';
	const queue = nameOf(state.queues, choice.queue);
	const agent = nameOf(state.agents, choice.agent || freeAgent(state.agents));
	const set = (field) => (value) => setChoice({ ...choice, [field]: value });
	const scene = (name) =>
		control('begin', name, {
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
			caller_id_num: caller,
			duration_in_queue: 0,
		};
		const alerts = { ...about, duration_in_queue: 20, id_operator: null, validity: 60 };
		return await send(...(waiting ? [] : [['queue', 'insert_call', calls]]), [
			'queue',
			event,
			alerts,
		]);
	};
	const calls = `${caller} calls ${queue}`;
	const scenes = [
		['answeredCall', 'A call that is answered', `${calls}. ${agent} answers.`],
		['missedCall', 'A call that gives up', `${calls}, waits for 10 seconds and hangs up.`],
		[
			'transferredCall',
			'A call that is transferred',
			`${calls}. ${agent} answers and transfers it.`,
		],
		[
			'unansweredRing',
			'An agent lets it ring',
			`${calls}. ${agent} lets it ring for 30 seconds, then somebody else answers.`,
		],
		[
			'callsAgain',
			'A missed caller calls again',
			`${calls}, hangs up after 10 seconds, calls again 20 seconds later, and ${agent} answers.`,
		],
		[
			'calledBack',
			'A missed caller is called back',
			`${calls} and hangs up after 10 seconds. ${agent} calls back 20 seconds later.`,
		],
		['fillingQueue', 'A queue fills', `Six callers wait in ${queue} for 30 seconds.`],
	];
	const alerts = [
		[
			'alert_file',
			"Provider's alert: waits too long",
			`Sent the alert that a caller waits too long in ${queue}.`,
		],
		[
			'alert_op',
			"Provider's alert: no agent",
			`Sent the alert that no agent is there for ${queue}.`,
		],
	];
	return (
		<Panel name="actions" title="Make something happen">
			<div class="form">
				<label>
					Caller
					<input
						value={choice.caller}
						placeholder="+33199012345"
						onInput={(event) => set('caller')(event.currentTarget.value)}
					/>
				</label>
				<Select
					label="Queue"
					value={choice.queue}
					onChange={set('queue')}
					options={state.queues.map(({ id, name }) => [id, name])}
				/>
				<Select
					label="Agent"
					value={choice.agent}
					onChange={set('agent')}
					options={[['', 'Whoever is free'], ...state.agents.map(({ id, name }) => [id, name])]}
				/>
			</div>
			<div class="buttons">
				{scenes.map(([name, label, happens]) => (
					<Button say={say} act={() => scene(name)} now={happens}>
						{label}
					</Button>
				))}
				<Button
					say={say}
					act={async () => {
						// They would give the agents something to do.
						if (state.traffic === 'on') await control('setTraffic', false);
						return await scene('nobodyFree');
					}}
					now="Every agent takes a break for a minute, and no calls are generated."
				>
					Nobody is free
				</Button>
				{alerts.map(([event, label, happened]) => (
					<Button say={say} act={() => alert(event)} done={happened}>
						{label}
					</Button>
				))}
				{state.traffic === 'on' && (
					<Button
						say={say}
						act={() => control('setTraffic', false)}
						done="No more calls are generated."
					>
						Stop the generated calls
					</Button>
				)}
				{state.traffic === 'off' && (
					<>
						<b class="bad">Generated calls are stopped</b>
						<Button
							say={say}
							act={() => control('setTraffic', true)}
							done="Calls are generated again."
						>
							Let them go on
						</Button>
					</>
				)}
			</div>
		</Panel>
	);
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
	return (
		<Panel
			name="feed"
			title="The feed"
			aside={`${live.length} connected, ${count(feed.logins, 'login')}, ${count(feed.tokens, 'token')}`}
		>
			<table>
				<tbody>
					{live.map((socket) => (
						<tr>
							<td>{socket.kind}</td>
							<td>{socket.transport}</td>
							<td>{socket.receiving ? 'gets events' : 'gets nothing any more'}</td>
							<td>{count(socket.sent, 'event')}</td>
							<td>{duration(socket.connectedAt, now)}</td>
						</tr>
					))}
					{ifEmpty(live, 'Nobody is connected')}
				</tbody>
			</table>
			<div class="buttons">
				<Button
					say={say}
					kind="danger"
					act={() => control('destroySockets')}
					done={`${count(live.length, 'connection')} cut.`}
				>
					Cut the feed
				</Button>
				<Button
					say={say}
					act={() => control('disconnectSockets')}
					done={`${count(live.length, 'connection')} closed.`}
				>
					Disconnect politely
				</Button>
				<Button say={say} act={() => control('expireTokens')} done="All tokens have ended.">
					End all tokens
				</Button>
				<Button
					say={say}
					act={() => control('silenceSockets')}
					done="The connections stay open, but get no more events."
				>
					Go silent
				</Button>
				<Button
					say={say}
					kind="danger"
					act={() => control('goAway', { forMs: 10000 })}
					now="The provider is down for 10 seconds."
				>
					Down for 10 seconds
				</Button>
			</div>
			<div class="form">
				{feed.refusal === null ? (
					<>
						<Button
							say={say}
							kind="danger"
							act={() => control('refuseLogins', /^\d+$/.test(how) ? Number(how) : how)}
							done="Logins are refused from now on; open connections stay."
						>
							Refuse logins
						</Button>
						<Select label="How" value={how} onChange={setHow} options={REFUSALS} />
					</>
				) : (
					<>
						<b class="bad">Logins are refused ({String(feed.refusal)})</b>
						<Button
							say={say}
							act={() => control('refuseLogins', null)}
							done="Logins are accepted again."
						>
							Accept logins again
						</Button>
					</>
				)}
			</div>
		</Panel>
	);
}

function Queues({ queues, now }) {
	return (
		<Panel name="queues" title="Queues">
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
					{queues.map((queue) => (
						<tr data-queue={queue.id}>
							<td>
								{queue.name} <span class="dim">({queue.id})</span>
							</td>
							<td data-label="Waiting" class={queue.waiting > 0 ? 'bad' : ''}>
								{queue.waiting}
							</td>
							<td data-label="Longest wait">{duration(queue.oldest, now)}</td>
							<td data-label="With an agent">{queue.connected}</td>
							<td data-label="Alert">
								{queue.alert &&
									now < queue.alert.until &&
									`${queue.alert.event === 'alert_op' ? 'no agent' : 'waits too long'}, ${duration(queue.alert.at, now)} ago`}
							</td>
						</tr>
					))}
				</tbody>
			</table>
		</Panel>
	);
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
	return (
		<Panel name="calls" title="Calls" aside={String(calls.length)}>
			<table>
				<tbody>
					{calls.map((call) => (
						<tr data-call={call.id}>
							<td>{call.caller || call.id}</td>
							<td>{call.place}</td>
							<td>
								<span class={`tag ${call.state}`}>{call.state}</span>
							</td>
							<td>{call.agent}</td>
							<td>{duration(call.since, now)}</td>
							<td class="actions">
								{call.queue !== null && (
									<>
										{call.state === 'waiting' && (
											<Button
												say={say}
												act={() => answer(call)}
												done={`${nameOf(agents, freeAgent(agents))} answers ${call.caller || call.id}.`}
											>
												Answer
											</Button>
										)}
										<Button
											say={say}
											act={() => hangUp(call)}
											done={`The call of ${call.caller || call.id} has ended.`}
										>
											Hang up
										</Button>
									</>
								)}
							</td>
						</tr>
					))}
					{ifEmpty(calls, 'No calls')}
				</tbody>
			</table>
		</Panel>
	);
}

function Agents({ agents, pauses, say, now }) {
	const [pause, setPause] = useState(String(pauses[0].id));
	const ui = (event, agent, supp = null) => ['UI', event, { supp, id_operator: Number(agent.id) }];
	const free = (agent) => [
		'operator',
		'status',
		{ status: 'available', id_operator: Number(agent.id) },
	];
	return (
		<Panel
			name="agents"
			title="Agents"
			aside={
				<Select
					label="Break"
					value={pause}
					onChange={setPause}
					options={pauses.map(({ id, value }) => [String(id), value])}
				/>
			}
		>
			<table>
				<tbody>
					{agents.map((agent) => (
						<tr data-agent={agent.id}>
							<td>
								{agent.name} <span class="dim">({agent.id})</span>
							</td>
							<td class="dim">{agent.groups.join(', ')}</td>
							<td>
								<span class={`tag ${agent.state.replaceAll(' ', '-')}`}>{agent.state}</span>
								{agent.detail}
							</td>
							<td>{duration(agent.since, now)}</td>
							<td class="actions">
								{agent.state === 'logged out' ? (
									<Button
										say={say}
										act={() => send(ui('login', agent), free(agent))}
										done={`${agent.name} is logged in and available.`}
									>
										Log in
									</Button>
								) : agent.state === 'break' ? (
									<Button
										say={say}
										act={() => send(ui('unpause', agent), free(agent))}
										done={`${agent.name} is available again.`}
									>
										End break
									</Button>
								) : (
									<>
										<Button
											say={say}
											act={() => send(ui('pause', agent, Number(pause)))}
											done={`${agent.name} is on a break.`}
										>
											Break
										</Button>
										<Button
											say={say}
											act={() => send(ui('logout', agent))}
											done={`${agent.name} is logged out.`}
										>
											Log out
										</Button>
									</>
								)}
							</td>
						</tr>
					))}
				</tbody>
			</table>
		</Panel>
	);
}

function Addresses({ addresses, say }) {
	const [reason, setReason] = useState('The proof cannot be read');
	return (
		<Panel
			name="addresses"
			title="Addresses"
			aside={
				<label>
					Reason of a rejection
					<input value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
				</label>
			}
		>
			<table>
				<tbody>
					{[...addresses].reverse().map((address) => (
						<tr data-address={address.addressId}>
							<td>{address.addressId}</td>
							<td>
								{address.name}
								<br />
								<span class="dim">{address.place}</span>
							</td>
							<td>
								<span class={`tag ${address.status}`}>{address.status}</span>
								<span class="dim">{address.rejectionReasons.join(', ')}</span>
							</td>
							<td class="dim">
								{count(address.proofs, 'proof')}, {count(address.linked, 'number')}
							</td>
							<td class="actions">
								<Button
									say={say}
									act={() => control('reviewAddress', address.addressId, 'VERIFIED')}
									done={`Address ${address.addressId} is verified.`}
								>
									Verify
								</Button>
								<Button
									say={say}
									act={() => control('reviewAddress', address.addressId, 'REJECTED', [reason])}
									done={`Address ${address.addressId} is rejected.`}
								>
									Reject
								</Button>
							</td>
						</tr>
					))}
					{ifEmpty(addresses, 'No addresses yet')}
				</tbody>
			</table>
		</Panel>
	);
}

function Carts({ carts, balance }) {
	return (
		<Panel name="carts" title="Carts" aside={`balance ${balance}`}>
			<table>
				<tbody>
					{[...carts].reverse().map((cart) => (
						<tr data-cart={cart.cartIdentifier}>
							<td>{cart.cartIdentifier}</td>
							<td>{cart.customerReference}</td>
							<td>{cart.products.join(', ') || <span class="dim">empty</span>}</td>
							<td>
								<span class={`tag ${cart.checkedOut ? 'VERIFIED' : ''}`}>
									{cart.checkedOut ? `bought ${cart.orders.join(', ')}` : 'open'}
								</span>
							</td>
						</tr>
					))}
					{ifEmpty(carts, 'No carts yet')}
				</tbody>
			</table>
		</Panel>
	);
}

function Catalogue({ catalogue, dids }) {
	return (
		<Panel name="catalogue" title="For sale and yours">
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
						{catalogue.map((group) => (
							<tr data-group={group.didGroupId}>
								<td data-label="DID group">{group.didGroupId}</td>
								<td data-label="Country">{group.country}</td>
								<td data-label="Type">{group.didType}</td>
								<td data-label="Price">{group.price}</td>
								<td data-label="In stock">
									{group.stock || <span class="bad">not for sale</span>}
								</td>
								<td class="dim" data-label="Address">
									{group.needsAddress ? 'needed' : 'not needed'}
								</td>
							</tr>
						))}
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
						{dids.map((did) => (
							<tr data-did={did.didId}>
								<td data-label="DID ID">{did.didId}</td>
								<td data-label="Your number">+{did.e164}</td>
								<td data-label="DID group">{did.didGroupId}</td>
								<td data-label="Linked to">
									{did.addressId === null ? <span class="dim">–</span> : `address ${did.addressId}`}
									{did.blocked && <span class="tag">blocked</span>}
								</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</Panel>
	);
}

function Chat({ messages }) {
	const nothing =
		'The examples send their messages to this channel until you enter yours; a POST of ' +
		'{"text": "…"} as JSON is shown too';
	return (
		<Panel name="chat" title="Chat" aside={`${location.origin}/chat`}>
			<div class="scroll">
				<table>
					<tbody>
						{messages.map((message) => (
							<tr>
								<td class="dim">{new Date(message.at).toLocaleTimeString()}</td>
								<td class="dim">{message.path === '/chat' ? '' : message.path}</td>
								<td>{message.text}</td>
							</tr>
						))}
						{ifEmpty(messages, nothing)}
					</tbody>
				</table>
			</div>
		</Panel>
	);
}

function Events({ events, sent }) {
	return (
		<Panel name="events" title="Events" aside={`${sent} since the start`}>
			<div class="scroll">
				<table>
					<tbody>
						{events.map((event) => (
							<tr>
								<td class="dim">{new Date(event.at).toLocaleTimeString()}</td>
								<td class="dim">{event.cpt ?? ''}</td>
								<td>
									{event.type} <b>{event.event}</b>
								</td>
								<td>{event.about}</td>
								<td class="dim">{event.reached ? `to ${event.reached}` : 'nobody listens'}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</Panel>
	);
}

function Console() {
	const { state, connected } = useLive();
	const [told, tell] = useState({ text: '', bad: false });
	const say = (text, bad = false) => tell({ text, bad });
	const now = useNow();
	if (!state) return <p class="none">Looking for the provider…</p>;
	return (
		<>
			<header class="top">
				<h1>Provider console</h1>
				<span class={`tag ${connected ? 'VERIFIED' : 'REJECTED'}`} id="provider">
					{connected ? 'live' : 'the provider is down'}
				</span>
				<span class={told.bad ? 'bad' : 'dim'} role="status">
					{told.text}
				</span>
			</header>
			<main>
				<div>
					<Actions state={state} say={say} />
					<Feed feed={state.feed} say={say} now={now} />
					<Queues queues={state.queues} now={now} />
					<Calls calls={state.calls} agents={state.agents} say={say} now={now} />
					<Events events={state.events} sent={state.sent} />
				</div>
				<div>
					<Agents agents={state.agents} pauses={state.pauses} say={say} now={now} />
					<Addresses addresses={state.addresses} say={say} />
					<Chat messages={state.chat} />
					<Carts carts={state.carts} balance={state.balance} />
					<Catalogue catalogue={state.catalogue} dids={state.dids} />
				</div>
			</main>
		</>
	);
}

render(<Console />, document.body);
