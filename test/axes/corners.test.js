import assert from 'node:assert/strict';
import { cornersAmong } from '../../src/axes/corners.js';
import { loadCatalogue, loadOptions } from '../../src/index.js';
import { resolveOptions } from '../../src/options/resolve-options.js';
import { createPlan } from '../../src/plan/plan.js';
import { MAP_SUITE } from '../helpers/map-fixture.js';

/** @import { Cell } from '../../src/plan/types.js' */

describe('axes/corners', () => {
  it('an inner point has all corners around it, one on an edge the two of the edge, a corner itself', async () => {
    const settings = resolveOptions(
      { clients: 'ioredis', scenarios: 'shared-connection', seed: 1 },
      MAP_SUITE,
      await loadOptions(),
    );
    const points = createPlan(settings, await loadCatalogue(), ['tcp']).groups.map(([cell]) => cell);
    const cornersAround = cornersAmong(points);
    const placeOf = (/** @type {Cell} */ { tasks, distance }) => `${tasks}@${distance?.rttMs ?? 0}`;
    const around = (/** @type {string} */ place) =>
      cornersAround(/** @type {Cell} */ (points.find((point) => placeOf(point) === place))).map(placeOf);
    assert.deepEqual(around('16@2'), ['1@0', '1@10', '256@0', '256@10']);
    assert.deepEqual(around('16@0'), ['1@0', '256@0']);
    assert.deepEqual(around('256@10'), ['256@10']);
  });
});
