// Two lines in a real n8n: while one after the other is cut, nothing is lost, nothing comes twice and no gap is
// reported. With an operator that allows one session the trigger keeps one line.
import { drillTwoLines } from './lines';

drillTwoLines(40_000);
