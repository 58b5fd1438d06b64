import { InvalidArgumentError } from 'commander';

/** A number, 0 or more, of a command line. @throws InvalidArgumentError which commander reports with the option's name */
export function readNumber(text: string): number {
	const value = Number(text);
	if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
		throw new InvalidArgumentError('A number, 0 or more, is needed.');
	}
	return value;
}
