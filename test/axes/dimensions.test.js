import assert from 'node:assert/strict';
import { dimensionsOf } from '../../src/axes/all-axes.js';
import { resolveOptions } from '../../src/commands/benchmark/settings.js';
import { loadCatalogue, loadOptions } from '../../src/options/catalogue.js';
import { planOf } from '../helpers/plan.js';

const SUITE = { id: 'own', title: 'own', summary: 'own', options: {} };

/** @param {Record<string, unknown>} given @returns {Promise<[id: string, values: unknown[], ordered: boolean][]>} */
async function dimensions(given) {
  const settings = resolveOptions({ seed: 1, clients: 'ioredis', ...given }, SUITE, await loadOptions());
  const { cells } = planOf(settings, await loadCatalogue(), ['tcp']);
  return dimensionsOf(cells).map(({ axis, examples, ordered }) => [
    axis.id,
    examples.map((cell) => axis.of(cell)),
    ordered,
  ]);
}

describe('axes/dimensions', () => {
  it('are the conditions with several values, in order', async () => {
    assert.deepEqual(await dimensions({}), []);
    assert.deepEqual(await dimensions({ tasks: '8,1', rtt: '2ms,0', clients: 'ioredis,redis' }), [
      ['tasks', [1, 8], true],
      ['rtt', [null, 2], true],
    ]);
  });

  it('what follows from another is none of its own', async () => {
    assert.deepEqual(await dimensions({ size: '10,1000', tasks: '1,8' }), [
      ['valueSize', [10, 1000], true],
      ['tasks', [1, 8], true],
    ]);
    assert.deepEqual(await dimensions({ tasks: '1,8', rtt: '0,1ms,2ms', jitter: 10 }), [
      ['tasks', [1, 8], true],
      ['rtt', [null, 1, 2], true],
    ]);
  });

  it('words have no order', async () => {
    assert.deepEqual(await dimensions({ workload: 'set,get', tasks: '1,8' }), [
      ['workload', ['set', 'get'], false],
      ['tasks', [1, 8], true],
    ]);
  });
});
