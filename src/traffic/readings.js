import { hasFlag, list } from '@ioredis/commands';
import { build } from 'hdr-histogram-js';
import { rowOf } from './commands/all-commands.js';
import { MOST_KEYS, MOST_US, sizeOf } from './format.js';

/** @import { CommandLine, Spread } from './types.js' */

/** Sizes up to 2,000 bytes are exact. */
const DIGITS = 3;
const LARGEST = 2 ** 52;

export function spreadOf() {
  const histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 2,
    autoResize: true,
    numberOfSignificantValueDigits: DIGITS,
    useWebAssembly: false,
  });
  let max = 0;
  return {
    /** @param {number} value */
    add(value) {
      max = Math.max(max, value);
      histogram.recordValue(Math.min(value, LARGEST));
    },

    count: () => histogram.totalCount,

    /** @returns {Spread} */
    figures: () => ({ p50: at(50), p90: at(90), p99: at(99), max }),
  };

  /** @param {number} percentile */
  function at(percentile) {
    return Math.min(max, histogram.getValueAtPercentile(percentile));
  }
}

/** Of the commands of one name, or of all. */
export function createReadings() {
  const sent = spreadOf();
  const replies = spreadOf();
  const took = spreadOf();
  const bytes = { sent: 0, replies: 0 };
  let hits = 0;
  let misses = 0;
  let errors = 0;

  return {
    /** @param {CommandLine} line */
    add({ name, args, rest, reply, tookUs }) {
      let ownBytes = rest.bytes;
      for (const argument of args) ownBytes += sizeOf(argument);
      sent.add(ownBytes);
      bytes.sent += ownBytes;
      if (tookUs !== null) took.add(tookUs);
      if (reply === null) return;
      if (reply[0] === '-') {
        errors++;
        return;
      }
      replies.add(Number(reply[1]));
      bytes.replies += Number(reply[1]);
      const found = hitsIn(name, reply);
      hits += found.hits;
      misses += found.misses;
    },

    figures: () => ({
      count: sent.count(),
      sentBytes: sent.figures(),
      replyBytes: replies.count() === 0 ? null : replies.figures(),
      bytes,
      tookUs: took.count() === 0 ? null : took.figures(),
      hits,
      misses,
      errors,
    }),
  };
}

const NONE = { hits: 0, misses: 0 };
const READERS = new Set(list.filter((name) => hasFlag(name, 'readonly')).map((name) => name.toUpperCase()));

/** @param {string} name @param {NonNullable<CommandLine['reply']>} reply */
function hitsIn(name, [type, , members, nulls]) {
  if (!READERS.has(name)) return NONE;
  if (rowOf(name).hits === 'members' && members !== undefined) {
    return { hits: Number(members) - Number(nulls), misses: Number(nulls) };
  }
  if (type === '$') return { hits: 1, misses: 0 };
  return type === '_' ? { hits: 0, misses: 1 } : NONE;
}

/** Numbers of the most used keys whose share is reported. */
const TOPS = [1, 10, 100, 1000, 10_000];

export function countKeys() {
  const counts = new Uint32Array(MOST_KEYS);
  return {
    /** @param {number} key */
    add(key) {
      counts[key]++;
    },

    figures() {
      const used = counts.filter((count) => count > 0).sort();
      const uses = used.reduce((sum, count) => sum + count, 0);
      let sum = 0;
      let next = 0;
      const top = TOPS.filter((keys) => keys < used.length).map((keys) => {
        for (; next < keys; next++) sum += used[used.length - 1 - next];
        return { keys, share: sum / uses };
      });
      const more = used.findIndex((count) => count > 1);
      return { distinct: used.length, top, once: more === -1 ? used.length : more };
    },
  };
}

const SECOND_US = 1e6;
const PARTS = 60;

/** @param {Uint32Array} counts */
const mean = (counts) => counts.reduce((sum, count) => sum + count, 0) / counts.length;

export function countSeconds() {
  /** 10 MB for a month, of which only the used part takes memory. */
  const counts = new Uint32Array(MOST_US / SECOND_US + 1);
  return {
    /** @param {number} atUs */
    add(atUs) {
      counts[Math.floor(atUs / SECOND_US)]++;
    },

    /** @param {number} durationUs @returns {number} the most in any whole second */
    most(durationUs) {
      const whole = counts.subarray(0, Math.max(1, Math.floor(durationUs / SECOND_US)));
      return whole.reduce((most, count) => Math.max(most, count), 0);
    },

    /** @param {number} durationUs @returns {{fromUs: number, perSecond: number}[]} */
    parts(durationUs) {
      const seconds = Math.floor(durationUs / SECOND_US);
      const each = Math.ceil(seconds / PARTS);
      return Array.from({ length: each === 0 ? 0 : Math.ceil(seconds / each) }, (_, index) => {
        const part = counts.subarray(index * each, Math.min(seconds, (index + 1) * each));
        return { fromUs: index * each * SECOND_US, perSecond: mean(part) };
      });
    },
  };
}
