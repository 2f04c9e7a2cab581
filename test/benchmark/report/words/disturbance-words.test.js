import assert from 'node:assert/strict';
import { disturbanceOf } from '../../../../src/benchmark/findings/waits.js';
import { WORDS } from '../../../../src/benchmark/report/words/findings.js';
import { goodRun } from '../../../helpers/report-fixture.js';

/** @import { CellResult } from '../../../../src/core/store/types.js' */

/**
 * @param {number | null} waitedMs of 100
 * @param {number | null} serverWaitedMs
 * @param {number | null} [stolenMs]
 */
function cell(waitedMs, serverWaitedMs, stolenMs = null) {
  const slice = { elapsedMs: 100, waitedMs, serverWaitedMs, stolenMs, disturbed: false, repeats: 0 };
  const runs = [{ ...goodRun(1, { tasks: 1, iterations: 10, averageMs: 100 }), slices: [slice] }];
  const summary = { waits: waitedMs === null ? null : { slices: 1, disturbed: 0 } };
  return /** @type {CellResult} */ (/** @type {unknown} */ ({ id: 'a', runs, summary }));
}

/** @param {CellResult[]} cells @param {import('../../../../src/core/machine/types.js').CpuLimited} [limited] */
const said = (cells, limited) =>
  disturbanceOf(cells, limited)
    .map(/** @type {any} */ (WORDS.disturbance).sure)
    .join('\n');

describe('words: how quiet the machine was', () => {
  it('says it of what was measured alone', () => {
    assert.equal(
      said([cell(2, 1)]),
      'The machine was quiet: worker and server waited for CPU 3 % of the time.',
    );
    assert.equal(
      said([cell(20, null)]),
      'Other programs were running: the worker waited for CPU 20 % of the time.',
    );
    assert.equal(
      said([cell(2, 2), cell(2, null)]),
      'The machine was quiet: the worker (and the server, where known) waited for CPU 3 % of the time.',
    );
  });

  it('does not call a machine quiet whose hypervisor took the processors', () => {
    assert.equal(
      said([cell(1, 1, 60), cell(1, 1, 20)]),
      'Other virtual machines on this host were busy: worker and server waited for CPU 2 % of the time, and CPU steal was 40 %.',
    );
    assert.equal(
      said([cell(1, 1, 0), cell(1, 1, 3)]),
      'The machine was quiet: worker and server waited for CPU 2 % of the time, and CPU steal was 2 %.',
    );
  });

  it('does not blame other programs for a CPU limit', () => {
    /** @type {import('../../../../src/core/machine/types.js').CpuLimited} */
    const limited = { kind: 'cpu-limited', setting: 'cpu.max', limitedTo: 0.5, periods: 240, throttled: 237 };
    assert.equal(
      said([cell(40, 20)], limited),
      'The CPU limit of 0.5 CPUs was reached: worker and server waited for CPU 60 % of the time.',
    );
    assert.equal(
      said([cell(1, 1)], limited),
      'The machine was quiet: worker and server waited for CPU 2 % of the time.',
    );
    assert.equal(
      said([cell(40, 20)], { ...limited, throttled: 5 }),
      'Other programs were running: worker and server waited for CPU 60 % of the time.',
    );
  });

  it('does not call a machine quiet where cells share processors', () => {
    assert.equal(
      said([cell(2, 1), cell(null, 1)]),
      'Where each worker has a CPU of its own, worker and server waited for CPU 3 % of the time.',
    );
    assert.equal(
      said([cell(30, 10), cell(null, 1)]),
      'Other programs were running: where each worker has a CPU of its own, worker and server waited for CPU 40 % of the time.',
    );
    assert.deepEqual(disturbanceOf([cell(null, 1)]), []);
  });
});
