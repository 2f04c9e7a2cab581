import { hasFlag, list } from '@ioredis/commands';
import { build } from 'hdr-histogram-js';
import { rowOf } from './commands/all-commands.js';
import { MOST_KEYS, MOST_US, sizeOf } from './format.js';
import { readProfile } from './read-profile.js';

/** @import { CommandLine, NamedTraffic, ProfileLine, TrafficSummary, Spread } from './types.js' */

/** Memory does not grow with the profile. @param {string} file @returns {Promise<TrafficSummary>} @throws {UsageError} */
export async function describeProfile(file) {
  const seconds = countSeconds();
  const keys = countKeys();
  const names = createNames();
  const connections = countConnections();
  let lastUs = 0;

  const { header, end, torn } = await readProfile(file, (/** @type {ProfileLine} */ line) => {
    lastUs = Math.max(lastUs, line.atUs);
    if (line.type === 'open') connections.open();
    if (line.type === 'close') connections.close(line);
    if (line.type !== 'command') return;
    seconds.add(line.atUs);
    names.add(line);
    connections.command(line);
    for (const argument of line.args) if (Array.isArray(argument)) keys.add(argument[0]);
  });
  const durationUs = end?.atUs ?? lastUs;
  const { commands, ...named } = names.figures();
  return {
    file,
    header,
    cutOff: torn ? 'torn' : end === null ? 'end' : 'no',
    reason: end?.reason ?? null,
    dropped: end?.dropped ?? 0,
    durationUs,
    commands,
    perSecond: durationUs === 0 ? 0 : (commands / durationUs) * 1e6,
    mostPerSecond: seconds.most(durationUs),
    rates: seconds.parts(durationUs),
    ...named,
    keys: { ...keys.figures(), shared: end?.keysShared ?? false },
    ...connections.figures(),
  };
}

function createNames() {
  /** @type {Map<string, ReturnType<typeof createReadings>>} */
  const byName = new Map();
  const all = createReadings();
  /** @type {Map<string, number>} */
  const errors = new Map();
  return {
    /** @param {CommandLine} line */
    add(line) {
      const readings = byName.get(line.name) ?? createReadings();
      byName.set(line.name, readings);
      readings.add(line);
      all.add(line);
      if (line.reply?.[0] === '-') errors.set(`${line.reply[1]}`, (errors.get(`${line.reply[1]}`) ?? 0) + 1);
    },

    figures() {
      const { count: commands, ...figures } = all.figures();
      const names = [...byName].map(([name, readings]) => namedTraffic(name, readings.figures(), commands));
      return {
        commands,
        names: names.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
        ...figures,
        errors: [...errors].map(([word, count]) => ({ word, count })).sort((a, b) => b.count - a.count),
      };
    },
  };
}

/**
 * @param {string} name @param {ReturnType<ReturnType<typeof createReadings>['figures']>} figures @param {number} total
 * @returns {NamedTraffic}
 */
function namedTraffic(name, { count, bytes, hits, misses, errors, ...figures }, total) {
  const asked = hits + misses;
  const hitRate = asked === 0 ? null : hits / asked;
  return { name, count, share: count / total, ...figures, hitRate, errors };
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

    /** @returns {Spread} */
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

const SECOND_US = 1e6;
const PARTS = 60;

/** @param {Uint32Array} counts */
const mean = (counts) => counts.reduce((sum, count) => sum + count, 0) / counts.length;

function countSeconds() {
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
