// Part 4: the action node where it has much to carry: a list of 50,000 and a file of 25 MB, against a few lines with
// axios (which is what n8n sends with) in the same run.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Compiled } from '../controller/compile';
import { MeasuredProcess } from '../controller/measuredProcess';
import {
	goalCell,
	judge,
	megabytes,
	times,
	type Section,
	type Verdict,
} from '../controller/results';
import type { Runtime } from '../controller/runtimes';
import { median, ratio } from '../controller/statistics';
import type { Work } from '../measured/restClient';

const ZIP_CODES = 50_000;
/** The node's own page size: the bare loop asks for the same. */
const PAGE_SIZE = 1_000;
const PROOF_BYTES = 25_000_000;

/** Nobody set goals for these: regressions are to be seen, and the node is to stay near the bare loop. */
const LIST_CPU = 1.5;
const LIST_MEMORY = 1.5;
const PROOF_MEMORY = 1;

export async function measureRest(
	compiled: Compiled,
	runtime: Runtime,
	serverRuntime: Runtime,
	rounds: number,
	progress: (line: string) => void,
): Promise<Section> {
	const folder = await mkdtemp(join(tmpdir(), 'voice-management-bench-'));
	const server = new MeasuredProcess(compiled.script('restServer'), serverRuntime.binary);
	const samples = {
		nodeList: [] as Work[],
		bareList: [] as Work[],
		nodeProof: [] as Work[],
		bareProof: [] as Work[],
	};
	try {
		const file = join(folder, 'proof.pdf');
		await writeFile(file, Buffer.alloc(PROOF_BYTES, 'proof '));
		const url = `http://127.0.0.1:${await server.call<number>('listen')}`;
		await server.call('prepare', { count: ZIP_CODES, pageSize: PAGE_SIZE });
		for (let round = 1; round <= rounds; round++) {
			progress(`${runtime.name}: REST, round ${round} of ${rounds}`);
			for (const [command, works] of Object.entries(samples)) {
				const before = await server.call<number>('uploaded');
				const client = new MeasuredProcess(compiled.script('restClient'), runtime.binary, [
					'--expose-gc',
				]);
				try {
					const work = await client.call<Work>(command, { url, file, pageSize: PAGE_SIZE });
					const sent = (await server.call<number>('uploaded')) - before;
					const whole = command.endsWith('List') ? work.results === ZIP_CODES : sent > PROOF_BYTES;
					if (!whole)
						throw new Error(`${command} came back with ${work.results}, ${sent} bytes sent`);
					works.push(work);
				} finally {
					await client.stop();
				}
			}
		}
	} finally {
		await server.stop();
		await rm(folder, { recursive: true, force: true });
	}

	const verdicts: Verdict[] = [];
	const rows: string[][] = [];
	const compare = (
		name: string,
		[ours, bare]: [Work[], Work[]],
		read: (work: Work) => number,
		write: (value: number) => string,
		goal?: number,
	) => {
		const against = ratio(ours.map(read), bare.map(read));
		const verdict = goal === undefined ? undefined : judge(name, against, 'at most', goal);
		if (verdict) verdicts.push(verdict);
		rows.push([
			name,
			write(median(ours.map(read))),
			write(median(bare.map(read))),
			times(against),
			verdict ? goalCell(verdict) : '',
		]);
	};
	const lists: [Work[], Work[]] = [samples.nodeList, samples.bareList];
	const proofs: [Work[], Work[]] = [samples.nodeProof, samples.bareProof];
	const millis = (value: number) => `${value.toFixed(0)} ms`;
	const bytes = (value: number) => `${megabytes(value)} MB`;
	compare('50,000 postal codes: time', lists, (work) => work.millis, millis);
	compare('50,000 postal codes: CPU', lists, (work) => work.cpuMillis, millis, LIST_CPU);
	compare('50,000 postal codes: memory', lists, (work) => work.grownBytes, bytes, LIST_MEMORY);
	compare('a proof of 25 MB: time', proofs, (work) => work.millis, millis);
	compare('a proof of 25 MB: CPU', proofs, (work) => work.cpuMillis, millis);
	compare('a proof of 25 MB: memory', proofs, (work) => work.grownBytes, bytes, PROOF_MEMORY);
	return {
		part: 'rest',
		title: `Number management, ${runtime.name}`,
		columns: ['', 'node', 'bare axios', 'ratio', 'goal'],
		rows,
		verdicts,
		data: samples,
	};
}
