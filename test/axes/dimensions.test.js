import assert from 'node:assert/strict';
import { cornersAmong, dimensionsOf } from '../../src/axes/dimensions.js';
import { loadCatalogue } from '../../src/commands/catalogue.js';
import { loadOptions } from '../../src/options/all-options.js';
import { resolveOptions } from '../../src/options/resolve-options.js';
import { MAP_SUITE } from '../helpers/map-fixture.js';
import { planOf } from '../helpers/plan.js';

/** @import { Cell } from '../../src/plan/types.js' */

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

describe('axes/corners', () => {
  it('an inner point has all corners around it, one on an edge the two of the edge, a corner itself', async () => {
    const settings = resolveOptions(
      { clients: 'ioredis', scenarios: 'shared-connection', seed: 1 },
      MAP_SUITE,
      await loadOptions(),
    );
    const points = planOf(settings, await loadCatalogue(), ['tcp']).groups.map(([cell]) => cell);
    const cornersAround = cornersAmong(points);
    const placeOf = (/** @type {Cell} */ { tasks, distance }) => `${tasks}@${distance?.rttMs ?? 0}`;
    const around = (/** @type {string} */ place) =>
      cornersAround(/** @type {Cell} */ (points.find((point) => placeOf(point) === place))).map(placeOf);
    assert.deepEqual(around('16@2'), ['1@0', '1@10', '256@0', '256@10']);
    assert.deepEqual(around('16@0'), ['1@0', '256@0']);
    assert.deepEqual(around('256@10'), ['256@10']);
  });
});
