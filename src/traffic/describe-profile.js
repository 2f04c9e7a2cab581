import { readProfile } from './read-profile.js';
import { countKeys, countSeconds, createReadings, spreadOf } from './readings.js';

/** @import { CommandLine, NamedTraffic, ProfileLine, TrafficSummary } from './types.js' */

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
