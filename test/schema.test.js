import assert from 'node:assert/strict';
import * as v from 'valibot';
import { UsageError } from '../src/errors.js';
import { readAs } from '../src/schema.js';

describe('schema of what comes from outside', () => {
  const Node = v.object({
    host: v.string(),
    port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  });
  const read = (/** @type {unknown} */ value) =>
    readAs(v.array(Node), value, (wrong) => new UsageError(`nodes: ${wrong}`));

  it('hands over what has the shape, without what it does not name', () => {
    assert.deepEqual(read([{ host: 'a', port: 1, more: true }]), [{ host: 'a', port: 1 }]);
  });

  it('says where it differs, what was expected and what type was found', () => {
    assert.throws(() => read('x'), { name: 'UsageError', message: 'nodes: expected Array, got string' });
    assert.throws(() => read([{ host: 'a', port: 0 }]), { message: 'nodes: 0.port: expected >=1, got 0' });
    assert.throws(() => read([{ host: [1], port: 1 }]), {
      message: 'nodes: 0.host: expected string, got a list of 1',
    });
    assert.throws(() => read([null]), { message: 'nodes: 0: expected Object, got null' });
  });

  it('never quotes a text, which may be a secret', () => {
    assert.throws(
      () => read([{ host: 'a', port: 'hunter2' }]),
      ({ message }) => !message.includes('hunter2') && message.includes('got string'),
    );
  });
});
