import assert from 'node:assert/strict';
import runsOfStarts from '../../../../src/commands/benchmark/findings/runs-of-starts.js';
import { goodRun } from '../../../helpers/report-fixture.js';

/** @param {string} id @param {number[]} counts runs of each start @param {number} [speed] */
const cellOf = (id, counts, speed = 1) => ({
  id,
  runs: counts.flatMap((count, start) =>
    Array.from({ length: count }, (_, run) => ({
      ...goodRun(10 * start + run + 1, { tasks: 1, iterations: 1000, averageMs: 10 }),
      start: start + 1,
      opsPerSecond: 1000 * speed * (1 + (((run + id.length) * 7) % 5) / 100),
    })),
  ),
});

/** @param {object[]} cells @param {boolean} [races] */
const foundIn = (cells, races = true) =>
  runsOfStarts.find(/** @type {any} */ ({ groups: [{ cells }], settings: { races } }));

describe('findings: the runs of starts', () => {
  it('are told with how much runs and starts vary, of cells that were started again', () => {
    const [found] = foundIn([cellOf('a', [6, 9, 9]), cellOf('bb', [6, 9, 9], 0.9), cellOf('c', [2], 0.1)]);
    assert.deepEqual(
      [found.runs, found.cells],
      [
        [6, 9, 9],
        ['a', 'bb'],
      ],
    );
    assert.ok(found.ofRuns > 0.001 && found.ofRuns < 0.05, `${found.ofRuns}`);
    assert.match(runsOfStarts.say(found), /^Runs per start: 6, 9, 9\. A run varies by /);
  });

  it('are not where all are three, and not without a race', () => {
    assert.deepEqual(foundIn([cellOf('a', [3, 3]), cellOf('bb', [3, 3])]), []);
    assert.deepEqual(foundIn([cellOf('a', [6, 9]), cellOf('bb', [6, 9])], false), []);
    assert.deepEqual(foundIn([cellOf('a', [6]), cellOf('bb', [6])]), []);
  });
});
