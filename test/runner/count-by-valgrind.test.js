import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { totalIn } from '../../src/runner/count-by-valgrind.js';
import { useServer } from '../helpers/one-server.js';
import { schemaErrors } from '../helpers/report-schema.js';

const isInstalled = spawnSync('valgrind', ['--version']).status === 0;
const WITHOUT = isInstalled ? '' : ' (skipped: valgrind is not installed)';

describe('counting by valgrind', function () {
  this.timeout(120_000);
  const { run } = useServer({ tasks: 2, iterations: 2000, runs: 1, starts: 1, warmupRuns: 0 });

  const folder = mkdtempSync(join(tmpdir(), 'rpb-count-'));
  const { TMPDIR } = process.env;
  before(() => {
    process.env.TMPDIR = folder;
  });
  after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    rmSync(folder, { recursive: true });
  });

  it('is refused where it has counted nothing', () => {
    assert.equal(totalIn('events: Ir\nsummary: 152\n'), 152);
    for (const text of ['', 'summary: 0\n']) assert.throws(() => totalIn(text), /has counted nothing/);
  });

  (isInstalled ? it : it.skip)(`counts the operations of a cell after its timed runs${WITHOUT}`, async () => {
    const report = await run({ count: 'on' });
    assert.deepEqual(schemaErrors(report), []);
    const [{ counted = [], runs }] = report.cells;
    assert.deepEqual(
      runs.map(({ failed }) => failed),
      [null],
    );
    assert.equal(counted.length, 1);
    const { slices, fixed } = counted[0];
    // No GET can be sent and checked with fewer, and no slice is without operations.
    assert.ok(Number(counted[0].counted.instructionsPerOp) > 500);
    assert.ok(slices.every(({ operations }) => operations > fixed[0].operations));
    assert.deepEqual(readdirSync(folder), []);
  });

  it('says of cells that cannot be counted why, and keeps their runs', async function () {
    if (!isInstalled) this.skip();
    const { cells, warnings } = await run({ count: 'on', appWork: '10us' });
    assert.equal(cells[0].counted, undefined);
    assert.deepEqual(
      cells[0].runs.map(({ failed }) => failed),
      [null],
    );
    assert.match(
      warnings.join('\n'),
      /no instructions were counted of cells with --app-work, which is a time.* count without it/,
    );
  });
});
