// A received object of each kind of event, invented in the documented form, with exactly the documented fields.
import { EVENT_KINDS, type EventKind } from '../../nodes/VoiceManagementTrigger/events/kinds';

type Fields = Record<string, unknown>;

export interface SampledKind extends EventKind {
	sample: Fields;
}

const VALUES: Fields = {
	status: 'connected',
	rec: 1,
	call_duration: 8,
	caller_id_num: '+442079460123',
	step: 3,
	id_queue: 51,
	id_call: 880412,
	id_operator: 101,
	id_client: 4242,
	catchup: null,
	stype: 0,
	supp: null,
	retry_timeout: 60,
	auto_timeout: 10,
	vars: { campaign: 'renewals' },
	ring_timeout: 25,
	expire: 3600,
	unassign_timeout: 120,
	retries: 2,
	priority: 50,
	e164: '+442079460199',
	type: 'AUTO',
	vip_rate: 0,
	duration_in_queue: 0,
	validity: 60,
	id_trunk: 9,
	id_num: 700,
	service: '+442079460000',
	score: 87,
	id: 'menu',
	input: 'opening hours',
};

/** What differs in all events of a type, or in one of them. */
const DIFFERENT: Record<string, Fields> = {
	trunk: { id_call: '-880413' },
	num: { id_call: '880414', id_client: '4242' },
	input: { id_call: 880414 },
	'operator status': { call_duration: 0 },
	'UI pause': { supp: 2 },
	'UI unpause': { supp: 2 },
	'queue connect_call': { call_duration: 27 },
	'queue alert_op': { duration_in_queue: 40 },
	'queue alert_file': { duration_in_queue: 95 },
	'trunk insert_call': { call_duration: 2 },
	'trunk connect_call': { call_duration: 11 },
};

/** No document lists the fields of this type. */
const UNDOCUMENTED: Record<string, readonly string[]> = { PUSHCALL: ['id_operator', 'id_client'] };

/** The object as received: `num` events carry type and event beside `msg`, all others in the envelope. */
function sampleOf({ type, event, fields }: EventKind, index: number): Fields {
	const values = { ...VALUES, ...DIFFERENT[type], ...DIFFERENT[`${type} ${event}`] };
	const msg = Object.fromEntries(
		(UNDOCUMENTED[type] ?? fields).map((field) => {
			if (!(field in values)) throw new Error(`${field} has no sample`);
			return [field, values[field]];
		}),
	);
	if (type === 'num') return { type_notification: type, srv: 3, event, msg };
	const cpt = 1040 + index;
	return { cpt, elapse: 0, ts: 1767261600 + index, event: { msg, type_notification: type, event } };
}

export const SAMPLED_KINDS: readonly SampledKind[] = EVENT_KINDS.map((kind, index) => ({
	...kind,
	sample: sampleOf(kind, index),
}));
