import { hasFlag, list } from '@ioredis/commands';
import { build } from 'hdr-histogram-js';
import { rowOf } from './commands/all-commands.js';
import { MOST_KEYS, MOST_US, sizeOf } from './format.js';
import { readProfile } from './read-profile.js';
import { summarizeReplay } from './summarize-replay.js';

/** @import { CommandLine, ProfileLine } from './types.js' */

/** @typedef {Awaited<ReturnType<typeof describeProfile>>} TrafficSummary plain JSON */
/** @typedef {ReturnType<ReturnType<typeof spreadOf>['figures']>} Spread */

const SECOND_US = 1e6;

/** Memory does not grow with the profile. @param {string} file @throws {UsageError} */
export async function describeProfile(file) {
  /** 10 MB for a month, of which only the used part takes memory. */
  const seconds = new Uint32Array(MOST_US / SECOND_US + 1);
  const keys = countKeys();
  const all = createReadings();
  /** @type {Map<string, ReturnType<typeof createReadings>>} */
  const byName = new Map();
  /** @type {Map<string, number>} */
  const errors = new Map();
  const connections = countConnections();
  let lastUs = 0;

  const { header, end, torn } = await readProfile(file, (/** @type {ProfileLine} */ line) => {
    lastUs = Math.max(lastUs, line.atUs);
    if (line.type === 'open') connections.open();
    if (line.type === 'close') connections.close(line);
    if (line.type !== 'command') return;
    const { name, atUs, args, reply } = line;
    seconds[Math.floor(atUs / SECOND_US)]++;
    const own = byName.get(name) ?? createReadings();
    byName.set(name, own);
    own.add(line);
    all.add(line);
    connections.command(line);
    if (reply?.[0] === '-') errors.set(`${reply[1]}`, (errors.get(`${reply[1]}`) ?? 0) + 1);
    for (const argument of args) if (Array.isArray(argument)) keys.add(argument[0]);
  });
  const durationUs = end?.atUs ?? lastUs;
  const { count: commands, ...figures } = all.figures();
  const names = [...byName].map(([name, own]) => {
    const { bytes, hits, misses, ...ofName } = own.figures();
    const hitRate = hits + misses === 0 ? null : hits / (hits + misses);
    return { name, share: ofName.count / commands, ...ofName, hitRate };
  });
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
    mostPerSecond: seconds
      .subarray(0, Math.max(1, Math.floor(durationUs / SECOND_US)))
      .reduce((most, count) => Math.max(most, count), 0),
    /** The most frequent first. */
    names: names.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
    ...figures,
    errors: [...errors].map(([word, count]) => ({ word, count })).sort((a, b) => b.count - a.count),
    keys: { ...keys.figures(), shared: end?.keysShared ?? false },
    ...connections.figures(),
    replay: await summarizeReplay(file).catch(({ message }) => ({ refused: String(message) })),
  };
}

function countConnections() {
  const underWay = spreadOf();
  const underWayInAll = spreadOf();
  /** When the last command came, by connection. @type {Map<number, number>} */
  const before = new Map();
  const connections = { opened: 0, most: 0, pushes: 0, unparsed: 0, unparsedBytes: 0 };
  let open = 0;
  let together = 0;
  let transactions = 0;
  return {
    open() {
      connections.opened++;
      open++;
      connections.most = Math.max(connections.most, open);
    },

    /** @param {Extract<ProfileLine, {type: 'close'}>} line */
    close({ connection, pushes, unparsedBytes }) {
      open = Math.max(0, open - 1);
      before.delete(connection);
      connections.pushes += pushes;
      connections.unparsedBytes += unparsedBytes;
      if (unparsedBytes > 0) connections.unparsed++;
    },

    /** @param {CommandLine} line */
    command({ atUs, connection, name, underWay: alone, underWayInAll: inAll }) {
      underWay.add(alone);
      underWayInAll.add(inAll);
      if (before.get(connection) === atUs) together++;
      before.set(connection, atUs);
      if (name === 'EXEC') transactions++;
    },

    figures: () => ({
      connections,
      underWay: underWay.figures(),
      underWayInAll: underWayInAll.figures(),
      /** Commands in the same write as the one before. */
      together,
      transactions,
    }),
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
  return {
    /** @param {number} value */
    add(value) {
      max = Math.max(max, value);
      histogram.recordValue(Math.min(value, LARGEST));
    },

    count: () => histogram.totalCount,

    figures: () => ({ p50: at(50), p90: at(90), p99: at(99), max }),
  };

  /** @param {number} percentile */
  function at(percentile) {
    return Math.min(max, histogram.getValueAtPercentile(percentile));
  }
}

/** Of the commands of one name, or of all. */
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

function countKeys() {
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
