import { readingSupervisorLogin, type Session } from '../../nodes/shared/loginResponse';
import type { HttpResponse } from '../../nodes/shared/response';
import { atOnce } from '../../nodes/shared/slices';

/** The response to a supervisor's login, read without yielding to the event loop. */
export function readSupervisorLogin(response: HttpResponse, now: number): Session {
	return atOnce(readingSupervisorLogin(response, now));
}
