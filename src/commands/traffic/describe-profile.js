import { hasFlag, list } from '@ioredis/commands';
import { build } from 'hdr-histogram-js';
import { sum } from '../../descriptive-statistics.js';
import { createCallCounts } from '../../plugins/shared/call-counts.js';
import { keysIn, rowOf } from './commands.js';
import { MOST_KEYS, MOST_US, sizeOf } from './format.js';
import { summarizeReplay } from './plan-replay.js';
import { readProfile } from './read-profile.js';

/** @import { CommandLine } from './types.js' */

/** @typedef {Awaited<ReturnType<typeof describeProfile>>} TrafficSummary plain JSON */
/** @typedef {ReturnType<ReturnType<typeof spreadOf>['figures']>} Spread */

const SECOND_US = 1e6;

/** Memory does not grow with the profile. @param {string} file @throws {UsageError} */
export async function describeProfile(file) {
  /** 10 MB for a month, of which only the used part takes memory. */
  const seconds = new Uint32Array(MOST_US / SECOND_US + 1);
  const keyUses = new Uint32Array(MOST_KEYS);
  const all = createReadings();
  /** @type {Map<string, ReturnType<typeof createReadings>>} */
  const byName = new Map();
  const errors = createCallCounts();
  const inFlight = spreadOf();
  const underWayInAll = spreadOf();
  /** @type {Map<number, number>} */
  const before = new Map();
  const connections = { opened: 0, most: 0, pushes: 0, unparsed: 0, unparsedBytes: 0 };
  let open = 0;
  let together = 0;
  let lastUs = 0;

  /** @param {CommandLine} line */
  function take(line) {
    const { name, atUs, args, reply, connection } = line;
    seconds[Math.floor(atUs / SECOND_US)]++;
    const readings = byName.get(name) ?? createReadings();
    byName.set(name, readings);
    readings.add(line);
    all.add(line);
    inFlight.add(line.inFlight);
    underWayInAll.add(line.underWayInAll);
    if (before.get(connection) === atUs) together++;
    before.set(connection, atUs);
    if (reply?.[0] === '-') errors.count(`${reply[1]}`);
    for (const [key] of keysIn(args)) keyUses[key]++;
  }

  const { header, end, torn } = await readProfile(file, (line) => {
    lastUs = Math.max(lastUs, line.atUs);
    if (line.type === 'open') {
      connections.opened++;
      connections.most = Math.max(connections.most, ++open);
    } else if (line.type === 'close') {
      open = Math.max(0, open - 1);
      before.delete(line.connection);
      connections.pushes += line.pushes;
      connections.unparsedBytes += line.unparsedBytes;
      if (line.unparsedBytes > 0) connections.unparsed++;
    } else if (line.type === 'command') take(line);
  });
  const durationUs = end?.atUs ?? lastUs;
  const { count: commands, ...figures } = all.figures();
  const names = [...byName].map(([name, readings]) => {
    const { bytes, hits, misses, ...ofName } = readings.figures();
    const hitRate = hits + misses === 0 ? null : hits / (hits + misses);
    return { name, share: ofName.count / commands, ...ofName, hitRate };
  });
  const wholeSeconds = Math.max(1, Math.floor(durationUs / SECOND_US));
  return {
    file,
    header,
    /** Missing: nothing, the last line, or part of a line. */
    cutOff: torn ? 'torn' : end === null ? 'end' : 'no',
    reason: end?.reason ?? null,
    dropped: end?.dropped ?? 0,
    durationUs,
    commands,
    perSecond: durationUs === 0 ? 0 : (commands / durationUs) * 1e6,
    mostPerSecond: seconds.subarray(0, wholeSeconds).reduce((most, count) => Math.max(most, count), 0),
    names: names.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
    ...figures,
    errors: Object.entries(errors.take())
      .map(([word, count]) => ({ word, count }))
      .sort((a, b) => b.count - a.count),
    keys: { ...popularity(keyUses), shared: end?.keysShared ?? false },
    connections,
    inFlight: inFlight.figures(),
    underWayInAll: underWayInAll.figures(),
    /** Commands in the same write as the one before. */
    together,
    transactions: names.find(({ name }) => name === 'EXEC')?.count ?? 0,
    replay: await summarizeReplay(file).catch(({ message }) => ({ refused: String(message) })),
  };
}

/** Sizes up to 2,000 bytes are exact. */
const DIGITS = 3;
const LARGEST = 2 ** 52;

function spreadOf() {
  const histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 2,
    autoResize: true,
    numberOfSignificantValueDigits: DIGITS,
    useWebAssembly: false,
  });
  let max = 0;
  const at = (/** @type {number} */ percentile) => Math.min(max, histogram.getValueAtPercentile(percentile));
  return {
    /** @param {number} value */
    add(value) {
      max = Math.max(max, value);
      histogram.recordValue(Math.min(value, LARGEST));
    },
    count: () => histogram.totalCount,
    figures: () => ({ p50: at(50), p90: at(90), p99: at(99), max }),
  };
}

function createReadings() {
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
      const ownBytes = rest.bytes + sum(args.map(sizeOf));
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
      const [found, missed] = hitsIn(name, reply);
      hits += found;
      misses += missed;
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

const READERS = new Set(list.filter((name) => hasFlag(name, 'readonly')).map((name) => name.toUpperCase()));

/** @param {string} name @param {NonNullable<CommandLine['reply']>} reply */
function hitsIn(name, [type, , members, nulls]) {
  if (!READERS.has(name)) return [0, 0];
  if (rowOf(name).hits === 'members' && members !== undefined)
    return [Number(members) - Number(nulls), Number(nulls)];
  return [Number(type === '$'), Number(type === '_')];
}

const TOPS = [1, 10, 100, 1000, 10_000];

/** @param {Uint32Array} counts by key */
function popularity(counts) {
  const used = counts.filter((count) => count > 0).sort();
  const sumOf = (/** @type {Uint32Array} */ some) => some.reduce((sum, count) => sum + count, 0);
  const firstReused = used.findIndex((count) => count > 1);
  return {
    distinct: used.length,
    top: TOPS.filter((keys) => keys < used.length).map((keys) => ({
      keys,
      share: sumOf(used.subarray(-keys)) / sumOf(used),
    })),
    once: firstReused === -1 ? used.length : firstReused,
  };
}
