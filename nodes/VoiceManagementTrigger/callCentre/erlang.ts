// How many agents a load of calls needs: Erlang C, the usual model of a queue whose callers all wait for the first free
// agent. Source: A. K. Erlang, "Solution of some problems in the theory of probabilities of significance in automatic
// telephone exchanges" (1917); the recursion for Erlang B, which stays within the range of numbers, is the usual one.

/** A load that needs more agents than that is none of a call center. */
const MOST_AGENTS = 20_000;

/**
 * The share of callers (0 to 1) who wait at most that many seconds.
 * @param load calls at once, on average (in erlang)
 */
function inTime(
	agents: number,
	load: number,
	handleSeconds: number,
	seconds: number,
	blocked: number,
) {
	const waits = (agents * blocked) / (agents - load * (1 - blocked));
	return 1 - waits * Math.exp((-(agents - load) * seconds) / handleSeconds);
}

/**
 * The least number of agents with whom enough callers wait at most `seconds`.
 * @param callsPerSecond how many calls come in
 * @param handleSeconds how long an agent is busy with a call, wrap-up included
 * @param target percent of callers
 */
export function agentsNeeded(
	callsPerSecond: number,
	handleSeconds: number,
	seconds: number,
	target: number,
): number | null {
	const load = callsPerSecond * handleSeconds;
	if (load === 0) return 0;
	/** Erlang B: the share of calls that would find all agents busy if nobody waited. */
	let blocked = 1;
	for (let agents = 1; agents <= MOST_AGENTS; agents++) {
		blocked = (load * blocked) / (agents + load * blocked);
		if (agents <= load) continue;
		if (inTime(agents, load, handleSeconds, seconds, blocked) * 100 >= target) return agents;
	}
	return null;
}
