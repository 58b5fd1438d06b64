// Whether a word in a response means success or failure: `SUCCESS`, `ok`, `FAILURE`, `not linked`, `erreur`. The
// operator documents only SUCCESS, WARNING, ERROR and PARTIAL, so whole families of words are listed here.

export type Tone =
	/** Failure. */
	| 'bad'
	/** Failure, unless it is the state of an object: an address may be `REJECTED` in a successful response. */
	| 'doubtful'
	/** Partial failure. */
	| 'mixed'
	| 'good'
	/** The word does not report a result. */
	| 'none';

/** The words of a text, in order. */
export const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

/** The words of a text as a set. */
export const wordSet = (text: string) => new Set(wordsOf(text));

const BAD = wordSet(
	`error errors err erreur erreurs fatal fail fails failed failing failure failures fault faults exception ko nok nak nack echec
	echoue unsuccessful unsuccessfully crash crashed`,
);
const DOUBTFUL = wordSet(
	`bad invalid invalide denied refused refuse rejected rejete declined forbidden interdit unauthorized unauthorised unauthenticated
	disallowed aborted abort cancelled canceled expired timeout timedout missing impossible conflict insufficient unavailable
	exceeded illegal unprocessable unprocessed incorrect introuvable unknown inconnu`,
);
const MIXED = wordSet('warning warnings warn partial partially partiel partielle');
const GOOD = wordSet(
	`success successful successfully succeeded succes reussi ok okay done accepted complete completed created processed linked
	unlinked ordered placed confirmed deleted updated saved uploaded requested paid pass passed true yes`,
);
/** After "not", these words report that something was not done. */
const DEEDS = wordSet(
	`success successful succeeded ok done accepted complete completed created processed linked unlinked ordered placed confirmed
	deleted removed updated saved uploaded executed allowed permitted authorized authorised authenticated found valid possible
	available paid charged sent performed applied`,
);
/** Before a bad word, these words negate it: `NO_ERROR`, `0 errors`. */
const NONE = wordSet('no without zero 0 sans aucune aucun not non never');
const NOT = wordSet('not non never pas isn t couldn wasn');
/** Within a sentence, these words report a failure as well. */
const COMPLAINT = wordSet(
	'cannot cant couldn unable wrong incorrect mismatch prohibited insufficient denied',
);

/** The tone of a status word, in any case, `SNAKE`, `camel` or with blanks. */
export function toneOf(text: string): Tone {
	return tone(tokensOf(text), false);
}

/** Whether a sentence says that something went wrong. */
export function complains(text: string): boolean {
	const found = tone(tokensOf(text), true);
	return found === 'bad' || found === 'doubtful';
}

function tone(tokens: string[], sentence: boolean): Tone {
	const tones = new Set<Tone>();
	tokens.forEach((token, at) => {
		const before = tokens[at - 1] ?? '';
		if (BAD.has(token)) tones.add(NONE.has(before) ? 'good' : 'bad');
		else if (token === 'noerror' || token === 'noerrors') tones.add('good');
		else if (DEEDS.has(token) && NOT.has(before)) tones.add('bad');
		else if (MIXED.has(token)) tones.add('mixed');
		else if (DOUBTFUL.has(token)) tones.add(NONE.has(before) ? 'good' : 'doubtful');
		else if (sentence && COMPLAINT.has(token)) tones.add('bad');
		else if (GOOD.has(token)) tones.add('good');
	});
	const order: Tone[] = ['mixed', 'bad', 'doubtful', 'good'];
	return order.find((candidate) => tones.has(candidate)) ?? 'none';
}

/** The words of a text without case and accents; of a long text, only the beginning. */
function tokensOf(text: string): string[] {
	return text
		.slice(0, 500)
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z0-9]+/)
		.filter((token) => token !== '');
}
