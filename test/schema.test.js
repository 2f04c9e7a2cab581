import assert from 'node:assert/strict';
import * as v from 'valibot';
import { UsageError } from '../src/errors.js';
import {
  amount,
  count,
  list,
  name,
  overZero,
  positive,
  readAs,
  recordOf,
  share,
  wrongIn,
} from '../src/schema.js';

/** @import { GenericSchema } from 'valibot' */

const proto = JSON.parse('{"__proto__": {"p99Us": 1}, "constructor": 2}');

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

  for (const [
    what,
    schema,
    good,
    bad,
  ] of /** @type {[string, GenericSchema, unknown[], [value: unknown, error: RegExp][]][]} */ ([
    [
      'a count',
      count,
      [0, Number.MAX_SAFE_INTEGER],
      [-1, 1.5, Number.NaN, 1e300, '1', null, [], {}, true].map((value) => [
        value,
        /^expected a whole number of at least 0, got /,
      ]),
    ],
    [
      'an amount',
      v.nullable(amount),
      [0, 1.5, null],
      [
        [-0.1, /of at least 0, got -0.1$/],
        [1e-31, /number/],
      ],
    ],
    [
      'a number above 0',
      overZero,
      [1e-9],
      [
        [0, /^expected a number above 0, got 0$/],
        [Number.NaN, /above/],
      ],
    ],
    ['a share', share, [0, 1], [[1.01, /from 0 to 1/]]],
    [
      'a list',
      list(count, 2, 1),
      [[1], [1, 2]],
      [
        [[], /^expected a list of 1 to 2, got a list of 0$/],
        [[1, 2, 3], /1 to 2/],
        [[1, '2'], /^1: /],
        [{ length: 1 }, /list/],
      ],
    ],
    [
      'an object of any names',
      recordOf(count),
      [{}, { a: 1 }],
      [
        [{ a: 'b' }, /^a: /],
        [proto, /^__proto__: expected a whole number/],
        [[], /an object/],
        [Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [index, 1])), /at most 10000 names/],
      ],
    ],
    [
      'an object of some names',
      recordOf(v.any(), name),
      [{ a: 1 }],
      [
        [proto, /^__proto__: expected a name/],
        [{ 'a b': 1 }, /^a b: expected a name/],
      ],
    ],
    [
      'an object of just these',
      v.strictObject({ a: count }),
      [{ a: 1 }],
      [
        [{}, /^a is missing$/],
        [{ a: 1, b: 1 }, /^b is not known$/],
        [JSON.parse('{"a": 1, "__proto__": 1}'), /^__proto__ is not known$/],
      ],
    ],
    [
      'one of several',
      v.union([v.literal('auto'), positive, v.object({ p99Us: amount })]),
      ['auto', 1, { p99Us: 1 }],
      [
        [0, /"auto" \| a whole number/],
        [{ p99Us: '' }, /^p99Us: expected a number/],
      ],
    ],
  ])) {
    it(`takes what is ${what}, and says what is wrong with all else`, () => {
      for (const value of good) assert.equal(wrongIn(schema, value), null, JSON.stringify(value));
      for (const [value, error] of bad) assert.match(String(wrongIn(schema, value)), error);
    });
  }
});
