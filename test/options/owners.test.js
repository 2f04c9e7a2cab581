import assert from 'node:assert/strict';
import { resolveOptions } from '../../src/commands/benchmark/settings.js';
import { loadOptions } from '../../src/options/catalogue.js';

const OPTIONS = await loadOptions();

/** @param {Record<string, unknown>} given */
const resolve = (given) =>
  resolveOptions(given, { id: 'test', title: 'Test', summary: 'for the test', options: {} }, OPTIONS);

/** @param {RegExp} message */
const usage = (message) => ({ name: 'UsageError', message });

describe('options/owners', () => {
  it('an option of a scenario that is not measured is refused, with the scenario that has it', () => {
    assert.throws(
      () => resolve({ connections: '4', scenarios: 'shared-connection,pool' }),
      usage(
        /^--connections is for the scenario round-robin, .* among shared-connection, pool; add it to --scenarios$/,
      ),
    );
  });

  it('is accepted where one of several has it, and where it was not given', () => {
    assert.deepEqual(resolve({ connections: '4', scenarios: 'pool,round-robin' }).scenarios.length, 2);
    assert.deepEqual(resolve({ connections: undefined, scenarios: 'pool' }).scenarios, ['pool']);
  });

  it('its values are read like those of any option', () => {
    assert.throws(
      () => resolve({ poolSize: '0' }),
      usage(/^--pool-size: expected a whole number from 1 .*'0'$/),
    );
    assert.throws(
      () => resolve({ pool: 'big' }),
      usage(/^--pool: expected one of generic, native, got 'big'$/),
    );
    assert.deepEqual(/** @type {any} */ (resolve({ poolSize: '1,3,3' })).poolSize, [1, 3]);
  });

  it('an option that a scenario shares with the tool needs one of the two', () => {
    assert.throws(
      () => resolve({ maxInFlight: '5', scenarios: 'pool' }),
      usage(
        /^--max-in-flight needs --rate .* or the scenario bounded; add it, or leave --max-in-flight out$/,
      ),
    );
    for (const more of [{ rate: '9', scenarios: 'pool' }, { scenarios: 'bounded' }]) {
      assert.deepEqual(resolve({ maxInFlight: '5', ...more }).maxInFlight, [5]);
    }
  });
});
