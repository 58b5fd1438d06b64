// What a login's response means, as the nodes read it.
import { parse, type HttpResponse } from '../../nodes/shared/answer/parse';
import { readLogin, type LoginKind, type LoginVerdict } from '../../nodes/shared/login';

/** @param now when the login was sent, milliseconds since 1970 */
export const verdictOf = (
	response: HttpResponse,
	kind: LoginKind = 'supervisor',
	now = 0,
): LoginVerdict => readLogin(parse(response), kind, now);
