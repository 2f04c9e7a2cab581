import assert from 'node:assert/strict';
import { resolveOptions } from '../../src/commands/benchmark/settings.js';
import { OPTIONS } from '../../src/options/option-table.js';
import { positiveInteger } from '../../src/options/values.js';
import { assertRefused, runMain } from '../helpers/main.js';

/** @import { OptionSpec } from '../../src/options/types.js' */

/** Nothing else in the project knows it. @type {OptionSpec} */
const pauses = {
  flag: '--pauses <n>',
  group: 'send',
  kind: positiveInteger,
  default: 1,
  help: 'how often a task pauses',
  excludes: { runs: 'both say how many runs there are' },
  needs: ['--duration'],
  conflict: ({ size, ...settings }) =>
    size.includes(7) && pausesIn(settings) > 2 ? '--pauses: 2 at most with --size 7' : null,
};

/** @param {object} settings */
const pausesIn = (settings) => /** @type {{pauses: number}} */ (settings).pauses;

/** @param {Record<string, unknown>} given @param {Record<string, unknown>} [options] of the suite */
const resolve = (given, options = {}) =>
  resolveOptions(given, { id: 'test', title: 'Test', summary: 'for the test', options });

/** @param {string} message */
const usage = (message) => ({ name: 'UsageError', message });

describe('an option that is added to the table', () => {
  const table = /** @type {Record<string, OptionSpec>} */ (OPTIONS);
  before(() => {
    table.pauses = pauses;
  });
  after(() => {
    delete table.pauses;
  });

  it('is explained by the help, with its default', async () => {
    const { stdout } = await runMain(['run', '--help']);
    assert.match(stdout, /\n {2}--pauses <n> +how often a task pauses \(default: 1\)\n/);
  });

  it('is read by the command line, by programs and from suites, with its own error', async () => {
    await assertRefused(['--pauses', '0'], /--pauses: expected a positive whole number, got '0'/);
    assert.throws(() => resolve({ pauses: 0 }), usage("--pauses: expected a positive whole number, got '0'"));
    assert.equal(pausesIn(resolve({})), 1);
    assert.equal(pausesIn(resolve({ pauses: '3', durationMs: '1s' })), 3);
    assert.equal(pausesIn(resolve({}, { pauses: 4 })), 4);
    assert.throws(
      () => resolve({}, { pauses: 'x' }),
      usage("--pauses: expected a positive whole number, got 'x'"),
    );
  });

  it('replaces what a suite says of what it excludes, or yields to it, and refuses it of the user', () => {
    const given = { pauses: 2, durationMs: '1s' };
    assert.equal(resolve(given, { runs: 30 }).runs, resolve(given).runs);
    assert.throws(
      () => resolve({ ...given, runs: 30 }),
      usage('--pauses and --runs both say how many runs there are; give one of them'),
    );
    assert.equal(pausesIn(resolve({ runs: 30 }, given)), 1);
  });

  it('is refused where it would be ignored, or where its value is in conflict', () => {
    assert.throws(
      () => resolve({ pauses: 2 }),
      usage('--pauses needs --duration; add it, or leave --pauses out'),
    );
    assert.throws(
      () => resolve({ pauses: 3, durationMs: '1s', size: 7 }),
      usage('--pauses: 2 at most with --size 7'),
    );
  });
});
