import assert from 'node:assert/strict';
import { WARNING_WORDS } from '../../../../src/benchmark/report/words/warning-words.js';

/** Of a benchmark whose operations go on in the same processes. @type {any[]} */
const WARM = [{ chosen: { workload: {} } }];

/** @param {number[]} groups what each tells apart */
const said = (...groups) => saidOf(WARM, ...groups);

/** @param {any[]} measured cells @param {number[]} groups what each tells apart */
const saidOf = (measured, ...groups) => {
  const found = /** @type {any} */ (
    groups.map((tellsApart) => ({ kind: 'control', group: 'g', cells: [], starts: 2, tellsApart }))
  );
  const sure = WARNING_WORDS.control.sure.all(found, /** @type {any} */ ({ measured, settings: {} }));
  return [...sure, ...WARNING_WORDS.control.details.all(found)].join('\n');
};

describe('report/words: cells whose CPU still fell while they were timed', () => {
  const found = /** @type {any} */ ({ cells: [], laterFaster: [{ cell: 'redis:tuned', ratio: 1.3 }] });
  const warned = (/** @type {unknown} */ iterations) =>
    WARNING_WORDS['not-warm'].warnings(
      found,
      /** @type {any} */ ({ name: (/** @type {string} */ id) => id, settings: { iterations } }),
    );

  it('are named, with the length of run that shows them at their floor', () => {
    assert.deepEqual(warned(3000), [
      'still getting faster during the runs: redis:tuned (1.3x the CPU per operation at first); --iterations 30000 shows the floor',
    ]);
    assert.match(warned('auto')[0], /; use more --warmup-runs$/);
  });
});

describe('report/words: what this machine can tell apart', () => {
  it('is a share', () => assert.match(said(0.19), /Noise: differences under 19 % are too small/));

  it('is no figure where it would be ten times as much', () => {
    assert.match(said(67065), /^Noise: restarts differ too much, or are too few/);
    assert.match(said(67065), /^Noise: .* to detect differences under 10x\. Use more --starts\.$/m);
    assert.match(said(67065), /differ so much that no difference under 10x is reported\.$/);
    assert.doesNotMatch(said(67065), /%/);
  });

  it('asks for more runs of cold starts, which have no other starts', () =>
    assert.match(
      saidOf([{ chosen: { workload: { startsProcesses: true } } }], 67065),
      /under 10x\. Use more --runs\.$/m,
    ));

  it('is said of the others where it is no figure under some conditions', () => {
    const text = said(0.19, 0.3, 67065);
    assert.match(
      text,
      /^Noise: under 1 of 3 conditions, restarts .* under 10x; elsewhere, differences under 19 to 30 % are/,
    );
    assert.match(text, /Restarts alone differ by up to 19 to 30 % elsewhere, so smaller differences are not/);
  });
});
