// For those who load the package as a module: n8n itself reads the list in package.json.
const { VoiceManagementApi } = require('./dist/credentials/VoiceManagementApi.credentials.js');
const {
	VoiceManagementSupervisorApi,
} = require('./dist/credentials/VoiceManagementSupervisorApi.credentials.js');
const { VoiceManagement } = require('./dist/nodes/VoiceManagement/VoiceManagement.node.js');
const {
	VoiceManagementTrigger,
} = require('./dist/nodes/VoiceManagementTrigger/VoiceManagementTrigger.node.js');

module.exports = {
	nodes: { VoiceManagement, VoiceManagementTrigger },
	credentials: { VoiceManagementApi, VoiceManagementSupervisorApi },
};
