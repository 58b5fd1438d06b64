/// <reference types="jest" />
// Jest's own types declare its asymmetric matchers as `any`, which would hide a mistake in the values beside them.

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
