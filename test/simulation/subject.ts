/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// What is played: the sources, or the trigger's file of an unpacked package (`--package`).
import { createRequire } from 'node:module';
import * as sources from './seams';

const file = process.env.SIMULATED_FILE;

export const subject: typeof sources = file
	? (createRequire(file)(file) as { simulated: typeof sources }).simulated
	: sources;
