import assert from 'node:assert/strict';
import { renderReport } from '../../../../src/cli/render.js';
import { createFixture, goodRun, mixedReport, REASONS } from '../../../helpers/report-fixture.js';
import { SEED_000, seed000Report } from '../../../helpers/seed-000.js';

/** @import { Report } from '../../../../src/store/types.js' */

/** @param {Report} report */
const render = (report) => renderReport(report, 'lines');

/** @param {Partial<Parameters<typeof createFixture>[0]> & {given: Record<string, unknown>}} facts */
const small = (facts) =>
  createFixture({
    measured: ({ tasks }) => ({
      iterations: 100,
      runs: [goodRun(1, { tasks, iterations: 100, averageMs: 12.6 })],
    }),
    ...facts,
  });

describe('formats/lines', () => {
  it('prints what the Node Redis Pipelining Test printed, to the letter, with the client before the scenario', async () => {
    const expected = SEED_000.replace(/^( {4}.*\)), /gm, '$1, redis, ');
    assert.equal(await render(await seed000Report()), expected);
  });

  it('tells cells apart that differ in transport only', async () => {
    const text = await render(
      await small({ given: { clients: 'redis', scenarios: 'pool', transport: 'tcp,unix', runs: 1 } }),
    );
    assert.match(text, /, redis, pool of 3, tcp$/m);
    assert.match(text, /, redis, pool of 3, unix$/m);
  });

  describe('with cells of every kind', () => {
    /** @type {string} */
    let text;
    before(async () => {
      text = await render(await mixedReport());
    });

    it('has a line for each cell, and no two alike', async () => {
      const lines = text.split('\n').filter((line) => line.startsWith('    '));
      assert.equal(lines.length, (await mixedReport()).cells.length);
      assert.equal(new Set(lines).size, lines.length);
    });
    it('shows a failed run among the others, a count of its own, and the variant', () => {
      assert.match(text, /^ {4}400 \(4\) failed 420 \(4\), redis, connection per task/m);
      assert.match(text, /^ {4}500 \(4\) 510 \(4\) 505 \(4\), redis, open and close \(7 iterations\)$/m);
      assert.match(text, /^ {4}100 \(4\) 101 \(4\) 102 \(4\), redis:tuned, shared connection$/m);
    });
    it('shows skipped cells with their reason', () => {
      assert.ok(text.includes(`ioredis, pool of 3: ${REASONS.skipped}`));
    });
    it('shows cells that were not run', () => assert.match(text, /^ {4}no runs, redis:tuned, pool of 3$/m));
    it('shows why runs failed', () => assert.ok(text.includes(REASONS.failed)));
    it('shows warnings', () => assert.ok(text.includes(REASONS.warning)));
    it('says that the benchmark ended early', () => assert.match(text, /\n\n.*ended early.*\n$/));
  });
});
