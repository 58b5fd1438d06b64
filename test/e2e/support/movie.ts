/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// An animation for the documentation: stills of a page, each shown for a while, with a caption above.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';

interface Still {
	picture: Buffer;
	milliseconds: number;
}

/** In pixels: large enough to be readable at a width of 400. */
const SIZE = { width: 960, height: 540 };
const TITLE = 72;

export class Movie {
	private readonly stills: Still[] = [];

	private constructor(private readonly stage: Page) {}

	static async begin(browser: Browser): Promise<Movie> {
		const stage = await browser.newPage({ viewport: SIZE });
		await stage.setContent(`<style>
			body { margin: 0; background: #101330; color: #fff; font: 600 30px system-ui, sans-serif }
			p { margin: 0; height: ${TITLE}px; display: flex; align-items: center; justify-content: center }
			img { display: block; width: 100%; height: ${SIZE.height - TITLE}px; object-fit: cover; object-position: top }
		</style><p></p><img>`);
		return new Movie(stage);
	}

	/** Shows the page as it is now. */
	async show(page: Page, title: string, milliseconds: number): Promise<void> {
		const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
		await this.stage.evaluate(
			async ([text, source]) => {
				document.querySelector('p')!.textContent = text;
				const image = document.querySelector('img')!;
				image.src = source;
				await image.decode();
			},
			[title, `data:image/png;base64,${shot.toString('base64')}`] as const,
		);
		this.stills.push({ picture: await this.stage.screenshot(), milliseconds });
	}

	/** Its total duration. */
	get seconds(): number {
		return this.stills.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
	}

	/** Writes it as an animated WebP that loops. @returns its size in bytes */
	async write(file: string): Promise<number> {
		mkdirSync(dirname(file), { recursive: true });
		const { size } = await sharp(
			this.stills.map(({ picture }) => picture),
			{ join: { animated: true } },
		)
			.webp({
				quality: 75,
				effort: 5,
				loop: 0,
				delay: this.stills.map(({ milliseconds }) => milliseconds),
			})
			.toFile(file);
		await this.stage.close();
		return size;
	}
}
