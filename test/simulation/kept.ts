// Seeds that once found a mistake, or that are the only ones to notice that a mechanism is missing. CI plays them.
export const KEPT = [
	272, // a second login was rejected, and the wait for the next try lasted beyond the end of the token
	442, // events that a full buffer had dropped were not reported if no batch left before the end
	474, // the only seed that fails if a gap whose execution n8n lost is not reported again
	669, // the only seed that fails if a closing trigger does not hand waiting events to n8n
	788, // an event came twice from a connection whose renewal had been renewed a moment before
	1121, // one of two dead connections was renewed, and the gap began at the end of the other connection
	1220, // a gap lasted until the first event, however late that arrived
	1867, // a gap whose execution n8n lost was not reported if the trigger was closed before another execution had ended
	2032, // items handed over just before the database was away for a moment were lost without a report (engine 2.0)
	2753, // after the clock was set back, no outcome was reported until it showed the old time again
	9776, // the only seed that fails if an `overflow` whose execution n8n lost is not reported again
	4413, // a clock set ahead by a few seconds made each alert early by as much
	15_826, // a clock set ahead by days made a record for each interval of them, until the stack ended
	200_800, // each of two connections lacked a different one of two events that look alike, and all conclusions from earlier numbers were discarded
	200_513, // the last events that only the old connection had delivered counted as missing after its renewal
	203_749, // consecutive late numbers looked like a restarted numbering, and the next number like a gap
	702_843, // consecutive late numbers looked like a restarted numbering, and after the renewal all events before them counted as missed
	3660, // an event that waited for the other connection was lost when the trigger ended
	20_237, // a timer that was set before the clock was set forward delayed all later events
	4403, // after its database had been away, batches overtook one another (engine 2.0)
	700_123, // a new connection beside a dead one delivered one event and broke, and the events before it that neither had delivered were not counted
	92_047, // events that the newer of two connections had delivered counted as missed if it ended first
	94_404, // of two pairs of equal events one shared a number by chance, and one event came twice
	95_225, // a trigger that was closed while others continued did not get the events that had arrived and waited for their turn
	93_290, // the machine slept, and a silence that had lasted long enough by then was not noticed
	95_059, // numbers that both connections lacked were not reported when the older connection was replaced
	44_138, // two events that look alike and shared a number by chance made two numberings count as one for good
	44_685, // after the clock was set back, a silence was not noticed until it showed the old time again
	45_540, // n8n was killed before a missing ping showed that a connection was dead, and its missing events were not reported
	48_128, // the same, on an account whose numbers have holes
	101_777, // of two events that look alike, one on each side of the end of a token, the second was dropped as a copy of the first
	202_925, // the separate numberings of two connections met by chance, and what was lost while n8n was not running was not reported
	204_136, // a connection that was dead at its renewal was only doubted, because it had been silent
	205_805, // two connections had both fallen silent, and the older one counted as complete
	300_674, // the clock was set back, and executions that never reported kept their slots for a day
	47_749, // a batch larger than the buffer waited for its interval while events were dropped
	204_945, // the machine slept while a login response was in transit, and the token was believed to last longer than it did
	205_483, // the clock was set back during a wait that the provider had asked for, and the wait was repeated after the next loss
	205_687, // the newer of two connections had stopped, and the older one, which worked, made room for a third
	408_545, // the first event of a connection was dropped as a copy of another connection's first event, an earlier status of the same agent
	407_117, // n8n was killed, a person started the trigger again before an event had arrived, and the lost events were not reported
	502_551, // in a burst of events that look alike, one that a connection lacked was counted as evidence against the numbering again and again
	509_308, // the next connection counted for itself, and one of its numbers happened to continue the other numbering after a silence
	503_225, // n8n was killed while a gap waited for its executions, and the gap was not reported
	607_334, // a new connection that had shown the old one to have stopped broke, and the events that the old one had not delivered were not reported
	703_551, // n8n was restarted on an account whose connections count for themselves, and the second number of the new connection continued the first of the old one
	701_678, // the clock was set back, and n8n's database was not checked until it showed the old time again (engine 2.0)
	606_327, // just before the older of two connections was replaced, the newer one lacked one event of a burst, which counted as missing
	208_407, // one event that a connection lacked outweighed many numbers that agreed, and events were lost
	609_000, // both connections of a renewal broke, and the gap began before the last events of the older one
	723_157, // numbers were not recognized as gapless: the count for the lagging one of two connections restarted when the other connection was replaced
	728_713, // a numbering restarted, and a gap was counted from the highest number of the previous numbering
	736_012, // a numbering restarted on two connections, and when one of them ended, all of its numbers were reported as missing
	749_307, // the older of two connections had stopped before the newer one began and was replaced after one event of the newer one: what neither had delivered was not reported
	756_594, // a late number counted as missing if the new connection of a renewal delivered a higher one before it took over
	763_359, // a gap item that a full buffer dropped was not reported
	774_896, // the second of two events that look alike came twice if the numbers of two connections, which had counted separately before, met by chance
	792_143, // an event was lost because its number equalled that of a similar event by chance, after an earlier pair of equal events had shared a number
	796_882, // n8n was stopped while it was uncertain whether the old connection had stopped, and the position was saved after the feed was closed
	797_858, // two connections were both silent from the beginning, and when the older one was replaced, its missing events were not reported
	798_338, // engine 2.0 lost an event that had waited for a minute, and the gap covered the time of the handover instead
	840_071, // after the clock was set back two connections were no longer compared, and the working one was given up for one that delivered nothing
	840_172, // the only seed that fails if numbers missing between the two connections of a renewal are not reported as a gap
	846_711, // the only seed that fails if a trigger that joins an open feed receives earlier events
	907_155, // a gap began when the newer of two silent connections had opened, although the older one had never delivered an event either
	907_699, // both connections broke together, and the time before the newer one, in which the older one had stopped, was not reported
	911_556, // n8n had not stored a batch, and got it again under the next key just after the trigger had been closed
	915_578, // the process stood still during a renewal, and the working connection was closed before its waiting events were read
	921_787, // two connections with one numbering: of a burst of similar events, one that came over one connection only was dropped as a copy
	932_790, // n8n was stopped while an execution that reported a gap was running, and what the gap was about was not reported after the restart
	934_356, // both connections ended together, and what the older one had lacked before made the gap cover what the newer one had delivered since
	938_793, // a dead connection was replaced after a sleep that was longer than the silence timeout, and the gap did not begin with the silence
	502_034, // a connection had stopped, and broke while it was being renewed: what it had lacked was not reported
	502_056, // a gap whose execution a worker had lost was reported again up to an earlier moment, since an earlier execution ended last
	950_386, // the older of two connections had been silent for too long and was ended, and what it had lacked before the newer one opened was not reported
	954_097, // a short token ended the renewal before a ping was due, and a connection that had stopped long before was taken for one that had just died
	976_489, // n8n was killed before a gap whose execution it had lost was reported again, and nothing was waiting: the saved position did not go back to it
	998_800, // n8n was stopped in an interruption that began before the last event, and the gap after the restart began with that event
	1_005_395, // n8n restarted while its database was away, and a person activated the workflow again before the settings could be read: what the restart had missed was not reported
	1_014_522, // the first events of two connections were a burst of similar ones, each connection lacked others, and one was dropped as a copy although the numbers distinguished them
	1_026_319, // the clock was set forward by a day while a second connection was due in half an hour, and a silence waited for that login
	1_039_301, // n8n closed the trigger in an overlap in which the older connection answered pings and delivered nothing: the gap after the restart counted only what came later
	1_063_778, // n8n was stopped while an execution that reported an overflow ran, and its worker died: the gap after the restart counted two of forty-eight events
	33_507, // one of two connections broke while the login for the next one was in progress, which was refused: the feed waited for five minutes, as if the credentials were wrong
	33_634, // with a token of ten seconds a renewal went to a connection that delivered nothing, although the previous one delivered
	33_899, // n8n was killed while numbers were missing that could still come: the gap after the restart counted one of eight
	20_937, // a rejected login of a changed credential was called the first one of its outage again
	20_383, // the feed of a changed credential did not know that a connection had just broken, and waited five minutes
	21_134, // a connection that counts for itself delivered an event first whose number another one had jumped over: the end of a call counted as late
	2_004_169, // n8n was killed while the item `connected` ran and the gap waited behind it, and the position saved with it lay after the gap
	2_008_687, // a trigger joined the feed that another one had opened for the changed credential: what the provider sent before it served the connection was in no gap, and vouched for
	3_003_949, // two connections were both silent, each waited for the other one to cover, and neither was renewed any more
	3_003_248, // a number that the provider lost after the first event of the next connection counted as missing before it
	2_007_038, // a numbering began anew nine events before an interruption, and the number after it was ahead by as many: nothing seemed to be missing
	2_009_038, // a connection that had worked was renewed, its successor broke, and the next login waited as after the failures before both
	2_031_838, // the provider continued the connection that had broken, and sent an event again that the other connection had delivered: it came twice
	2_015_034, // a gap was found between a call's deletion and its outcome, which said that nothing of the call was missing
	5_000_208, // a feed that broke waited for a minute for its next attempt, and the credential that was changed meanwhile was read only then
	5_011_304, // the clock was set forward by a day, and a batch that n8n was about to reject counted as lost
	5_016_099, // numbers began anew in an interruption and happened to continue: the judge asked for a gap
	5_019_579, // of two events that look alike each connection delivered one, and the judge asked for what lay between them
	5_016_504, // the judge took the gap of a restarted workflow for one of the feed, in which a call had been answered
	5_003_209, // the clock was set forward by a day in a renewal, and the judge asked for what had been compared before
	6_002_400, // numbers began anew before a connection that had stopped was replaced, and its successor's own mark showed that nothing was missing
	6_011_465, // a workflow was started with the changed credential before the others had moved, and its feed did not know that the outage went on
	6_011_744, // the last numbers of a connection that had stopped came in another order, and the count of what was missing after it was one too low
	6_012_407, // the provider stopped delivering for a quarter of an hour, and the judge asked for the end of a call in it
	7_000_134, // n8n woke up and started a workflow five times in one moment, and the judge took the last start for a later one
	7_002_884, // the next connection of a renewal had worked, and when it and the old one ended, the wait was as long as after the failures before both
	7_005_205, // a connection that the feed had closed still explained refusals when the next one had opened and broken
	9_000_398, // the judge asked for an event that was sent when the workflows had been deactivated
	12_122_616, // the provider ended a connection that had never delivered anything beside one that had: the judge asked for what the first had missed
	12_108_088, // a gap ended at the start of n8n, which the judge knew to a fraction of a millisecond
];
