// The words of the panel: the company is the provider, the person is the agent, and the spelling is American, as n8n's.

import { VoiceManagementApi } from '../../credentials/VoiceManagementApi.credentials';
import { VoiceManagementSupervisorApi } from '../../credentials/VoiceManagementSupervisorApi.credentials';
import { VoiceManagement } from '../../nodes/VoiceManagement/VoiceManagement.node';
import { VoiceManagementTrigger } from '../../nodes/VoiceManagementTrigger/VoiceManagementTrigger.node';

const SHOWN = new Set(['displayName', 'description', 'hint', 'placeholder', 'message', 'action']);

/** Every text that a person reads in the panel. */
function textsIn(value: unknown, name = ''): string[] {
	if (typeof value === 'string') return SHOWN.has(name) ? [value] : [];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) =>
		textsIn(inner, Array.isArray(value) || /^\d+$/.test(key) ? name : key),
	);
}

test.each([
	['the action node', new VoiceManagement().description],
	['the trigger', new VoiceManagementTrigger().description],
	['the API credential', new VoiceManagementApi().properties],
	['the supervisor credential', new VoiceManagementSupervisorApi().properties],
])('%s', (_what, description) => {
	const texts = textsIn(description);
	expect(texts.length).toBeGreaterThan(10);
	const wrong =
		/\boperators?\b|\b(?:two |second )?lines\b|centre|recognis|cancelled|colour|behaviour/i;
	expect(texts.filter((text) => wrong.test(text))).toEqual([]);
});
