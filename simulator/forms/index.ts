// The variants of the provider's undocumented behaviour, by name, and their combination.

import { feedForms } from './feed';
import {
	isObject,
	type Form,
	type Memory,
	type Question,
	type Reading,
	type Response,
} from './form';
import { loginForms } from './requests';

/** Every form by its name. */
export const forms: Readonly<Record<string, Form>> = {
	...loginForms,
	...feedForms,
};

/** The form with this name; a form is returned as it is. Throws for an unknown name. */
export const formNamed = (form: string | Form): Form =>
	typeof form === 'string' ? forms[form]! : form;

/** Strictly what the two documents and the third party's shapes define. */
const documented: Reading = {
	target: 'number',
	token: 'text',
	strictAddresses: false,
	acknowledged: false,
	accountInit: (args) => args,
	handshakeHeaders: {},
};

/** The forms of one provider; its parts call them. */
export class Forms {
	readonly reading: Reading;
	private readonly chosen: Array<{ form: Form; memory: { seen: number } }>;

	/** @param given in the order in which they change a response */
	constructor(given: ReadonlyArray<string | Form>) {
		this.chosen = given.map((form) => ({ form: formNamed(form), memory: { seen: 0 } }));
		this.reading = this.chosen.reduce<Reading>(
			(sum, { form }) => ({ ...sum, ...form.reading }),
			documented,
		);
	}

	/** The response of a form that responds in the provider's place. */
	intercept(question: Question): Response | undefined {
		for (const { form, memory } of this.chosen) {
			const response = form.intercept?.(question, memory);
			if (response) return response;
		}
		return undefined;
	}

	rewrite(url: string): string {
		return this.chosen.reduce((read, { form }) => form.rewrite?.(read) ?? read, url);
	}

	respond(response: Response, question: Question): Response {
		return this.chosen.reduce(
			(written, { form }) => form.respond?.(written, question) ?? written,
			response,
		);
	}

	/** Sends the arguments of one `update` to one connection, in the chosen forms. */
	update(args: unknown[], memory: Memory, send: (...args: unknown[]) => void): void {
		const through = this.chosen.reduceRight<(...args: unknown[]) => void>(
			(next, { form }) =>
				(...given) => {
					const [event] = given;
					if (form.update && given.length === 1 && isObject(event))
						form.update(event, memory, next);
					else next(...given);
				},
			send,
		);
		through(...args);
	}
}

export type { Form, Memory, Question, Reading, Response } from './form';
