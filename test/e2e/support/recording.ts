/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A recording of pages as they are used, in one take: always of the page in front, with a caption. FFmpeg writes it.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';
import sharp from 'sharp';

const run = promisify(execFile);

export const SIZE = { width: 1200, height: 760 };
const FRAMES_A_SECOND = 10;

export class Recording {
	private readonly begun = performance.now();

	private readonly timer: NodeJS.Timeout;

	private session?: CDPSession;

	private frame?: Buffer;

	private written = 0;

	private constructor(private readonly ffmpeg: ChildProcess) {
		// A slow machine draws late: each frame is repeated until its time is full.
		this.timer = setInterval(() => this.fill(), 1000 / FRAMES_A_SECOND);
	}

	/** @throws Error with instructions if there is no FFmpeg */
	static async begin(file: string): Promise<Recording> {
		const input = ['-f', 'image2pipe', '-framerate', String(FRAMES_A_SECOND), '-c:v', 'mjpeg'];
		const output = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '28', '-pix_fmt', 'yuv420p'];
		const ffmpeg = spawn(
			'ffmpeg',
			['-y', '-loglevel', 'error', ...input, '-i', '-', ...output, file],
			{ stdio: ['pipe', 'inherit', 'inherit'] },
		);
		await once(ffmpeg, 'spawn').catch((cause: unknown) => {
			throw new Error('There is no FFmpeg: "apt-get install -y ffmpeg"', { cause });
		});
		return new Recording(ffmpeg);
	}

	/** Shows this page from now on. */
	async show(page: Page): Promise<void> {
		await this.session?.detach();
		await page.bringToFront();
		const session = await page.context().newCDPSession(page);
		session.on('Page.screencastFrame', ({ data, sessionId }) => {
			this.fill();
			this.frame = Buffer.from(data, 'base64');
			session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
		});
		await session.send('Page.startScreencast', {
			format: 'jpeg',
			quality: 80,
			maxWidth: SIZE.width,
			maxHeight: SIZE.height,
		});
		this.session = session;
	}

	/** Goes on for as long as a viewer needs to read. */
	async hold(seconds: number): Promise<void> {
		await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
	}

	/** Its length until now. */
	get seconds(): number {
		return this.written / FRAMES_A_SECOND;
	}

	/** Ends it. */
	async end(): Promise<void> {
		clearInterval(this.timer);
		await this.session?.detach();
		this.fill();
		this.ffmpeg.stdin?.end();
		const [code] = (await once(this.ffmpeg, 'close')) as [number | null];
		if (code !== 0) throw new Error(`FFmpeg ended with ${code}`);
	}

	private fill(): void {
		const due = ((performance.now() - this.begun) / 1000) * FRAMES_A_SECOND;
		for (; this.frame && this.written < due; this.written += 1)
			this.ffmpeg.stdin?.write(this.frame);
	}
}

/** Writes a part of a recording as an animated WebP that loops. Times are in seconds. */
export async function cut(file: string, from: number, to: number, picture: string): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'voice-management-cut-'));
	try {
		const part = [
			'-ss',
			from.toFixed(1),
			'-to',
			to.toFixed(1),
			'-i',
			file,
			'-vf',
			'fps=2,scale=960:-1',
		];
		await run('ffmpeg', ['-loglevel', 'error', ...part, join(folder, '%03d.png')]);
		const frames = (await readdir(folder)).sort().map((name) => join(folder, name));
		await sharp(frames, { join: { animated: true } })
			.webp({ lossless: true, effort: 5, loop: 0, delay: frames.map(() => 500) })
			.toFile(picture);
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** Shows a line of text at the top of a page, until another one replaces it. */
export async function caption(page: Page, text: string): Promise<void> {
	await page.evaluate((words) => {
		const id = 'caption-of-the-recording';
		const line =
			document.getElementById(id) ?? document.body.appendChild(document.createElement('div'));
		line.id = id;
		line.textContent = words;
		line.style.cssText =
			'position:fixed;z-index:99999;top:0;left:50%;transform:translateX(-50%);padding:8px 24px;border-radius:0 0 8px 8px;background:#101330;color:#fff;font:600 18px system-ui,sans-serif;pointer-events:none';
	}, text);
}
