import assert from 'node:assert/strict';
import { createChecks } from '../../src/contract/check.js';

/** @import { Type } from '../../src/types.js' */

const check = createChecks(() => ({
  Latency: { p99Us: 'amount', 'hdr?': 'hdr' },
  Tree: { 'left?': 'Tree', 'right?': 'Tree', '*': 'never' },
  Named: { '*': 'any' },
}));

const proto = JSON.parse('{"__proto__": {"p99Us": 1}, "constructor": 2}');

describe('check', () => {
  for (const [type, good, bad] of /** @type {[Type, unknown[], [value: unknown, error: RegExp][]][]} */ ([
    [
      'count',
      [0, 7, Number.MAX_SAFE_INTEGER],
      [
        ...[-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300, '1', null, undefined, [], {}, true].map(
          (value) => /** @type {[unknown, RegExp]} */ ([value, /^it must be a whole number of at least 0$/]),
        ),
      ],
    ],
    [
      'amount?',
      [0, 1.5, null],
      [
        [-0.1, /^it must be a number of at least 0 or null$/],
        [1e300, /number/],
      ],
    ],
    [
      'overZero',
      [1e-9],
      [
        [0, /^it must be a number above 0$/],
        [Number.NaN, /above/],
      ],
    ],
    ['share', [0, 1], [[1.01, /from 0 to 1$/]]],
    [
      'text',
      ['a', '\n'],
      [
        ['', /match/],
        [1, /^it must be a text$/],
      ],
    ],
    [
      "'tcp'|'tls'",
      ['tcp'],
      [
        ['udp', /^it must be 'tcp' or 'tls'$/],
        ['toString', /'tls'$/],
        [undefined, /'tls'$/],
      ],
    ],
    [
      "'auto'|positive|Latency",
      ['auto', 1, { p99Us: 1 }],
      [
        [0, /'auto' or .* or an object/],
        [{ p99Us: '' }, /^p99Us must/],
      ],
    ],
    [
      'Latency?',
      [null, { p99Us: 1 }, { p99Us: 1, more: 1 }],
      [
        [{}, /^it must have 'p99Us'$/],
        [[], /object or null/],
      ],
    ],
    [
      'Latency',
      [{ p99Us: 1, hdr: undefined }],
      [
        [proto, /must have 'p99Us'/],
        [{ p99Us: 1, hdr: null }, /^hdr must/],
      ],
    ],
    ['Latency&Named', [{ p99Us: 1 }], [[{}, /must have/]]],
    [
      'Tree',
      [{ left: { right: {} } }],
      [[{ left: { right: { up: 1 } } }, /^left\/right must have no other fields$/]],
    ],
    [
      ['count', 2, 1],
      [[1], [1, 2]],
      [
        [[], /at least 1/],
        [[1, 2, 3], /at most 2/],
        [[1, '2'], /^1 must/],
        [{ length: 1 }, /list/],
      ],
    ],
    [
      ['count', 'text', 1],
      [[1], [1, 'a']],
      [
        [[], /at least 1/],
        [[1, 'a', 1], /at most 2/],
        [[1, 2], /^1 must be a text/],
      ],
    ],
    [
      { '*': 'count' },
      [{}, { a: 1 }],
      [
        [{ a: 'b' }, /^a must/],
        [proto, /^__proto__ must/],
      ],
    ],
    [
      { '*name': 'any' },
      [{ a: 1 }],
      [
        [proto, /^it must have no such names$/],
        [{ 'a b': 1 }, /names/],
      ],
    ],
    [
      { '?': { a: 'flag' } },
      [null, { a: true }],
      [
        [{}, /must have 'a'/],
        [{ a: 1 }, /^a must be true or false/],
      ],
    ],
  ])) {
    it(`takes what is ${JSON.stringify(type)}, and says what is wrong with all else`, () => {
      for (const value of good) assert.equal(check(type)(value), null, JSON.stringify(value));
      for (const [value, error] of bad) assert.match(String(check(type)(value)), error);
    });
  }

  it('bounds names and items', () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [index, 1]));
    assert.match(String(check({ '*': 'count' })(many)), /at most 10000 names/);
    assert.match(String(check(['count'])({ length: 2e6 })), /list/);
    assert.match(String(check(['any'])(Array(1_000_001))), /at most 1000000 items/);
  });

  it('refuses a word that it does not know', () => {
    for (const type of ['cuont', 'toString', '__proto__', { a: ['amuont?'] }]) {
      assert.throws(() => check(type)({ a: [1] }), /expected a kind or a shape, got/);
    }
  });
});
