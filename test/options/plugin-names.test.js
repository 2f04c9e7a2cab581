import assert from 'node:assert/strict';
import { UsageError } from '../../src/errors.js';
import { knownName, parseClient } from '../../src/options/plugin-names.js';

const SCENARIOS = ['connection-per-task', 'open-and-close', 'pool', 'shared-connection'];

/** @param {string} name @returns {string} the message */
function complaint(name) {
  try {
    knownName('scenario', name, SCENARIOS);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error.message;
  }
  throw new Error(`'${name}' was taken for known`);
}

describe('options/plugin-names', () => {
  it('returns a name that is known', () => assert.equal(knownName('scenario', 'pool', SCENARIOS), 'pool'));

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

  describe('parseClient', () => {
    const clients = /** @type {Map<string, any>} */ (
      new Map([
        ['redis', { variants: { default: {}, tuned: {} } }],
        ['ioredis', { variants: { default: {} } }],
      ])
    );

    it('takes a bare name for the default variant', () => {
      assert.deepEqual(parseClient('redis', clients), { client: 'redis', variant: 'default', wanted: null });
    });

    it('reads the variant', () => {
      assert.deepEqual(parseClient('redis:tuned', clients), {
        client: 'redis',
        variant: 'tuned',
        wanted: null,
      });
    });

    for (const [name, wanted, variant] of [
      ['redis@5', '5', 'default'],
      ['redis@5.8:tuned', '5.8', 'tuned'],
      ['redis@^5.1.0 || 4', '^5.1.0 || 4', 'default'],
      ['redis@>=4.7 <6:tuned', '>=4.7 <6', 'tuned'],
      ['redis@6.0.0-beta.1+build', '6.0.0-beta.1+build', 'default'],
      ['redis@latest', 'latest', 'default'],
      ['redis@path:../a fork/redis-6.4.0.tgz', 'path:../a fork/redis-6.4.0.tgz', 'default'],
      ['redis@path:/work/fork:tuned', 'path:/work/fork', 'tuned'],
    ]) {
      it(`reads the release of ${name}`, () => {
        assert.deepEqual(parseClient(name, clients), { client: 'redis', variant, wanted });
      });
    }

    for (const name of [
      'redis@',
      'redis@:tuned',
      'redis@path:',
      'redis@../fork',
      'redis@--registry=x',
      'redis@a;b',
    ]) {
      it(`refuses '${name}', and says what a release looks like`, () => {
        assert.throws(() => parseClient(name, clients), {
          name: 'UsageError',
          message: /expected a release after the @, such as redis@5/,
        });
      });
    }

    it('offers the nearest client also where a release is asked for', () => {
      assert.throws(() => parseClient('rediss@5', clients), { message: /did you mean 'redis'/ });
    });

    it('offers the nearest client and the nearest variant', () => {
      assert.throws(() => parseClient('iorediss', clients), { name: 'UsageError', message: /'ioredis'/ });
      assert.throws(() => parseClient('redis:tund', clients), {
        name: 'UsageError',
        message: /unknown redis variant 'tund' \(did you mean 'tuned'\?\)/,
      });
    });

    it('does not take the variant of another client', () => {
      assert.throws(() => parseClient('ioredis:tuned', clients), { name: 'UsageError' });
    });

    for (const name of ['redis:', ':tuned', 'redis:tuned:more']) {
      it(`refuses '${name}'`, () => assert.throws(() => parseClient(name, clients), { name: 'UsageError' }));
    }
  });
});
