import { realpathSync } from 'node:fs';
import os from 'node:os';
import { isAbsolute, relative, resolve } from 'node:path';
import { mustGet } from '../../collections.js';
import { tryOr, UsageError } from '../../errors.js';
import { pathsIn } from '../../process/secrets.js';
import { WORKER_BYTES } from '../../run/plan/capacity.js';
import { labelOf, nodeAddress, parseUrl, readTlsOptions } from '../../server/target.js';

/** @import { Prepared } from '../../run/prepare.js' */
/** @import { Cell } from '../../run/plan/types.js' */
/** @import { TlsFiles } from '../../server/target.js' */
/** @import { Target } from '../../server/types.js' */
/** @import { Confinement } from '../../worker/types.js' */
/** @import { Allowed, Place, Wants } from './types.js' */

const ANY_TARGET = 'any-target';
const PROFILE = 'profile:';
/** What each word of --allow permits, as refusals name it. @type {Record<string, (wants: Wants) => string[]>} */
const WORDS = {
  plugins: ({ pluginFolders }) => pluginFolders.map((folder) => `plugins of ${folder}`),
  releases: ({ releases }) => releases,
  'node-bin': ({ nodeBins }) => nodeBins.map((path) => `the Node binary ${path}`),
  scripts: ({ scripts }) => scripts.map((command) => `${command}, which may reach foreign keys`),
};

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
    const found = /^[\w-]+$/.test(unknown) ? `'${unknown}'` : 'something without redis:// before it';
    throw new UsageError(
      `--allow: expected a server's URL, ${known.join(', ')} or ${PROFILE}FOLDER, got ${found}`,
    );
  }
  const isAny = words.includes(ANY_TARGET);
  const own = { username: REDIS_USERNAME || undefined, password: REDIS_PASSWORD || undefined };
  const tls = isAny || urls.some((url) => url.startsWith('rediss:')) ? readTlsOptions(files) : undefined;
  const servers = urls.map((url) => {
    const { username, password, ...server } = parseUrl(url, '--allow');
    // Where a redirection may lead anywhere, no password goes along.
    const login = isAny ? {} : password === undefined ? own : { username, password };
    return { ...server, ...login, ...(server.transport === 'tls' && { tls }) };
  });
  const folders = profiles.map((text) => resolve(text.slice(PROFILE.length)));
  return { isAny, tls, servers, profiles: folders, words: known.filter((word) => words.includes(word)) };
}

/** A server by what an agent's owner may call it. @param {Target} target @returns {Place} */
export const placeOf = ({ transport, topology, database, nodes = [], ...target }) => ({
  transport,
  at: labelOf({ transport, ...target }),
  ...(database !== undefined && { database }),
  ...(topology === 'cluster' && { nodes: nodes.map((node) => labelOf({ transport, ...node })) }),
});

/**
 * What is used of a server comes from the agent alone: trust, user and password too.
 * @param {Place} place @param {Allowed} allowed @returns {Target | string} or why it may not be used
 */
export function serverAt({ transport, at, database = 0, nodes = [] }, allowed) {
  const found = [at, ...nodes].map((each) => oneAt(transport, each, allowed));
  const refused = found.find((each) => typeof each === 'string');
  if (refused !== undefined) return refused;
  const [base, ...others] = found.filter((each) => typeof each !== 'string');
  const own = base.database ?? (allowed.isAny ? database : 0);
  if (own !== database) return `database ${database} of ${at} (--allow ${urlOf(transport, at)}/${database})`;
  const target = { ...base, ...(database > 0 && { database }) };
  if (others.length === 0) return target;
  return { ...target, topology: 'cluster', nodes: others.map(nodeAddress) };
}

/** @param {Target['transport']} transport @param {string} at */
const urlOf = (transport, at) => `${{ tcp: 'redis', tls: 'rediss', unix: 'unix' }[transport]}://${at}`;

