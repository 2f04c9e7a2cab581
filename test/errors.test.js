import assert from 'node:assert/strict';
import { nameOfCause } from '../src/error-causes.js';
import {
  BenchError,
  messageOf,
  nameOwnFile,
  ownPlaceOf,
  RunError,
  ServerError,
  UsageError,
} from '../src/errors.js';

describe('errors', () => {
  it('messageOf() has one line for any error', () => {
    assert.equal(messageOf(new Error('first\nsecond')), 'first');
    assert.equal(messageOf(new AggregateError([new Error('inner')])), 'inner');
    assert.equal(messageOf(Object.assign(new Error(''), { code: 'ECONNREFUSED' })), 'ECONNREFUSED');
    assert.equal(messageOf('text'), 'text');
    // As node-redis's.
    class TimeoutError extends Error {}
    assert.equal(messageOf(new TimeoutError()), 'TimeoutError');
    assert.equal(nameOfCause(messageOf(new TimeoutError())), 'timeout');
    assert.equal(messageOf(new AggregateError([Object.assign(new Error(), { code: 'EPIPE' })])), 'EPIPE');
    assert.equal(messageOf(new TypeError()), 'TypeError');
    assert.equal(messageOf(new Error()), 'an Error without a message');
    assert.equal(typeof messageOf(undefined), 'string');
    const long = messageOf(new Error('x'.repeat(1e6)));
    assert.equal(long, `${'x'.repeat(500)}… (999500 more characters)`);
    assert.equal(messageOf(new Error(`the server said: ${long}`)), `the server said: ${long}`);
  });

  it('only a file that the user named is blamed, and not where the tool failed in between', () => {
    nameOwnFile('/home/ann/checkout.js');
    const tool = new URL('../src/worker/loops.js', import.meta.url).href;
    const own = 'at iterate (file:///home/ann/checkout.js:12:3)';
    const node = 'at async open (node:internal/fs/promises:740:14)';
    for (const [frames, place] of /** @type {[string[], string | null][]} */ ([
      [[node, own], 'checkout.js:12'],
      [['at get (/home/ann/node_modules/redis/index.js:1:1)', own], 'checkout.js:12'],
      [['at help (file:///home/ann/lib/help.js:3:1)', own], 'checkout.js:12'],
      [[node], null],
      [['at help (file:///home/ann/lib/help.js:3:1)'], null],
      [[`at run (${tool}:7:1)`, own], null],
    ])) {
      assert.equal(ownPlaceOf({ stack: ['Error: no space', ...frames].join('\n    ') }), place);
    }
  });

  it('each class of error has its exit code', () => {
    for (const [ErrorClass, code] of /** @type {const} */ ([
      [UsageError, 2],
      [ServerError, 3],
      [RunError, 4],
    ])) {
      const error = new ErrorClass('what is wrong');
      assert.ok(error instanceof BenchError);
      assert.deepEqual([error.exitCode, error.message], [code, 'what is wrong']);
    }
  });
});
