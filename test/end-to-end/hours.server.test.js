import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readReport } from '../../src/cli/render.js';
import { endStarted, startHere } from '../helpers/cli.js';
import { schemaErrors } from '../helpers/report-shapes.js';

describe('a run of hours', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rpb-hours-'));
  after(() => rmSync(folder, { recursive: true }));
  afterEach(endStarted);

  it('says how far it is, can be read meanwhile, and ends at any time', async () => {
    const file = join(folder, 'hours.ndjson');
    const cell = ['--clients', 'raw', '--scenarios', 'shared-connection', '--tasks', '1', '--pin', 'off'];
    const load = ['--rate', '500', '--duration', '40ms', '--runs', '1000', '--warmup-runs', '0'];
    const cli = startHere([...cell, ...load, '--save', file]);
    await cli.says(/^round 25 of 1,?000 done/m);

    const meanwhile = await readReport(file);
    assert.equal(meanwhile.partial, true);
    assert.deepEqual(schemaErrors(meanwhile), []);
    assert.ok(meanwhile.cells[0].runs.length >= 24);

    cli.signal('SIGINT');
    const { code, stdout, stderr } = await cli.result;
    assert.equal(code, 130, stderr);
    assert.match(stdout, /The benchmark ended early/);
  });
});
