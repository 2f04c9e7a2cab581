import assert from 'node:assert/strict';
import { createFixture, mixedReport } from '../helpers/report-fixture.js';
import { schemaErrors } from '../helpers/report-shapes.js';
import { seed000Report } from '../helpers/seed-000.js';

describe('store/shapes', () => {
  it('hold for reports of every kind', async () => {
    assert.deepEqual(schemaErrors(await mixedReport()), []);
    assert.deepEqual(schemaErrors(await seed000Report()), []);
  });

  it('hold for every workload, however it is written', async () => {
    const workload = 'get,set-get,mix:get=80,set=20,per-process:set,exists';
    const named = await createFixture({ given: { workload }, measured: () => null });
    const command = await createFixture({ given: { command: 'INCR {key}' }, measured: () => null });
    assert.deepEqual([schemaErrors(named), schemaErrors(command)], [[], []]);
  });

  it('do not hold for a report that lacks something, or has it wrong', async () => {
    const report = /** @type {any} */ (await seed000Report());
    for (const [path, value] of /** @type {[string, unknown][]} */ ([
      ['seed', undefined],
      ['schemaVersion', 1],
      ['startedAt', 'yesterday'],
      ['cells/0/runs/0/averageMs', '100'],
      ['cells/0/runs/0/operations', -1],
      ['cells/0/runs/0/client/cpuUsPerOp', Number.POSITIVE_INFINITY],
      ['cells/0/runs/0/taskElapsedMs/0', Number.NaN],
      ['cells/0/summary/runs', undefined],
      ['server/kind', 'other'],
    ])) {
      const wrong = structuredClone(report);
      const names = path.split('/');
      const owner = names.slice(0, -1).reduce((object, name) => object[name], wrong);
      owner[String(names.at(-1))] = value;
      const [error = ''] = schemaErrors(wrong);
      const what = value === undefined ? 'got nothing' : 'expected ';
      assert.ok(error.includes(String(names.at(-1))) && error.includes(what), `${path}: ${error}`);
    }
  });
});
