import assert from 'node:assert/strict';
import { UsageError } from '../../src/errors.js';
import { assertKnownName, choicesOf } from '../../src/options/plugin-names.js';

const SCENARIOS = ['connection-per-task', 'open-and-close', 'pool', 'shared-connection'];

/** @param {string} name @returns {string} the message */
function complaint(name) {
  try {
    assertKnownName('scenario', name, SCENARIOS);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error.message;
  }
  throw new Error(`'${name}' was taken for known`);
}

describe('options/plugin-names', () => {
  it('returns a name that is known', () =>
    assert.equal(assertKnownName('scenario', 'pool', SCENARIOS), 'pool'));

  for (const [typed, meant] of [
    ['pol', 'pool'],
    ['pools', 'pool'],
    ['shared', 'shared-connection'],
    ['shared-conection', 'shared-connection'],
    ['open-close', 'open-and-close'],
    ['per-task', 'connection-per-task'],
  ]) {
    it(`offers '${meant}' for '${typed}'`, () => {
      assert.match(
        complaint(typed),
        new RegExp(`^unknown scenario '${typed}' \\(did you mean '${meant}'\\?\\)`),
      );
    });
  }

  it('offers nothing where nothing is near, but lists what there is', () => {
    const message = complaint('zzzzzzzzzzzz');
    assert.doesNotMatch(message, /did you mean/);
    for (const name of SCENARIOS) assert.ok(message.includes(name));
  });

  it("names the workload whose own title cannot be made, as a user's code may fail", () => {
    const titleOf = () => {
      throw new Error('no such thing');
    };
    const workloads = new Map([['own', { parse: () => 1, titleOf }]]);
    const settings = /** @type {any} */ ({ workload: ['own:1'], pipelining: [] });
    assert.throws(() => choicesOf(settings, /** @type {any} */ ({ workloads, pipelining: new Map() })), {
      name: 'UsageError',
      message: /workload 'own:1': no such thing/,
    });
  });
});
