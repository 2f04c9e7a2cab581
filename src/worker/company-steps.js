import * as steps from '../plugins/shared/steps.js';
import { createBusyScript } from './busy-script.js';
import { createOwnItems } from './items.js';
import { expireKeys, storeData } from './store-data.js';

/**
 * @import { CompanyPart } from '../plan/types.js'
 * @import { Commands, Connection, Item, Items } from '../plugins/types.js'
 * @import { Job } from './types.js'
 */

/**
 * @typedef {object} CompanyStep a command that stands beside the measured operations
 * @property {CompanyPart} part
 * @property {Items} items one, of its own
 * @property {(connection: Connection) => Promise<void>} prepare
 * @property {(commands: Commands) => unknown} send
 * @property {(reply: unknown) => boolean} accept whether the reply is what it must be
 */

/**
 * @param {Job} job
 * @returns {CompanyStep[]} each with a key of its own, which starts like all others
 */
export const companySteps = (job) =>
  job.beside.map((part, index) => {
    const own = { keys: 1, valueSize: part.bytes ?? 1 };
    const items = createOwnItems({ ...job, keyPrefix: `${job.keyPrefix}b${index}` }, own);
    const [item] = items.all();
    return { part, items, ...STEPS[part.command]({ part, items, item, expireAfterMs: job.expireAfterMs }) };
  });

/**
 * @typedef {object} Own what a command works with
 * @property {CompanyPart} part
 * @property {Items} items
 * @property {Item} item the only one
 * @property {number | null} expireAfterMs
 */

/** @type {Record<CompanyPart['command'], (own: Own) => Pick<CompanyStep, 'prepare' | 'send' | 'accept'>>} */
const STEPS = {
  get: ({ items, item, expireAfterMs }) => ({
    async prepare(connection) {
      await storeData(connection, items, [steps.set, steps.get]);
      if (expireAfterMs !== null) await expireKeys(connection, items, expireAfterMs);
    },
    send: (commands) => steps.get.send(commands, item),
    accept: (reply) => steps.get.accept(reply, item),
  }),
  set: ({ item }) => ({
    prepare: async () => {},
    send: (commands) => steps.set.send(commands, item),
    accept: (reply) => steps.set.accept(reply, item),
  }),
  eval: ({ part, item }) => {
    const script = createBusyScript(Number(part.ms), item.key);
    return {
      prepare: script.calibrate,
      send: (commands) => commands.command(script.command()),
      accept: (reply) => reply === 1,
    };
  },
  blpop: ({ part, item }) => ({
    prepare: async () => {},
    // Nobody ever puts anything there, so that it waits for its whole time.
    send: (commands) => commands.command(['BLPOP', item.key, String(Number(part.ms) / 1000)]),
    accept: (reply) => reply === null,
  }),
};
