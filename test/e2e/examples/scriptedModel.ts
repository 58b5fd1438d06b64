// A chat model that follows a script, with the HTTP interface that n8n's model nodes use.
import { answerWith } from '../../support/answers';

/** What the model does next: call a tool, or reply. */
export type Turn = { tool: string; input: Record<string, unknown> } | { says: string };

interface Message {
	role: string;
	content: unknown;
}

export interface ScriptedModel {
	/** The URL for the credential of the model. */
	url: string;
	/** The result of each tool, in the order of the calls, as the model reads it. */
	observations: string[];
	/** Names of the tools that the model was offered. */
	offered: Set<string>;
	close(): Promise<void>;
}

export async function startScriptedModel(script: readonly Turn[]): Promise<ScriptedModel> {
	const observations: string[] = [];
	const offered = new Set<string>();
	const { url, close } = await answerWith(({ body }) => {
		const { messages, tools = [] } = JSON.parse(body) as {
			messages: Message[];
			tools?: Array<{ function: { name: string } }>;
		};
		for (const tool of tools) offered.add(tool.function.name);
		const answers = messages.filter(({ role }) => role === 'tool');
		observations.splice(0, Infinity, ...answers.map(({ content }) => String(content)));
		return { body: completion(script[answers.length] ?? { says: 'There is nothing left to do.' }) };
	});
	return { url: `${url}/v1`, observations, offered, close };
}

function completion(turn: Turn): object {
	const calls = 'tool' in turn;
	const message = calls
		? {
				role: 'assistant',
				content: null,
				tool_calls: [
					{
						id: `call_${turn.tool}`,
						type: 'function',
						function: { name: turn.tool, arguments: JSON.stringify(turn.input) },
					},
				],
			}
		: { role: 'assistant', content: turn.says };
	return {
		id: 'completion',
		object: 'chat.completion',
		created: 1,
		model: 'scripted',
		choices: [{ index: 0, message, finish_reason: calls ? 'tool_calls' : 'stop' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
