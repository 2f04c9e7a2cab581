import assert from 'node:assert/strict';
import { renderReport } from '../../../../src/cli/render.js';
import { createFixture, goodRun, mixedReport, REASONS } from '../../../helpers/report-fixture.js';

const words = (/** @type {string} */ text) => text.replace(/\s+/g, ' ');

describe('formats/realtime', () => {
  it('says the operations of each run and the time that it took, one at a time and concurrent', async () => {
    const report = await createFixture({
      given: {
        ...{ clients: 'redis', scenarios: 'open-and-close,pool,shared-connection' },
        ...{ tasks: '1,3', durationMs: '5s', runs: 2 },
      },
      measured: ({ tasks }) => ({
        iterations: null,
        runs: [5000.4, 5001.6].map((averageMs, index) =>
          goodRun(index + 1, { tasks, iterations: 70, averageMs }),
        ),
      }),
    });
    const lines = (await renderReport(report, 'realtime'))
      .split('\n')
      .filter((line) => line.includes('realtime:'));
    assert.equal(lines.length, 2 * 3 * 2);
    for (const line of [
      'Opening and Closing connections (redis, open and close) 70 realtime: 5000',
      'Connection pool (redis, pool of 3) 70 realtime: 5002',
      'Concurrent Reusing connections (redis, shared connection) 210 realtime: 5000',
    ])
      assert.ok(lines.includes(line), line);
  });

  for (const width of [40, 100]) {
    it(`shows at ${width} columns what failed, was skipped, is doubtful or was not run`, async () => {
      const text = await renderReport(await mixedReport(), 'realtime', { width });
      assert.ok(text.includes(`(redis, connection per task) failed: ${REASONS.failed}\n`));
      assert.ok(text.includes(`(ioredis, pool of 3) skipped: ${REASONS.skipped}\n`));
      assert.match(text, /\(redis:tuned, pool of 3\) not run\n/);
      assert.ok(words(text).includes(`redis, pool of 3: warning: ${REASONS.warning}`));
      assert.match(words(text), /ended early/);
    });
  }

  it('says what to do, and of a smoke run that nothing can be concluded', async () => {
    assert.match(
      words(await renderReport(await mixedReport(), 'realtime')),
      /connection shared connection .*connection per task: 1\.9x/,
    );
    const smoke = await renderReport(await mixedReport({ smoke: true }), 'realtime');
    assert.match(words(smoke), /too short to compare/);
    assert.doesNotMatch(words(smoke), /is fastest with/);
  });
});
