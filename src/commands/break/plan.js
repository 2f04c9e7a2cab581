import { waitMsOf } from '../../plugins/shared/command-keys.js';
import { skip } from '../../run/plan/loads.js';
import { sentBy } from '../../server/command-places.js';
import { FORGETS, hasOwnKeys, isRelayed } from './axes.js';

/** @import { CommandPlan } from '../types.js' */
/** @import { Cell } from '../../run/plan/types.js' */
/** @import { Sending } from '../../server/command-places.js' */

/** The worker knows each of them, and checks it after the run. */
const MOST_OWN_KEYS = 200_000;
/** Each operation is tracked, which takes memory and time. */
const MOST_PER_SECOND = 20_000;
/** Affect all connections, the first node or primary, or clients. */
const OF_SEVERAL = ['none', 'cut', 'half-open', ...FORGETS, 'slow', 'stall', 'freeze', 'failover'];
/** @type {Partial<Record<Cell['topology'], string[]>>} */
const ABLE = { cluster: OF_SEVERAL, sentinel: [...OF_SEVERAL, 'switchover'] };

/** Random arrivals may exceed their rate, in each process. */
const MORE = { times: 1.2, besides: 100 };

/** @param {Pick<Cell, 'chosen'>} cell @returns {string | undefined} the command of its mix that waits in the server */
const waitingIn = ({ chosen }) =>
  sentBy(/** @type {Sending} */ (chosen.workload.parameter ?? {})).find(
    (words) => waitMsOf(words) !== null,
  )?.[0];

/** @type {CommandPlan} */
export const PLAN = {
  skip(cell, settings) {
    const { fault, topology, transport, keys, openLoop } = cell;
    if (fault === undefined) return null;
    const { kind, name } = fault;
    const able = ABLE[topology];
    const waiting = waitingIn(cell);
    if (waiting !== undefined) return skip('fault-waits', { command: waiting.toUpperCase() });
    if (hasOwnKeys(cell) && keys > MOST_OWN_KEYS) return skip('fault-keys', { keys, most: MOST_OWN_KEYS });
    if (kind === 'switchover' && topology !== 'sentinel') return skip('fault-of-sentinels', { fault: name });
    if (able && !able.includes(kind)) return skip('fault-of-single', { fault: kind, able, topology });
    if (transport === 'unix' && isRelayed(cell)) return skip('fault-over-unix', { fault: kind });
    // Next to a longer pause, a shorter one shows what changes.
    if (FORGETS.includes(kind) && Math.max(0, ...(settings.idle ?? [])) <= Number(fault.byMs))
      return skip('fault-idle', { fault: name });
    return Number(openLoop?.ratePerSecond) > MOST_PER_SECOND
      ? skip('fault-rate', { most: MOST_PER_SECOND })
      : null;
  },

  needs: ({ fault, topology }) => ({
    capabilities: fault === undefined ? [] : ['recovery'],
    relay: fault?.by === 'relay' && topology !== 'standalone',
  }),

  keys({ keys, tasks, processes, fault, openLoop }, { account, keysPerOperation }, settings) {
    if (account === undefined) return keys;
    if (!account.fresh) return tasks * processes;
    const seconds = Number(fault?.durationMs ?? settings.durationMs) / 1000;
    const operations = MORE.times * Number(openLoop?.ratePerSecond) * seconds;
    return Math.ceil(operations + MORE.besides * processes) * keysPerOperation;
  },

  relays: ({ fault = [] }) => fault.some(({ by }) => by === 'relay'),

  sparesServers: true,

  lasts: ({ fault, idleMs = 0 }) => ({ durationMs: fault?.durationMs, pauseMs: idleMs }),

  // Waiting is what is measured; rate and duration bound it, and the memory of this machine.
  mostInFlight: { commands: 1_000_000, bytes: 1e9 },
};
