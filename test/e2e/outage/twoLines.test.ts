// Two lines in a real n8n: while one after the other is cut, nothing is lost, nothing comes twice and no gap is told. An
// operator with one session is served with one line.
import { drillTwoLines } from './lines';

drillTwoLines(40_000);
