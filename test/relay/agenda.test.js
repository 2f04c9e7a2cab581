import assert from 'node:assert/strict';
import { createAgenda } from '../../src/relay/agenda.js';

describe('the agenda', () => {
  it('runs everything in the order of times, never before its time, and what is equal as it came', async () => {
    const agenda = createAgenda();
    const startedMs = performance.now();
    const offsets = [30, 5, 5, 0.3, 12.5, 0, 30, 5, 4.9];
    /** @type {{index: number, earlyMs: number}[]} */
    const ran = [];
    await new Promise((resolve) => {
      for (const [index, offset] of offsets.entries()) {
        agenda.add(startedMs + offset, (dueMs) => {
          ran.push({ index, earlyMs: dueMs - performance.now() });
          if (ran.length === offsets.length) resolve(null);
        });
      }
    });
    await agenda.stop();
    assert.deepEqual(
      ran.map(({ index }) => index),
      [5, 3, 8, 1, 2, 7, 4, 0, 6],
    );
    assert.ok(ran.every(({ earlyMs }) => earlyMs <= 0));
  });

  it('takes what is added while it runs', async () => {
    const agenda = createAgenda();
    let left = 3000;
    await new Promise((resolve) => {
      const again = (/** @type {number} */ dueMs) =>
        --left === 0 ? resolve(null) : agenda.add(dueMs + 0.01, again);
      agenda.add(performance.now(), again);
    });
    await agenda.stop();
  });
});
