// Whether a word in a response means success or failure: `SUCCESS`, `ok`, `FAILURE`, `not linked`, `erreur`. The
// documents show only SUCCESS, WARNING, ERROR and PARTIAL, so these are families of words.

export type Tone =
	/** Partial failure. */
	| 'mixed'
	/** Failure. */
	| 'bad'
	/** Failure, unless it is the state of an object: an address may be `REJECTED` in a successful response. */
	| 'doubtful'
	| 'good'
	/** The word does not report a result. */
	| 'none';

const MIXED = /^(?:warn(?:ing)?s?|partial(?:ly)?|partiel(?:le)?)$/;
const BAD =
	/^(?:err(?:or|eur)?s?|fatal|fail(?:s|ed|ing|ures?)?|faults?|exceptions?|ko|nok|nac?k|echec|echoue|unsuccessful(?:ly)?|crash(?:ed)?)$/;
const DOUBTFUL =
	/^(?:bad|invalide?s?|denied|refused?|reject(?:ed)?|rejetee?|declined|forbidden|interdit|un(?:authori[sz]ed|authenticated|processable|processed|available|known)|disallowed|abort(?:ed)?|cancell?ed|expired|time(?:d)?out|missing|impossible|conflict|insufficient|exceeded|illegal|incorrect|introuvable|inconnue?)$/;
const GOOD =
	/^(?:success(?:ful|fully)?|succeeded|succes|reussie?|ok(?:ay)?|done|true|yes|complete|pass|accepte?|processed|(?:accept|complet|creat|link|unlink|order|add|plac|confirm|delet|remov|updat|sav|upload|request|receiv|pass|register|queu|schedul|submitt)ed|paid|sent|(?:effectu|enregistr|cre|supprim|ajout|envoy|recu)ee?s?)$/;
/** After "not", these words report that something was not done. */
const DEED =
	/^(?:found|(?:execut|allow|permitt|authori[sz]|authenticat|charg|perform|appli)ed|valid|possible|available)$/;
/** Before a bad word, these words negate it: `NO_ERROR`, `0 errors`. */
const NONE = /^(?:no|without|zero|0|sans|aucune?|not|non|never|pas)$/;
const NOT = /^(?:not|non|never|pas|isn|t|couldn|wasn)$/;
/** Within a sentence, these words report a failure as well. */
const COMPLAINT = /^(?:cannot|cant|couldn|unable|wrong|mismatch|prohibited|denied)$/;

/** The tone of a status word, in any case, `SNAKE`, `camel` or with blanks. */
export function toneOf(text: string): Tone {
	return tone(text, false);
}

/** Whether a sentence says that something went wrong. */
export function complains(text: string): boolean {
	return /^(?:bad|doubtful)$/.test(tone(text, true));
}

function tone(text: string, isSentence: boolean): Tone {
	const tokens = tokensOf(text);
	const tones = tokens.map((token, at): Tone => {
		const before = tokens[at - 1] ?? '';
		if (MIXED.test(token)) return 'mixed';
		if (/^noerrors?$/.test(token)) return 'good';
		if (BAD.test(token)) return NONE.test(before) ? 'good' : 'bad';
		if (GOOD.test(token) || DEED.test(token))
			return NOT.test(before) ? 'bad' : GOOD.test(token) ? 'good' : 'none';
		if (DOUBTFUL.test(token)) return NONE.test(before) ? 'good' : 'doubtful';
		return isSentence && COMPLAINT.test(token) ? 'bad' : 'none';
	});
	const order: Tone[] = ['mixed', 'bad', 'doubtful', 'good'];
	return order.find((candidate) => tones.includes(candidate)) ?? 'none';
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
