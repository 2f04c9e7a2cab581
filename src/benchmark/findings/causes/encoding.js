import { micro } from '../../../core/report/figures.js';
import { costsOf, isMostlyIdle, NOTABLE } from '../../judge/costs.js';
import { defineCause } from '../define.js';

export default defineCause({
  id: 'encoding',
  find(pair) {
    if (!(Number(pair.carried.encoding?.ratio) >= NOTABLE)) return null;
    const [us, againstUs] = costsOf('encoding', pair);
    return { us, againstUs };
  },
  // Part of the CPU time: what is left without the difference.
  times({ us, againstUs }, { cell }) {
    const cpuUs = Number(cell.summary.client.cpuUsPerOp);
    return isMostlyIdle(cell) ? 1 : cpuUs / Math.max(againstUs, cpuUs - (us - againstUs));
  },
  say: ({ us, againstUs }) =>
    `encoding and decoding took ${micro(us)} per operation instead of ${micro(againstUs)}`,
});
