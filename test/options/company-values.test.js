import assert from 'node:assert/strict';
import { companies } from '../../src/options/company-values.js';

describe('options/company-values', () => {
  it('reads commands with their rates, several of them, and sets of them', () => {
    const [none, one, two] = companies(['none', 'get 1MB @ 20/s, EVAL 10ms@5/s + BLPOP  1s']);
    assert.deepEqual(none, []);
    assert.deepEqual(one, [{ name: 'GET 1mb @ 20/s', command: 'get', bytes: 1e6, ms: null, perSecond: 20 }]);
    assert.deepEqual(two, [
      { name: 'EVAL 10ms @ 5/s', command: 'eval', bytes: null, ms: 10, perSecond: 5 },
      { name: 'BLPOP 1s', command: 'blpop', bytes: null, ms: 1000, perSecond: null },
    ]);
  });

  it('takes what it has read before, and each set once', () => {
    const read = companies(['none', 'BLPOP 1s + SET 10 @ 1/s', 'blpop 1s+set 10@1/s']);
    assert.equal(read.length, 2);
    assert.deepEqual(companies(read), read);
  });

  for (const wrong of [
    '',
    'GET',
    'GET 1mb',
    'GET 1mb @ 0/s',
    'GET 1mb @ 20',
    'GET 1tb @ 20/s',
    'GET other:key @ 20/s',
    'EVAL 2s @ 1/s',
    'EVAL 10ms',
    'BLPOP 0s',
    'BLPOP 1m',
    'BLPOP -1s',
    'FLUSHALL',
    'DEL 1mb @ 20/s',
    'constructor 1mb @ 20/s',
    'GET 1mb @ 20/s +',
    'GET 1mb @ 20000/s',
    7,
    null,
    {},
    [{}],
  ]) {
    it(`refuses ${JSON.stringify(wrong)}`, () => {
      assert.throws(() => companies(wrong), {
        message: /^expected none, or commands and their rates such as/,
      });
    });
  }
});
