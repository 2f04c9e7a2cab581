import { realpathSync } from 'node:fs';
import os from 'node:os';
import { isAbsolute, relative, resolve } from 'node:path';
import { attempt, UsageError } from '../errors.js';
import { WORKER_BYTES } from '../plan/capacity.js';
import { labelOf, nodeAddress, parseUrl } from '../server/target.js';
import { readTlsOptions } from '../server/tls-options.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { ClientPlugin } from '../plugins/types.js' */
/** @import { TlsFiles } from '../server/tls-options.js' */
/** @import { Target } from '../server/types.js' */
/** @import { Confinement } from '../worker/types.js' */
/** @import { Allowed, PlaceOfServer, Wants } from './types.js' */

const ANY_TARGET = 'any-target';
/** What each word of --allow permits, as refusals name it. @type {Record<string, (wants: Wants) => string[]>} */
const WORDS = {
  plugins: ({ pluginFolders }) => pluginFolders.map((folder) => `plugins of ${folder}`),
  releases: ({ releases }) => releases,
  'node-bin': ({ nodeBins }) => nodeBins.map((path) => `the Node binary ${path}`),
  scripts: ({ scripts }) => scripts.map((command) => `${command}, which may reach foreign keys`),
};
const PROFILE = 'profile:';

const PROCESSES_PER_CPU = 8;
const MOST_PROCESSES = PROCESSES_PER_CPU * os.availableParallelism();
/** Measured: a value of 400 MB took a worker 1.6 GB, kept and in flight. */
const COPIES = 2;
/** Beyond this, the values that a worker keeps share their memory. */
const MOST_KEPT_BYTES = 64e6;

/**
 * An agent does only what its owner allows. @param {string[]} texts of --allow
 * @param {NodeJS.ProcessEnv} [env] with the password of those servers @param {TlsFiles} [files] whom it trusts
 * @returns {Allowed} @throws {UsageError}
 */
export function parseAllowed(texts, { REDIS_USERNAME, REDIS_PASSWORD } = {}, files = {}) {
  const profiles = texts.filter((text) => text.startsWith(PROFILE));
  const urls = texts.filter((text) => text.includes('://') && !profiles.includes(text));
  const words = texts.filter((text) => !urls.includes(text) && !profiles.includes(text));
  const known = [ANY_TARGET, ...Object.keys(WORDS)];
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined) {
    throw new UsageError(
      `--allow: expected a server's URL, ${known.join(', ')} or ${PROFILE}FOLDER, got ${unknown.includes('@') ? 'something without redis:// before it' : `'${unknown}'`}`,
    );
  }
  const isAny = words.includes(ANY_TARGET);
  const own = { username: REDIS_USERNAME || undefined, password: REDIS_PASSWORD || undefined };
  const tls = urls.some((url) => url.startsWith('rediss:')) || isAny ? readTlsOptions(files) : undefined;
  return {
    isAny,
    tls,
    // Where a redirection may lead anywhere, no password goes along.
    servers: urls.map((url) => {
      const { username, password, ...server } = parseUrl(url, '--allow');
      const login = isAny ? {} : password === undefined ? own : { username, password };
      return { ...server, ...login, ...(server.transport === 'tls' && { tls }) };
    }),
    profiles: profiles.map((text) => resolve(text.slice(PROFILE.length))),
    words: known.filter((word) => words.includes(word)),
  };
}

/** A server by what an agent's owner may call it. @param {Target} target @returns {PlaceOfServer} */
export const placeOf = ({ transport, topology, database, nodes = [], ...target }) => ({
  transport,
  at: labelOf({ transport, ...target }),
  ...(database !== undefined && { database }),
  ...(topology === 'cluster' && { nodes: nodes.map((node) => labelOf({ transport, ...node })) }),
});

/**
 * What is used of a server comes from the agent alone: trust, user and password too.
 * @param {PlaceOfServer} place @param {Allowed} allowed @returns {Target | string} or why it may not be used
 */
export function serverAt({ transport, at, database = 0, nodes }, allowed) {
  const base = oneAt(transport, at, allowed);
  if (typeof base === 'string') return base;
  if (base.database !== undefined || !allowed.isAny) {
    if ((base.database ?? 0) !== database)
      return `database ${database} of ${at} (--allow ${urlOf(transport, at)}/${database})`;
  }
  const own = { ...base, ...(database > 0 && { database }) };
  if (nodes === undefined) return own;
  const all = nodes.map((node) => oneAt(transport, node, allowed));
  const refused = all.find((each) => typeof each === 'string');
  return (
    refused ?? {
      ...own,
      topology: 'cluster',
      nodes: all.map((each) => nodeAddress(/** @type {Target} */ (each))),
    }
  );
}

/** @param {Target['transport']} transport @param {string} at */
const urlOf = (transport, at) => `${{ tcp: 'redis', tls: 'rediss', unix: 'unix' }[transport]}://${at}`;

