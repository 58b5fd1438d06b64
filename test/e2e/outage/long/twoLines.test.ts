// The drill of two lines, for ten minutes.
import { drillTwoLines } from '../lines';

drillTwoLines(600_000);
