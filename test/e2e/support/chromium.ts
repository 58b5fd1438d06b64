// Debian's Chromium, driven by playwright-core (which brings no browser of its own).
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';

import { projectRoot } from '../../../dev/n8n/package';

/** `VOICE_MANAGEMENT_CHROMIUM`, or where Debian's package puts it. */
const executablePath = process.env.VOICE_MANAGEMENT_CHROMIUM || '/usr/bin/chromium';

/** @throws Error that says how to get a browser where there is none */
export async function launchChromium(): Promise<Browser> {
	if (!existsSync(executablePath)) {
		throw new Error(
			`There is no browser at ${executablePath}: "apt-get install -y chromium", or set VOICE_MANAGEMENT_CHROMIUM to one.`,
		);
	}
	// As root (in containers) Chromium has no sandbox of its own; it opens nothing but local pages here.
	return await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** Takes docs/images/<name>.png where VOICE_MANAGEMENT_PICTURES is set; otherwise a run leaves the pictures as they are. */
export async function picture(page: Page, name: string): Promise<void> {
	if (!process.env.VOICE_MANAGEMENT_PICTURES) return;
	const path = join(projectRoot, 'docs/images', `${name}.png`);
	mkdirSync(dirname(path), { recursive: true });
	await page.screenshot({ path });
}
