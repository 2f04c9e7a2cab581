import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRelayed } from '../helpers/relayed.js';
import { timed } from '../helpers/timed.js';
import { until } from '../helpers/until.js';

describe('chunks in the relay', () => {
  for (const rttMs of [0, 30]) {
    timed(`leave as they came, at ${rttMs} ms`, async () => {
      /** @type {number[]} */
      const seen = [];
      const relayed = await startRelayed({ rttMs }, (upstream) => {
        upstream.on('data', ({ length }) => seen.push(length));
      });
      const socket = await relayed.connect();
      const lengths = Array.from({ length: 40 }, (_, index) => 1 + ((index * 37) % 50) * 100);
      // The first bytes of a connection wait for its opening, and then leave together.
      await sleep(2 * rttMs);
      for (const length of lengths) {
        socket.write(Buffer.alloc(length));
        await sleep(3);
      }
      const total = (/** @type {number[]} */ all) => all.reduce((sum, length) => sum + length, 0);
      await until('all bytes', () => total(seen) >= total(lengths)).finally(relayed.stop);
      assert.equal(total(seen), total(lengths));
      // A machine that stops for a moment joins what then waits; the relay itself joins nothing.
      assert.ok(seen.length >= 0.9 * lengths.length, `${seen}`);
    });
  }
});
