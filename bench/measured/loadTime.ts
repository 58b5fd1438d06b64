// How long n8n waits for the package's files when it starts: a fresh process each time, with n8n-workflow loaded
// already, as it is there.
import { present } from '../../simulator/present';
import { basename } from 'node:path';
import { performance } from 'node:perf_hooks';

import { serveCommands } from './commands';

serveCommands({
	/** Milliseconds, passed and of CPU time, to load both nodes and both credentials. */
	load(): { millis: number; cpuMillis: number } {
		require('n8n-workflow');
		const cpu = process.cpuUsage();
		const started = performance.now();
		for (const file of [
			'nodes/VoiceManagement/VoiceManagement.node.js',
			'nodes/VoiceManagementTrigger/VoiceManagementTrigger.node.js',
			'credentials/VoiceManagementApi.credentials.js',
			'credentials/VoiceManagementSupervisorApi.credentials.js',
		]) {
			const module = require(`n8n-nodes-voice-management/dist/${file}`) as Record<
				string,
				new () => unknown
			>;
			new (present(module[basename(file).replace(/\..*$/, '')]))();
		}
		const { user, system } = process.cpuUsage(cpu);
		return { millis: performance.now() - started, cpuMillis: (user + system) / 1000 };
	},
});
