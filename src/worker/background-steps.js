import * as steps from '../plugins/shared/steps.js';
import { createOwnItems } from './items.js';
import { expireKeys, storeData } from './store-data.js';

/** @import { BackgroundPart } from '../plan/types.js' */
/** @import { Connection, Items, Step } from '../plugins/types.js' */
/** @import { Job } from './types.js' */

/**
 * @typedef {{part: BackgroundPart, items: Items, step: Step, prepare?: (connection: Connection) => Promise<void>}}
 *   BackgroundStep
 */

/** @param {Job} job @returns {BackgroundStep[]} each with a key of its own */
export const backgroundSteps = (job) =>
  job.beside.map((part, index) => {
    const own = { keys: 1, valueSize: part.bytes ?? 1 };
    const items = createOwnItems({ ...job, value: 'text', keyPrefix: `${job.keyPrefix}b${index}` }, own);
    return { part, items, ...STEPS[part.command]({ ms: Number(part.ms), items, ...job }) };
  });

/** @type {Record<BackgroundPart['command'], (own: {ms: number, items: Items}) => Pick<BackgroundStep, 'prepare' | 'step'>>} */
const STEPS = {
  get: ({ items }) => ({
    async prepare(connection) {
      await storeData(connection, items, [steps.set, steps.get]);
      await expireKeys(connection, items);
    },
    step: steps.get,
  }),
  set: () => ({ step: steps.set }),
  eval: ({ ms, items }) => {
    const script = createBusyScript(ms, items.next().key);
    return {
      prepare: script.calibrate,
      step: {
        command: 'eval',
        send: (commands) => commands.command(script.command()),
        accept: (reply) => reply === 1,
      },
    };
  },
  blpop: ({ ms }) => ({
    step: {
      command: 'blpop',
      // Nothing is ever pushed there, so it waits for its whole time.
      send: (commands, { key }) => commands.command(['BLPOP', key, String(ms / 1000)]),
      accept: (reply) => reply === null,
    },
  }),
};

/** It calls no command, so the server counts only the script itself. */
const BUSY = 'for _ = 1, ARGV[1] do end return 1';
const TIMED =
  "local a = redis.call('TIME') for _ = 1, ARGV[1] do end local b = redis.call('TIME') " +
  'return (b[1] - a[1]) * 1000000 + b[2] - a[2]';
/** About 3 ms, measured with Redis 7.0. */
const CALIBRATION_STEPS = 1_000_000;
const ROUNDS = 5;

/** Keeps the server's main thread busy for so long. @param {number} ms @param {string} key only decides the cluster node */
function createBusyScript(ms, key) {
  let steps = 0;
  return {
    /**
     * By the server's own clock, because other cells are prepared meanwhile; where that stands still during a script, by how
     * long the reply takes. @param {Connection} connection
     */
    async calibrate(connection) {
      const times = [];
      for (let round = 0; round < ROUNDS; round++) {
        const sentAtMs = performance.now();
        const us = Number(await connection.command(['EVAL', TIMED, '1', key, String(CALIBRATION_STEPS)]));
        times.push(us > 0 ? us / 1000 : performance.now() - sentAtMs);
      }
      steps = Math.max(1, Math.round((ms / Math.min(...times)) * CALIBRATION_STEPS));
    },

    /** @returns {[string, ...string[]]} */
    command: () => ['EVAL', BUSY, '1', key, String(steps)],
  };
}
