// Ends the n8n instance that sharedN8n.ts started.
export { end as default } from './sharedN8n';
