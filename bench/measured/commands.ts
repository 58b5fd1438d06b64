// The measured side of the line to the controller: named commands, one answer each.

import { present } from '../../simulator/present';

type Command = (argument: never) => unknown;

interface Request {
	id: number;
	command: string;
	argument: unknown;
}

/** Answers the controller's calls with these functions; ends with the controller. */
export function serveCommands(commands: Record<string, Command>): void {
	const answer = async ({ id, command, argument }: Request) => {
		try {
			const result = await present(commands[command])(argument as never);
			process.send?.({ id, result });
		} catch (error) {
			process.send?.({ id, error: error instanceof Error ? error.stack : String(error) });
		}
	};
	process.on('message', (request: Request) => void answer(request));
	process.on('disconnect', () => process.exit());
}
