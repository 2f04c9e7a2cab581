import { hasFlag, list } from '@ioredis/commands';
import { build } from 'hdr-histogram-js';
import { rowOf } from './commands/all-commands.js';

/** @import { CommandLine, Spread } from './types.js' */

/** Sizes up to 2,000 bytes are exact. */
const DIGITS = 3;
const LARGEST = 2 ** 52;

/** The spread of figures from 0 on, in memory that does not grow with their number. */
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

/** What is read off the commands of one name, or of all. */
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
      const ownBytes = sentBytes(args) + rest.bytes;
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
      bytes,
      sentBytes: sent.figures(),
      replyBytes: replies.count() === 0 ? null : replies.figures(),
      tookUs: took.count() === 0 ? null : took.figures(),
      hits,
      misses,
      errors,
    }),
  };
}

/** @param {CommandLine['args']} args */
function sentBytes(args) {
  let bytes = 0;
  for (const argument of args) {
    if (Array.isArray(argument)) bytes += argument[1];
    else bytes += typeof argument === 'string' ? argument.length : Math.abs(argument);
  }
  return bytes;
}

const NONE = { hits: 0, misses: 0 };
const READERS = new Set(list.filter((name) => hasFlag(name, 'readonly')).map((name) => name.toUpperCase()));

/**
 * Values that were asked for and were there, or not.
 *
 * @param {string} name
 * @param {NonNullable<CommandLine['reply']>} reply
 */
export function hitsIn(name, [type, , members, nulls]) {
  if (!READERS.has(name)) return NONE;
  if (rowOf(name).hits === 'members' && members !== undefined) {
    return { hits: Number(members) - Number(nulls), misses: Number(nulls) };
  }
  if (type === '$') return { hits: 1, misses: 0 };
  return type === '_' ? { hits: 0, misses: 1 } : NONE;
}
