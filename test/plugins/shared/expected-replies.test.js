import assert from 'node:assert/strict';
import { createExpected } from '../../../src/plugins/shared/expected-replies.js';

const item = (/** @type {number} */ index) => ({ index, key: `k${index}`, hash: 'h', value: `v${index}` });

/** @param {unknown} learned @param {unknown} later @param {boolean} [ordered] */
function accepts(learned, later, ordered = true) {
  const expected = createExpected();
  expected.learn(learned, item(0), ordered);
  return expected.accept(later, item(0));
}

describe('plugins/shared/expected-replies', () => {
  it('knows whether any reply had something in it', () => {
    const filledBy = (/** @type {unknown[]} */ ...replies) => {
      const expected = createExpected({ zeroIsEmpty: true });
      for (const reply of replies) expected.learn(reply, item(0), true);
      return expected.isFilled();
    };
    for (const empty of [null, '', [], {}, 0, new Map(), new Set(), Buffer.alloc(0)])
      assert.deepEqual([filledBy(empty), filledBy(empty, 'a')], [false, true]);
    for (const full of ['a', ['a'], { a: 1 }, 1, -1, new Map([['a', 1]])]) assert.equal(filledBy(full), true);
  });

  it('counts the replies that say that nothing was there, learned or not', () => {
    const unlearned = createExpected();
    for (const reply of ['a', null, '', 'b', null]) unlearned.accept(reply, item(0));
    assert.deepEqual([unlearned.takeNothing(), unlearned.takeNothing()], [3, 0]);
    const fields = createExpected();
    for (const reply of [{ a: 1 }, {}, Object.create(null)]) fields.accept(reply, item(0));
    assert.equal(fields.takeNothing(), 2);
    const learned = createExpected({ zeroIsEmpty: true });
    for (const [at, reply] of ['a', null, 0].entries()) learned.learn(reply, item(at), true);
    for (const [at, reply] of ['a', null, 0, 0].entries()) learned.accept(reply, item(Math.min(at, 2)));
    assert.equal(learned.takeNothing(), 3);
    const taking = createExpected({ usesUp: true });
    for (const reply of [1, 0, false, [], null]) taking.accept(reply, item(0));
    assert.equal(taking.takeNothing(), 4);
  });

  it('holds later replies against the first, whatever they are made of', () => {
    const nested = () => ['a', 1, null, ['b', new Map([['c', 2]])], { d: 3 }];
    assert.equal(accepts(nested(), nested()), true);
    for (const [learned, later] of [
      ['a', 'b'],
      ['a', null],
      [1, '1'],
      [['a'], ['b']],
      [['a'], ['a', 'a']],
      [[['a']], [['b']]],
      [{ a: 1 }, { a: 2 }],
      [new Map([['a', 1]]), new Map([['a', 2]])],
      [null, 'a'],
    ]) {
      assert.equal(accepts(learned, learned), true);
      assert.equal(accepts(learned, later), false, `${JSON.stringify(learned)}, ${JSON.stringify(later)}`);
    }
  });

  it('lets elements come in another order only where the server says that they may', () => {
    assert.equal(accepts(['a', 'b'], ['b', 'a'], false), true);
    assert.equal(accepts(['a', 'b'], ['b', 'b'], false), false);
    assert.equal(accepts(['a', 'b'], ['b', 'a'], true), false);
    const [ab, ba, c] = ['ab', 'ba', 'c'].map((text) => Buffer.from(text));
    assert.equal(accepts([ab, c], [c, ab], false), true);
    assert.equal(accepts([ab, c], [c, ba], false), false);
  });

  it("keeps the keys' replies apart", () => {
    const expected = createExpected();
    expected.learn('v0', item(0), true);
    expected.learn('v1', item(1), true);
    assert.equal(expected.accept('v1', item(0)), false);
    assert.equal(expected.accept('v1', item(1)), true);
  });

  it('checks the type alone where nothing was learned, and takes no error for a reply', () => {
    for (const [first, same, other] of [
      [1, 2, '1'],
      ['OK', 'other', 1],
      [['a'], [], 'a'],
    ]) {
      const { accept } = createExpected();
      assert.equal(accept(null, item(0)), true);
      assert.equal(accept(first, item(0)), true);
      assert.equal(accept(same, item(1)), true);
      assert.equal(accept(other, item(1)), false);
    }
    assert.equal(createExpected().accept(new Error('ERR'), item(0)), false);
    assert.equal(createExpected().accept(undefined, item(0)), false);
  });
});
