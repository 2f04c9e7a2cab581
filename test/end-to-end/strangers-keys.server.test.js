import assert from 'node:assert/strict';
import { endStarted } from '../helpers/cli.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { tryGrowth } from '../helpers/strangers.js';

/** At night each policy meets each load; otherwise a few do. */
const SEEDS = NIGHTLY ? Array.from({ length: 200 }, (_, seed) => seed) : [112, 132];

describe('a benchmark that stores more and more on a server that others use', () => {
  afterEach(endStarted);

  for (const seed of SEEDS) {
    it(`costs nobody a key or a write (${seed})`, async () => {
      const { name, code, stderr, evicted, left, strangers, refused } = await tryGrowth(seed);
      assert.deepEqual(
        { evicted, left, refused },
        { evicted: 0, left: strangers, refused: 0 },
        `${name}\n${stderr}`,
      );
      assert.ok([0, 2, 4].includes(Number(code)), `${name}: exit ${code}\n${stderr}`);
    });
  }
});