/** @param {Target['transport']} transport @param {string} at @param {Allowed} allowed @returns {Target | string} */
function oneAt(transport, at, { servers, isAny, tls }) {
  const there = servers.filter((server) => labelOf(server) === at);
  const found = there.findLast((server) => server.transport === transport);
  if (found !== undefined) return found;
  if (isAny) {
    const server = attempt(() => parseUrl(urlOf(transport, at)), null);
    if (server !== null && labelOf(server) === at && server.password === undefined)
      return { ...server, database: undefined, ...(transport === 'tls' && { tls }) };
  }
  return there.length > 0
    ? `${at} ${transport === 'tls' ? 'by' : 'without'} TLS`
    : `the server ${at} (--allow ${urlOf(transport, at)})`;
}

/** @param {Wants} wants @param {Allowed} allowed @returns {string[]} what is asked for and not allowed */
export const refusals = (wants, allowed) => [
  ...new Set([
    ...wants.targets.map((place) => serverAt(place, allowed)).filter((found) => typeof found === 'string'),
    ...Object.entries(WORDS).flatMap(([word, namesOf]) =>
      allowed.words.includes(word) ? [] : namesOf(wants).map((name) => `${name} (--allow ${word})`),
    ),
    ...wants.profiles
      .filter((file) => !allowed.profiles.some((folder) => isWithin(folder, file)))
      .map((file) => `the profile ${file} (--allow ${PROFILE}FOLDER)`),
  ]),
];

/**
 * @param {Cell} cell @param {{client: ClientPlugin, options: Record<string, unknown>}} of its client, and the user's for it
 * @param {Allowed} allowed @param {Cell[]} [running] @returns {string[]} what of it is not allowed
 */
export function refusalsOf(cell, { client, options }, allowed, running = []) {
  const { processes, topology } = cell;
  const needed = [cell, ...running].reduce((sum, each) => sum + bytesOf(each), 0);
  const most = `at most ${MOST_PROCESSES}, ${PROCESSES_PER_CPU} for each processor`;
  const unseen = `${client.id}, whose sockets cannot be seen`;
  return [
    ...(processes > MOST_PROCESSES ? [`${processes} processes (${most})`] : []),
    ...(needed > os.totalmem()
      ? [`about ${gigabytes(needed)} of memory, of ${gigabytes(os.totalmem())}`]
      : []),
    ...trustIn(options).map(
      (name) => `the option '${name}' (an agent's owner decides whom it trusts: --tls-ca)`,
    ),
    ...(client.ownSockets ? Object.keys(options).map((name) => `the option '${name}' of ${unseen}`) : []),
    ...(client.ownSockets && topology === 'cluster' && !allowed.isAny
      ? [`a cluster with ${unseen} (--allow ${ANY_TARGET})`]
      : []),
  ];
}

/** @param {number} bytes */
const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`;

/** @param {Cell} cell */
const bytesOf = ({ processes, keys, keySize, valueSize, tasks }) =>
  processes *
  (WORKER_BYTES +
    COPIES *
      (keys * keySize +
        Math.max(valueSize, Math.min(keys * valueSize, MOST_KEPT_BYTES)) +
        tasks * valueSize));

/** What TLS takes; `tls` and the like hold it. */
const TRUST =
  /^(.*tls.*|ca|certs?|certificates?|key|pfx|crl|passphrase|pskcallback|rejectunauthorized|servername|checkserveridentity|secure.*|ciphers|sigalgs|ecdhcurve|dhparam|(min|max)version|allowpartialtrustchain|session|insecure)$/i;

/** @param {object} options @param {string[]} [path] @returns {string[]} such as `socket.rejectUnauthorized` */
const trustIn = (options, path = []) =>
  Object.entries(options).flatMap(([name, value]) => {
    const place = [...path, name];
    if (TRUST.test(name)) return [place.join('.')];
    return typeof value === 'object' && value !== null ? trustIn(value, place) : [];
  });

/** Whether a file is in a folder, or is that folder, with all links followed. @param {string} folder @param {string} file */
export const isWithin = (folder, file) =>
  attempt(() => {
    const way = relative(realpathSync(folder), realpathSync(file));
    return !way.startsWith('..') && !isAbsolute(way);
  }, false);

/** @param {Allowed} allowed */
export function allowedText({ isAny, servers, words, profiles }) {
  const named = servers.length === 0 ? 'no server (see --allow)' : servers.map(labelOf).join(', ');
  const more = words.filter((word) => word !== ANY_TARGET);
  return [isAny ? 'any server' : named, ...more, ...profiles.map((folder) => `profiles of ${folder}`)].join(
    ', ',
  );
}

/** Where workers may connect to, and whom they trust. @param {Target} target @param {Allowed} allowed @returns {Confinement} */
export function confinementOf(target, { isAny, servers }) {
  const inClear = new Set(servers.filter(({ transport }) => transport !== 'tls').map(labelOf));
  const labels = servers.map(labelOf);
  return {
    addresses: isAny ? null : labels,
    onlyTls: isAny ? [] : labels.filter((label) => !inClear.has(label)),
    tls: target.tls ?? { rejectUnauthorized: true },
  };
}
