import assert from 'node:assert/strict';
import { allOrNone, until, within, withTimeLimit } from '../../src/process/wait.js';

const SOON = { everyMs: 1, withinMs: 5 };

describe('waiting', () => {
  it('until something is found, which is returned', async () => {
    let looks = 0;
    assert.equal(await until(() => ++looks === 3 && 'it', { everyMs: 1 }), 'it');
    assert.equal(looks, 3);
  });

  it('until the time is over or nobody waits any more', async () => {
    const late = () => new Error('it did not come');
    await assert.rejects(
      until(() => false, { ...SOON, late }),
      /it did not come/,
    );
    assert.equal(await until(() => false, SOON), null);
    assert.equal(await until(() => false, { everyMs: 1, signal: AbortSignal.abort() }), null);
  });

  it('within a limit that is longer than any timer', async () => {
    for (const ms of [2 ** 31, 1e15, Number.POSITIVE_INFINITY])
      assert.equal(await within(ms, new Promise((resolve) => setTimeout(resolve, 20, 'done'))), 'done');
  });

  it('within a limit, which is named', async () => {
    const never = new Promise(() => {});
    await assert.rejects(within(5, never), { code: 'TIMEOUT', message: 'no reply within 0.005 s' });
    await assert.rejects(withTimeLimit(5, never, '--run-timeout'), {
      name: 'HangError',
      message: 'the run had not ended after 0.005 s (--run-timeout)',
    });
    assert.equal(await within(5000, Promise.resolve(1)), 1);
  });

  it('for all, in their order, and undoes what has begun where one fails', async () => {
    /** @type {string[]} */
    const undone = [];
    const undo = (/** @type {string} */ name) => void undone.push(name);
    const later = within(1000, new Promise((resolve) => setImmediate(() => resolve('later'))));
    assert.deepEqual(await allOrNone([later, Promise.resolve('now')], undo), ['later', 'now']);
    assert.deepEqual(undone, []);
    const failed = Promise.reject(new Error('no port'));
    await assert.rejects(allOrNone([failed, later, Promise.resolve('now')], undo), /no port/);
    assert.deepEqual(undone, ['later', 'now']);
  });
});
