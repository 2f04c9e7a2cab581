import assert from 'node:assert/strict';
import { BenchError, messageOf, RunError, ServerError, UsageError } from '../src/errors.js';

describe('errors', () => {
  it('messageOf() has one line for any error', () => {
    assert.equal(messageOf(new Error('first\nsecond')), 'first');
    assert.equal(messageOf(new AggregateError([new Error('inner')])), 'inner');
    assert.equal(messageOf(Object.assign(new Error(''), { code: 'ECONNREFUSED' })), 'ECONNREFUSED');
    assert.equal(messageOf('text'), 'text');
    assert.equal(typeof messageOf(undefined), 'string');
    const long = messageOf(new Error('x'.repeat(1e6)));
    assert.equal(long, `${'x'.repeat(500)}… (999500 more characters)`);
    assert.equal(messageOf(new Error(`the server said: ${long}`)), `the server said: ${long}`);
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
