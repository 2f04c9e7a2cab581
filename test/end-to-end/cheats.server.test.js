import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderReport } from '../../src/cli/render.js';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';

const CHEAT = fileURLToPath(new URL('../helpers/plugins/cheat.js', import.meta.url));
const OPTIONS = {
  scenarios: 'shared-connection',
  tasks: 8,
  iterations: 500,
  runs: 1,
  warmupRuns: 0,
  pin: /** @type {const} */ ('off'),
  profile: false,
};

/** @param {Awaited<ReturnType<typeof benchmark>>} report @returns {Record<string, string | null>} */
const failures = ({ cells }) =>
  Object.fromEntries(
    cells.map(({ client, variant, runs }) => [`${client}:${variant}`, runs.at(-1)?.failed ?? null]),
  );

describe('a client that does not do what it says', () => {
  it('has failed, with what the server counted, and stands in no advice', async () => {
    const clients = `${CHEAT}:memory,${CHEAT}:dropset,raw`;
    const report = await benchmark({ ...OPTIONS, clients, workload: 'mix:get=99,set=1' });
    const failed = failures(report);
    assert.match(
      String(failed['cheat:memory']),
      /^the server counted \d+ of 3,960 GET that the client claims; .*caches: true$/,
    );
    assert.equal(failed['cheat:dropset'], 'the server counted 0 of 40 SET that the client claims');
    assert.equal(failed['raw:default'], null);
    assert.doesNotMatch(JSON.stringify(report.choices), /cheat/);
  });

  it('has failed where another connection does not find what it says it wrote', async () => {
    const options = /** @type {const} */ ({
      ...{ ...OPTIONS, workload: 'set', valueSize: 1000, keys: 4 },
      // The last 16 writes are read back: of keys at random, one in 25 runs would miss one of the four.
      keyDistribution: 'sequential',
    });
    const failed = failures(await benchmark({ ...options, clients: `${CHEAT}:shorten,${CHEAT}:alter,raw` }));
    const wrong = '4 wrong replies, the first: SET was confirmed, but another connection then';
    assert.equal(failed['cheat:shorten'], `${wrong} read 3 characters instead of 1,000`);
    assert.equal(failed['cheat:alter'], `${wrong} read another value, from character 1,000 on`);
    assert.equal(failed['raw:default'], null);
    // What it writes late would mend what others wrote wrongly to the same keys.
    const late = failures(await benchmark({ ...options, clients: `${CHEAT}:late` }));
    assert.match(String(late['cheat:late']), /another connection|the server counted \d+ of 4,000 SET/);
  });

  it('is on the first screen above the figures, by its name, with one reply in 1,000 wrong', async () => {
    const clients = `ioredis,raw,${CHEAT}:swap`;
    const report = await benchmark({ ...OPTIONS, clients, workload: 'get' });
    for (const format of ['table', 'markdown', 'html']) {
      const screen = await renderReport(report, format);
      const above = screen.slice(0, screen.indexOf('ops/s'));
      assert.match(above, /cheat:swap/, format);
      assert.match(above, /failed: \d wrong repl(y|ies), the first: GET\s+replied/, format);
      assert.equal(above.match(/failed: /g)?.length, 1, format);
    }
  });

  it('is no cheat if it says that it caches: then its hits are a column', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rpb-caches-'));
    try {
      const file = join(folder, 'caching.js');
      writeFileSync(file, `import cheat from '${CHEAT}'; export default { ...cheat, caches: true };`);
      const report = await benchmark({ ...OPTIONS, clients: `${file}:memory`, workload: 'get' });
      const [{ runs, summary }] = report.cells;
      assert.equal(runs[0].failed, null);
      assert.ok(Number(summary?.cacheHitRate) > 0.9);
      assert.match(await renderReport(report, 'table', { details: true }), /cache hits/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
