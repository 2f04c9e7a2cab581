import assert from 'node:assert/strict';
import { areSteady, countedStart, stillFalls } from '../../src/results/count-record.js';
import { lineError } from '../../src/results/validate.js';

/** @import { Slice } from '../../src/results/count-record.js' */

const START = /** @type {const} */ ({ start: 1, source: 'valgrind' });

/** @param {number} operations @param {number} user @param {number | null} [kernel] @returns {Slice} */
const slice = (operations, user, kernel = null) => ({
  run: /** @type {any} */ ({ operations, commands: 2 * operations, server: { commandsPerRead: 8 } }),
  user,
  kernel,
});
const fixed = [slice(8, 100_000), slice(8, 100_000), slice(8, 400_000)];

describe('a counted start', () => {
  it('has what an operation adds to the fixed cost of a slice, without late compilations', () => {
    const slices = [100, 104, 102, 160].map((perOp) => slice(4008, 100_000 + 4000 * perOp));
    assert.deepEqual(countedStart(START, fixed, slices).counted, {
      instructionsPerOp: 102,
      instructionsPerCommand: 51,
      kernelInstructionsPerOp: null,
      commandsPerRead: 8,
    });
  });

  it('is none where its slices are hardly longer than their fixed cost', () => {
    assert.throws(
      () => countedStart(START, fixed, [slice(28, 200_000)]),
      /slices of 28 operations are too short/,
    );
  });

  it('is counted again where a slice shows that V8 compiled, and not for what its garbage varies by', () => {
    const steady = (/** @type {number[]} */ users) => areSteady(users.map((user) => slice(4008, user)));
    assert.equal(steady([90.7, 91.2, 91.3, 89.3, 91.4]), true);
    assert.equal(steady([109.8, 99.2, 97.9, 99.4, 99]), false);
    assert.equal(steady([92.1, 90, 92, 280.8, 131]), false);
  });

  it('begins where slices no longer have fewer instructions than those before', () => {
    const falls = (/** @type {number[]} */ users) => stillFalls(users.map((user) => slice(4008, user)));
    assert.equal(falls([1331, 607, 669, 470, 420]), true);
    assert.equal(falls([104, 100, 102, 99, 101]), false);
    assert.equal(falls([100, 104, 102, 99, 160]), false);
  });

  it("has the kernel's where each slice has them", () => {
    const some = [slice(8, 1000, 500)];
    const { counted } = countedStart(START, some, [slice(108, 3000, 1500), slice(108, 3000, 1500)]);
    assert.equal(counted.kernelInstructionsPerOp, 10);
  });

  it('is read from a file only as it is written', () => {
    const counted = countedStart(START, fixed, [slice(4008, 2_000_000)]);
    const line = { type: 'cell', cell: 'a', iterations: 5, effectiveOptions: {}, counted: [counted] };
    assert.equal(lineError(JSON.parse(JSON.stringify(line))), null);
    for (const bad of [
      { ...counted, source: 'guessed' },
      { ...counted, counted: { ...counted.counted, instructionsPerOp: -1 } },
      { ...counted, counted: { instructionsPerOp: '<script>' } },
      { ...counted, slices: [{ operations: 1, instructions: -5, kernelInstructions: null }] },
    ]) {
      assert.match(String(lineError({ ...line, counted: [bad] })), /counted/);
    }
  });
});
