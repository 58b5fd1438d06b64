// Ends the n8n that sharedN8n.ts started.
export { end as default } from './sharedN8n';
