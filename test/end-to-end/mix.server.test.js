import assert from 'node:assert/strict';
import { useServer } from '../helpers/one-server.js';
import { assertSound } from '../helpers/sound.js';

describe('a mix with sizes of its own', () => {
  const { run, server } = useServer({
    scenarios: 'shared-connection,pool',
    workload: 'mix:get=3,set@50kb=1,get@1mb=1',
    ...{ keys: 16, iterations: 10, runs: 2, starts: 1 },
  });

  it('checks values of every size, tells the commands apart, and leaves no key', async () => {
    const report = await run({});
    assertSound(report);
    for (const { runs } of report.cells) {
      for (const { parts = [], operations, server: cost } of runs) {
        assert.deepEqual(
          parts.map(({ name, count }) => [name, count / operations]),
          [
            ['GET', 0.6],
            ['SET@50kb', 0.2],
            ['GET@1mb', 0.2],
          ],
        );
        assert.ok(Number(cost?.netOutputBytes) > 0.2 * operations * 1e6);
      }
    }
    assert.equal(Number(await server().query('DBSIZE')), 0);
  });

  it('tells them apart in an open loop and with app work, but not in batches, which are answered together', async () => {
    const partsOf = async (/** @type {Record<string, unknown>} */ options) => {
      const { cells } = await run({ scenarios: 'shared-connection', runs: 1, ...options });
      assert.equal(cells[0].runs[0].failed, null);
      return cells[0].summary?.parts?.length;
    };
    const open = { iterations: undefined, rate: 500, durationMs: 100, warmupRuns: 0 };
    assert.deepEqual(
      [await partsOf(open), await partsOf({ appWork: '5us' }), await partsOf({ pipelining: 'explicit:5' })],
      [3, 3, 0],
    );
  });
});
