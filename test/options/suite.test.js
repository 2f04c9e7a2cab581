import assert from 'node:assert/strict';
import { resolveOptions } from '../../src/options/resolve-options.js';
import { readSuite } from '../../src/options/suite.js';
import { pluginIds } from '../../src/plugins/registry.js';

/** @param {unknown} given */
const read = (given) => readSuite(given, { name: 'mine.json', id: 'mine' }, pluginIds);

describe('options/suite', () => {
  it('takes a suite with nothing but options', () => {
    const suite = read({ options: { tasks: [1, 64], clients: 'redis:tuned,ioredis' } });
    assert.deepEqual([suite.id, suite.title], ['mine', 'mine']);
    assert.deepEqual(resolveOptions({}, suite).tasks, [1, 64]);
  });

  it('holds assertions, to which those of the user are added', () => {
    const suite = read({ options: {}, assertions: ['pool.p99Us < 1'] });
    assert.deepEqual(resolveOptions({ assert: ['pool.p50Us < 1'] }, suite).assert, [
      'pool.p99Us < 1',
      'pool.p50Us < 1',
    ]);
    assert.deepEqual(resolveOptions({}, suite).assert, ['pool.p99Us < 1']);
  });

  it('says everything that is wrong at once', () => {
    const suite = {
      id: 'My Suite',
      title: 7,
      option: {},
      options: {
        task: [1],
        tasks: [0],
        clients: ['rediss'],
        scenarios: 'pool,shared',
        runs: 'many',
        __proto__: null,
      },
      assertions: ['pool.p99Us >', 5],
    };
    assert.throws(
      () => read(suite),
      (error) => {
        const { name, message } = /** @type {Error} */ (error);
        assert.equal(name, 'UsageError');
        assert.match(message, /^mine\.json: 10 errors\n/);
        for (const part of [
          /id: expected lower-case/,
          /title: expected a text/,
          /unknown field 'option' \(did you mean 'options'\?\)/,
          /unknown option 'task' \(did you mean 'tasks'\?\)/,
          /--tasks: expected .*'0'/,
          /unknown --clients value 'rediss' \(did you mean 'redis'\?\)/,
          /unknown --scenarios value 'shared' \(did you mean 'shared-connection'\?\)/,
          /--runs: expected .*'many'/,
          /assertions: expected a number.*text ends here/,
          /assertions: expected a text/,
        ]) {
          assert.match(message, part);
        }
        return true;
      },
    );
  });

  for (const [what, given] of /** @type {[string, unknown][]} */ ([
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['text', 'default'],
    ['options that are a list', { options: [] }],
    ['assertions that are no list', { assertions: 'pool.p99Us < 1' }],
    ['names of what every object has', JSON.parse('{"options": {"__proto__": 1, "constructor": 2}}')],
  ])) {
    it(`refuses ${what}`, () =>
      assert.throws(() => read(given), { name: 'UsageError', message: /^mine\.json: / }));
  }
});
