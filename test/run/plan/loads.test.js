import assert from 'node:assert/strict';
import { mostInFlight } from '../../../src/commands/benchmark/judge/pair-costs.js';
import { shareConflict } from '../../../src/run/plan/loads.js';
import { createFixture } from '../../helpers/report-fixture.js';

describe('run/plan/loads: machines', () => {
  it('says why tasks cannot be shared', () => {
    assert.equal(shareConflict({ tasks: 2, machines: 2 }), null);
    assert.deepEqual(shareConflict({ tasks: 1, machines: 2 }), {
      kind: 'tasks-per-machine',
      tasks: 1,
      machines: 2,
    });
  });
});

/** @param {object} given options for one cell */
async function mostOf(given) {
  const { cells } = await createFixture({
    given: { clients: 'ioredis', tasks: 8, ...given },
    measured: () => null,
  });
  return mostInFlight(/** @type {any} */ (cells[0]));
}

describe('run/plan/loads: in flight', () => {
  for (const [most, given] of /** @type {[number | null, Record<string, unknown>][]} */ ([
    [8, { scenarios: 'shared-connection' }],
    [3, { scenarios: 'pool' }],
    [8, { scenarios: 'pool', poolSize: 20 }],
    [4, { scenarios: 'bounded', maxInFlight: 4 }],
    [160, { scenarios: 'shared-connection', pipelining: 'explicit:20' }],
    [60, { scenarios: 'pool', pipelining: 'explicit:20' }],
    [1, { scenarios: 'shared-connection', pipelining: 'none' }],
    [8, { scenarios: 'connection-per-task', pipelining: 'none' }],
    [2, { scenarios: 'round-robin', connections: 2, pipelining: 'none' }],
    [16, { scenarios: 'shared-connection', processes: 2 }],
    [null, { scenarios: 'shared-connection', rate: 100, durationMs: 100 }],
  ])) {
    it(`${JSON.stringify(given)}: ${most ?? 'not said'}`, async () =>
      assert.equal(await mostOf(given), most));
  }
});
