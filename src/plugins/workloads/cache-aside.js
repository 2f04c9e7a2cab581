import { setTimeout as sleep } from 'node:timers/promises';
import { createCallCounts } from '../shared/call-counts.js';
import * as steps from '../shared/steps.js';

/** @import { Connection, CycleContext, Item, RequestKind, Step, WorkloadSource } from '../types.js' */

/**
 * Null where it is not asked for.
 * @typedef {{hit: number | null, workMs: number, ttlMs: number | null}} CacheAside `hit`: of a hundred operations
 */

/** @satisfies {WorkloadSource<CacheAside>} */
export default {
  summary: 'a GET, and after a miss a wait (--miss-work) and a SET: hit=90 for 90 % of hits, or --ttl',
  wholeValues: true,
  borrowsForEach: true,
  ownOptions: {
    missWork: {
      flag: '--miss-work <time>',
      help: 'how long a miss waits before its SET, as for a database',
      value: { type: 'time' },
      default: 0,
    },
    ttl: {
      flag: '--ttl <time>',
      help: 'when values expire; each run begins with an empty cache',
      value: { type: 'time' },
    },
  },

  parse(argument = '', { missWork: workMs = 0, ttl }) {
    const [, hit] = /^hit=(\d+(?:\.\d)?)$/.exec(argument) ?? [];
    if (hit !== undefined && ttl !== undefined)
      throw new Error('expected hit= or --ttl, got both: with --ttl, misses come from what has expired');
    if (ttl !== undefined && argument === '')
      return { hit: null, workMs, ttlMs: Math.max(1, Math.round(ttl)) };
    if (hit === undefined || Number(hit) > 100)
      throw new Error(
        `expected how many of a hundred operations hit, such as cache-aside:hit=90, or cache-aside with --ttl 1s; got '${argument}'`,
      );
    return { hit: Number(hit), workMs, ttlMs: null };
  },

  titleOf: ({ hit, workMs, ttlMs }) =>
    [
      `cache-aside, ${hit === null ? `TTL ${ttlMs} ms` : `${hit} % hits`}`,
      ...(workMs > 0 ? [`${workMs} ms for a miss`] : []),
    ].join(', '),

  startsEmpty: ({ ttlMs }) => ttlMs !== null,
  fillsAsItGoes: ({ ttlMs }) => ttlMs !== null,
  prepare: ({ ttlMs }) => (ttlMs === null ? [steps.set, steps.get] : []),
  request: () => ({ kind: BACKFILL, count: 1 }),
  cycle: (parameter, context) => [[createStep(parameter, context)]],
};

/** @type {RequestKind} */
const BACKFILL = { isBackfill: true, step: steps.set, one: ({ key, value }) => ['SET', key, value] };

const FILLED = Symbol('filled');
const nothing = () => ({ hits: 0, misses: 0, backfills: 0, doubled: 0 });
/** Shares are exact to a tenth of a percent. */
const OF = 1000;

/**
 * For a share of hits, a miss is a GET of a key that is never stored, spread evenly over the operations, and its SET writes
 * the stored key again: so the share is exact, however keys are drawn.
 * @param {CacheAside} parameter @param {CycleContext} context @returns {Step}
 */
function createStep({ hit, workMs, ttlMs }, { way }) {
  const calls = createCallCounts();
  let lookups = nothing();
  /** Backfills in this process, by key. @type {Map<string, {running: number, filled: Promise<unknown>}>} */
  const current = new Map();
  const missesOf = hit === null ? 0 : Math.round((100 - hit) * (OF / 100));
  let due = 0;

  /** @param {Item} item */
  function nextKey({ key }) {
    due += missesOf;
    if (due < OF) return key;
    due -= OF;
    return `${key}-`;
  }

  /** @param {Connection} connection @param {Item} item */
  async function fill(connection, item) {
    if (workMs > 0) await sleep(workMs);
    calls.count('set');
    const { key, value } = item;
    const reply = await (ttlMs === null
      ? connection.set(key, value)
      : connection.command(['SET', key, value, 'PX', `${ttlMs}`]));
    return steps.set.accept(reply, item) ? FILLED : reply;
  }

  /** @param {Connection} connection @param {string} key @param {Item} item @returns {Promise<unknown>} */
  function backfill(connection, key, item) {
    const before = current.get(key);
    if (before && way?.joins) return before.filled;
    lookups.backfills++;
    if (before) lookups.doubled++;
    const filled = fill(connection, item).finally(() => {
      entry.running--;
      if (entry.running === 0) current.delete(key);
    });
    const entry = Object.assign(before ?? { running: 0 }, { filled });
    entry.running++;
    current.set(key, entry);
    return filled;
  }

  return {
    command: 'cache-aside',
    async send(commands, item) {
      const connection = /** @type {Connection} */ (commands);
      const key = nextKey(item);
      calls.count('get');
      const reply = await connection.get(key);
      lookups[reply === null ? 'misses' : 'hits']++;
      return reply === null ? backfill(connection, key, item) : reply;
    },
    accept: (reply, item) => reply === FILLED || steps.get.accept(reply, item),
    takeCalls: calls.take,
    takeLookups() {
      const taken = lookups;
      lookups = nothing();
      return taken;
    },
  };
}
