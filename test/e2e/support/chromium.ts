/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Debian's Chromium, controlled by playwright-core (which contains no browser).
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

import { pictureFile } from './pictures';

/** `VOICE_MANAGEMENT_CHROMIUM`, or the path of Debian's package. */
const executablePath = process.env.VOICE_MANAGEMENT_CHROMIUM || '/usr/bin/chromium';

/** @throws Error with instructions if there is no browser */
export async function launchChromium(): Promise<Browser> {
	if (!existsSync(executablePath)) {
		throw new Error(
			`There is no browser at ${executablePath}: "apt-get install -y chromium", or set VOICE_MANAGEMENT_CHROMIUM to one.`,
		);
	}
	// As root (in containers) Chromium has no sandbox; it only opens local pages here.
	return await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** Takes the page as a picture of the documentation. */
export async function picture(page: Page, name: string): Promise<void> {
	await page.screenshot({ path: pictureFile(`${name}.png`) });
}
