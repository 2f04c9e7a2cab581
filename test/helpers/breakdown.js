import assert from 'node:assert/strict';
import { legendOf } from '../../src/commands/benchmark/report/tables/breakdown-grid.js';
import { factText } from '../../src/report/fact-words.js';
import { runCli } from './cli.js';

/** @import { CellResult, Report } from '../../src/store/types.js' */

export const SMALL = '--size 10 --tasks 4 --pin off --no-profile --smoke --breakdown --format json'.split(
  ' ',
);

/** @param {string | string[]} options separated by blanks, or one by one */
export async function measure(options) {
  const { code, stdout, stderr } = await runCli([
    ...SMALL,
    ...(typeof options === 'string' ? options.split(' ') : options),
  ]);
  assert.equal(code, 0, stderr);
  const report = /** @type {Report} */ (JSON.parse(stdout));
  return { report, cells: report.cells };
}

/** @param {{cells: CellResult[]}} measured */
export function assertFollowed({ cells }) {
  assert.match(legendOf(cells.map((cell) => ({ cell }))), /unread/);
  for (const { id, summary, noBreakdown } of cells) {
    const none = noBreakdown && factText(noBreakdown);
    const { p50, p99, operations, relayUs, cpuRatio } = summary?.breakdown ?? assert.fail(`${id}: ${none}`);
    for (const { wholeUs, ...parts } of [p50, p99]) {
      const values = Object.values(parts).map(Number);
      assert.ok(
        values.every((us) => us >= 0),
        `${id} ${values}`,
      );
      assert.ok(Math.abs(values.reduce((sum, us) => sum + us, 0) / wholeUs - 1) < 0.01, `${id} ${values}`);
    }
    assert.ok(p99.wholeUs > p50.wholeUs && p50.unreadUs !== null, id);
    assert.ok(
      operations > 250 && relayUs !== null && (cpuRatio === null || cpuRatio > 0),
      `${id} ${operations} ${cpuRatio}`,
    );
    assert.ok(summary?.intervals['breakdown.p99.unreadUs'], id);
  }
}
