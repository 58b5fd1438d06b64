// Two lines in a real n8n: while one after the other is cut, nothing is lost, nothing comes twice and no gap is told. An
// operator with one session is served with one line.
import { startBench, type Bench } from '../../support/bench';
import { expectTwoLines } from '../lines';

const FOR_MS = 600_000;

jest.setTimeout(1_200_000);

let bench: Bench;

beforeAll(async () => {
	bench = await startBench({ name: 'outage-two-lines' });
});

afterAll(async () => {
	await bench?.close();
});

test('one line is cut every four seconds: nothing is missing', async () => {
	await expectTwoLines(bench, FOR_MS);
});
