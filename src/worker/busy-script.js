/** @import { Connection } from '../plugins/types.js' */

/** Calls no command, so that the server counts nothing but the script itself. */
const BUSY = 'for _ = 1, ARGV[1] do end return 1';
const TIMED =
  "local a = redis.call('TIME') for _ = 1, ARGV[1] do end local b = redis.call('TIME') " +
  'return (b[1] - a[1]) * 1000000 + b[2] - a[2]';
/** About 3 ms, measured with Redis 7.0. */
const STEPS = 1_000_000;
const ROUNDS = 5;

/**
 * A script that keeps the server's main thread busy for so long.
 *
 * @param {number} ms
 * @param {string} key decides the node of a cluster; nothing is done with it
 */
export function createBusyScript(ms, key) {
  let steps = 0;
  return {
    /**
     * Finds out how many steps that takes, by the server's own clock, because other cells are prepared meanwhile. Where that
     * stands still during a script, by how long the reply takes.
     *
     * @param {Connection} connection
     */
    async calibrate(connection) {
      const times = [];
      for (let round = 0; round < ROUNDS; round++) {
        const sentAtMs = performance.now();
        const us = Number(await connection.command(['EVAL', TIMED, '1', key, String(STEPS)]));
        times.push(us > 0 ? us / 1000 : performance.now() - sentAtMs);
      }
      steps = Math.max(1, Math.round((ms / Math.min(...times)) * STEPS));
    },

    /** @returns {[string, ...string[]]} */
    command: () => ['EVAL', BUSY, '1', key, String(steps)],
  };
}
