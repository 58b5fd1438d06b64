// Seeds that found a mistake once, or that alone notice a mechanism taken away (test/mutation/seeds.md). They are played
// with each run of the tests, and before others where a mutant is tried.
export const KEPT = [
	[
		272,
		'a second login was refused, and the wait for the next one lasted beyond the end of the token',
	],
	[442, 'what a full buffer had dropped was told nobody if no batch left before the end'],
	[474, 'notices alone if a gap whose execution n8n lost is not told anew'],
	[669, 'notices alone if a trigger that is closed gives n8n what waits'],
	[788, 'a copy came from a connection whose renewal was renewed a moment before'],
	[1121, 'of two dead lines one was renewed, and the gap began with the end of the other'],
	[1220, 'a gap went on until the first event, however late that came'],
	[1373, 'each execution left a timer of two seconds (n8n 1.123)'],
	[
		1867,
		'a gap whose execution n8n lost was told nobody if the trigger was closed before another one had ended',
	],
	[
		2032,
		'what was given just before the database went away for a moment was told nobody (engine 2.0)',
	],
	[2753, 'after the clock was set back, no outcome was told until it showed the old time again'],
	[9776, 'notices alone if an `overflow` whose execution n8n lost is not told anew'],
	[
		204_740,
		'what was given to n8n while its database was away was told nobody if the trigger was closed at once (n8n 1.123)',
	],
	[
		200_800,
		'each of two lines lacked one of two events alike, and all that the numbers had shown of the two before was forgotten',
	],
	[200_513, 'what the old connection alone had brought last counted as missing after its renewal'],
	[
		203_749,
		'late numbers in a row looked like a numbering that began again, and the next one like a gap',
	],
	[
		702_843,
		'late numbers in a row looked like a numbering that began again, and after the renewal all that had come before them counted as missed',
	],
	[3660, 'an event that waited for the other connection was lost with the end of the trigger'],
	[
		20_237,
		'a timer that was armed before the clock was set forward kept all that came after it waiting',
	],
	[4403, 'after an absence of its database, batches overtook one another (engine 2.0)'],
	[
		700_123,
		'a new connection beside a dead one brought one event and broke, and what neither had brought before it was not counted',
	],
	[92_047, 'what the newer of two connections had brought counted as missed where it ended first'],
	[94_404, 'of two pairs of equal events one had a number by chance, and one event came twice'],
	[
		95_225,
		'a trigger that was closed while others went on did not get what had come and waited for its turn',
	],
	[93_290, 'a machine slept, and a silence that had lasted long enough by then was not noticed'],
	[95_059, 'numbers that two lines lacked went untold where the older one was replaced'],
	[44_138, 'two events alike that had one number by chance made two numberings one, for good'],
	[44_685, 'after the clock was set back, a silence lasted until it showed the old time again'],
	[
		45_540,
		'n8n was killed before a missing ping showed that a connection was dead, and nobody was told what it did not bring',
	],
	[48_128, 'the same on an account whose numbers have holes'],
	[
		101_777,
		'of two events alike, one on each side of the end of a token, the second was taken for a copy of the first',
	],
	[
		202_925,
		'two numberings of connections met by chance, and what n8n was not there for went untold',
	],
	[204_136, 'a connection that was dead at its renewal was only doubted, since it had been silent'],
	[205_805, 'two lines that had both fallen silent: the older one counted as complete'],
	[
		300_674,
		'the clock was set back, and executions that never reported kept their slots for a day',
	],
	[47_749, 'a batch larger than the buffer waited for its interval while events were dropped'],
	[
		204_945,
		'a machine slept while the answer to a login was on its way, and the token was believed to last longer than it did',
	],
	[
		205_483,
		'the clock was set back in a wait that the operator had asked for, and the wait came again after the next loss',
	],
	[
		205_687,
		'of two lines the newer one had stopped, and the older one that worked made room for a third',
	],
	[
		408_545,
		'the first event of a connection was taken for a copy of the first one of another, an earlier status of the same agent',
	],
	[
		407_117,
		'n8n was killed, and a person started the trigger anew before an event had come: nobody was told what was lost',
	],
	[
		502_551,
		'in a burst of events alike, one that a line lacked was taken for evidence against the numbering again and again',
	],
	[
		509_308,
		'a number of the next connection, whose numbers were its own, went on from the other one by chance after a silence',
	],
	[503_225, 'n8n was killed while a gap waited for its executions, and nobody was told of it'],
	[
		607_334,
		'a new connection that had shown the old one to have stopped broke, and nobody was told what the old one had not brought',
	],
	[
		703_551,
		'n8n was restarted on an account whose connections count for themselves, and the second number of the new one went on from the first of the old one',
	],
	[
		701_678,
		"the clock was set back, and n8n's database was not asked until it showed the old time again (engine 2.0)",
	],
	[
		606_327,
		'of a burst just before the older of two lines was replaced, the newer one lacked one event, which counted as missing',
	],
	[
		208_407,
		'one event that a connection lacked undid a numbering of many that agreed, and events were lost',
	],
	[
		609_000,
		'both connections of a renewal broke, and the gap began before what the older one had brought',
	],
	[
		723_157,
		'numbers were not seen to count by one, as the one of two lines that lagged began to count anew when the other one was replaced',
	],
	[
		728_713,
		'a numbering began again, and a gap was counted from the highest number of the one before',
	],
	[
		736_012,
		'a numbering began again on two lines, and the end of one told all of its numbers as missing',
	],
	[
		749_307,
		'of two lines the older one had stopped before the newer one began, and was replaced when that one had brought one event: what neither had was not told',
	],
	[
		756_594,
		'a late number counted as missing if the new connection of a renewal brought a higher one before it took over',
	],
	[763_359, 'a gap that a full buffer dropped was told nobody'],
	[
		774_896,
		'of two events alike the second came twice if the numbers of two connections, which had counted each for itself before, met by chance',
	],
	[
		792_143,
		'an event was lost whose number met that of an equal one by chance, where a pair of equal events had had one number before',
	],
	[
		796_882,
		'n8n was stopped while it was in doubt whether the old line had stopped, and the position was saved after the feed was closed',
	],
	[
		797_858,
		'of two lines that were both silent from their beginning, the older one was replaced: what it had not brought was told nobody',
	],
	[
		798_338,
		'engine 2.0 lost an event that had waited for a minute, and the gap was about when it was handed over',
	],
	[
		840_071,
		'two connections were not compared any more after the clock was set back: the one that worked was given up for one that brought nothing',
	],
	[840_172, 'notices alone if numbers missing between the two connections of a renewal are no gap'],
	[846_711, 'notices alone if a trigger that joins an open feed hears what had come before'],
] as const;
