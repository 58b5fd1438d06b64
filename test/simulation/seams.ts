// The parts of the trigger through which the simulation drives it. The build exports them beside the node, as `simulated`,
// so that the files of the package can be played as well as the sources.
export { httpOf } from '../../nodes/VoiceManagementTrigger/life/context';
export { provideDependencies } from '../../nodes/VoiceManagementTrigger/feed/hub';
export { CREDENTIAL_OF_FEED, feedOptions } from '../../nodes/VoiceManagementTrigger/life/account';
export { startProduction } from '../../nodes/VoiceManagementTrigger/life/activeWorkflow';
export { readSettings } from '../../nodes/VoiceManagementTrigger/panel/settings';
