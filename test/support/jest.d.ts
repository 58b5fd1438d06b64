/// <reference types="jest" />
// Jest's types have its matchers for a part of a value as `any`, which would hide a mistake in what stands beside them.

declare namespace jest {
	interface Expect {
		any(type: unknown): unknown;
		anything(): unknown;
		arrayContaining(array: readonly unknown[]): unknown;
		closeTo(number: number, digits?: number): unknown;
		objectContaining(object: object): unknown;
		stringContaining(text: string): unknown;
		stringMatching(text: string | RegExp): unknown;
	}
	interface InverseAsymmetricMatchers {
		arrayContaining(array: readonly unknown[]): unknown;
		objectContaining(object: object): unknown;
		stringContaining(text: string): unknown;
		stringMatching(text: string | RegExp): unknown;
	}
}
