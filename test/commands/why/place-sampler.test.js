import assert from 'node:assert/strict';
import { missedBy, placeSampler } from '../../../src/commands/why/profile-cell.js';
import { allowedCpus } from '../../../src/machine/processors.js';

/** A process that has no thread of V8's sampler, so that nothing is moved. */
const NO_SAMPLER = 1;

/** @param {number[]} shares of a known loop, as the samples find them @param {number} [pid] @returns {Promise<number>} tests */
async function testsWith(shares, pid = NO_SAMPLER) {
  const [own] = allowedCpus() ?? [0];
  let tests = 0;
  const placement = /** @type {any} */ ({ workerCpus: [own], serverCpus: [] });
  await placeSampler(pid, placement, async () => ({ seenUs: 100 * shares[tests++], tookUs: 100 }));
  return tests;
}

describe('the place of the sampler', () => {
  before(function () {
    if ((allowedCpus() ?? []).length < 2) this.skip();
  });

  it('is not tried elsewhere where it finds a known loop', async () => {
    assert.equal(await testsWith([0.85]), 1);
  });

  it('is tried elsewhere where it finds too little or too much of it', async () => {
    assert.equal(await testsWith([0.4, 1]), 2);
    assert.equal(await testsWith([1.5, 0.2]), 2);
  });

  it('is far off by what it finds too much as by what it misses', () => {
    assert.deepEqual(
      [
        { seenUs: 50, tookUs: 100 },
        { seenUs: 150, tookUs: 100 },
        { seenUs: 0, tookUs: 0 },
      ].map(missedBy),
      [0.5, 0.5, 0],
    );
  });
});
