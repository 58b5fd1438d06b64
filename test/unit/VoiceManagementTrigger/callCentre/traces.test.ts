// Traces of calls, computed by hand from the rules of the model before they were played. Names that begin with "…" go
// on with the one above.

import { playTraces } from './traceTable';

playTraces(`
# an overflow chain of three queues with moments between them
0 enters 7, 10 leaves 7, 12 enters 7 52, 18 leaves 7 52, 21 enters 7 53, 30 answered 7 53, 90 leaves 7 53
> outcomes | 30 answered 7 wait=30 within_service_level=false id_queue=53 queue_waits=51:10+52:6+53:9; 95 ended 7 wait=30 talk=60 ended_at=90
> at 11 | q51 abandoned=1 abandoned_in_time=1 waiting=0; all abandoned=1 waiting=0
> at 13 | q51 abandoned=0 abandoned_in_time=0 overflowed=1; all waiting=1 longest_wait=13 longest_since=0
> at 20 | all late=0 abandoned=1
> at 31 | q51 overflowed=1 late=0; q52 overflowed=1; q53 answered_in_time=1 answer_wait_seconds=9; all offered=1 answered=1 answered_in_time=0 late=1 answer_wait_seconds=30 longest_wait_of_period=30
> alerts callerWaiting 11 | 12 started 11 12 7 52; 30 resolved 11 30 answered 7 53
# three phones ring twice | agents=101+102+103
0 enters 7, 1 ringing 101 7 51, 1 ringing 102 7 51, 1 ringing 103 7 51, 16 available 101, 16 available 102, 16 available 103, 20 ringing 103 7 51, 25 answered 7 51 103, 25 connected 103 7 51, 40 leaves 7, 40 available 103
> outcomes | 25 answered 7 offered_to=101:15+102:15+103:15+103:5 agents=103; 45 ended 7 talk=15
> at 17 | a101 not_answered=0; a103 not_answered=0
> at 41 | a101 not_answered=1 ringing_seconds=15 answered=0 available_seconds=25; a103 not_answered=1 answered=1 ringing_seconds=20 talk_seconds=15 available_seconds=5
# three phones ring until the caller hangs up | agents=101+102+103
0 enters 7, 2 ringing 101 7 51, 2 ringing 102 7 51, 2 ringing 103 7 51, 14 leaves 7, 14 available 101, 14 available 102, 14 available 103
> outcomes | 19 missed 7 wait=14 missed_reason=abandoned_while_ringing offered_to=101:12+102:12+103:12
> at 20 | a101 not_answered=0; a103 not_answered=0 ringing_seconds=12
> alerts agentRinging 10 | 12 started 10 10 7 51 101; 12 started 10 10 7 51 102; 12 started 10 10 7 51 103; 14 resolved 10 12 abandoned 7 51 101; 14 resolved 10 12 abandoned 7 51 102; 14 resolved 10 12 abandoned 7 51 103
# a blind transfer
0 enters 7, 5 answered 7, 5 connected 101 7 51, 65 available 101 7 51 - 10, 66 ringing 102 7, 72 connected 102 7, 132 leaves 7, 132 available 102
> outcomes | 5 answered 7 wait=5; 137 ended 7 talk=120 talks=101:60+102:60 wrap_up=10 partial=false
> at 140 | q51 answered=1 talks=2 talk_seconds=120 wrap_up_seconds=10 average_handle_time=65; a101 answered=1 wrap_up_seconds=10 available_seconds=65; a102 answered=0 ringing_seconds=6 talk_seconds=60 not_answered=0
# a transfer after a consultation
0 enters 7, 5 answered 7, 5 connected 101 7 51, 35 transfert_start 101 7, 36 calling 101 9, 38 ringing 102 9, 42 connected 101 9, 42 connected 102 9, 60 connected 102 7, 60 available 101, 100 leaves 7, 100 available 102
> outcomes | 5 answered 7 wait=5; 105 ended 7 talk=95 talks=101:55+102:40 partial=false
> at 37 | a101 state=calling id_call=9; q51 talking=1
> at 50 | a101 state=talking id_call=9; q51 talking=1; all talking=1
> at 101 | a101 talk_seconds=55 available_seconds=41; a102 talk_seconds=58 ringing_seconds=4; all talks=2 talk_seconds=95
# to another queue and back
0 enters 7, 8 answered 7, 8 connected 101 7 51, 68 enters 7 52, 68 leaves 7 51, 68 available 101, 98 answered 7 52 102, 98 connected 102 7 52, 138 enters 7 51, 138 leaves 7 52, 138 available 102, 143 answered 7 51 101, 143 connected 101 7 51, 203 leaves 7 51, 203 available 101
> outcomes | 8 answered 7 wait=8; 208 ended 7 wait=8 within_service_level=true queue_waits=51:8+52:30+51:5 talks=101:60+102:40+101:60 talk=160 gave_up=undefined agents=101+102 answered_at=8
> at 210 | q51 offered=2 answered=2 answered_in_time=2 answer_wait_seconds=13 talks=2 talk_seconds=120; q52 offered=1 answered=1 late=1 answer_wait_seconds=30 talks=1 talk_seconds=40; all offered=3 answered=3 answer_wait_seconds=43 late=1 answered_in_time=2 talks=3 talk_seconds=160 service_level=66.7
> alerts callLasting 100 | 108 started 100 100 7 52 102; 138 resolved 100 130 left 7 52 102
> alerts callerWaiting 25 | 93 started 25 25 7 52; 98 resolved 25 30 answered 7 52
# a row tells of a caller once, also if there is a second wait
0 enters 7, 40 answered 7, 50 enters 7 52, 50 leaves 7, 120 answered 7 52 102
> alerts callerWaiting 30 | 30 started 30 30 7 51; 40 resolved 30 40 answered 7 51
# the agent of an answer is named by its second report, and only that one's calls are wanted | agentIds=101
0 enters 7, 10 answered 7 51 none, 10.1 connected 101 7 51, 10.2 answered 7, 20 enters 8, 25 answered 8 51 102, 25.1 connected 102 8 51, 40 leaves 7
> outcomes | 10.1 answered 7 answered_at=10 agents=101; 45 ended 7
# … or its queue | queueIds=52
0 enters 7, 10 answered 7, 11 enters 7 52, 40 leaves 7
> outcomes | 11 answered 7 answered_at=10; 45 ended 7
# a call that comes back twice: what is told says which record was the last one
0 trunkIn 7, 10 trunkOut 7, 40 connected 101 7, 60 available 101, 80 enters 7 53, 120 leaves 7 53
> outcomes | 15 missed 7; 40 answered 7 after_missed=true; 65 ended 7 after_missed=true after_ended=undefined; 125 ended 7 after_missed=undefined after_ended=true
# two queues lose a call within two seconds before an answer that names none; its entry into one was not seen
0 rings 7 52 102, 1 enters 7 51, 20 leaves 7 52, 20.4 leaves 7 51, 21.6 connected 101 7 none, 60 available 101
> outcomes | 21.6 answered 7 id_queue=51; 65 ended 7 talk=38
# a queue loses a call after an interruption, and who has it is heard late: of another answer than the first | agents=101+102
0 connected 101 7 52, 60 enters 7 51, 70 gap 60.1 69, 78 leaves 7 51, 78.01 answered 7 51 none, 80.5 connected 102 7 51
> at 90 | a101 answered=1; a102 answered=0
# an interruption more than five seconds after the last queue, and less after the trunk
0 trunkIn 7, 0 enters 7, 40 leaves 7, 40.4 trunkOut 7, 45.2 cut
> alerts callerWaiting 30 | 30 started 30 30 7 51; 45.2 unknown 30 45 feed-gap 7 51
# the answer falls into an interruption, and its agent starts a transfer
0 enters 7, 5 ringing 101 7 51, 20 down, 25 up, 60 transfert_start 101 7 51, 61 ringing 102 7, 65 connected 102 7, 66 available 101, 90 leaves 7
> alerts callerWaiting 30 |
> outcomes | 60 answered 7 agents=101; 95 ended 7 talk=30 talks=101:5+102:25 offered_to=101:null partial=true
# the trunk's end comes after the agent's, and the queue's is lost, or late
0 trunkIn 7, 2 enters 7, 10 answered 7, 10 connected 101 7 51, 49.5 available 101, 50 trunkOut 7, 100 trunkIn 8, 102 enters 8, 110 answered 8, 110 connected 101 8 51, 149.5 available 101, 150 trunkOut 8, 154 leaves 8
> outcomes | 10 answered 7; 55 ended 7 talk=40 partial=false; 110 answered 8; 155 ended 8 talk=40 partial=false ended_at=150
# a queue that loses each call at the answer, and a consultation
0 enters 7, 10 answered 7, 10 connected 101 7 51, 10.5 leaves 7, 20 transfert_start 101 7 51, 21 calling 101 9, 39 available 101 - - - 10, 39.5 connected 102 7, 60 available 102
> outcomes | 10 answered 7; 65 ended 7 talk=50 talks=101:29+102:21 wrap_up=10
# the end of a transfer, reported while the phone rings for the next call
20 enters 8, 25.2 ringing 101 8 51, 28.2 transfert_end 101 7 51, 37.2 connected 101 8 51, 50 leaves 8
> at 35 | a101 state=ringing not_answered=0
> outcomes | 37.2 answered 8 offered_to=101:12; 55 ended 8
# reminders of a caller and of a call go on after an interruption, also without ends | repeatEvery=15 quiet
0 enters 7, 20 down, 25 up, 40 ringing 101 7 51, 90 answered 7
> alerts callerWaiting 10 | 10 started 10 10 7 51; 55 repeated 10 55 7 51; 70 repeated 10 70 7 51; 85 repeated 10 85 7 51
# after an interruption, who leaves a break or logs in was not idle before
0 available 101, 1 available 102, 2 available 103, 20 down, 25 up, 40 unpause 101, 41 login 102, 42 available 103, 60 calling 101 9, 60 calling 102 8, 60 calling 103 6
> alerts agentIdle 10 | 10 started 10 10 101; 11 started 10 10 102; 12 started 10 10 103; 20 unknown 10 20 feed-gap 101; 20 unknown 10 19 feed-gap 102; 20 unknown 10 18 feed-gap 103; 42 started 10 40 103; 50 started 10 10 101; 51 started 10 10 102; 60 resolved 10 20 ended 101; 60 resolved 10 19 ended 102; 60 resolved 10 58 ended 103
# a ring that is reported just before the entry into the next queue
0 available 101, 1 enters 7 53, 10 leaves 7 53, 10.1 ringing 101 7 51, 10.2 enters 7 51, 25 available 101, 40 leaves 7 51
> outcomes | 45 missed 7 offered_to=101:15 missed_reason=agents_did_not_answer
> at 50 | a101 not_answered=1 ringing_seconds=15
# … while the agent who gives the caller away still has the call
0 enters 7, 5 answered 7, 5 connected 101 7 51, 30 ringing 102 7 52, 30.2 enters 7 52, 30.3 leaves 7, 30.4 available 101, 45 available 102, 60 leaves 7 52
> outcomes | 5 answered 7; 65 ended 7 gave_up=true offered_to=102:15
> at 70 | a102 not_answered=1
# … of a caller who comes back
0 enters 7, 20 leaves 7, 31.8 ringing 101 7 51, 32 enters 7, 40 answered 7, 40 connected 101 7 51, 60 leaves 7
> outcomes | 25 missed 7 offered_to=none; 40 answered 7 after_missed=true offered_to=101:8; 65 ended 7
# … who does not come back, and whose phone rings on
0 enters 7, 20 leaves 7, 20.2 ringing 101 7 51, 30 available 101
> outcomes | 25 missed 7 offered_to=none missed_reason=abandoned_before_ringing
# the agent's call before ends between two reports of one answer
0 enters 7, 5 answered 7, 5.2 available 101, 5.4 connected 101 7 51, 50 leaves 7, 50.2 available 101
> at 30 | q51 talking=1; a101 state=talking
> outcomes | 5 answered 7; 55 ended 7 talk=45 talks=101:0+101:45
# an agent whose end of the call was lost does not have it again when a later one leaves
0 enters 7, 10 connected 101 7 51, 50 leaves 7, 60 enters 7 52, 70 connected 102 7 52, 70.5 leaves 7 52, 110.2 available 102, 118 ringing 101 8 51, 125 available 101
> outcomes | 10 answered 7; 55 ended 7; 115.2 ended 7 talks=101:40+102:40 ended_at=110.2
# one of two queues loses the call, and just then its agent takes it: the agent's next status ends the talk
0 trunkIn 7, 1 enters 7 53, 2 enters 7 52, 10 leaves 7 53, 10.6 connected 101 7 53, 30 unavailable 101 7 53, 100 -
> outcomes | 10.6 answered 7 id_queue=53; 90 ended 7 talk=19 ended_at=30 partial=false
> at 40 | q53 answered=1 talking=0 talk_seconds=19; q52 overflowed=1
# a talk whose queue lost the call at the answer is cut, and goes on with a colleague
0 enters 7, 10 connected 101 7 51, 10.5 leaves 7, 60 down, 63 up, 300 connected 102 7 51, 300.5 available 101, 400 available 102
> outcomes | 10 answered 7; 405 ended 7 talks=101:null+102:100 partial=true
# … and is over unseen: its agent is seen without it
0 enters 7, 10 connected 101 7 51, 10.5 leaves 7, 60 down, 63 up, 300 ringing 101 8 51, 300 enters 8
> outcomes | 10 answered 7; 305 ended 7 talks=101:null ended_at=60 partial=true
# answered in a queue whose entry was not seen, after it had left another one
0 enters 7 53, 8 leaves 7 53, 30 answered 7, 30.3 connected 101 7 51, 60 leaves 7, 60.2 available 101
> outcomes | 13 missed 7; 30 answered 7 id_queue=51 wait=30 after_missed=true; 65 ended 7 talk=30
> at 40 | q51 talking=1 waiting_before=1 unknown=1; q53 overflowed=1; all answered=1 talking=1
> at 70 | q51 talks=1 talk_seconds=30 waiting_before=1 unknown=1
# a break that is asked for while the phone rings, and the ring is reported twice
0 available 101, 1 enters 7, 2 rings 7 51 101, 2.2 ringing 101 7 51, 2.3 pause 101 Lunch, 2.5 ringing 101 7 51, 12 available 101, 30 leaves 7
> at 20 | a101 state=on_break not_answered=1
# after an interruption, the callers who made an alert are seen leaving, and others come
0 enters 7, 1 enters 8, 20 down, 25 up, 40 leaves 7, 41 leaves 8, 300 enters 9, 301 enters 10, 320 leaves 9, 321 leaves 10
> alerts callersWaiting 2 | 1 started 2 2 51; 20 unknown 2 2 feed-gap 51; 301 started 2 2 51; 320 resolved 2 1 below 51
> alerts callersWaiting 1 | 0 started 1 1 51; 20 unknown 1 2 feed-gap 51; 300 started 1 1 51; 321 resolved 1 0 below 51
# … or are seen waiting on
0 enters 7, 1 enters 8, 20 down, 25 up, 40 ringing 101 7 51, 41 ringing 102 8 51, 60 leaves 7, 60 leaves 8
> alerts callersWaiting 2 | 1 started 2 2 51; 20 unknown 2 2 feed-gap 51; 41 started 2 2 51; 60 resolved 2 1 below 51
# a talk from a trunk counts in no figure, whichever comes first: the entry into a queue, or its agent's status
0 trunkIn 7, 10 connected 101 7 none, 40 enters 7, 40.1 available 101, 50 connected 102 7 51, 60 leaves 7, 60 trunkOut 7, 60 available 102
> at 70 | q51 talks=1 talk_seconds=10; all talks=1 talk_seconds=10
# … the other way round
0 trunkIn 7, 10 connected 101 7 none, 39.9 available 101, 40 enters 7, 50 connected 102 7 51, 60 leaves 7, 60 trunkOut 7, 60 available 102
> at 70 | q51 talks=1 talk_seconds=10; all talks=1 talk_seconds=10
# a queue that loses each call at the answer, and a consultation that is answered
0 enters 7, 10 answered 7, 10 connected 101 7 51, 10.5 leaves 7, 20 transfert_start 101 7 51, 21 calling 101 9, 23 connected 101 9, 39 connected 102 7 51, 39.5 available 101, 60 available 102
> outcomes | 10 answered 7; 65 ended 7 talks=101:29+102:21
# … and the agent has the caller again
0 enters 7, 10 answered 7, 10 connected 101 7 51, 10.5 leaves 7, 20 calling 101 9, 22 connected 101 9, 25 connected 101 7 51, 40 available 101
> outcomes | 10 answered 7; 45 ended 7 talks=101:30
# after an interruption, the deletion of a caller who may still wait shows at once that the queue has fewer
1 enters 6 52, 1 enters 7 52, 2 enters 8 52, 10 cut, 20 leaves 6 52, 20 leaves 7 52, 20 leaves 8 52, 21 enters 9 52, 22 enters 10 52
> alerts callersWaiting 2 | 1 started 2 2 52; 10 unknown 2 3 feed-gap 52; 22 started 2 2 52 since=22
> alerts callersWaiting 1 | 1 started 1 1 52; 10 unknown 1 3 feed-gap 52; 21 started 1 1 52 since=21
# … so does an answer in another queue, though the talk goes on
1 enters 7, 1 enters 7 52, 2 enters 8 52, 10 cut, 20 answered 7 51, 40 ringing 102 8 52, 60 enters 9 52
> alerts callersWaiting 2 queueIds=52 | 2 started 2 2 52; 10 unknown 2 2 feed-gap 52; 60 started 2 2 52 since=60
# … or a deletion, though the caller waits on in another queue
1 enters 7, 1 enters 7 52, 2 enters 8 52, 10 cut, 20 leaves 7 52, 25 ringing 101 7 51, 40 ringing 102 8 52, 60 enters 9 52
> alerts callersWaiting 2 queueIds=52 | 2 started 2 2 52; 10 unknown 2 2 feed-gap 52; 60 started 2 2 52 since=60
# … or a ring in another queue, and somebody comes at once | quiet
1 enters 7 52, 2 enters 8 52, 10 cut, 20 ringing 101 7 53, 22 enters 9 52, 30 ringing 102 8 52
> alerts callersWaiting 2 queueIds=52 | 2 started 2 2 52; 30 started 2 2 52 since=30
# the caller's number of a ringing phone is the call's, not that of the leg
2 enters 7, 5 ringing 101 7 51 +331, 12 ringing 102 8 51, 12.3 enters 8, 30 ringing 103 - - +332, 40 available 103
> alerts agentRinging 5 | 10 started 5 5 7 51 101 caller_id_num=+44207946007; 17 started 5 5 8 51 102 caller_id_num=+44207946008; 35 started 5 5 103 caller_id_num=+332; 40 resolved 5 10 left 103 caller_id_num=+332
# after an interruption, an event that names no queue shows the same talk in the same queue
2 enters 7, 3 connected 101 7 51, 4 enters 8 52, 4 connected 102 8 52, 5 cut, 8 connected 101 7, 8 transfert_start 102 8
> at 10 | a101 state=talking id_call=7 id_queue=51; a102 state=transferring id_call=8 id_queue=52; q51 talking=1
# what applies and is not known is null; what does not apply is absent
0 pause 103, 1 enters 7 51 none, 6 answered 7 51 none, 11 ringing 102, 12 available 101, 20 leaves 7
> alerts callerWaiting 3 | 4 started 3 3 7 51 caller_id_num=null agent=undefined; 6 resolved 3 5 answered 7 51 caller_id_num=null
> alerts callLasting 3 | 9 started 3 3 7 51 caller_id_num=null agent=null; 20 resolved 3 14 ended 7 51 agent=null
> alerts agentOnBreak 3 | 3 started 3 3 103 pause=null id_call=undefined id_queue=undefined caller_id_num=undefined
> alerts agentRinging 3 | 14 started 3 3 102 id_call=null id_queue=null caller_id_num=null pause=undefined
> alerts agentIdle 3 | 15 started 3 3 101 id_call=undefined id_queue=undefined caller_id_num=undefined pause=undefined
> alerts callersWaiting 1 | 1 started 1 1 51 id_call=undefined caller_id_num=undefined; 6 resolved 1 0 below 51
# a phone does not ring any more once its agent has the call, though the agent's status comes later
1 available 101, 2 enters 7, 3 ringing 101 7 51, 8 answered 7 51 101, 11 connected 101 7 51, 60 leaves 7, 60 available 101
> alerts agentRinging 6 |
> alerts agentRinging 4 | 7 started 4 4 7 51 101; 8 resolved 4 5 answered 7 51 101
# … or a colleague has it, and transfers it
2 enters 7, 5 ringing 101 7 51, 10 answered 7 51 102, 50 ringing 101 7, 70 available 101
> alerts agentRinging 10 | 60 started 10 10 7 51 101 since=50; 70 resolved 10 20 left 7 51 101
> alerts agentRinging 4 | 9 started 4 4 7 51 101; 10 resolved 4 5 left 7 51 101; 54 started 4 4 7 51 101; 70 resolved 4 20 left 7 51 101
# … or the caller is gone
2 enters 7, 5 ringing 101 7 51, 15 leaves 7, 50 available 101
> alerts agentRinging 11 |
> alerts agentRinging 9 | 14 started 9 9 7 51 101; 15 resolved 9 10 abandoned 7 51 101
# after an interruption in a talk, an event of the presence does not show the agent without it | agents=101
1 available 101, 2 enters 7, 3 connected 101 7 51, 4 pause 101 1, 5 cut, 8 unpause 101, 40 leaves 7, 41 available 101
> at 10 | a101 state=null since=null available_seconds=2
> at 45 | a101 state=available since=41 available_seconds=6
> alerts agentIdle 20 |
# … nor a break, which shows after it | agents=101
2 enters 7, 3 connected 101 7 51, 5 cut, 8 pause 101 1, 60 leaves 7, 61 available 101, 65 unpause 101
> at 10 | a101 state=null pause=null
> at 62 | a101 state=on_break since=61
> at 70 | a101 state=available break_seconds=4
> alerts agentOnBreak 30 |
# … nor a login; a logout does | agents=101+102
2 enters 7, 3 connected 101 7 51, 4 enters 8, 4 connected 102 8 51, 5 cut, 8 login 101, 9 logout 102, 40 connected 101 7 51, 60 leaves 7, 60 available 101
> at 10 | a101 state=null; a102 state=logged_out
> outcomes | 3 answered 7; 4 answered 8; 65 ended 7 talk=57; 69 ended 8
# … or logs out, or is not in the list of the next login | agents=101+102+103
0 enters 7, 10 connected 101 7 51, 10.5 leaves 7, 11 enters 8, 12 connected 102 8 51, 12.5 leaves 8, 13 enters 9, 14 connected 103 9 51, 14.5 leaves 9, 60 down, 63 up, 70 login 101, 75 unpause 102, 80 logout 101, 90 available 102, 100 lists 101 102, 101 available 101
> outcomes | 10 answered 7; 12 answered 8; 14 answered 9; 85 ended 7 talks=101:null ended_at=60; 95 ended 8 ended_at=60; 106 ended 9 ended_at=60
# … in which it had been before the last one
0 enters 7 51, 5 leaves 7 51, 5.1 enters 7 53, 8 leaves 7 53, 30 answered 7 51 101, 60 leaves 7 51, 60 available 101
> outcomes | 13 missed 7; 30 answered 7 id_queue=51; 65 ended 7 talk=30
> at 70 | q51 talks=1 talk_seconds=30; q53 talks=0 overflowed=1
# a ring in the next queue is reported before the deletion of the one before
0 available 102, 1 enters 7, 5 ringing 102 7 53, 5.6 leaves 7 51, 5.7 enters 7 53, 13 connected 102 7 53, 30 leaves 7 53, 30 available 102
> outcomes | 13 answered 7 offered_to=102:8; 35 ended 7
> at 40 | a102 answered=1 not_answered=0 ringing_seconds=8
# … and the caller hangs up
0 available 102, 1 enters 7, 5 ringing 102 7 53, 5.6 leaves 7 51, 5.7 enters 7 53, 13 leaves 7 53, 13.1 available 102
> outcomes | 18 missed 7 offered_to=102:8 missed_reason=abandoned_while_ringing
# a ring just before the entry, after an interruption in the trunk
0 trunkIn 7, 8 cut, 25 ringing 102 7 55, 25.1 enters 7 55, 25.2 trunkOut 7, 35 leaves 7 55, 35.4 available 102
> outcomes | 40 missed 7 wait=10 partial=true missed_reason=abandoned_while_ringing
> at 45 | q55 offered=1 abandoned=1; all offered=1 abandoned=1 unknown=0
# … after one in a talk
0 enters 7, 5 connected 103 7 51, 8 cut, 25 ringing 102 7 55, 25.1 enters 7 55, 25.2 available 103, 35 leaves 7 55, 35.4 available 102
> at 45 | q55 offered=1 abandoned=1; all offered=2 answered=1 abandoned=1 unknown=0
# a talk ends with a trunk that is not named
0 trunkIn 7, 2 enters 7, 10 answered 7, 10 connected 101 7 51, 50 trunkOut 7 none, 50 available 101
> outcomes | 10 answered 7 wait=8; 55 ended 7 talk=40 ended_at=50
# a mailbox after the queue
0 available 101, 0 trunkIn 7, 0 enters 7, 45 leaves 7, 80 trunkOut 7
> outcomes | 85 missed 7 wait=45 missed_reason=abandoned_before_ringing started_at=0 ended_at=80
> alerts callerWaiting 30 | 30 started 30 30 7 51; 45 resolved 30 45 left 7 51
> alerts missedCalls 1 | 85 started 1 1 51
# a menu between two waits in one queue
0 trunkIn 7, 0 enters 7, 10 leaves 7, 40 enters 7, 50 answered 7, 60 leaves 7, 60 trunkOut 7
> outcomes | 50 answered 7 wait=50 within_service_level=false queue_waits=51:10+51:10 after_missed=undefined; 65 ended 7 talk=10 partial=false
> at 20 | q51 abandoned=1; all abandoned=1 waiting=0 late=0
> at 45 | q51 offered=2 overflowed=1 abandoned=0 waiting=1 longest_wait=5; all offered=1 waiting=1 longest_wait=45 late=1
> at 55 | q51 answered=1 answered_in_time=1 late=0 answer_wait_seconds=10; all answered=1 answer_wait_seconds=50
> alerts callerWaiting 20 | 40 started 20 40 7 51; 50 resolved 20 50 answered 7 51
# back from the trunk minutes after the record
0 trunkIn 7, 0 enters 7, 10 leaves 7, 200 enters 7, 210 answered 7, 230 leaves 7, 230 trunkOut 7
> outcomes | 70 missed 7 wait=10; 210 answered 7 wait=210 after_missed=true; 235 ended 7 talk=20 wait=210 after_missed=true
> at 220 | q51 offered=2 overflowed=1 answered=1 abandoned=0; all offered=1 answered=1 late=1 answer_wait_seconds=210 abandoned=0
# from one of two queues into a third
0 enters 7, 0 enters 7 52, 15 leaves 7 51, 15 enters 7 53, 22 leaves 7 52, 30 leaves 7 53
> outcomes | 35 missed 7 wait=30 queue_waits=51:15+52:22+53:15 id_queue=53
> at 23 | q51 overflowed=1 late=0; q52 overflowed=1 late=1; q53 waiting=1 late=0; all waiting=1 late=1
> at 31 | q53 abandoned=1 abandoned_in_time=1; all abandoned=1 abandoned_in_time=0 late=1
> alerts callerWaiting 10 queueIds=51 + callerWaiting 10 queueIds=53 | 10 started 10 10 7 51; 15 resolved 10 15 left 7 51; 15 started 10 15 7 53; 30 resolved 10 30 abandoned 7 53
# a second call while wrap-up runs | until=100
0 enters 7, 2 answered 7, 2 connected 101 7 51, 32 leaves 7, 32 available 101 7 51 - 30, 40 enters 8, 42 ringing 101 8 51, 45 connected 101 8 51, 45 answered 8, 65 leaves 8, 65 available 101 8 51 - 20
> outcomes | 2 answered 7; 37 ended 7 talk=30 wrap_up=30; 45 answered 8 wait=5; 70 ended 8 talk=20 wrap_up=20
> at 43 | a101 state=ringing wrap_up_seconds=10
> at 90 | a101 talk_seconds=50 ringing_seconds=3 wrap_up_seconds=30 available_seconds=5 occupancy=90.9; q51 wrap_up_seconds=50 talks=2 talk_seconds=50 average_handle_time=50
# a break asked for during wrap-up
0 connected 101 7 51, 10 available 101 7 51 - 30, 15 pause 101 2, 60 unpause 101 2
> at 20 | a101 state=wrap_up since=10 seconds=10 pause=null
> at 50 | a101 state=on_break since=40 seconds=10 wrap_up_seconds=30 break_seconds=10
> at 65 | a101 state=available since=60 break_seconds=20
> alerts agentOnBreak 30 |
> alerts agentOnBreak 15 | 55 started 15 15 101; 60 resolved 15 20 back 101
# a logout during a call | until=110
0 enters 7, 5 answered 7, 5 connected 101 7 51, 30 logout 101, 50 available 101
> outcomes | 5 answered 7; 90 ended 7 talk=25 partial=true reason=end-not-seen
> at 40 | q51 talking=0 talks=1 talk_seconds=25; a101 state=logged_out talk_seconds=25; all agents_logged_out=1 agents_talking=0
> at 60 | a101 state=logged_out
# an id that a second caller has before the first one's end was seen
0 enters 7 51 +331, 5 answered 7, 5 connected 101 7 51, 100 enters 7 51 +442, 110 answered 7 51 102, 130 leaves 7
> outcomes | 5 answered 7 wait=5; 135 ended 7 talks=101:95+102:20 caller_id_num=+331 queue_waits=51:5+51:10
# back without a number
0 enters 7 51 +331, 30 leaves 7, 50 enters 7 51 none, 60 leaves 7
> outcomes | 35 missed 7 wait=30; 65 missed 7 wait=60 after_missed=true caller_id_num=+331 queue_waits=51:30+51:10
# another number three seconds later
0 enters 7 51 +331, 30 leaves 7, 33 enters 7 52 +442, 40 answered 7 52
> outcomes | 40 answered 7 wait=40 caller_id_num=+331
# the provider's clock goes back by 2 s
0 enters 7 51 - @0, 10 enters 8 51 - @8, 25 answered 7 51 101 @23, 40 leaves 8 51 @38
> outcomes | 25 answered 7 wait=25; 45 missed 8 wait=32 started_at=8
# … by an hour
0 enters 7 51 - @0, 10 enters 8 51 - @-3590, 25 answered 7 51 101 @-3575, 40 leaves 8 51 @-3560
> outcomes | 25 answered 7 wait=25; 45 missed 8 wait=40
> alerts callerWaiting 35 | 35 started 35 35 8 51; 40 resolved 35 40 abandoned 8 51
# … forward by a minute, and back
0 enters 7, 10 enters 8 51 - @70, 30 leaves 7 51 @90, 50 leaves 8 51 @110, 60 enters 9 51 - @60, 70 leaves 9 51 @70
> outcomes | 35 missed 7 wait=30; 55 missed 8 wait=40; 75 missed 9 wait=20
# a connection that stands still for 8 s
0 available 101 @0, 10 enters 7 51 - @10, 28 answered 7 51 101 @20, 28 connected 101 7 51 @20, 28 leaves 7 51 @27, 28 available 101 @27, 28 enters 8 51 - @28
> outcomes | 28 answered 7 wait=10 answered_at=20; 33 ended 7 talk=8 ended_at=28
> at 30 | a101 talk_seconds=8; q51 talk_seconds=8 waiting=1
# … for 18 s
0 available 101 @0, 5 enters 7 51 - @5, 30 answered 7 51 101 @12, 30 connected 101 7 51 @12, 30 leaves 7 51 @25, 30 available 101 @25
> outcomes | 30 answered 7 wait=15 answered_at=20; 35 ended 7 talk=5 ended_at=25
# each event twice
0 enters 7, 0 enters 7, 1 ringing 101 7 51, 1 ringing 101 7 51, 5 answered 7, 5 answered 7, 5 connected 101 7 51, 5 connected 101 7 51, 30 leaves 7, 30 leaves 7, 30 available 101, 30 available 101
> outcomes | 5 answered 7 wait=5 offered_to=101:4; 35 ended 7 talk=25 talks=101:25
> at 31 | q51 offered=1 answered=1 talks=1 talk_seconds=25; a101 answered=1 not_answered=0
# a login without the agent of a talk
0 enters 7, 5 answered 7, 5 connected 101 7 51, 30 lists 102, 31 available 102, 60 leaves 7
> outcomes | 5 answered 7; 65 ended 7 talk=55 talks=101:55
> at 40 | q51 talking=1; all agents_talking=0 agents_available=1 agents_unknown=0
# … without one on a break
0 pause 101, 20 lists 102, 20 available 102
> alerts agentOnBreak 10 | 10 started 10 10 101; 20 resolved 10 20 left 101
# groups of a row | agents=101/11+102/11/12+103/12
0 pause 101, 0 available 102, 0 available 103, 20 connected 102 7 51, 50 available 102
> alerts agentsAvailableBelow 1 belowForSeconds=10 groupIds=11 | 30 started 1 0 since=20 group=11:Group 11; 50 resolved 1 1 above
> alerts agentsAvailableBelow 1 belowForSeconds=10 groupIds=12 |
> alerts agentsAvailableBelow 2 belowForSeconds=10 groupIds=11/12 | 30 started 2 1 group=undefined; 50 resolved 2 2 above
> alerts agentIdle 15 groupIds=11 + agentIdle 15 groupIds=12 | 15 started 15 15 102; 15 started 15 15 102; 15 started 15 15 103; 20 resolved 15 20 ended 102; 20 resolved 15 20 ended 102
# a filter of queues, and a call that moves into it | queueIds=52
0 enters 7, 30 enters 7 52, 30 leaves 7, 40 answered 7 52, 60 leaves 7 52
> outcomes | 40 answered 7 wait=40; 65 ended 7 talk=20
> alerts callerWaiting 20 | 30 started 20 30 7 52; 40 resolved 20 40 answered 7 52
> at 50 | q52 offered=1 answered=1 answer_wait_seconds=10
# a missed call is one of its last queue
0 enters 7 52, 10 leaves 7 52, 10 enters 7 51, 30 leaves 7
> alerts missedCalls 1 queueIds=52 |
> alerts missedCalls 1 queueIds=51 | 35 started 1 1 51
# short abandons longer than the service level | shortAbandonSeconds=30
0 enters 7, 25 leaves 7, 30 enters 8, 40 leaves 8
> outcomes | 30 missed 7 missed_reason=short_abandoned; 45 missed 8 missed_reason=short_abandoned
> at 50 | q51 late=1 short_abandoned=2 abandoned=0 abandoned_in_time=0 service_level=0 abandonment_rate=null abandon_wait_seconds=35
> alerts missedCalls 1 |
> alerts serviceLevelBelow 80 minimumCalls=1 | 20.001 started 80 0 7 51
# interrupted while waiting, then in another queue
0 enters 7, 10 cut, 20 enters 7 52, 20 leaves 7, 30 answered 7 52, 60 leaves 7 52
> outcomes | 30 answered 7 wait=30 partial=true reason=feed-gap; 65 ended 7 talk=30 partial=true wait=30
> at 12 | q51 offered=1 unknown=1 waiting=0; all unknown=1 waiting=0
> at 25 | q52 offered=1 waiting=1; all offered=1 waiting=1 unknown=1 waiting_before=1
> at 35 | q52 answered=1 answer_wait_seconds=10; all offered=1 waiting_before=1 unknown=2 answered=0 waiting=0
# … then seen to wait, and to leave
0 available 101, 0 enters 7, 10 cut, 20 alert_file 7, 40 leaves 7
> at 41 | q51 offered=1 waiting_before=1 unknown=2 abandoned=0 late=0; all offered=1 waiting_before=1 unknown=2 abandoned=0
# … while an agent's phone rings, who takes it
0 enters 7, 5 ringing 101 7 51, 10 cut, 15 connected 101 7 51, 40 leaves 7
> outcomes | 15 answered 7 wait=15 partial=true offered_to=101:null; 45 ended 7 talk=25 talks=101:25 partial=true
> at 41 | q51 offered=1 waiting_before=1 unknown=2 answered=0 talks=1 talk_seconds=25; a101 answered=1 talk_seconds=26 ringing_seconds=5
# interrupted in the trunk before the queue
0 trunkIn 7, 10 cut, 20 enters 7, 30 answered 7, 50 leaves 7, 50 trunkOut 7
> outcomes | 30 answered 7 wait=10 partial=true reason=feed-gap started_at=0; 55 ended 7 talk=20 partial=true
> at 35 | q51 offered=1 answered=1 answered_in_time=1 unknown=0; all offered=1 answered=1 unknown=0
# interrupted in a talk that goes on in another queue
0 enters 7, 10 answered 7, 40 cut, 50 enters 7 52, 55 answered 7 52 102, 70 leaves 7 52
> outcomes | 10 answered 7 wait=10 partial=false; 75 ended 7 talk=null talks=101:null+102:15 partial=true wait=10
> at 71 | q51 answered=1 talks=1 talk_seconds=30; q52 offered=1 answered=1 answer_wait_seconds=5 talks=1 talk_seconds=15; all offered=2 answered=2 talks=2 talk_seconds=45 unknown=0
# … with the same agent
0 enters 7, 10 answered 7, 10 connected 101 7 51, 40 cut, 50 transfert_start 101 7, 60 transfert_end 101 7, 70 leaves 7, 70 available 101
> outcomes | 10 answered 7; 75 ended 7 talk=60 talks=101:60 partial=true reason=feed-gap
> at 71 | q51 talks=1 talk_seconds=60; a101 talk_seconds=50
# … whose agent is seen without it | until=200
0 enters 7, 10 answered 7, 10 connected 101 7 51, 40 cut, 70 available 101
> outcomes | 10 answered 7; 130 ended 7 talk=null partial=true reason=end-not-seen ended_at=40
> at 71 | q51 talks=1 talk_seconds=30 talking=0; a101 talk_seconds=30 state=available
# … and has it again, then a colleague
0 enters 7, 10 answered 7, 10 connected 101 7 51, 40 cut, 70 available 101, 90 connected 101 7 51, 100 connected 102 7 51, 104 available 101, 120 leaves 7
> outcomes | 10 answered 7; 125 ended 7 talks=101:null+101:10+102:20 partial=true
> at 121 | q51 talks=3 talk_seconds=60
# interrupted after the caller left
0 enters 7, 10 leaves 7, 12 cut, 20 -
> outcomes | 15 missed 7 wait=10
> at 13 | q51 abandoned=1 unknown=0; all abandoned=1 unknown=0
# interrupted in wrap-up and on a break
0 available 102, 0 pause 102, 0 connected 101 7 51, 10 available 101 7 51 - 60, 20 cut, 30 ringing 101 8 51, 40 available 101, 40 unpause 102
> at 25 | a101 state=null wrap_up_seconds=10; a102 state=null break_seconds=20; all agents_unknown=2
> at 45 | a101 state=available wrap_up_seconds=10 ringing_seconds=10 available_seconds=5; a102 state=available break_seconds=20 available_seconds=5
# waits across the end of a period | until=620
270 enters 6, 280 enters 7, 285 enters 8, 299 enters 9, 300 answered 8, 320 answered 7, 325 leaves 9, 330 answered 6 51 102
> each 5 | q51 offered=4 waiting=4 late=1 answered=0 longest_wait=30 longest_wait_of_period=30 / offered=0 waiting_before=4 answered=3 answered_in_time=1 late=2 abandoned=1 abandoned_in_time=0 answer_wait_seconds=115 abandon_wait_seconds=26 longest_wait_of_period=60 waiting=0
# a talk and an agent across the end of a period | until=620
200 available 101, 240 enters 7, 250 answered 7, 250 connected 101 7 51, 350 leaves 7, 350 available 101 7 51 - 20, 360 pause 101
> each 5 | q51 answered=1 talks=0 talk_seconds=0 talking=1 / answered=0 talks=1 talk_seconds=100 talking=0 wrap_up_seconds=20; a101 available_seconds=50 talk_seconds=50 answered=1 / talk_seconds=50 wrap_up_seconds=20 break_seconds=230 available_seconds=0 answered=0 occupancy=100
# quarters, and their hour | until=3700
880 enters 1, 890 enters 2, 910 answered 1, 1805 leaves 2, 1850 leaves 1, 2690 enters 3, 2695 leaves 3, 2703 enters 3 52, 2710 answered 3 52, 2800 leaves 3 52, 3590 enters 4, 3598 answered 4
> each 15 | q51 offered=2 answered=0 late=0 waiting=2 longest_wait=20 / waiting_before=2 answered=1 late=2 waiting=1 answer_wait_seconds=30 talks=0 longest_wait=910 / waiting_before=1 offered=1 abandoned=1 overflowed=1 waiting=0 abandon_wait_seconds=915 talks=1 talk_seconds=940 late=0 abandoned_in_time=0 / offered=1 answered=1 answered_in_time=1 answer_wait_seconds=8 waiting_before=0; all offered=2 waiting=2 / waiting_before=2 answered=1 late=2 waiting=1 / waiting_before=1 offered=1 abandoned=1 waiting=1 talks=1 talk_seconds=940 abandoned_in_time=0 / offered=1 waiting_before=1 answered=2 answered_in_time=2 answer_wait_seconds=28 talks=1 talk_seconds=90 waiting=0
> each 60 | q51 offered=4 answered=2 answered_in_time=1 late=2 abandoned=1 abandoned_in_time=0 overflowed=1 answer_wait_seconds=38 abandon_wait_seconds=915 talks=1 talk_seconds=940 waiting_before=0; all offered=4 answered=3 answered_in_time=2 late=2 abandoned=1 answer_wait_seconds=58 talks=2 talk_seconds=1030 abandonment_rate=25 service_level=50
# the hour at which clocks go back | start=2026-10-25T00:50:00Z until=4300
100 enters 7, 700 answered 7
> each 60 | all offered=1 waiting=1 from=-3000 to=600 / waiting_before=1 answered=1 from=600 to=4200
# … forward | start=2027-03-28T00:50:00Z until=4300
100 enters 7, 700 answered 7
> each 60 | all offered=1 waiting=1 from=-3000 to=600 / waiting_before=1 answered=1 from=600 to=4200
# midnight | start=2026-11-21T22:59:00Z until=120
0 available 101, 30 enters 7, 90 answered 7, 90 connected 101 7 51
> at 59 | q51 offered=1 late=1 waiting=1; a101 available_seconds=59
> at 70 | q51 offered=0 waiting_before=1 late=0 waiting=1 longest_wait=40 from=60; a101 available_seconds=10 since=0 seconds=70
> at 95 | q51 waiting_before=1 answered=1 answered_in_time=0 late=0 answer_wait_seconds=60; all service_level=null average_speed_of_answer=60
# an alert that is repeated, without ends | repeatEvery=20 quiet
0 enters 7, 75 leaves 7
> alerts callerWaiting 30 | 30 started 30 30 7 51; 50 repeated 30 50 7 51; 70 repeated 30 70 7 51
# repeated across a move and the moments after the queue | repeatEvery=20
0 enters 7, 49 leaves 7, 52 enters 7 52, 69 leaves 7 52, 90 -
> alerts callerWaiting 30 | 30 started 30 30 7 51; 69 resolved 30 69 abandoned 7 52
# a service level that is reached again by the passing of time | until=200
0 enters 1, 10 answered 1, 20 enters 2, 50 leaves 2, 60 enters 3, 70 answered 3, 80 enters 4, 81 answered 4
> alerts serviceLevelBelow 70 minimumCalls=2 windowMinutes=1 | 40.001 started 70 50 2 51; 100.002 resolved 70 100 above 2 51
# interrupted in the trunk after the queue
0 trunkIn 7, 0 enters 7, 20 leaves 7, 30 cut, 50 trunkOut 7
> outcomes | 55 missed 7 answered=false wait=20 partial=true reason=feed-gap missed_reason=null
# interrupted in the trunk before the queue, or after it: figures, alerts and outcomes have the caller who gives up
0 available 101, 0 trunkIn 7, 12 cut, 14 available 101, 20 enters 7, 20 trunkOut 7, 48 leaves 7, 60 enters 8, 90 leaves 8, 90 trunkIn 8 10, 100 cut, 110 trunkOut 8 10
> outcomes | 53 missed 7 wait=28 partial=true reason=feed-gap missed_reason=abandoned_before_ringing; 115 missed 8 wait=30 partial=true reason=feed-gap missed_reason=abandoned_before_ringing
> at 120 | q51 offered=2 abandoned=2 unknown=0; all offered=2 abandoned=2 unknown=0
> at 51 | q51 abandoned=1 unknown=0; all abandoned=1 unknown=0
# a callback with the same id, minutes later
0 enters 7, 20 leaves 7, 200 calling 101 7, 210 connected 101 7, 260 available 101
> outcomes | 25 missed 7 wait=20
> at 261 | a101 talk_seconds=60 answered=0; all answered=0 talks=0 offered=1 abandoned=1
# … within a minute
0 enters 7, 20 leaves 7, 40 calling 101 7, 50 connected 101 7, 90 available 101 7
> outcomes | 25 missed 7 wait=20; 50 answered 7 wait=50 after_missed=true; 95 ended 7 talk=40 partial=false after_missed=true
> at 91 | a101 talk_seconds=50 answered=1; all offered=1 answered=1 abandoned=0 talks=1
# a second call rings at an agent who talks | until=100
0 enters 7, 5 answered 7, 5 connected 101 7 51, 10 enters 8, 12 ringing 101 8 51, 20 available 101, 30 leaves 8
> outcomes | 5 answered 7; 35 missed 8 missed_reason=agents_did_not_answer offered_to=101:8; 80 ended 7 talk=15 reason=end-not-seen
> at 15 | a101 state=ringing id_call=8 talk_seconds=7 ringing_seconds=3; q51 talking=1
> at 25 | a101 not_answered=1 answered=1 ringing_seconds=8; q51 talking=0 talks=1 talk_seconds=15
# a break whose type changes
0 pause 101 2, 50 pause 101 3, 100 unpause 101
> alerts agentOnBreak 60 | 60 started 60 60 101 since=0; 100 resolved 60 100 back 101
# the phone of an agent on a break, who calls
0 pause 101, 30 calling 101 9, 70 available 101, 100 unpause 101
> alerts agentOnBreak 60 | 60 started 60 60 101; 100 resolved 60 100 back 101
# an answer that is held up past the end of a period | until=620
290 enters 7, 308 answered 7 51 101 @299
> each 5 | q51 offered=1 answered=1 answered_in_time=1 waiting=0 answer_wait_seconds=9 / offered=0 waiting_before=0 answered=0
# a jam across an interruption, without ends | quiet
0 enters 1, 0 enters 2, 5 cut, 8 alert_file 1, 9 alert_file 2, 20 answered 1, 30 enters 3
> alerts callersWaiting 2 | 0 started 2 2 51; 30 started 2 2 51
# … with them
0 enters 1, 0 enters 2, 5 cut, 8 alert_file 1, 9 alert_file 2, 20 answered 1, 30 enters 3
> alerts callersWaiting 2 | 0 started 2 2 51; 5 unknown 2 2 feed-gap 51; 9 started 2 2 51 since=0; 20 resolved 2 1 below 51; 30 started 2 2 51 since=30
# ids that are no numbers
0 enters abc, 4 enters 0 51 none, 10 answered abc 51 ada, 12 answered 0 51 0, 40 leaves abc, 41 leaves 0
> outcomes | 10 answered abc agents=ada; 12 answered 0 agents=0 wait=8; 45 ended abc talk=30; 46 ended 0 talk=29
# a status that is held up by 8 s
0 available 101 @0, 20 connected 101 7 51 @12, 40 available 101 @40
> at 41 | a101 available_seconds=13 talk_seconds=28
# left at the answer, and given to a queue later
0 enters 7, 10 answered 7, 10 connected 101 7 51, 11 leaves 7, 40 enters 7 52, 40 available 101, 60 leaves 7 52
> outcomes | 10 answered 7; 65 ended 7 talk=30 gave_up=true queue_waits=51:10+52:20
> at 61 | q52 abandoned=1 abandoned_in_time=1; all offered=2 answered=1 abandoned=1 talks=1
# nobody was available, since one wraps up | agents=101+102
0 connected 101 6 51, 0 pause 102, 5 available 101 6 51 - 60, 10 enters 7, 40 leaves 7
> outcomes | 0 answered 6; 45 missed 7 missed_reason=no_available_agent
# a ring that stops at the end of a period | until=620
280 enters 7, 290 ringing 101 7 51, 299 available 101
> each 5 | a101 not_answered=1 ringing_seconds=9 available_seconds=1 / not_answered=0 available_seconds=300
# an agent takes a call that no queue had
0 trunkIn 7, 10 connected 101 7, 40 trunkOut 7, 40 available 101
> outcomes | 10 answered 7 wait=10 within_service_level=true agents=101; 45 ended 7 talk=30
> at 41 | a101 talk_seconds=30; all offered=0 answered=0 talks=0 unknown=0
# a gap that is found later
0 enters 7, 40 gap 10 40, 45 answered 7
> alerts callerWaiting 20 | 20 started 20 20 7 51; 40 unknown 20 40 feed-gap 7 51
> outcomes | 45 answered 7 wait=45 partial=true
# the queues of a row and of the filters | queueIds=51+52
0 enters 1, 0 enters 2 52, 0 enters 3 53
> alerts callersWaiting 1 queueIds=52/53 | 0 started 1 1 52
# wrap-up after an agent's own call
0 enters 7, 5 answered 7, 5 connected 101 7 51, 30 leaves 7, 30 available 101, 40 calling 101 9, 60 available 101 9 none - 15
> at 62 | q51 wrap_up_seconds=0 average_handle_time=25; a101 wrap_up_seconds=2
# … and after a consultation, which is the caller's
0 enters 7, 5 answered 7, 5 connected 101 7 51, 30 calling 101 9, 40 connected 101 9, 50 connected 102 7, 50 available 101 9 none - 15, 60 leaves 7
> outcomes | 5 answered 7; 65 ended 7 talks=101:45+102:10 wrap_up=15
> at 62 | q51 wrap_up_seconds=15; a101 wrap_up_seconds=12
# an answer in a queue after the last one was left for more than five seconds
0 trunkIn 7, 0 enters 7, 20 leaves 7, 40 answered 7, 80 trunkOut 7
> outcomes | 40 answered 7 wait=40; 85 ended 7 talk=40
> at 81 | q51 offered=1 overflowed=1 answered=0 abandoned=0 talks=0; all offered=1 answered=1 answer_wait_seconds=40 late=1 talks=1 talk_seconds=40
# two agents in a row, the first one twice
0 enters 7, 5 answered 7, 5 connected 101 7 51, 30 connected 102 7, 30 available 101, 50 connected 101 7, 50 available 102, 90 leaves 7, 90 available 101
> outcomes | 5 answered 7; 95 ended 7 talk=85 talks=101:25+102:20+101:40 agents=101+102
> at 91 | q51 talks=3 talk_seconds=85 answered=1; a101 talk_seconds=65 answered=1; a102 talk_seconds=20 answered=0
> alerts callLasting 60 | 65 started 60 60 7 51 101; 90 resolved 60 85 ended 7 51 101
# a long call that is handed to a queue's next agent late
0 enters 7, 0 answered 7, 0 connected 101 7 51, 40 available 101, 80 connected 102 7, 130 leaves 7
> outcomes | 0 answered 7; 135 ended 7 talk=90 talks=101:40+102:50 partial=false
> alerts callLasting 30 | 30 started 30 30 7 51 101; 40 resolved 30 40 ended 7 51 101
> alerts callLasting 60 | 80 started 60 80 7 51 102; 130 resolved 60 130 ended 7 51 102
# one who is late in a queue while the whole wait was late before | serviceLevelSeconds=10
0 enters 7, 15 leaves 7, 15 enters 7 52, 30 leaves 7 52, 30 enters 7 53, 35 leaves 7 53
> at 40 | q51 late=1 overflowed=1; q52 late=1 overflowed=1; q53 late=0 abandoned=1 abandoned_in_time=1; all late=1 abandoned=1 abandoned_in_time=0 service_level=0
> alerts serviceLevelBelow 80 minimumCalls=1 | 10.001 started 80 0 7 51; 25.001 started 80 0 7 52; 40 started 80 0 7 53
# an agent without groups, and one of two | agents=101+102/11/12+103/12
0 ringing 101 7 51, 0 ringing 102 8 51, 0 ringing 103 9 51, 30 available 102, 30 available 103
> alerts agentRinging 20 groupIds=12 | 20 started 20 20 8 51 102 group=12:Group 12; 20 started 20 20 9 51 103 group=12:Group 12; 30 resolved 20 30 left 8 51 102; 30 resolved 20 30 left 9 51 103
> alerts agentRinging 20 groupIds=11/12 | 20 started 20 20 8 51 102 group=undefined; 20 started 20 20 9 51 103; 30 resolved 20 30 left 8 51 102; 30 resolved 20 30 left 9 51 103
# an agent is dropped while few are available | agents=101+102+103
0 available 101, 0 pause 102, 0 pause 103, 50 lists 102 103, 50 pause 103, 100 lists 101 102 103, 100 pause 103, 120 available 101
> alerts agentsAvailableBelow 1 belowForSeconds=20 | 70 started 1 0 since=50; 120 resolved 1 1 above
# logged out by a login that follows
0 available 101, 10 logout 101, 30 available 101, 40 login 101, 50 logout 101, 60 enters 7, 61 ringing 101 7 51
> at 35 | a101 state=logged_out since=10; all agents_logged_out=1
> at 45 | a101 state=available since=40
> at 65 | a101 state=ringing available_seconds=20 ringing_seconds=4
# wrap-up that a pause outlasts, and a second one | until=100
0 connected 101 7 51, 10 available 101 7 51 - 20, 20 pause 101, 50 unpause 101, 60 connected 101 8 51, 70 available 101 8 51 - 10
> at 90 | a101 talk_seconds=20 wrap_up_seconds=30 break_seconds=20 available_seconds=20 occupancy=71.4; q51 wrap_up_seconds=30 talks=2
# back after the period was told, by a ring, which is none | until=960
270 enters 7, 280 leaves 7, 320 ringing 101 7 51, 330 available 101, 340 answered 7 51, 400 leaves 7
> each 5 | q51 offered=1 abandoned=1 overflowed=0 / offered=0 waiting_before=0 abandoned=0 overflowed=0 answered=0 talks=0; all offered=1 abandoned=1 / waiting_before=1 answered=1 talks=1 late=1 answer_wait_seconds=70
# an entry that is delivered behind its answer
0 available 101, 20 answered 7, 21 enters 7, 60 leaves 7
> outcomes | 20 answered 7; 65 ended 7 wait=0 within_service_level=true queue_waits=51:0 talk=40 started_at=20 reason=null
> at 61 | q51 offered=1 waiting_before=0 answered=1 answered_in_time=1 overflowed=0 unknown=0 answer_wait_seconds=0 talks=1; all offered=1 answered=1 answered_in_time=1 unknown=0 waiting_before=0
# interrupted while waiting, then an agent's phone rings in another queue
0 enters 7, 10 cut, 20 ringing 101 7 52, 30 answered 7 52 101, 30 connected 101 7 52, 50 leaves 7 52, 50 available 101
> outcomes | 30 answered 7 wait=30 partial=true offered_to=101:10; 55 ended 7 talk=20 wait=30
> at 51 | q51 offered=1 unknown=1; q52 offered=0 waiting_before=1 unknown=1 talks=1 talk_seconds=20 answer_wait_seconds=0; all offered=1 waiting_before=1 unknown=2 talks=1
# … then an answer is the first thing that is seen
0 enters 7, 10 cut, 20 answered 7, 60 leaves 7
> outcomes | 20 answered 7 wait=20 within_service_level=true partial=true; 65 ended 7 talk=40
> at 61 | q51 offered=1 waiting_before=1 unknown=2 answered=0 talks=1; all offered=1 waiting_before=1 unknown=2 talks=1
# interrupted when the caller had left, who is in another queue then
0 enters 7, 20 leaves 7, 22 cut, 24 enters 7 52, 30 answered 7 52, 40 leaves 7 52
> outcomes | 30 answered 7 wait=30; 45 ended 7 talk=10
> at 41 | q51 offered=1 overflowed=1 abandoned=0; q52 answered=1; all offered=1 answered=1 answer_wait_seconds=30 abandoned=0
# interrupted in the trunk between two waits
0 trunkIn 7, 0 enters 7, 10 leaves 7, 15 cut, 20 enters 7, 30 answered 7, 40 leaves 7, 40 trunkOut 7
> outcomes | 30 answered 7 wait=30 partial=true; 45 ended 7 talk=10
> at 41 | q51 offered=2 overflowed=1 answered=1 abandoned=0; all offered=1 answered=1 answer_wait_seconds=30 abandoned=0 unknown=0
# two interruptions of one wait
0 enters 7, 10 cut, 15 alert_file 7, 20 cut, 25 alert_file 7, 40 answered 7
> at 41 | q51 offered=1 waiting_before=2 unknown=3 waiting=0; all offered=1 waiting_before=2 unknown=3
> alerts callerWaiting 30 | 30 started 30 30 7 51; 40 resolved 30 40 answered 7 51
> outcomes | 40 answered 7 wait=40 partial=true
# an interruption that lasts
0 enters 7, 0 available 101, 10 down, 100 up, 105 alert_file 7, 110 answered 7, 112 available 101
> alerts callerWaiting 60 | 105 started 60 105 7 51 since=0; 110 resolved 60 110 answered 7 51
> alerts agentIdle 60 |
> at 115 | a101 available_seconds=13 since=112
# a transfer during an interruption
0 enters 7, 10 answered 7, 10 connected 101 7 51, 40 cut, 60 connected 102 7 51, 90 leaves 7
> outcomes | 10 answered 7; 95 ended 7 talk=null talks=101:null+102:30 agents=101+102 partial=true
> at 91 | q51 answered=1 talks=2 talk_seconds=60; a102 answered=0 talk_seconds=31
# a caller who is spoken of within two hours, and one who is not | until=8100
0 enters 7, 0 enters 8, 7000 alert_file 7, 8000 answered 7, 8000 answered 8 51 102, 8010 leaves 7, 8020 leaves 8
> outcomes | 8000 answered 7 wait=8000; 8000 answered 8 wait=8000; 8015 ended 7 talk=10; 8025 ended 8 talk=20
> at 7300 | q51 offered=2 waiting=1 unknown=1 late=2
> at 8050 | q51 offered=2 waiting_before=1 answered=1 unknown=2 talks=2; all offered=2 waiting_before=1 answered=1 unknown=2
# a logout while the phone rings
0 enters 7, 1 ringing 101 7 51, 5 logout 101, 20 leaves 7
> outcomes | 25 missed 7 offered_to=101:4 missed_reason=agents_did_not_answer
> at 10 | a101 state=logged_out ringing_seconds=4 not_answered=1
# a break asked for while the phone rings
0 enters 7, 1 ringing 101 7 51, 5 pause 101 2, 10 available 101, 20 leaves 7
> at 7 | a101 state=ringing pause=null
> at 15 | a101 state=on_break since=10 break_seconds=5 not_answered=1
# a colleague's phone rings for a transfer
0 enters 7, 5 answered 7, 5 connected 101 7 51, 30 ringing 102 7, 60 available 102, 70 leaves 7
> alerts agentRinging 20 | 50 started 20 20 7 102; 60 resolved 20 30 left 7 102
> outcomes | 5 answered 7; 75 ended 7 offered_to=none talk=65
> at 65 | a102 not_answered=0 ringing_seconds=30
# a long call that comes into the row's queue
0 enters 7, 0 answered 7, 50 enters 7 52, 50 leaves 7, 60 answered 7 52 102, 90 leaves 7 52
> alerts callLasting 30 queueIds=52 | 60 started 30 60 7 52 102; 90 resolved 30 90 ended 7 52 102
> alerts callLasting 30 queueIds=51 | 30 started 30 30 7 51 101; 50 resolved 30 50 left 7 51 101
# an own call that the trunk reported eight seconds before
0 trunkIn 9, 8 calling 101 9, 15 connected 101 9, 60 available 101, 60 trunkOut 9
> outcomes | 15 answered 9 agents=101 wait=15; 65 ended 9 talk=45
# two callers in one queue, one with a wait before
0 enters 1, 30 enters 2 52, 40 leaves 1, 40 enters 1 52, 51 -
> at 50 | q52 waiting=2 longest_wait=20 longest_since=30; all waiting=2 longest_wait=50 longest_since=0
# a deletion of the queue that lost the call, during the talk
0 enters 7, 0 enters 7 52, 10 answered 7 51, 10 connected 101 7 51, 13 leaves 7 52, 60 leaves 7 51
> outcomes | 10 answered 7; 65 ended 7 talk=50
# a caller of whom an alert of the provider is heard first
0 alert_file 7, 20 leaves 7
> outcomes | 25 missed 7 wait=null partial=true reason=start-not-seen
> at 10 | q51 waiting=1 waiting_before=1 offered=0 longest_wait=null
> at 25 | q51 waiting=0 unknown=1 abandoned=0; all unknown=1
# an agent who was dropped is new
0 available 101, 20 lists 102, 20 pause 102, 40 lists 101 102, 40 available 101, 51 -
> at 50 | a101 available_seconds=10 since=40; all agents_available_seconds=10
# another caller's call with the id, which an agent began
0 enters 7 51 +331, 20 leaves 7, 40 connected 101 7 none +442, 80 available 101
> outcomes | 25 missed 7
# overflow across the end of a period | until=620
290 enters 7, 299 leaves 7, 301 enters 7 52, 305 answered 7 52, 310 leaves 7 52
> each 5 | q51 offered=1 overflowed=1 abandoned=0 waiting=0 / offered=0 overflowed=0; q52 / offered=1 answered=1 answer_wait_seconds=4 talks=1; all offered=1 waiting=1 longest_wait_of_period=9 / waiting_before=1 answered=1 answered_in_time=1 answer_wait_seconds=15
# a second record, and a third
0 enters 7, 10 leaves 7, 30 enters 7, 40 leaves 7, 60 enters 7, 70 answered 7, 90 leaves 7
> outcomes | 15 missed 7 wait=10; 45 missed 7 wait=40 after_missed=true; 70 answered 7 wait=70 after_missed=true; 95 ended 7 talk=20 after_missed=true
> at 91 | q51 offered=3 overflowed=2 answered=1 abandoned=0; all offered=1 answered=1 late=1
> alerts missedCalls 1 | 15 started 1 1 51; 30 resolved 1 0 below 51; 45 started 1 1 51; 60 resolved 1 0 below 51
# a day of 25 hours | start=2026-10-24T21:59:00Z until=90100
30 enters 7, 90 answered 7, 100 leaves 7
> each day | q51 offered=1 waiting=1 to=60 / waiting_before=1 offered=0 answered=1 answer_wait_seconds=60 from=60 to=90060 complete=true
# an interruption across the end of a period | until=620
0 enters 7, 5 leaves 7, 290 down, 310 up, 320 enters 8, 330 leaves 8
> each 5 | q51 abandoned=1 complete=false missed_seconds=10 / abandoned=1 complete=false missed_seconds=10 counted_since=null
# a login with other agents while few are available | agents=101
0 pause 101, 40 lists 102, 41 enters 7, 60 available 102
> alerts agentsAvailableBelow 1 | 30 started 1 0; 60 resolved 1 1 above
# a queue's call that is also in a trunk, answered there and then lost | until=200
0 trunkIn 7, 2 trunkAnswered 7, 5 enters 7, 15 answered 7, 15 connected 101 7 51, 45 available 101, 110 trunkOut 7
> outcomes | 15 answered 7 wait=10; 105 ended 7 talk=30 partial=true reason=end-not-seen
> at 100 | q51 talking=0 talks=1; all talking=0
# a caller in two queues, who is given to one of them by the agent
0 enters 7, 0 enters 7 52, 10 answered 7 51, 10 connected 101 7 51, 50 enters 7 52, 50 leaves 7 51, 80 leaves 7 52
> outcomes | 10 answered 7 wait=10; 85 ended 7 talk=40 gave_up=true queue_waits=51:10+52:10+52:30
> at 81 | q52 offered=2 overflowed=1 abandoned=1 late=1; q51 offered=1 answered=1 overflowed=0; all offered=2 answered=1 abandoned=1
# a caller who comes back with the number in another form
0 enters 7 51 +33612345678, 10 leaves 7, 30 enters 7 51 33612345678, 40 leaves 7, 60 answered 7 none 101
> outcomes | 15 missed 7; 45 missed 7 after_missed=true wait=40; 60 answered 7 after_missed=true caller_id_num=+33612345678
# … and with a withheld one
0 enters 7 51 anonymous, 10 leaves 7, 30 enters 7 51 0612345678, 40 leaves 7
> outcomes | 15 missed 7; 45 missed 7 after_missed=true wait=40 caller_id_num=anonymous
# the queue that was entered last is left first
0 available 101, 0 enters 7, 3 enters 7 52, 5 leaves 7 52, 20 leaves 7
> outcomes | 25 missed 7 wait=20 id_queue=51 queue_waits=51:20+52:2 queues=51+52
> alerts missedCalls 1 queueIds=51 + missedCalls 1 queueIds=52 | 25 started 1 1 51
> at 21 | q51 abandoned=1 abandon_wait_seconds=20; q52 overflowed=1 abandon_wait_seconds=0; all abandoned=1
# … and the other one answers
0 enters 7, 3 enters 7 52, 5 leaves 7 52, 10 answered 7 none, 40 leaves 7
> outcomes | 10 answered 7 wait=10 id_queue=51 queue_waits=51:10+52:2; 45 ended 7 talk=30 queues=51+52
# no queue, and nobody available
0 available 101, 0 trunkIn 7, 40 trunkOut 7, 50 trunkIn 8, 53 trunkOut 8, 60 pause 101, 60 pause 102, 61 trunkIn 9, 80 trunkOut 9
> outcomes | 45 missed 7 wait=40 missed_reason=abandoned_before_ringing; 58 missed 8 wait=3 missed_reason=short_abandoned; 85 missed 9 wait=19 missed_reason=no_available_agent
# back at the last moment
0 enters 7, 10 leaves 7, 75 enters 7, 80 leaves 7
> outcomes | 15 missed 7 wait=10; 85 missed 7 wait=80 after_missed=true
> at 81 | q51 offered=2 overflowed=1 abandoned=1 abandon_wait_seconds=5; all offered=1 abandoned=1 late=1 abandon_wait_seconds=80
# of twelve callers who are late at once, the tenth makes it enough | until=30
0 enters 1, 0 enters 2, 0 enters 3, 0 enters 4, 0 enters 5, 0 enters 6, 0 enters 7, 0 enters 8, 0 enters 9, 0 enters 10, 0 enters 11, 0 enters 12
> alerts serviceLevelBelow 80 | 20.001 started 80 0 10 51
# … and of three the second one tips it | until=30
0 enters 1, 0 enters 2, 0 enters 3, 0 enters 4, 1 answered 1, 1 answered 2, 1 answered 3, 1 answered 4, 2 enters 5, 2 enters 6, 2 enters 7
> alerts serviceLevelBelow 80 minimumCalls=1 | 22.001 started 80 57.1 6 51
# the group of the filters is none of the row | agents=101/11+102/12 groupIds=11
0 pause 101, 0 available 102
> alerts agentsAvailableBelow 1 belowForSeconds=5 | 5 started 1 0 group=undefined
> alerts agentsAvailableBelow 1 belowForSeconds=5 groupIds=11 | 5 started 1 0 group=11:Group 11
# left at the answer, and nobody knows the agent | until=200
0 enters 7, 5 answered 7 51 none, 6 leaves 7
> outcomes | 5 answered 7 wait=5; 66 ended 7 talk=null partial=true reason=end-not-seen ended_at=6
> at 60 | q51 talking=1
> at 70 | q51 talking=0 talks=0; all talking=0 answered=1
# … and comes back within a minute of its record | until=200
0 enters 7, 5 answered 7 51 none, 6 leaves 7, 100 enters 7 52, 110 leaves 7 52
> outcomes | 5 answered 7 wait=5; 66 ended 7 talk=null partial=true; 115 ended 7 wait=5 gave_up=true after_ended=true
> at 111 | q52 offered=1 abandoned=1; all offered=2 answered=1 abandoned=1
# … until a status names one
0 enters 7, 5 answered 7 51 none, 5 leaves 7, 40 connected 101 7, 90 available 101
> outcomes | 5 answered 7 wait=5; 95 ended 7 talk=85 talks=101:85 partial=false
# a waiting caller is in a trunk as well, which loses the call before the queue does
0 enters 7, 5 trunkIn 7, 30 trunkOut 7, 40 answered 7, 70 leaves 7
> outcomes | 40 answered 7 wait=40; 75 ended 7 talk=30 partial=false
> alerts callerWaiting 20 | 20 started 20 20 7 51; 40 resolved 20 40 answered 7 51
> at 35 | q51 waiting=1 longest_wait=35; all waiting=1
# an entry is said again at the answer, and then the answer's queue
0 enters 7, 2 enters 7 52, 10 answered 7 none, 10.2 enters 7, 11 connected 101 7 51, 40 leaves 7
> outcomes | 10 answered 7 wait=10 id_queue=52; 45 ended 7 wait=10 id_queue=51 queue_waits=51:10+52:8 talk=30
> at 20 | q51 offered=1 answered=1 overflowed=0 talking=1; q52 offered=1 answered=0 overflowed=1 talking=0
# a period ends between a deletion and the answer that it belongs to | until=620
284 enters 7, 299 leaves 7, 300.5 answered 7, 330 leaves 7
> each 5 | q51 offered=1 waiting=1 abandoned=0 longest_wait=16 / waiting_before=1 answered=1 answer_wait_seconds=17; all offered=1 waiting=1 longest_wait=16 / waiting_before=1 answered=1
# … or between two reports of one answer | until=620
285 enters 7, 286 enters 7 52, 299.5 answered 7 none, 300.5 answered 7 51, 330 leaves 7
> each 5 | q51 offered=1 answered=1 talking=1 talks=0 / talking=0 talks=1; q52 offered=1 overflowed=1 answered=0 talking=0; all answered=1 talking=1 / talks=1
# an interruption is found between two reports of one answer
0 enters 7, 10 answered 7 51 none, 11 gap 2 9, 11.8 connected 101 7, 60 leaves 7
> outcomes | 10 answered 7 wait=10; 65 ended 7 partial=true reason=feed-gap talks=null:null+101:48
# a talk is seen again after an interruption, and ends at once
0 enters 7, 10 answered 7 51 101, 11 gap 2 9, 12.5 connected 101 7 51, 13.5 leaves 7
> outcomes | 10 answered 7 wait=10; 18.5 ended 7 partial=true reason=feed-gap talks=101:4
# a call that is given up at the moment of a repetition | repeatEvery=30 until=200
0 connected 101 7 51, 30 enters 7 52, 70 answered 7 52 none, 70 leaves 7 52
> alerts callLasting 60 | 70 started 60 70 7 52; 100 repeated 60 100 7 52; 130 resolved 60 130 ended 7 52
# a call from a trunk is answered, and enters the queue of the answer in the next period | until=620
299 trunkIn 7, 299.5 connected 101 7, 300.8 enters 7 52, 330 leaves 7 52
> each 5 | all answered=1 talking=1 / talks=1; q52 answered=1 talking=1 / talks=1
# an entry behind its answer, over the end of a period | until=620
290 enters 7 51, 299.5 answered 7 52 101, 300.5 enters 7 52, 340 leaves 7 52, 340 leaves 7 51
> each 5 | q51 offered=1 overflowed=1 / offered=0; q52 offered=1 answered=1 talking=1 / offered=0 talks=1
# … also if only the second report names the queue | until=620
290 enters 7 51, 299.2 connected 101 7, 300.2 enters 7 52, 300.8 answered 7 52 101, 340 leaves 7 52
> each 5 | q52 offered=1 answered=1 talking=1 / offered=0 talks=1
# a colleague has a call that only the trunk still has, and the phone rings for another one, which somebody else takes | until=200
0 trunkIn 7, 1 enters 7, 5 answered 7, 5 connected 101 7 51, 60 leaves 7 51, 60 available 101, 61 ringing 102 7, 70 connected 102 7, 80 enters 8, 81 ringing 102 8 51, 90 answered 8 51 101, 90 connected 101 8 51, 120 available 102, 120 trunkOut 7, 130 leaves 8, 130 available 101
> outcomes | 5 answered 7; 90 answered 8; 125 ended 7 talk=105 talks=101:55+102:50; 135 ended 8 talk=40
> at 100 | q51 talking=2 talks=1
> at 140 | q51 talking=0 talks=3 talk_seconds=145
> alerts callLasting 80 | 85 started 80 80 7 51 102; 120 resolved 80 115 ended 7 51 102
# a phone that stops ringing is delivered behind a colleague's answer
0 enters 7 #1, 1 ringing 101 7 51 #2, 10 answered 7 51 102 #4, 11 available 101 #3, 20 -
> at 15 | a101 state=available since=11
# … but not behind the agent's own
0 enters 7 #1, 1 ringing 101 7 51 #2, 10 answered 7 51 101 #4, 11 available 101 #3, 40 leaves 7 #5
> outcomes | 10 answered 7; 45 ended 7 talk=30 partial=false
# alerts over a window go on across an interruption, until nothing is left in it | until=100
0 enters 1, 30 leaves 1, 50 cut
> alerts missedCalls 1 windowMinutes=1 | 35 started 1 1 51; 90.001 resolved 1 0 below 51
> alerts serviceLevelBelow 80 windowMinutes=1 minimumCalls=1 | 20.001 started 80 0 1 51; 80.002 resolved 80 above 1 51 value=null
# two agents pick up at once, and the one who was first has lost the race
0 enters 7, 10 answered 7, 10 connected 101 7 51, 11 connected 102 7 51, 11.5 available 101, 40 leaves 7, 40 available 102
> outcomes | 10 answered 7 agents=101; 45 ended 7 talks=101:2+102:29 agents=101+102 partial=false
> at 30 | q51 talking=1 talks=1 answered=1; a102 state=talking answered=0
# the first agent again, for a second
0 enters 7, 5 answered 7, 5 connected 101 7 51, 30 connected 102 7, 30 available 101, 50 connected 101 7, 50 available 102, 51 leaves 7, 51 available 101
> outcomes | 5 answered 7; 56 ended 7 talks=101:25+102:20+101:1 talk=46
# the level passed between two queues, and between two periods | until=620
275 enters 7, 290 leaves 7, 305 enters 7 52, 310 answered 7 52, 400 leaves 7 52
> each 5 | q51 offered=1 overflowed=1 abandoned=0 late=0 / offered=0; q52 / offered=1 answered=1 answered_in_time=1 answer_wait_seconds=5 talks=1 talk_seconds=90; all offered=1 waiting=1 late=0 abandoned=0 longest_wait=15 / waiting_before=1 answered=1 late=1 answered_in_time=0 answer_wait_seconds=35 longest_wait_of_period=35 service_level=0
# … told with every few seconds | until=330
290 enters 7, 298 leaves 7, 302 enters 7 52, 310 answered 7 52
> at 299 5 | q51 offered=1 abandoned=1; all abandoned=1 offered=1
> at 303 5 | q51 offered=0 overflowed=0 waiting_before=0 from=300; q52 offered=1 waiting=1; all waiting_before=1 offered=0 waiting=1 longest_wait=13
> at 311 | all offered=1 answered=1 abandoned=0; q51 offered=1 overflowed=1 abandoned=0
# a colleague's phone rings after the agent was seen without the call | until=200
0 enters 7, 10 answered 7, 10 connected 101 7 51, 40 available 101, 90 ringing 102 7
> outcomes | 10 answered 7; 150 ended 7 talk=30 partial=true reason=end-not-seen ended_at=40
# three waits, the third one short
0 enters 7, 10 answered 7, 40 enters 7 52, 40 leaves 7, 70 answered 7 52 102, 100 enters 7 53, 100 leaves 7 52, 103 leaves 7 53
> outcomes | 10 answered 7 wait=10; 108 ended 7 wait=10 within_service_level=true talk=60 gave_up=true queue_waits=51:10+52:30+53:3
> at 104 | q53 offered=1 short_abandoned=1 abandoned=0; all offered=3 answered=2 short_abandoned=1 abandoned=0 late=1 answered_in_time=1
> alerts missedCalls 1 |
# a second wait across the end of a period | until=620
200 enters 7, 205 answered 7, 280 enters 7 52, 280 leaves 7, 310 answered 7 52 102, 400 leaves 7 52
> each 5 | all offered=2 answered=1 waiting=1 talks=1 talk_seconds=75 longest_wait=20 / waiting_before=1 answered=1 late=1 answer_wait_seconds=30 talks=1 talk_seconds=90
# rings that stop with another activity
0 enters 7, 2 ringing 101 7 51, 2 ringing 102 7 51, 12 unavailable 101, 12 calling 102 9, 20 leaves 7
> outcomes | 25 missed 7 missed_reason=agents_did_not_answer offered_to=101:10+102:10
> at 21 | a101 not_answered=1 state=null; a102 not_answered=1 state=calling
# one agent's phone rings for two queues, one after the other
0 enters 7, 0 enters 8 52, 1 ringing 101 7 51, 5 ringing 101 8 52, 12 answered 8 52 101, 12 connected 101 8 52, 20 leaves 7, 30 leaves 8 52
> outcomes | 12 answered 8 wait=12; 25 missed 7 offered_to=101:4 missed_reason=agents_did_not_answer; 35 ended 8 talk=18 offered_to=101:7
> alerts agentRinging 6 | 11 started 6 6 8 52 101 since=5; 12 resolved 6 7 answered 8 52 101
# back by the trunk within a minute, and later
0 enters 7, 10 leaves 7, 30 trunkIn 7, 200 enters 7 52, 210 answered 7 52, 230 leaves 7 52, 230 trunkOut 7, 300 enters 8, 310 leaves 8, 380 trunkIn 8, 500 enters 8 52, 510 answered 8 52
> outcomes | 15 missed 7 wait=10; 210 answered 7 wait=210 after_missed=true; 235 ended 7 talk=20; 315 missed 8 wait=10; 510 answered 8 wait=10 after_missed=undefined started_at=380
# the other side of an agent's call is given to a queue
0 calling 101 9, 5 connected 101 9, 30 enters 9 51, 30 available 101, 40 answered 9 51 102, 40 connected 102 9 51, 60 leaves 9 51
> outcomes | 40 answered 9 wait=10 agents=102 started_at=30; 65 ended 9 talk=20 talks=102:20
# the agent calls back with the identifier, soon and later
0 enters 7, 20 leaves 7, 40 calling 101 7, 50 connected 101 7, 90 available 101, 200 enters 8, 220 leaves 8, 300 calling 101 8, 310 connected 101 8, 390 available 101
> outcomes | 25 missed 7; 50 answered 7 after_missed=true wait=50; 95 ended 7 talk=40 partial=false; 225 missed 8
# another site has a queue of its own
0 trunkIn 7 9, 0 enters 7, 40 leaves 7, 40 trunkOut 7 9, 40 trunkIn 7 8, 60 enters 7 53, 70 answered 7 53 102, 90 leaves 7 53, 90 trunkOut 7 8
> outcomes | 70 answered 7 wait=70 queue_waits=51:40+53:10 trunks=9+8; 95 ended 7 talk=20
> alerts callerWaiting 30 | 30 started 30 30 7 51; 40 resolved 30 40 left 7 51
# a transfer to somebody outside
0 enters 7, 10 answered 7, 10 connected 101 7 51, 48 trunkIn 7 8, 50 leaves 7, 50 available 101, 52 trunkAnswered 7 8, 200 trunkOut 7 8
> outcomes | 10 answered 7; 110 ended 7 talk=40 ended_at=50
# a lateness that the event before limits, and one that is a clock set back
0 available 101 @0, 10 enters 7 51 - @10, 24 alert_file 7 51 @24, 25 answered 7 51 101 @15, 60 leaves 7, 70 enters 8 51 - @70, 90 alert_file 8 51 @82, 100 answered 8 51 101 @92, 120 leaves 8 51 @112
> outcomes | 25 answered 7 wait=14 answered_at=24; 65 ended 7; 100 answered 8 wait=30 answered_at=100; 125 ended 8 talk=20
# an entry that was sent before the queue's report of a ring, or an alert that names the call
0 rings 7 51 101 #2, 1 enters 7 51 #1, 10 answered 7 51 101 #3, 20 alert_op 8 51 #5, 21 enters 8 51 #4, 30 answered 8 51 102 #6
> outcomes | 10 answered 7 wait=9 queue_waits=51:9; 30 answered 8 wait=9 queue_waits=51:9
# a deletion that was sent before the entry into the next queue
0 enters 7 #1, 10 enters 7 52 #3, 11 leaves 7 #2, 20 answered 7 52 #4
> outcomes | 20 answered 7 wait=20 queue_waits=51:20+52:10
# other callers after an interruption of a jam
0 enters 1, 0 enters 2, 10 cut, 15 enters 3, 16 enters 4, 20 leaves 3
> alerts callersWaiting 2 | 0 started 2 2 51; 10 unknown 2 2 feed-gap 51; 16 started 2 2 51 since=0; 20 resolved 2 1 below 51
# interrupted while a phone rings, and a colleague answers
0 enters 7, 5 ringing 101 7 51, 10 cut, 12 available 101, 14 ringing 102 7 51, 20 connected 102 7 51, 20 answered 7 51 102, 50 leaves 7
> outcomes | 20 answered 7 wait=20 partial=true offered_to=101:null+102:6 agents=102; 55 ended 7 talk=30
> at 51 | a101 not_answered=0 ringing_seconds=5; a102 answered=1 not_answered=0
# a caller whose entry was not seen goes on in another queue
0 ringing 101 7 51, 10 enters 7 52, 10 leaves 7 51, 20 answered 7 52, 40 leaves 7 52
> outcomes | 20 answered 7 wait=null partial=true queue_waits=51:null+52:10; 45 ended 7 talk=20
> at 41 | q51 waiting_before=1 unknown=1 overflowed=0; q52 offered=1 answered=1 answer_wait_seconds=10; all waiting_before=1 unknown=1 offered=0 answered=0 talks=1
# the wrap-up after the agent's last talk, although a talk that the feed lost sight of goes on
0 enters 7, 5 answered 7 51 101, 20 cut, 30 answered 8 51 101, 32 answered 7 51 none, 60 available 101 8 51 - 15, 70 leaves 8
> outcomes | 5 answered 7; 30 answered 8; 75 ended 8 wrap_up=15
# an agent who had the caller without a queue gives the caller to two
0 trunkIn 7, 5 connected 101 7 none, 20 enters 7, 20 available 101, 25 enters 7 52, 40 answered 7 51 102, 60 leaves 7, 60 trunkOut 7
> outcomes | 5 answered 7 id_queue=null wait=5; 65 ended 7 id_queue=51 talks=101:15+102:20 queue_waits=51:20+52:15
# a call that an agent had from the trunk is back, answered in a queue by nobody knows whom
0 trunkIn 7, 5 connected 101 7 none, 20 trunkOut 7, 40 answered 7 51 none, 60 leaves 7
> outcomes | 5 answered 7; 25 ended 7 talk=15; 65 ended 7 after_ended=true id_queue=51 talk=35 talks=101:15+null:20 queue_waits=51:null
> at 61 | q51 waiting_before=1 unknown=1 talks=1 talk_seconds=20
# an entry at the answer that comes twice
0 enters 7, 10 answered 7 51 101, 11 enters 7 52, 11 enters 7 52, 40 leaves 7
> outcomes | 10 answered 7; 45 ended 7 queue_waits=51:10+52:0 talk=30
> at 20 | q52 offered=1 overflowed=1; all offered=1
# a ring without a queue is the first that is heard after an interruption
0 enters 7, 10 cut, 20 ringing 101 7, 40 available 101, 50 leaves 7
> alerts agentRinging 10 | 30 started 10 10 7 51 101; 40 resolved 10 20 left 7 51 101
> at 30 | a101 state=ringing id_call=7 id_queue=51; q51 waiting=1
# a wrap-up that comes twice, and one that is longer
0 enters 7, 5 answered 7, 5 connected 101 7 51, 30 leaves 7, 30 available 101 7 51 - 20, 30 available 101 7 51 - 20, 40 available 101 7 51 - 15, 70 -
> outcomes | 5 answered 7; 35 ended 7 wrap_up=20
> at 70 | q51 wrap_up_seconds=25 average_handle_time=50; a101 wrap_up_seconds=25
# back after the record, answered by an agent who is not known | until=200
0 enters 7, 30 leaves 7, 50 answered 7 51 none
> outcomes | 35 missed 7 wait=30; 50 answered 7 wait=50; 110 ended 7 talk=null ended_at=null reason=end-not-seen
# an agent who answers and hangs up before the bridge, and the caller waits on
0 enters 7, 8 ringing 101 7 51, 10 connected 101 7 51, 10.4 available 101, 12 ringing 102 7 51, 20 connected 102 7 51, 20 answered 7 51 102, 50 leaves 7, 50 available 102
> outcomes | 10 answered 7 wait=10 offered_to=101:2; 55 ended 7 talks=101:0+102:30 talk=30 wait=10 partial=false
> at 51 | q51 offered=1 answered=1 talks=2 talk_seconds=30 waiting=0; a101 answered=1; a102 answered=0
# autopause after a ring
0 enters 7, 1 ringing 101 7 51, 16 pause 101 9, 16 available 101, 17 ringing 102 7 51, 25 answered 7 51 102, 25 connected 102 7 51, 45 leaves 7, 45 available 102, 100 unpause 101
> outcomes | 25 answered 7 offered_to=101:15+102:8 agents=102; 50 ended 7 talk=20
> at 50 | a101 state=on_break since=16 seconds=34 ringing_seconds=15 not_answered=1 break_seconds=34; a102 not_answered=0 answered=1 ringing_seconds=8
> alerts agentOnBreak 60 | 76 started 60 60 101; 100 resolved 60 84 back 101
# overflow to a second queue and back
0 enters 7, 30 leaves 7, 30 enters 7 52, 60 leaves 7 52, 60 enters 7 51, 75 answered 7 51 102, 75 connected 102 7 51, 100 leaves 7, 100 available 102
> outcomes | 75 answered 7 wait=75 within_service_level=false queue_waits=51:30+52:30+51:15 queues=51+52; 105 ended 7 talk=25
> at 101 | q51 offered=2 overflowed=1 answered=1 answered_in_time=1 late=1 answer_wait_seconds=15 longest_wait_of_period=30 service_level=50; q52 offered=1 overflowed=1 late=1; all offered=1 answered=1 late=1 answered_in_time=0 answer_wait_seconds=75
> alerts callerWaiting 20 + callerWaiting 50 + callerWaiting 70 queueIds=52 | 20 started 20 20 7 51; 50 started 50 50 7 52; 75 resolved 20 75 answered 7 51; 75 resolved 50 75 answered 7 51
# a consultation in the same call, which the colleague leaves
0 enters 7, 5 answered 7, 5 connected 101 7 51, 40 transfert_start 101 7, 42 ringing 102 7, 48 connected 102 7, 60 available 102, 60 transfert_end 101 7, 90 leaves 7, 90 available 101
> outcomes | 5 answered 7; 95 ended 7 talk=85 talks=101:43+102:12+101:30 agents=101+102 partial=false
> at 50 | a101 state=transferring id_call=7; a102 state=talking; q51 talking=1
> at 91 | q51 talks=3 talk_seconds=85 answered=1; a101 talk_seconds=85; a102 talk_seconds=12 ringing_seconds=6 not_answered=0 answered=0
# a blind transfer that nobody takes comes back to the agent
0 enters 7, 5 answered 7, 5 connected 101 7 51, 30 available 101 7 51 - 5, 31 ringing 102 7, 51 available 102, 52 ringing 101 7, 56 connected 101 7, 80 leaves 7, 80 available 101
> outcomes | 5 answered 7; 85 ended 7 talk=49 talks=101:25+101:24 wrap_up=5 agents=101 partial=false
> at 81 | q51 talks=2 talk_seconds=49 wrap_up_seconds=5 answered=1; a101 wrap_up_seconds=5 ringing_seconds=4 talk_seconds=49 answered=1 not_answered=0; a102 not_answered=0 ringing_seconds=20
> alerts callLasting 60 | 65 started 60 60 7 51 101; 80 resolved 60 75 ended 7 51 101
# a blind transfer that nobody takes, and the caller hangs up
0 enters 7, 5 answered 7, 5 connected 101 7 51, 30 available 101, 31 ringing 102 7, 45 leaves 7, 45 available 102
> outcomes | 5 answered 7; 50 ended 7 talk=25 talks=101:25 ended_at=45 partial=false gave_up=undefined
> at 46 | q51 abandoned=0 talks=1 talk_seconds=25; all offered=1 answered=1 abandoned=0; a102 not_answered=0
# exactly at the limits of abandons
0 available 101, 0 enters 7, 5 leaves 7, 10 enters 8, 14.9 leaves 8, 20 enters 9, 40 leaves 9, 50 enters 10, 70.1 leaves 10
> outcomes | 10 missed 7 wait=5 missed_reason=abandoned_before_ringing; 19.9 missed 8 wait=5 missed_reason=short_abandoned; 45 missed 9 wait=20; 75.1 missed 10 wait=20
> at 76 | q51 abandoned=3 short_abandoned=1 abandoned_in_time=2 late=1 abandon_wait_seconds=50 service_level=0 abandonment_rate=100 average_speed_of_answer=null longest_wait_of_period=20
> alerts missedCalls 3 | 75.1 started 3 3 51
# a ring across the end of a period | until=620
290 enters 7, 295 ringing 101 7 51, 310 available 101, 320 leaves 7
> each 5 | a101 ringing_seconds=5 not_answered=0 state=ringing id_call=7 / ringing_seconds=10 not_answered=1 available_seconds=290; all agents_ringing=1 / agents_ringing=0 agents_ringing_seconds=10
# a missed call that comes back after the window
0 enters 7, 10 leaves 7, 74 enters 7, 80 leaves 7
> alerts missedCalls 1 windowMinutes=1 | 15 started 1 1 51; 70.001 resolved 1 0 below 51; 85 started 1 1 51
# fewer calls than the minimum are left in the window | until=100
0 enters 1, 10 enters 2, 25 leaves 1, 35 leaves 2
> alerts serviceLevelBelow 80 minimumCalls=2 windowMinutes=1 | 30.001 started 80 0 2 51; 90.002 resolved 80 above 2 51 value=null
# an unknown status during a talk
0 enters 7, 5 answered 7, 5 connected 101 7 51, 20 unavailable 101 7, 40 connected 101 7 51, 60 leaves 7, 60 available 101
> outcomes | 5 answered 7; 65 ended 7 talk=55 talks=101:55 partial=false
> at 30 | a101 state=null; q51 talking=1; all talking=1 agents_unknown=2
> at 61 | a101 talk_seconds=35; q51 talks=1 talk_seconds=55
# a second caller's call beside the first one's
0 enters 7, 5 answered 7 51 101, 5 connected 101 7 51, 20 enters 8, 25 answered 8 51 101, 25 connected 101 8 51, 40 available 101 8 51, 42 leaves 8, 60 leaves 7
> outcomes | 5 answered 7; 25 answered 8; 47 ended 8 talk=15; 65 ended 7 talk=35 ended_at=60 partial=false
> at 30 | q51 talking=2; a101 state=talking id_call=8
> at 41 | q51 talking=0 talks=2 talk_seconds=50; a101 talk_seconds=35 answered=2
# a call that is parked in a trunk and fetched by a colleague
0 enters 7, 5 answered 7, 5 connected 101 7 51, 40 trunkIn 7 80, 40 leaves 7 51, 40 available 101, 80 connected 102 7, 120 available 102, 120 trunkOut 7 80
> outcomes | 5 answered 7; 125 ended 7 talk=75 talks=101:35+102:40 agents=101+102 partial=false after_ended=undefined
> at 60 | q51 talking=0; all talking=0 waiting=0
> at 121 | q51 answered=1 talks=2 talk_seconds=75; a102 answered=0 talk_seconds=40
# short in its last queue, not as a whole
0 enters 7, 3 leaves 7, 3 enters 7 52, 7 leaves 7 52
> outcomes | 12 missed 7 wait=7 missed_reason=null queue_waits=51:3+52:4
> at 8 | q51 overflowed=1 short_abandoned=0; q52 short_abandoned=1 abandoned=0 abandon_wait_seconds=4; all abandoned=1 short_abandoned=0 abandoned_in_time=1 abandon_wait_seconds=7
> alerts missedCalls 1 | 12 started 1 1 52
# a second wait that is given up is no missed call
0 enters 7, 5 answered 7, 60 enters 7 52, 60 leaves 7, 100 leaves 7 52
> outcomes | 5 answered 7; 105 ended 7 gave_up=true talk=55 ended_at=100 answered=true
> alerts missedCalls 1 |
> alerts serviceLevelBelow 80 minimumCalls=1 | 80.001 started 80 0 7 52
> alerts callerWaiting 30 | 90 started 30 30 7 52; 100 resolved 30 40 abandoned 7 52
# the id comes again after trunk and record
0 trunkIn 7, 0 enters 7, 10 leaves 7, 300 trunkOut 7, 350 enters 7, 360 leaves 7
> outcomes | 70 missed 7 wait=10; 365 missed 7 wait=10 started_at=350 after_missed=undefined
> at 361 | q51 offered=2 abandoned=2 abandon_wait_seconds=20; all offered=2 abandoned=2 late=0
> alerts callerWaiting 8 | 8 started 8 8 7 51; 10 resolved 8 10 left 7 51; 358 started 8 8 7 51; 360 resolved 8 10 abandoned 7 51
# a pause behind its end, and behind a status | agents=101+102
0 available 101 #1, 0 available 102 #2, 10 unpause 101 #5, 11 pause 101 #4, 12 connected 102 7 51 #7, 13 pause 102 #6, 30 available 102 #8
> at 20 | a101 state=available; a102 state=talking
> at 35 | a102 state=on_break since=30
# a long call across an interruption
0 enters 7, 5 answered 7, 5 connected 101 7 51, 70 cut, 80 transfert_start 101 7, 90 transfert_end 101 7, 100 leaves 7, 100 available 101
> alerts callLasting 60 | 65 started 60 60 7 51 101; 70 unknown 60 65 feed-gap 7 51 101; 80 started 60 75 7 51 101 since=5; 100 resolved 60 95 ended 7 51 101
# nobody is free across an interruption
0 pause 101, 0 pause 102, 40 cut, 50 pause 101, 60 pause 102, 90 unpause 102
> alerts agentsAvailableBelow 1 | 30 started 1 0; 40 unknown 1 0 feed-gap; 60 started 1 0 since=0; 90 resolved 1 1 above
# a call that is back before its period is told, behind the end of it | until=620
270 enters 7, 298 leaves 7, 308 enters 7 52, 311 answered 7 52, 320 leaves 7 52
> each 5 | q51 offered=1 overflowed=1 abandoned=0 late=1; q52 / offered=1 answered=1 answered_in_time=1; all offered=1 waiting=1 abandoned=0 late=1 / waiting_before=1 answered=1 answer_wait_seconds=41 late=0
> outcomes | 303 missed 7 wait=28; 311 answered 7 wait=41 after_missed=true; 325 ended 7 talk=9 after_missed=true
# three queues ring at once, and each report of the answer comes a second later
0 enters 7, 0 enters 7 52, 0 enters 7 53, 10 connected 102 7, 11 answered 7 52 102, 11 leaves 7 51, 11 leaves 7 53, 60 leaves 7 52, 60 available 102
> outcomes | 10 answered 7 wait=10 agents=102; 65 ended 7 id_queue=52 talk=50 talks=102:50 partial=false
> at 20 | q51 overflowed=1 answered=0; q52 answered=1 talking=1; q53 overflowed=1 answered=0 talking=0; all answered=1 talking=1
# put through to a menu by the agent, and to a queue minutes after the record | until=400
0 trunkIn 7, 0 enters 7, 5 answered 7, 5 connected 101 7 51, 40 leaves 7, 40 available 101, 300 enters 7 52, 310 leaves 7 52, 310 trunkOut 7
> outcomes | 5 answered 7; 100 ended 7 talk=35; 315 ended 7 talk=35 wait=5 gave_up=true after_ended=true queue_waits=51:5+52:10
> at 311 | q52 offered=1 abandoned=1 abandon_wait_seconds=10; all offered=2 answered=1 abandoned=1 abandon_wait_seconds=10 late=0
# an answer in one queue empties another
0 enters 1, 0 enters 1 52, 0 enters 2 52, 10 answered 1 51, 15 enters 3 52, 20 leaves 3 52
> alerts callersWaiting 2 | 0 started 2 2 52; 10 resolved 2 1 below 52; 15 started 2 2 52; 20 resolved 2 1 below 52
# an outcome for one agent of two | agentIds=102
0 enters 7, 10 answered 7, 10 connected 101 7 51, 30 available 101, 31 connected 102 7, 60 leaves 7, 60 available 102, 70 enters 8, 71 leaves 8
> outcomes | 65 ended 7 talks=101:20+102:29 agents=101+102
# a queue that is first heard in the second period | until=920
290 enters 7, 310 enters 7 52, 310 leaves 7, 320 leaves 7 52, 630 -
> each 5 | q51 offered=1 overflowed=0 waiting=1 / waiting_before=1 overflowed=1 late=0 / offered=0; q52 / offered=1 abandoned=1 abandoned_in_time=1 / offered=0 abandoned=0 service_level=null; all offered=1 waiting=1 / waiting_before=1 abandoned=1 abandoned_in_time=0 late=1 / offered=0 abandoned=0
# a caller enters the same queue after an outage
0 enters 7, 10 down, 50 up, 55 enters 7, 70 answered 7, 90 leaves 7
> outcomes | 70 answered 7 wait=70 partial=true within_service_level=false; 95 ended 7 talk=20 partial=true
> at 80 | q51 offered=2 unknown=1 answered=1 answered_in_time=1 answer_wait_seconds=15; all offered=1 waiting_before=1 unknown=2 answered=0
# a second wait is interrupted
0 enters 7, 5 answered 7, 5 connected 101 7 51, 50 enters 7 52, 50 leaves 7, 50 available 101, 60 cut, 70 answered 7 52 102, 100 leaves 7 52
> outcomes | 5 answered 7 wait=5; 105 ended 7 wait=5 talk=75 talks=101:45+102:30 partial=true reason=feed-gap
> at 101 | q51 answered=1 talks=1; q52 offered=1 waiting_before=1 unknown=2 answered=0 talks=1 talk_seconds=30; all offered=2 answered=1 waiting_before=1 unknown=2 talks=2 talk_seconds=75
# wrap-up of both agents of a call that is given on
0 enters 7, 5 answered 7, 5 connected 101 7 51, 40 enters 7 52, 40 leaves 7, 40 available 101 7 51 - 10, 50 answered 7 52 102, 50 connected 102 7 52, 70 leaves 7 52, 70 available 102, 71 available 102 7 53 - 5, 90 -
> outcomes | 5 answered 7; 75 ended 7 talk=55 wrap_up=15
> at 80 | q51 wrap_up_seconds=10 talks=1 average_handle_time=45; q52 wrap_up_seconds=5 talks=1 average_handle_time=25; all wrap_up_seconds=15 agents_wrap_up_seconds=15
# two levels across an interruption that lasts
0 enters 7, 35 down, 80 up, 85 alert_file 7, 100 leaves 7
> alerts callerWaiting 30 + callerWaiting 60 | 30 started 30 30 7 51; 35 unknown 30 35 feed-gap 7 51; 85 started 30 85 7 51 since=0; 85 started 60 85 7 51 since=0; 100 resolved 30 100 abandoned 7 51; 100 resolved 60 100 abandoned 7 51
# waits and talks of fractions
0 enters 7, 10.4 leaves 7, 10.4 enters 7 52, 20.8 answered 7 52, 20.8 connected 101 7 52, 31.2 connected 102 7, 31.2 available 101, 41.6 leaves 7 52, 41.6 available 102
> outcomes | 20.8 answered 7 wait=21 within_service_level=false queue_waits=51:10+52:10; 46.6 ended 7 talks=101:10+102:10 talk=20
> at 43 | q52 answer_wait_seconds=10 answered_in_time=1 talk_seconds=20 talks=2; all answer_wait_seconds=21 late=1 talk_seconds=20
# a call without a queue is in no figure and no alert
0 trunkIn 7, 10 connected 101 7, 100 trunkOut 7, 100 available 101
> alerts callLasting 20 + callerWaiting 5 + missedCalls 1 + serviceLevelBelow 99 minimumCalls=1 |
> at 50 | all talking=0 agents_talking=1 answered=0; a101 state=talking answered=0
> outcomes | 10 answered 7 wait=10 id_queue=null queue_waits=none; 105 ended 7 talk=90
# a second wait that is given up, and the caller is back
0 enters 7, 5 answered 7, 5 connected 101 7 51, 50 enters 7 52, 50 leaves 7, 50 available 101, 85 leaves 7 52, 100 enters 7 52, 110 answered 7 52 102, 130 leaves 7 52
> outcomes | 5 answered 7; 90 ended 7 gave_up=true; 135 ended 7 gave_up=undefined after_ended=true talk=65 wait=5 queue_waits=51:5+52:35+52:10
> at 90 | q52 abandoned=1; all offered=2 answered=1 abandoned=1
> at 131 | q52 offered=2 overflowed=1 answered=1 answered_in_time=1 late=1; all offered=2 answered=2 abandoned=0 answer_wait_seconds=65 late=1
# a logout ends with unpause, and a break with logout and login
0 logout 101, 10 unpause 101, 20 pause 101 2, 30 logout 101, 40 pause 101 3, 50 login 101, 60 -
> at 15 | a101 state=available since=10
> at 35 | a101 state=logged_out since=30 break_seconds=10
> at 45 | a101 state=on_break since=40
> at 55 | a101 state=available since=50 break_seconds=20 available_seconds=15
# an outage across midnight | start=2026-11-21T22:30:00Z until=5500
0 available 101, 1000 down, 2000 up, 2010 available 101, 2020 -
> each 60 | a101 available_seconds=1000 from=-1800 to=1800 counted_since=0 complete=false missed_seconds=2600 / available_seconds=3390 from=1800 to=5400 counted_since=null complete=false missed_seconds=200
> each day | a101 available_seconds=1000 from=-84600 to=1800 counted_since=0 complete=false missed_seconds=85400
# a colleague's phone rings before the caller's side is seen
0 ringing 102 9, 1 calling 101 9, 6 connected 101 9, 6 connected 102 9, 30 available 101, 30 available 102
> outcomes |
> at 3 | all waiting=0 offered=0; a102 state=ringing; a101 state=calling
> at 31 | a101 talk_seconds=29; a102 talk_seconds=24 ringing_seconds=6 not_answered=0 answered=0; all answered=0 unknown=0 talks=0
# an agent who was dropped during a talk is seen without it | until=200
0 enters 7, 5 answered 7, 5 connected 101 7 51, 30 lists 102, 31 available 102, 40 available 101
> outcomes | 5 answered 7; 100 ended 7 talk=35 partial=true reason=end-not-seen ended_at=40
> at 50 | q51 talking=0 talks=1 talk_seconds=35
# two interruptions of one talk, in which the agent is seen again
0 enters 7, 5 answered 7, 5 connected 101 7 51, 20 cut, 30 connected 101 7 51, 50 cut, 60 connected 101 7 51, 90 leaves 7, 90 available 101
> outcomes | 5 answered 7; 95 ended 7 talk=85 talks=101:85 partial=true
> at 91 | q51 talks=1 talk_seconds=85 answered=1; a101 talk_seconds=65
# a caller in two queues, seen in one of them after an interruption
0 enters 7, 0 enters 7 52, 10 cut, 20 alert_file 7 52, 40 answered 7 52, 60 leaves 7 52
> outcomes | 40 answered 7 wait=40 partial=true id_queue=52; 65 ended 7 talk=20
> at 30 | q51 offered=1 unknown=1 waiting=0; q52 offered=1 unknown=1 waiting_before=1 waiting=1; all offered=1 unknown=1 waiting_before=1 waiting=1
> alerts callersWaiting 1 | 0 started 1 1 51; 0 started 1 1 52; 10 unknown 1 1 feed-gap 51; 10 unknown 1 1 feed-gap 52; 20 started 1 1 52 since=0; 40 resolved 1 0 below 52
# of whom nobody knows, and who is back
0 enters 7, 10 cut, 40 leaves 7, 60 enters 7 52, 80 answered 7 52, 100 leaves 7 52
> outcomes | 45 ended 7 answered=null wait=null; 80 answered 7 wait=80 within_service_level=false partial=true after_ended=true; 105 ended 7 wait=80 talk=20 after_ended=true
> at 101 | q51 offered=1 unknown=1; q52 offered=1 answered=1 answered_in_time=1 answer_wait_seconds=20; all offered=1 waiting_before=1 unknown=2 answered=0
# moved, given back and lost, across two periods | until=960
250 enters 7, 260 answered 7, 260 connected 101 7 51, 290 enters 7 52, 290 leaves 7, 290 available 101, 310 leaves 7 52, 330 enters 7 51, 335 answered 7 51 101, 335 connected 101 7 51, 640 leaves 7, 640 available 101
> outcomes | 260 answered 7; 315 ended 7 gave_up=true; 645 ended 7 talk=335 after_ended=true gave_up=undefined queue_waits=51:10+52:20+51:5
> each 5 | q51 offered=1 answered=1 talks=1 talk_seconds=30 / offered=1 answered=1 talks=0 talking=1 / talks=1 talk_seconds=305; q52 offered=1 waiting=1 abandoned=0 / waiting_before=1 overflowed=1 abandoned=0 late=0; all offered=2 answered=1 waiting=1 / waiting_before=1 answered=1 answer_wait_seconds=45 late=1 offered=0 / talks=1 talk_seconds=305; a101 answered=1 talk_seconds=30 available_seconds=10 / answered=1 talk_seconds=265 / talk_seconds=40
# an agent of the trunk does not answer
0 trunkIn 9, 2 ringing 101 9, 20 available 101, 40 trunkOut 9
> outcomes | 45 missed 9 wait=40 missed_reason=agents_did_not_answer offered_to=101:18
> at 41 | a101 not_answered=0 ringing_seconds=18
# a wrap-up that ends at the moment at which nobody would have been free for long enough, and a stranger's record comes | agents=101+102+103
113 ringing 102 2 51, 191 ringing 103 2 52, 194 available 101 3 53 - 5, 194 leaves 2 none, 240 -
> alerts agentsAvailableBelow 1 belowForSeconds=5 |
# the same with half a minute | agents=101+102+103 until=120
0 connected 102 3 none, 31 answered 2 52 103, 32 available 103 1 51 - 30, 44 calling 101 9, 62 available 103 3 51 - 30
> alerts agentsAvailableBelow 1 belowForSeconds=30 |
# an agent of the trunk gives the caller to a queue soon after the end of a period | until=620
0 trunkIn 7, 5 connected 101 7 none, 305 enters 7, 330 leaves 7, 330 trunkOut 7
> each 5 | all talking=0 talks=0 / talking=0 talks=0 talk_seconds=0 offered=1 abandoned=1
# the second answer of a call that an agent had from the trunk, whose second report names another of its queues | until=200
0 trunkIn 7, 5 connected 101 7 none, 20 enters 7 52, 20 available 101, 21 enters 7 53, 30 connected 102 7 none, 30 answered 7 52 102, 40 available 102 7 52
> outcomes | 5 answered 7 id_queue=null; 100 ended 7 id_queue=52 queue_waits=52:10+53:9 reason=end-not-seen
# an agent of the trunk gives the caller to a queue, whose entry is delivered behind the first ring
0 trunkIn 7, 8 connected 101 7 none, 40 available 101, 41 ringing 102 7 52 #9, 42 enters 7 52 #8, 50 leaves 7 52 #10, 50 trunkOut 7 #11
> outcomes | 8 answered 7 wait=8; 55 ended 7 wait=8 gave_up=true queue_waits=52:8
# the provider's clock is set back twice: what comes after it is not late
0 available 101 @0, 100 enters 7 51 - @46, 120 enters 8 51 - @20, 130 enters 9 51 - @30, 165 - @65
> alerts callerWaiting 30 | 120 started 30 30 7 51; 140 started 30 30 8 51; 160 started 30 30 9 51
# a service level is reached again when the caller who counted as late turns out to have left before
0 available 101 @0, 1 enters 1 51 - @1, 60 enters 2 51 - @60, 82 leaves 2 51 @74
> alerts serviceLevelBelow 80 minimumCalls=1 windowMinutes=1 | 21.001 started 80 0 1 51; 74 resolved 80 above 1 51; 87 started 80 0 2 51
# seen to wait in another queue after an interruption of a talk whose end was not seen
0 connected 101 7 52, 70 cut, 110 available 101, 130 ringing 101 7 51, 131 leaves 7 51
> outcomes | 0 answered 7; 136 ended 7 gave_up=true
# another agent's report of an answer, after an interruption
0 connected 102 7 52, 0.3 cut, 0.6 available 102, 0.9 connected 101 7 52, 26.9 leaves 7 52
> outcomes | 0 answered 7; 31.9 ended 7 agents=102+101
# the provider's clock is set back while a caller moves on, who counted as late before the period ended | until=620
0 available 101 @0, 275 enters 7 @275, 303 leaves 7 51 @-3000, 303.1 enters 7 52 @-3000, 330 leaves 7 52 @-2973
> each 5 | all offered=1 late=1 waiting=1 / waiting_before=1 late=0 abandoned=1
# an interruption while the caller is between two queues, back after the record
0 available 101, 0 enters 7, 20 leaves 7, 21 down, 60 up, 62 enters 7 52, 80 leaves 7 52
> outcomes | 25 missed 7 partial=false missed_reason=abandoned_before_ringing; 85 missed 7 wait=80 partial=true reason=feed-gap missed_reason=null
# the entry into the queue that an answer names is delivered behind the answer
0 enters 7, 20 answered 7 52, 20.5 enters 7 52, 60 leaves 7 52
> outcomes | 20 answered 7 id_queue=51; 65 ended 7 id_queue=52 queue_waits=51:20+52:0 talk=40
> at 30 | q51 overflowed=1 answered=0 talking=0; q52 offered=1 answered=1 answered_in_time=1 talking=1; all offered=1 answered=1 talking=1
# … and a second report of the answer names it
0 enters 7, 20 answered 7 none none, 20.5 enters 7 52, 21 connected 101 7 52, 60 leaves 7 52
> outcomes | 20 answered 7 id_queue=51; 65 ended 7 id_queue=52 queue_waits=51:20+52:0 talk=40
# … of a queue that the call left just before: it counts once
0 enters 7, 10 enters 7 52, 30 leaves 7 none, 30.1 answered 7, 30.2 enters 7 52, 60 leaves 7
> outcomes | 30.1 answered 7; 65 ended 7 queue_waits=51:30+52:20
> at 40 | q51 answered=1; q52 offered=1 overflowed=1
# an interruption while a phone rings for a call that is in no place
0 trunkIn 7, 10 trunkOut 7, 12 ringing 101 7, 14 down, 40 up, 41 answered 7 51 102
> outcomes | 15 missed 7 offered_to=101:null; 41 answered 7 offered_to=101:null
# what ends an alert about a service level is shown by an event: that is its moment
0 enters 1, 21 leaves 1, 30 connected 106 2 51, 30.8 enters 2, 40 answered 3
> alerts serviceLevelBelow 50 minimumCalls=1 | 20.001 started 50 0 1 51; 30.8 resolved 50 50 above 1 51
# a call leaves its trunk for a queue long after its record, and the deletion is reported first
0 enters 7, 10 leaves 7, 10 trunkIn 7, 200 trunkOut 7, 200 enters 7, 205 answered 7, 230 leaves 7
> outcomes | 70 missed 7; 205 answered 7 wait=205 after_missed=true; 235 ended 7 talk=25
> at 231 | q51 offered=2 overflowed=1 answered=1; all offered=1 answered=1
# a caller who comes to a queue of the filter after the end of a period, and was late before it | queueIds=51 until=1000
279 enters 7 52, 300 enters 7 51, 300 leaves 7 52, 335 answered 7 51 101, 345 leaves 7 51
> each 5 | all offered=1 late=1 waiting=1 / waiting_before=1 late=0 answered=1 talks=1
# an answer that is delivered behind the deletion, which was told with its period | serviceLevelSeconds=5 until=700
298 enters 7, 299 leaves 7, 300.8 connected 101 7 51, 310 leaves 7
> at 312 5 | q51 late=0 answered=0; all waiting_before=1 answered=1 late=0
# … and was not in time | serviceLevelSeconds=2 until=700
298 enters 7, 299 leaves 7, 300.8 connected 101 7 51, 310 leaves 7
> at 312 5 | q51 late=0 answered=0; all waiting_before=1 answered=1 late=1
# an entry that is delivered behind the answer, which was told with its period | until=700
299 answered 7 51 101, 300.4 enters 7, 340 leaves 7
> at 312 5 | q51 offered=0 waiting_before=0 answered=0; all offered=0 waiting_before=0 answered=0
# the totals of a filter count the talk of each answer that they count | queueIds=51
0 enters 7 51, 10 leaves 7 51, 10 enters 7 52, 30 answered 7 52, 60 leaves 7 52
> at 40 | q51 overflowed=1 talking=0; all answered=1 talking=1
> at 61 | all talks=1 talk_seconds=30
# a queue reports that it lets a phone ring: the end of the break was missed
0 pause 101 Lunch, 20 enters 7, 25 rings 7 51 101, 40 available 101, 60 leaves 7
> at 45 | a101 state=available break_seconds=25 available_seconds=20 not_answered=1
> alerts agentOnBreak 10 | 10 started 10 10 101; 25 resolved 10 25 back 101
# … and reports again what the agent's status said, after the agent has asked for a break
0 enters 7, 5 ringing 101 7 51, 6 pause 101 Lunch, 7 rings 7 51 101, 20 available 101
> at 30 | a101 state=on_break ringing_seconds=15 break_seconds=10
# a trunk reports an agent's own call behind the agent's next status
0 calling 101 9, 8 available 101, 9 trunkIn 9, 20 trunkOut 9
> outcomes |
> at 15 | all waiting=0 offered=0; a101 state=available
# a queue tells the end of an agent's own call, whose identifier a caller's call has an hour later
0 connected 101 9 none, 30 leaves 9, 4000 trunkIn 9, 4060 enters 9, 4100 leaves 9, 4100 trunkOut 9
> outcomes | 4105 missed 9 wait=40 started_at=4000
# an agent's status names no queue: it is the one of the answer
1 enters 7, 4 answered 7 51 101, 5 connected 101 7
> at 12 | a101 id_call=7 id_queue=51
# exactly two seconds after a ring stopped, a colleague takes the call
0 enters 7, 5 ringing 101 7 51, 15 available 101, 17 connected 102 7 51
> at 25 | a101 not_answered=0; a102 answered=1
# a caller who was in trunks alone comes back to one, which answers
0 trunkIn 7, 10 trunkOut 7, 40 trunkIn 7 8, 45 trunkAnswered 7 8, 100 trunkOut 7 8
> outcomes | 15 missed 7 wait=10; 105 ended 7 wait=45 answered=true after_missed=true
# a caller of whom nothing was heard for two hours, until the end
0 enters 7, 7300 leaves 7
> outcomes | 7305 ended 7 answered=null wait=null partial=true reason=end-not-seen
# an interruption of a stay in a queue: it is one
0 enters 7, 10 down, 15 up, 20 answered 7, 40 leaves 7
> outcomes | 20 answered 7 wait=20 queue_waits=51:null; 45 ended 7 queue_waits=51:null talk=20 partial=true
# a login without somebody of whom nothing was heard leaves too few who may be available
0 available 101, 50 lists 101, 51 alert_file 9 51, 80 -
> alerts agentsAvailableBelow 2 belowForSeconds=10 | 61 started 2 1
# a long call is passed on with a consultation, and without
0 enters 7, 10 answered 7, 10 connected 101 7 51, 80 connected 102 7, 81 available 101, 200 leaves 7, 200 available 102
> alerts callLasting 60 | 70 started 60 60 7 51 101; 200 resolved 60 190 ended 7 51 102
# …
0 enters 7, 10 answered 7, 10 connected 101 7 51, 80 available 101, 82 connected 102 7, 200 leaves 7, 200 available 102
> alerts callLasting 60 | 70 started 60 60 7 51 101; 80 resolved 60 70 ended 7 51 101
> outcomes | 10 answered 7; 205 ended 7 talk=188 talks=101:70+102:118
# somebody whom a login does not list any more is the first who is heard of after it | agents=101+102+103
0 pause 101 L, 0 pause 102 L, 0 pause 103 L, 20 lists 101 102, 30 unpause 103, 60 -
> alerts agentsAvailableBelow 1 belowForSeconds=10 | 10 started 1 0; 30 resolved 1 1 above
# a call that a trunk has before anything is heard of it, and whose entry comes behind the first ring
0 trunkAnswered 7, 20 ringing 101 7 51, 20.2 enters 7, 25 answered 7 51, 60 leaves 7, 60 trunkOut 7
> outcomes | 25 answered 7 wait=5 started_at=null partial=true reason=start-not-seen; 65 ended 7 started_at=null
# a trunk reports a call again, half an hour after an agent had it
0 trunkIn 7, 10 connected 101 7 none, 40 available 101, 2000 trunkIn 7, 2200 -
> outcomes | 10 answered 7 id_queue=null; 100 ended 7 talk=30
# a phone that rings for an answered call rings on when its queue loses the call, and the next one gets it
0 enters 7, 5 answered 7, 5 connected 101 7 51, 20 ringing 102 7 51, 20 available 101, 21 leaves 7, 24 enters 7 52, 40 leaves 7 52, 40 available 102
> outcomes | 5 answered 7; 45 ended 7 talk=15 offered_to=102:16 gave_up=true
# an interruption hid the entry: one that is reported at the answer is not that of the wait
0 ringing 102 7 51, 4 down, 6 up, 19 connected 101 7 51, 20.3 enters 7, 60 leaves 7
> at 30 | q51 offered=0 answered=0 answered_in_time=0 talking=1
# who has the call after an interruption is known: a queue that never had it says nothing
0 connected 101 7 51, 100 down, 105 up, 120 connected 102 7 51, 200 available 102, 200 leaves 7 55, 300 -
> outcomes | 0 answered 7; 260 ended 7 talks=101:null+102:80 partial=true
# the first answer was of a trunk, the second one too: the outcome has the queue that the caller left last
0 trunkIn 7, 10 connected 101 7 none, 50 enters 7 52, 60 leaves 7 52, 90 connected 101 7 none, 200 enters 7 53, 220 leaves 7 53, 220 trunkOut 7
> outcomes | 10 answered 7; 225 ended 7 id_queue=53
# after an interruption the numbers have begun anew: what is late among those is not old | agents=101+102
0 enters 7 #5000, 1 available 101 #5001, 10 down, 15 up, 20 available 102 #10, 20 connected 101 7 51 #9, 60 leaves 7 #11
> outcomes | 20 answered 7; 65 ended 7 talk=40
> at 30 | a101 state=talking
# after an interruption, whoever is answered elsewhere does not wait in the first queue, which reports the entry behind that
0 enters 1 52, 1 enters 2 52, 2 enters 3 52, 10 down, 12 up, 20 answered 3 51 none, 20.6 enters 3 52, 30 enters 4 52, 40 enters 5 52, 50 enters 6 52
> alerts callersWaiting 3 | 2 started 3 3 52; 10 unknown 3 3 feed-gap 52; 50 started 3 3 52 since=50
# one login does not list an agent, and the next one does: the talk that an interruption cut may go on | agents=101+102
0 connected 101 7 51, 10 lists 102, 20 enters 8, 30 down, 35 up, 40 lists 101 102, 50 ringing 102 8 51, 200 -
> outcomes | 0 answered 7
# the trunk itself has answered: whoever it lets ring meanwhile has missed no caller who waits
0 trunkAnswered 7, 38 ringing 101 7 none, 51 available 101 7, 55 ringing 101 7 51, 55 leaves 7, 200 -
> outcomes | 115 missed 7 missed_reason=abandoned_while_ringing
# a login with an empty list says nothing of whoever had a call before an interruption
0 enters 7, 5 answered 7, 10 down, 15 up, 20 lists, 30 enters 8, 200 -
> outcomes | 5 answered 7
# a login that does not list an agent any more, just before an interruption | agents=101+102
0 ringing 101 7 51, 25 lists 102, 30 cut
> alerts agentRinging 10 | 10 started 10 10 7 51 101; 30 resolved 10 30 left 7 51 101
# an agent who dials a queue is its caller, and does not answer it
0 calling 101 9, 1 enters 9 51, 2 connected 101 9, 40 leaves 9 51, 41 available 101
> outcomes | 45 missed 9 wait=39 missed_reason=abandoned_before_ringing
> at 30 | q51 offered=1 answered=0 waiting=1 talking=0; a101 state=talking answered=0
# … also to consult a colleague about another call | agents=101+102
0 enters 7, 10 answered 7, 10 connected 101 7 51, 30 transfert_start 101 7, 31 calling 101 9, 32 enters 9 52, 33 connected 101 9, 40 ringing 102 9 52, 50 answered 9 52 102, 50 connected 102 9 52, 60 connected 102 7 51, 60 available 101, 60 leaves 9 52, 80 leaves 7, 80 available 102
> outcomes | 10 answered 7; 50 answered 9 wait=18 agents=102 offered_to=102:10; 65 ended 9 talk=10; 85 ended 7 talks=101:50+102:20
> at 55 | a102 answered=1
# … and whoever gives the other side of an own call to a queue, whose status is repeated, does not have it
0 calling 101 9, 5 connected 101 9, 30 enters 9 51, 30.2 connected 101 9, 31 available 101, 60 leaves 9 51
> outcomes | 65 missed 9 wait=30
# an answer that is delivered before the entry into the queue that it names ends a wait of nothing there
0 enters 7, 10 answered 7 52 101, 10.8 enters 7 52, 40 leaves 7 52
> outcomes | 10 answered 7 id_queue=51; 45 ended 7 queue_waits=51:10+52:0 id_queue=52
> at 42 | q52 offered=1 answered=1 answer_wait_seconds=0 average_speed_of_answer=0
# … which alone is of the filter | queueIds=52
0 enters 7, 10 answered 7 52 101, 10.3 enters 7 52, 40 leaves 7 52
> at 30 | q52 offered=1 answered=1 talking=1; all offered=1 answered=1 talking=1 answer_wait_seconds=10
> at 42 | q52 talks=1 talk_seconds=30; all talks=1 talk_seconds=30
# … also a queue that the answer does not name | queueIds=52
0 enters 7, 10 answered 7 51 101, 10.3 enters 7 52, 40 leaves 7 51
> at 42 | q52 offered=1 overflowed=1; all offered=1 answered=1 talks=1 talk_seconds=30
# what a call left before is no end of it: an interruption has hidden where it went | until=43300
0 trunkIn 7, 5 trunkOut 7, 5 enters 7 51, 20 down, 30 up
> outcomes | 43205 ended 7 answered=null ended_at=null
# … nor the queue that it moved on from
0 enters 7, 10 leaves 7, 10 enters 7 52, 43300 -
> outcomes | 43210 ended 7 answered=null ended_at=null
# a caller who has left a queue and a trunk is told as gone together with the record, not before
0 trunkIn 7, 0 enters 7, 30 leaves 7, 33 trunkOut 7, 37 enters 7 52, 45 answered 7 52, 60 leaves 7 52
> outcomes | 45 answered 7 wait=45; 65 ended 7
> alerts callerWaiting 15 | 15 started 15 15 7 51; 45 resolved 15 45 answered 7 52
# … who does not turn up
0 trunkIn 7, 0 enters 7, 30 leaves 7, 33 trunkOut 7
> outcomes | 38 missed 7 wait=30
> alerts callerWaiting 15 | 15 started 15 15 7 51; 30 resolved 15 30 abandoned 7 51
# who has the call may consult somebody within it
0 trunkIn 7, 1 connected 101 7 none, 4 calling 101 7, 40 connected 101 7, 60 trunkOut 7, 60 available 101
> outcomes | 1 answered 7; 65 ended 7 talk=59
# what is seen of a later wait says nothing of when the call began
0 connected 101 7 51, 30 cut, 35 ringing 102 7 52, 36 enters 7 52, 60 leaves 7 52
> outcomes | 0 answered 7; 65 ended 7 started_at=null
# a transfer to somebody outside fails, and the talk goes on
0 enters 7, 10 answered 7, 10 connected 101 7 51, 28 transfert_start 101 7, 30 trunkIn 7 8, 45 trunkOut 7 8, 46 transfert_end 101 7, 80 leaves 7, 80 available 101
> outcomes | 10 answered 7; 85 ended 7 talk=70
> at 60 | q51 talking=1; a101 state=talking
> alerts callLasting 60 | 70 started 60 60 7 51 101; 80 resolved 60 70 ended 7 51 101
# … nor is the trunk of the first site the end, when another one has the call
0 trunkIn 7 9, 0 enters 7 51, 20 trunkIn 7 8, 20 enters 7 53, 30 connected 101 7 53, 33 leaves 7 51, 33 trunkOut 7 9, 80 leaves 7 53, 80 trunkOut 7 8, 80 available 101
> outcomes | 30 answered 7 id_queue=53; 85 ended 7 talk=50
# … nor one in which the call never was
0 trunkIn 7 9, 0 enters 7, 10 answered 7, 10 connected 101 7 51, 30 trunkOut 7 8, 60 leaves 7, 60 trunkOut 7 9, 60 available 101
> outcomes | 10 answered 7; 65 ended 7 talk=50
# an agent's phone rings before the number is dialled for the agent
0 ringing 101 9, 7 trunkIn 9, 8 calling 101 9, 20 connected 101 9, 60 available 101, 60 trunkOut 9
> outcomes |
# … and the trunk reports it last
0 ringing 101 9, 8 calling 101 9, 9 trunkIn 9, 30 available 101, 30 trunkOut 9
> outcomes |
# an agent's own report of an answer comes before the queue's, of a caller whose entry was not seen
0 available 101, 1 down, 20 up, 25 connected 101 7 none, 25.2 answered 7 51 101, 40 leaves 7, 40 available 101
> outcomes | 25.2 answered 7 agents=101 id_queue=51; 45 ended 7 talk=15
> at 30 | q51 talking=1
# … who is given to another queue
5 connected 101 7 none, 5.1 answered 7 51 101, 30 enters 7 52, 30 available 101, 50 leaves 7 52
> outcomes | 5.1 answered 7 agents=101; 55 ended 7 gave_up=true talk=25
# an agent's row has the queue of the answer, also after a transfer
0 enters 7 51, 0 enters 7 52, 10 connected 101 7, 10.1 answered 7 51 101, 30 connected 102 7, 30 available 101, 60 leaves 7 51, 60 available 102
> at 20 | q51 talking=1 answered=1; q52 talking=0 overflowed=1; a101 state=talking id_queue=51 answered=1
> at 40 | q51 talking=1; a102 state=talking id_queue=51
# a trunk's end of a call of whose talk the feed lost sight
0 trunkIn 7, 0 enters 7, 10 answered 7, 10 connected 101 7 51, 30 down, 50 up, 60 trunkOut 7
> outcomes | 10 answered 7; 65 ended 7 talks=101:null ended_at=60 partial=true
# an answer of nobody brings a call back too
0 enters 7, 10 answered 7 51 none, 30 leaves 7, 50 answered 7 51 none, 70 leaves 7
> outcomes | 10 answered 7; 35 ended 7; 75 ended 7 talks=null:20+null:20 after_ended=true
# what is reported of an agent's own call within a minute of its end is of that call, and the identifier is free later
0 calling 101 9, 3 leaves 9 51, 5 connected 101 9, 300 trunkIn 9, 340 trunkOut 9, 340 enters 9 51, 400 leaves 9 51
> outcomes | 405 missed 9 wait=60 started_at=300
# an interruption during the wait, and another one after it
0 available 101, 0 trunkIn 7, 0 enters 7, 10 leaves 7, 12 cut, 13 available 101, 20 enters 7, 48 leaves 7, 60 cut, 61 available 101, 70 trunkOut 7
> outcomes | 75 missed 7 wait=48 missed_reason=null partial=true
# … the other way round, and the one in the wait is found later
0 available 101, 1 trunkIn 7, 5 cut, 10 trunkOut 7, 10.1 enters 7, 40 leaves 7, 41 gap 15 30
> outcomes | 45 missed 7 wait=30 missed_reason=null partial=true
# the number that an agent calls for a transfer is not that of a caller who has none
0 enters 7 51 none, 3 answered 7 51 101, 5 calling 101 7 none +339, 20 leaves 7
> outcomes | 3 answered 7 caller_id_num=null; 25 ended 7 caller_id_num=null
# a break goes on through a call whose ring was not reported, and a wrap-up is announced by available alone
0 pause 101 Lunch, 5 enters 7, 10 connected 101 7 51 - 30, 20 leaves 7, 20 available 101
> at 15 | a101 state=talking wrap_up_seconds=0
> at 30 | a101 state=on_break break_seconds=20
# the record has the queue of the first answer, whatever is reported of a later one
0 enters 7, 5 answered 7, 20 enters 7 52, 20 enters 7 53, 30 connected 101 7, 30.2 answered 7 53 101, 40 leaves 7 53
> outcomes | 5 answered 7; 45 ended 7 id_queue=51 talks=101:15+101:10
> at 50 | q53 answered=1; q52 overflowed=1; a101 answered=2
# nor does available without a wrap-up tell how long one was
0 enters 7, 5 answered 7, 5 connected 101 7 51, 20 leaves 7, 20 available 101
> outcomes | 5 answered 7; 25 ended 7 wrap_up=null
# a trunk takes a call that waits on in its queue
0 enters 7, 5 trunkIn 7, 10 leaves 7, 20 trunkOut 7
> outcomes | 25 missed 7 wait=10 queue_waits=51:10 id_queue=51
> at 12 | q51 abandoned=1 waiting=0; all abandoned=1
# a queue that reports an answer of an agent's own call
0 calling 101 9, 5 answered 9 51 101, 20 leaves 9 51, 20 available 101
> outcomes |
> at 10 | a101 state=calling answered=0; all offered=0 talking=0
# an agent who is seen without a call that waited when the feed was interrupted has not answered it
0 enters 7, 5 cut, 10 available 101 7 51, 20 leaves 7
> outcomes | 25 ended 7 answered=null talks=none
# two agents are connected at one answer, and the first one is seen free between its reports: both have had the call
0 enters 7, 10 connected 101 7 51, 11 connected 102 7 51, 12 available 101, 12.4 answered 7 51 101, 46 leaves 7
> outcomes | 10 answered 7; 51 ended 7 talks=101:2+102:0+101:34
# a status of the queue that is not documented is no answer if another phone rings for the caller
0 available 102, 0 enters 7, 2 rings 7 51 101 busy, 20 rings 7 51 102, 20 ringing 102 7 51, 40 available 102, 60 leaves 7
> outcomes | 65 missed 7 wait=60 missed_reason=agents_did_not_answer partial=false
> at 70 | q51 abandoned=1; a102 not_answered=1
# … nor if the caller enters another queue, and gives up there
0 enters 7, 10 rings 7 51 101 foo, 20 enters 7 52, 20 leaves 7 51, 40 leaves 7 52
> outcomes | 45 missed 7 wait=40 queue_waits=51:20+52:20
> at 50 | q51 overflowed=1; q52 abandoned=1; all abandoned=1 late=1
> alerts callerWaiting 30 | 30 started 30 30 7 52; 40 resolved 30 40 abandoned 7 52
# an agent's status names a queue, but no call
0 connected 101 - 51, 5 ringing 102 - 52
> at 10 | a101 state=talking id_queue=51 id_call=null; a102 state=ringing id_queue=52
# what is due at one moment comes in the order of the events: a queue that closes
0 enters 1, 0 enters 2 52, 0 enters 3 53, 0 enters 4 52, 0 enters 5 53, 10 ringing 101 1 51, 20 leaves 1, 20 leaves 2 52, 20 leaves 3 53, 20 leaves 4 52, 20 leaves 5 53
> outcomes | 25 missed 1; 25 missed 2; 25 missed 3; 25 missed 4; 25 missed 5
> alerts serviceLevelBelow 80 minimumCalls=2 | 25 started 80 0 4 52; 25 started 80 0 5 53
# … and a ring that is decided before the record makes no difference
35 enters 2, 40 ringing 102 2 51, 40 enters 3, 45 leaves 2, 45 leaves 3
> alerts serviceLevelBelow 80 minimumCalls=2 | 50 started 80 0 3 51
# a login moves the agent of a talk out of the filter: the alert ends with the first event after it | agents=101/11+102/12 groupIds=11
0 enters 7, 0 answered 7, 0 connected 101 7 51, 50 lists 102, 55 pause 102, 100 leaves 7
> alerts callLasting 30 | 30 started 30 30 7 51 101; 55 resolved 30 55 left 7 51 101
# a talk in no queue is in no row with queues, nor in a filter of queues | queueIds=51
0 enters 7, 45 leaves 7, 79 connected 101 7 none, 160 available 101
> alerts callLasting 60 |
# a gap that is reported together with what shows the end of the talk: the agent is free
0 enters 7, 10 answered 7, 50 gap 40 50, 50 available 101, 200 -
> outcomes | 10 answered 7; 110 ended 7 reason=end-not-seen
# … the queue has lost the call
0 enters 7, 10 answered 7, 50 gap 40 50, 50 leaves 7, 200 -
> outcomes | 10 answered 7; 55 ended 7 reason=feed-gap
# after an interruption, the deletions at the answer arrive before it
0 enters 7 51, 0 enters 7 52, 10 cut, 20 leaves 7 51, 20 leaves 7 52, 20.2 connected 101 7 51, 60 available 101, 130 -
> outcomes | 20.2 answered 7 queue_waits=51:null+52:null; 65 ended 7 reason=feed-gap
> at 100 | q51 offered=1 waiting_before=0 unknown=1; all offered=1 waiting_before=0 unknown=1
# … and the answer names another queue
0 enters 7 51, 10 cut, 20 leaves 7 51, 20.4 answered 7 52 101, 60 available 101, 130 -
> outcomes | 20.4 answered 7 id_queue=51 queue_waits=51:null; 65 ended 7
# a status without a call, which was sent before the queue's report of the answer
0 enters 7 #1, 5 ringing 101 7 51 #2, 10 answered 7 51 101 #9, 10.1 connected 101 #8, 60 leaves 7 #20
> at 30 | a101 state=talking
# after an interruption, a trunk takes the call, and then its agent begins the transfer
0 enters 7, 10 answered 7, 30 cut, 40 trunkIn 7, 41 transfert_start 101 7, 60 available 101, 61 trunkOut 7
> outcomes | 10 answered 7; 66 ended 7 talks=101:50
# a colleague in another queue, after an answer whose wait was not seen
0 enters 7 51, 10 cut, 20 leaves 7 51, 21 connected 101 7 51, 60 available 101, 61 connected 102 7 52, 100 available 102, 200 -
> at 150 | q51 talks=2; all offered=1 waiting_before=0 unknown=1; a102 answered=0
# … without any interruption
0 enters 7 51, 5 rings 7 51 101 busy, 20 leaves 7 51, 21 connected 101 7 51, 60 available 101, 61 connected 102 7 52, 100 available 102, 200 -
> at 150 | q51 talks=2; all offered=1 waiting_before=0 unknown=1; a102 answered=0
# identifiers are used again after events that name no place: an entry into a queue
0 enters 7 none +331, 5 leaves 7 none, 3600 enters 7 51 +332, 3630 leaves 7
> outcomes | 3635 missed 7 caller_id_num=+332
# … an alert
0 alert_op 7 none, 5 leaves 7 51, 3600 enters 7 51 +332, 3630 leaves 7
> outcomes | 3635 missed 7 missed_reason=null
# … a trunk
0 trunkIn 7 none +331, 5 trunkOut 7 none, 3600 enters 7 51 +332, 3630 leaves 7
> outcomes | 3635 missed 7 caller_id_num=+332
# … or the call has ended, and its ring comes behind that
0 alert_op 7 none, 8 leaves 7 51, 8.5 ringing 101 7 51, 30 available 101
> at 38 | all waiting=0; a101 not_answered=0
# a login moves an agent, and the first event after it is of the call itself | agents=101/11+102/12 groupIds=11
0 enters 7 51 none, 0 answered 7, 0 connected 101 7 51, 50 lists 102, 55 ringing 102 7 51 +331, 100 leaves 7
> alerts callLasting 30 | 30 started 30 30 7 51 101; 55 resolved 30 55 left 7 51 101
# the number that an agent calls is no other caller's
0 enters 7 51 +331, 3 answered 7 51 101, 20 leaves 7, 26 calling 101 7 none +339, 35 enters 7 52 +331, 60 leaves 7 52
> outcomes | 3 answered 7; 25 ended 7; 65 ended 7 after_ended=true gave_up=true
# alerts that are due at once
0 enters 1, 0 enters 2, 0 enters 3, 0 enters 4, 40 -
> alerts callerWaiting 30 | 30 started 30 30 1 51; 30 started 30 30 2 51; 30 started 30 30 3 51; 30 started 30 30 4 51
# records that are due at once, and something is heard of one meanwhile
0 enters 1, 0 enters 2, 0 enters 3, 0 enters 4, 20 leaves 1, 20 leaves 2, 20 leaves 3, 20 leaves 4, 22 alert_file 2
> outcomes | 25 missed 1; 25 missed 2; 25 missed 3; 25 missed 4
# … of the first one
0 enters 1, 0 enters 2, 0 enters 3, 0 enters 4, 20 leaves 1, 20 leaves 2, 20 leaves 3, 20 leaves 4, 22 alert_file 1
> outcomes | 25 missed 1; 25 missed 2; 25 missed 3; 25 missed 4
# what enters a queue within two seconds of an undocumented status may have come before it
0 enters 7, 10 rings 7 51 101 foo, 10.5 enters 7 52, 60 leaves 7 none
> outcomes | 65 ended 7 answered=null reason=status-not-known
# an entry within two seconds of an answer, and an interruption between
0 connected 101 7 51, 0.3 gap 0 0.3, 0.3 answered 7 51 101, 1 enters 7 51, 60 leaves 7
> outcomes | 0 answered 7; 65 ended 7 talks=101:60
# who was late at an interruption is late once, though the call enters another queue together with its answer
0 enters 7 53, 30 down, 35 up, 60 leaves 7 53, 110 connected 101 7 none, 110.2 enters 7 52, 130 -
> at 120 | all late=1 unknown=1; q53 late=1
# an agent whom the login does not list any more, and whom only a call names, holds no alert back | agents=101+102
0 pause 101, 10 lists 101, 12 answered 8 51 102, 60 -
> alerts agentsAvailableBelow 1 belowForSeconds=10 | 22 started 1 0
# from trunk to trunk behind the queue: the end is that of the last place left, as known when the record is told
0 enters 7, 72 leaves 7, 72 trunkIn 7 9, 90 trunkOut 7 9, 92 trunkIn 7 9, 140 -
> outcomes | 132 missed 7 wait=72 started_at=0 ended_at=90
# a ring group behind the queue: the phone that rings there is an offer
0 available 101, 0 enters 7, 30 leaves 7, 30 trunkIn 7 8, 31 ringing 102 7 none, 50 trunkOut 7 8, 50 available 102
> outcomes | 55 missed 7 wait=30 missed_reason=abandoned_while_ringing offered_to=102:19
# … between two queues, where nobody takes the call
0 available 101, 0 enters 7, 10 leaves 7, 10 trunkIn 7 8, 11 ringing 102 7 none, 20 available 102, 20 enters 7 52, 20 trunkOut 7 8, 40 leaves 7 52
> outcomes | 45 missed 7 wait=40 missed_reason=agents_did_not_answer offered_to=102:9
> at 41 | a102 not_answered=1
# … and where somebody does
0 enters 7, 30 leaves 7, 30 trunkIn 7 8, 31 ringing 102 7 none, 40 connected 102 7 none, 80 trunkOut 7 8, 80 available 102
> outcomes | 40 answered 7 wait=40 offered_to=102:9; 85 ended 7 talk=40
# … on and on, beyond the record
0 enters 7, 30 leaves 7, 30 trunkIn 7 8, 30 ringing 102 7 none, 120 connected 102 7 none, 150 trunkOut 7 8, 150 available 102
> outcomes | 90 missed 7 wait=30 offered_to=102:null; 120 answered 7 offered_to=102:90; 155 ended 7 offered_to=102:90
> alerts agentRinging 10 | 40 started 10 10 7 102; 120 resolved 10 90 answered 7 102
# … and stops with the trunk, though the event names a queue
0 enters 7 51, 30 leaves 7 51, 30 trunkIn 7 8, 30 ringing 102 7 52, 50 trunkOut 7 8, 60 available 102
> outcomes | 55 missed 7 offered_to=102:20
# … for the queue that the caller has left it is late
0 trunkIn 7 9, 0 enters 7, 30 leaves 7, 30.2 rings 7 51 102 ringing, 30.4 trunkOut 7 9, 31 available 102
> outcomes | 35.4 missed 7 missed_reason=abandoned_before_ringing offered_to=none
# … after a talk, and the queue loses the call later
0 trunkIn 7 9, 0 enters 7, 10 connected 101 7 51, 40 available 101, 41 ringing 102 7 none, 42 leaves 7 51, 60 connected 102 7 none, 90 trunkOut 7 9, 90 available 102
> outcomes | 10 answered 7; 95 ended 7 talks=101:30+102:30 offered_to=102:19
> alerts agentRinging 6 | 47 started 6 6 7 102; 60 resolved 6 19 answered 7 102
# … after an interruption of a talk that goes on it is for a transfer
0 trunkIn 7 9, 0 enters 7, 5 answered 7 51 101, 5 connected 101 7 51, 20 cut, 30 ringing 102 7 none, 33 connected 101 7 51, 60 trunkOut 7 9, 60 available 101
> outcomes | 5 answered 7; 65 ended 7 offered_to=none
# what was held up across an interruption was before it
0 unpause 103 @0, 5 unpause 103 @5, 30 cut, 31 enters 8 51 @25, 32 leaves 8 51 @26, 34 trunkIn 8 9 @34, 60 trunkOut 8 9 @60
> outcomes | 65 missed 8 partial=false missed_reason=short_abandoned
# an interruption between the queue and a trunk
0 available 101, 0 enters 7, 20 leaves 7, 21 cut, 22 trunkIn 7, 60 trunkOut 7
> outcomes | 65 missed 7 wait=20 partial=true reason=feed-gap ended_at=60
# … between a talk and a trunk
0 enters 7, 5 answered 7, 5 connected 101 7 51, 20 leaves 7, 20 available 101, 21 cut, 22 trunkIn 7, 60 trunkOut 7
> outcomes | 5 answered 7; 65 ended 7 talk=15 partial=true reason=feed-gap ended_at=60
# … between two trunks: somebody may have answered meanwhile
0 available 101, 0 trunkIn 7, 20 trunkOut 7, 21 down, 24 up, 26 trunkIn 7 8, 60 trunkOut 7 8
> outcomes | 25 missed 7 wait=20 partial=false; 65 ended 7 answered=null wait=null partial=true reason=feed-gap missed_reason=null after_missed=true
`);
