// Packages without types, declared as far as they are used here.

declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	export const SOURCE_FILE_PATTERNS: string[];
	export function analyzePackage(
		folder: string,
		patterns: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}

// Of Node.js 22 and later; the types are those of the oldest version that the package runs on.
declare module 'node:sqlite' {
	export class DatabaseSync {
		constructor(path: string);
		exec(sql: string): void;
		close(): void;
	}
}

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
