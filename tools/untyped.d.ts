// Packages without types, declared as far as they are used here.

declare module 'gulp' {
	type Task = () => unknown;
	export function dest(folder: string): NodeJS.WritableStream;
	export function parallel(...tasks: Task[]): Task;
	export function series(...tasks: Task[]): Task;
	export function src(
		globs: string[],
		options: { encoding: false; base: string },
	): NodeJS.ReadWriteStream;
}

declare module 'eslint-plugin-n8n-nodes-base' {
	import type { ESLint, Linter } from 'eslint';

	const plugin: ESLint.Plugin & {
		configs: Record<'community' | 'credentials' | 'nodes', { rules: Linter.RulesRecord }>;
	};
	export default plugin;
}

declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	export const SOURCE_FILE_PATTERNS: string[];
	export function analyzePackage(
		folder: string,
		patterns: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}
