// For those who load the package as a module: n8n itself reads the list in package.json.
import { VoiceManagementApi } from './credentials/VoiceManagementApi.credentials';
import { VoiceManagementSupervisorApi } from './credentials/VoiceManagementSupervisorApi.credentials';
import { VoiceManagement } from './nodes/VoiceManagement/VoiceManagement.node';
import { VoiceManagementTrigger } from './nodes/VoiceManagementTrigger/VoiceManagementTrigger.node';

export const nodes = { VoiceManagement, VoiceManagementTrigger };
export const credentials = { VoiceManagementApi, VoiceManagementSupervisorApi };
