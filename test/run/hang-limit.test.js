import assert from 'node:assert/strict';
import { RunError, SilenceError } from '../../src/errors.js';
import { hangLimit, noted } from '../../src/run/cell-worker.js';

/** @param {object} server @param {number} [runTimeoutMs] @param {number} [leftMs] of a budget */
const limitOf = (server, runTimeoutMs, leftMs) =>
  hangLimit({
    server: /** @type {any} */ (server),
    settings: { runTimeoutMs },
    budgetLeftMs: leftMs === undefined ? undefined : () => leftMs,
  });

describe('run/hang-limit: how long a reply is waited for', () => {
  it('is far shorter on a server that gave none before, and on no other', () => {
    const [silent, other] = [{}, {}];
    const first = limitOf(silent);
    noted(new RunError('wrong reply'), silent);
    assert.equal(limitOf(silent), first);
    noted(new SilenceError('no reply'), silent);
    assert.ok(limitOf(silent) <= first / 4, `${limitOf(silent)} of ${first} ms`);
    assert.equal(limitOf(other), first);
  });

  it('is what the user says, there too', () => {
    const server = {};
    noted(new SilenceError('no reply'), server);
    assert.equal(limitOf(server, 20_000), 20_000);
  });

  it('is a quarter of what is left of a budget, at most', () => {
    assert.equal(limitOf({}, undefined, 40_000), 10_000);
    assert.equal(limitOf({}, undefined, 1_000_000), limitOf({}));
  });
});
