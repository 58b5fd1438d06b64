// The test page: opens the account feed with the query's id_client and id_session, shows the newest events first.
(function () {
	var query = new URLSearchParams(location.search);
	var state = document.getElementById('state');
	var events = document.getElementById('events');
	var count = 0;
	var shown = 200;

	function say(text, look) {
		state.textContent = text;
		state.className = look || '';
	}

	if (!query.get('id_client') || !query.get('id_session')) {
		say('id_client and id_session are missing from the URL', 'ended');
		return;
	}

	var socket = window['io']({
		path: document.currentScript.dataset.socketPath,
		transports: ['websocket', 'polling'],
	});
	socket.on('connect', function () {
		socket.emit('init', 'api', query.get('id_client'), query.get('id_session'));
		say('connected', 'live');
	});
	socket.on('connect_error', function () {
		say('the provider cannot be reached', 'ended');
	});
	socket.on('disconnect', function (reason) {
		var refused = reason === 'io server disconnect';
		say(
			refused
				? 'ended by the provider: the token has expired or is not accepted'
				: 'connection lost',
			'ended',
		);
	});
	socket.on('update', function (update) {
		var inner =
			update && update.event && typeof update.event === 'object' ? update.event : update || {};
		var row = document.createElement('tr');
		[
			update && update.cpt,
			update && update.ts ? new Date(update.ts * 1000).toLocaleTimeString('en-GB') : '',
			inner.type_notification,
			inner.event,
			JSON.stringify(inner.msg),
		].forEach(function (value) {
			var cell = document.createElement('td');
			cell.textContent = value === undefined || value === null ? '' : String(value);
			row.appendChild(cell);
		});
		events.insertBefore(row, events.firstChild);
		if (events.children.length > shown) events.removeChild(events.lastChild);
		document.getElementById('count').textContent = String(++count);
	});
})();