/** @param {Target['transport']} transport @param {string} at @param {Allowed} allowed @returns {Target | string} */
function oneAt(transport, at, { servers, isAny, tls }) {
  const there = servers.filter((server) => labelOf(server) === at);
  const found = there.findLast((server) => server.transport === transport);
  if (found !== undefined) return found;
  const any = isAny ? tryOr(() => parseUrl(urlOf(transport, at)), null) : null;
  if (any !== null && labelOf(any) === at && any.password === undefined)
    return { ...any, database: undefined, ...(transport === 'tls' && { tls }) };
  return there.length > 0
    ? `${at} ${transport === 'tls' ? 'by' : 'without'} TLS`
    : `the server ${at} (--allow ${urlOf(transport, at)})`;
}

/** @param {Wants} wants @param {Allowed} allowed @returns {string[]} what is asked for and not allowed */
export const refusals = (wants, allowed) => [
  ...wants.targets.map((place) => serverAt(place, allowed)).filter((found) => typeof found === 'string'),
  ...Object.entries(WORDS).flatMap(([word, namesOf]) =>
    allowed.words.includes(word) ? [] : namesOf(wants).map((name) => `${name} (--allow ${word})`),
  ),
  ...wants.profiles
    .filter((file) => !allowed.profiles.some((folder) => isWithin(folder, file)))
    .map((file) => `the profile ${file} (--allow ${PROFILE}FOLDER)`),
];

const PROCESSES_PER_CPU = 8;
const MOST_PROCESSES = PROCESSES_PER_CPU * os.availableParallelism();
/** Measured: a value of 400 MB took a worker 1.6 GB, kept and in flight. Kept values share memory beyond `keptBytes`. */
const DATA = { copies: 2, keptBytes: 64e6 };
/** What TLS takes, and what it is in. */
const TRUST =
  /^(.*tls.*|ca|certs?|certificates?|key|pfx|crl|passphrase|pskcallback|rejectunauthorized|servername|checkserveridentity|secure.*|ciphers|sigalgs|ecdhcurve|dhparam|(min|max)version|allowpartialtrustchain|session|insecure)$/i;

/**
 * @param {Cell} cell @param {Pick<Prepared, 'catalogue' | 'clientOptions'>} plan @param {Allowed} allowed
 * @param {Cell[]} running @returns {string[]} what of it is not allowed
 */
export function cellRefusals(cell, { catalogue, clientOptions }, { isAny, isOwned }, running) {
  const { processes, topology, client } = cell;
  const { ownSockets } = mustGet(catalogue.clients, client);
  const options = isOwned ? {} : { ...clientOptions[client], ...cell.ownVariant?.options };
  const needed = [cell, ...running].reduce((sum, each) => sum + bytesOf(each), 0);
  const total = Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const unseen = `${client}, whose sockets cannot be seen`;
  const most = `at most ${MOST_PROCESSES}, ${PROCESSES_PER_CPU} for each processor`;
  const trust = pathsIn(options, (name) => TRUST.test(name));
  return [
    ...(processes > MOST_PROCESSES ? [`${processes} processes (${most})`] : []),
    ...(needed > total ? [`about ${gigabytes(needed)} of memory, of ${gigabytes(total)}`] : []),
    ...trust.map((name) => `the option '${name}' (an agent's owner decides whom it trusts: --tls-ca)`),
    ...(ownSockets ? Object.keys(options).map((name) => `the option '${name}' of ${unseen}`) : []),
    ...(ownSockets && topology === 'cluster' && !isAny
      ? [`a cluster with ${unseen} (--allow ${ANY_TARGET})`]
      : []),
  ];
}

/** @param {number} bytes */
const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`;

/** @param {Cell} cell */
function bytesOf({ processes, keys, keySize, valueSize, tasks }) {
  const kept = keys * keySize + Math.max(valueSize, Math.min(keys * valueSize, DATA.keptBytes));
  return processes * (WORKER_BYTES + DATA.copies * (kept + tasks * valueSize));
}

/** Whether a file is in a folder, or is that folder, with all links followed. @param {string} folder @param {string} file */
export const isWithin = (folder, file) =>
  tryOr(() => {
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
export function confinementOf({ tls = { rejectUnauthorized: true } }, { isAny, servers }) {
  const inClear = new Set(servers.filter(({ transport }) => transport !== 'tls').map(labelOf));
  const labels = servers.map(labelOf);
  const who = 'this agent';
  return isAny
    ? { addresses: null, onlyTls: [], tls, who }
    : { addresses: labels, onlyTls: labels.filter((label) => !inClear.has(label)), tls, who };
}
