// For those who load the package as a module: n8n itself reads the list in package.json.
const code = require('./dist/code.js');

const { VoiceManagement, VoiceManagementTrigger } = code;
const { VoiceManagementApi, VoiceManagementSupervisorApi } = code;

module.exports = {
	nodes: { VoiceManagement, VoiceManagementTrigger },
	credentials: { VoiceManagementApi, VoiceManagementSupervisorApi },
};
