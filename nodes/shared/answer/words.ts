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
	/^(?:bad|wrong|invalide?s?|denied|refused?|reject(?:ed)?|rejetee?|declined|forbidden|prohibited|interdit|unable|un(?:authori[sz]ed|authenticated|processable|processed|available|known)|disallowed|abort(?:ed)?|cancell?ed|expired|time(?:d)?out|missing|mismatch|impossible|cannot|cant|couldn|conflict|insufficient|exceeded|illegal|incorrect|introuvable|inconnue?)$/;
const GOOD =
	/^(?:success(?:ful|fully)?|succeeded|succes|reussie?|ok(?:ay)?|done|true|yes|complete|pass|accepte?|processed|(?:accept|complet|creat|link|unlink|order|add|plac|confirm|delet|remov|updat|sav|upload|request|receiv|pass|register|queu|schedul|submitt)ed|paid|sent|(?:effectu|enregistr|cre|supprim|ajout|envoy|recu)ee?s?)$/;
/** After a no, these words report that something was not done. */
const DEED =
	/^(?:found|(?:execut|allow|permitt|authori[sz]|authenticat|charg|perform|appli)ed|valid|possible|available)$/;
/** Such a word turns the next one into its opposite: `NO_ERROR`, `0 errors`, `not linked`. */
const NO = /^(?:no|not|non|never|pas|without|sans|aucune?|zero|0|isn|t|couldn|wasn)$/;

/** The tone of a status word or of a sentence, in any case, `SNAKE`, `camel` or with blanks. */
export function toneOf(text: string): Tone {
	const tokens = tokensOf(text);
	const tones = tokens.map((token, at): Tone => {
		const isNegated = NO.test(tokens[at - 1] ?? '');
		if (MIXED.test(token)) return 'mixed';
		if (/^noerrors?$/.test(token)) return 'good';
		if (BAD.test(token)) return isNegated ? 'good' : 'bad';
		if (GOOD.test(token) || DEED.test(token))
			return isNegated ? 'bad' : GOOD.test(token) ? 'good' : 'none';
		if (DOUBTFUL.test(token)) return isNegated ? 'good' : 'doubtful';
		return 'none';
	});
	const order: Tone[] = ['mixed', 'bad', 'doubtful', 'good'];
	return order.find((candidate) => tones.includes(candidate)) ?? 'none';
}

/** Whether a sentence says that something went wrong. */
export const complains = (text: string) => /^(?:bad|doubtful)$/.test(toneOf(text));

/** The words of a text without case and accents; of a long text, only the beginning. */
function tokensOf(text: string): string[] {
	return (
		text
			.slice(0, 500)
			.normalize('NFD')
			.replace(/\p{M}/gu, '')
			.replace(/([a-z])([A-Z])/g, '$1 $2')
			.toLowerCase()
			.split(/[^a-z0-9]+/)
			// `could not be linked` is `not linked`.
			.filter((token) => !/^(?:|be|been|ete|etre)$/.test(token))
	);
}

/** In the words of a service that can't look at a login now … */
const BUSY =
	'unavailable|maintenance|overload|too many|rate limit|timeout|timed out|try again|try later|temporar|internal|server error|busy|database'.split(
		'|',
	);
/** … and of one that refused it, in the languages of the provider. */
const CREDENTIALS =
	'login|log in|logged|passw|mot de passe|credential|identif|auth|forbidden|denied|account|compte|user|utilisateur|token|not allowed|disabled|locked|blocked|suspended|refus'.split(
		'|',
	);

const hasOne = (text: string, words: readonly string[]) => {
	const lower = text.slice(0, 20_000).toLowerCase();
	return words.some((word) => lower.includes(word));
};

/** Whether a text is about a service that is busy. */
export const isBusy = (text: string) => hasOne(text, BUSY);

/** Whether a text is about login, password or account, and not about a service that is busy. */
export const namesCredentials = (text: string) => hasOne(text, CREDENTIALS) && !isBusy(text);
