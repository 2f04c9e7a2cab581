import assert from 'node:assert/strict';
import { createHset } from '../../../src/plugins/shared/steps.js';

/** @import { Commands } from '../../../src/plugins/types.js' */

const NOWHERE = /** @type {Commands} */ (/** @type {unknown} */ ({ hset() {} }));
const ITEM = { index: 0, key: 'field', hash: 'hash', value: 'value' };

/** @param {unknown[]} replies to as many HSETs of one field, all under way at once @param {number} [processes] */
function accepted(replies, processes = 1) {
  const step = createHset({ keys: 1, mayBeThere: processes > 1 });
  for (const _ of replies) step.send(NOWHERE, ITEM);
  return replies.map((reply) => step.accept(reply, ITEM));
}

/** @param {unknown[]} replies each before the next is sent */
function acceptedInTurn(replies) {
  const step = createHset({ keys: 1, mayBeThere: false });
  return replies.map((reply) => {
    step.send(NOWHERE, ITEM);
    return step.accept(reply, ITEM);
  });
}

describe('plugins/shared/steps: HSET', () => {
  it('must reply 1 to a new field and 0 to an old one', () => {
    assert.deepEqual(acceptedInTurn([1, 0, 0]), [true, true, true]);
    assert.deepEqual(acceptedInTurn([0]), [false]);
    assert.deepEqual(acceptedInTurn([1, 1]), [true, false]);
    assert.deepEqual(acceptedInTurn([2, null, 'OK']), [false, false, false]);
  });

  it('may be overtaken by another on the same field, but one of them must be the first', () => {
    assert.deepEqual(accepted([0, 1, 0]), [true, true, true]);
    assert.deepEqual(accepted([0, 0]), [true, false]);
    assert.deepEqual(accepted([1, 1]), [true, false]);
  });

  it('may find a field that another process has stored', () => {
    assert.deepEqual(accepted([0, 0], 2), [true, true]);
    assert.deepEqual(accepted([0, 1], 2), [true, false]);
  });

  it('starts again with an empty hash', () => {
    const step = createHset({ keys: 1, mayBeThere: false });
    for (const right of [true, true]) {
      step.restart?.();
      step.send(NOWHERE, ITEM);
      assert.equal(step.accept(1, ITEM), right);
    }
  });
});
