import semver from 'semver';
import { BenchError, messageOf, UsageError } from '../../errors.js';
import { cacheFolder, listCache } from './cached-releases.js';
import { localRelease } from './local.js';
import { installedVersion } from './manifest.js';
import { install, NpmError, published } from './npm.js';

/** @import { Catalogue, ClientPlugin } from '../../plugins/types.js' */
/** @import { Release } from '../types.js' */

const PATH = 'path:';

/**
 * Installs missing releases first, so that no client is silently left out.
 * @param {{client: string, wanted: string | null}[]} asked @param {Catalogue} catalogue @param {object} [hooks]
 * @param {string} [hooks.cache] @param {AbortSignal} [hooks.signal]
 * @param {(release: string, cache: string) => void} [hooks.onInstall]
 * @returns {Promise<Map<string, Release>>} keyed as asked, such as `redis@5.8` @throws {UsageError}
 */
export async function resolveReleases(asked, catalogue, hooks = {}) {
  const context = { cache: cacheFolder(), ...hooks };
  /** @type {Map<string, Promise<Registered>>} */
  const registry = new Map();
  const releases = new Map();
  for (const { client: id, wanted } of asked) {
    const key = `${id}@${wanted}`;
    if (wanted === null || releases.has(key)) continue;
    const client = /** @type {ClientPlugin} */ (catalogue.clients.get(id));
    releases.set(key, await findRelease(client, wanted, registry, context).catch(explain(key)));
  }
  return releases;
}

/**
 * @param {{client: string, from: string, to: string}} range versions, ranges or tags @param {Catalogue} catalogue
 * @param {AbortSignal} [signal] @returns {Promise<string[]>} oldest first, both ends included @throws {UsageError}
 */
export async function releasesBetween({ client: id, from, to }, catalogue, signal) {
  const { client, name, registered } = await releasesOf('--client', id, catalogue, signal);
  const [oldest, newest] = [
    ['--from', from],
    ['--to', to],
  ].map(([option, wanted]) => {
    const version = newestOf(registered, wanted);
    if (version === null) throw new UsageError(`${option}: ${noSuchRelease(name, wanted, registered)}`);
    checkSpoken(client, version);
    return version;
  });
  if (semver.gte(oldest, newest)) {
    throw new UsageError(
      `--from and --to: expected two releases, the older one first, got ${oldest} and ${newest}`,
    );
  }
  const between = registered.versions.filter(
    (version) =>
      semver.prerelease(version) === null &&
      semver.gt(version, oldest) &&
      semver.lt(version, newest) &&
      speaks(client, version),
  );
  return [oldest, ...between.sort(semver.compare), newest];
}

/** @param {{client: string, wanted: string | null}} asked @param {Catalogue} catalogue @param {AbortSignal} [signal] */
export async function minorReleases({ client: id, wanted }, catalogue, signal) {
  const range = wanted ?? '*';
  if (semver.validRange(range) === null) {
    throw new UsageError(
      `--clients: expected a client, or a range of its releases such as ${id}@5, got '${id}@${wanted}'`,
    );
  }
  const { client, name, registered } = await releasesOf('--clients', id, catalogue, signal);
  // By default semver ranges match no prereleases.
  const all = registered.versions.filter(
    (version) => semver.satisfies(version, range) && speaks(client, version),
  );
  if (all.length === 0) throw new UsageError(`--clients: ${noSuchRelease(name, range, registered)}`);
  const minors = all
    .sort(semver.compare)
    .map((version) => [`${semver.major(version)}.${semver.minor(version)}`, version]);
  return [...new Map(/** @type {[string, string][]} */ (minors)).values()];
}

/** @param {string} flag @param {string} id @param {Catalogue} catalogue @param {AbortSignal} [signal] */
async function releasesOf(flag, id, catalogue, signal) {
  const client = /** @type {ClientPlugin} */ (catalogue.clients.get(id));
  const { package: name } = client;
  if (name === null)
    throw new UsageError(`${flag}: '${id}' is part of this tool and has no releases of its own`);
  return { client, name, registered: await published(name, signal).catch(explain(name)) };
}

/** @typedef {Awaited<ReturnType<typeof published>>} Registered */

/**
 * @param {ClientPlugin} client @param {string} wanted @param {Map<string, Promise<Registered>>} registry
 * @param {Parameters<typeof install>[1]} context @returns {Promise<Release>}
 */
async function findRelease(client, wanted, registry, context) {
  const { package: name } = client;
  if (name === null) throw new UsageError(`it is part of this tool and has no releases of its own`);
  if (wanted.startsWith(PATH)) {
    const release = await localRelease(name, wanted.slice(PATH.length), context);
    checkSpoken(client, release.version);
    return release;
  }
  const here = installedVersion(name);
  const inProject = here !== null && semver.validRange(wanted) !== null && semver.satisfies(here, wanted);
  const version = inProject ? here : await exactVersion(name, wanted, registry, context);
  checkSpoken(client, version);
  const release = `${name}@${version}`;
  const entry = inProject ? null : (await install({ name, release, spec: release }, context)).entry;
  return { package: name, version, path: null, entry, commit: null };
}

/**
 * @param {string} name @param {string} wanted @param {Map<string, Promise<Registered>>} registry
 * @param {Parameters<typeof install>[1]} context
 */
async function exactVersion(name, wanted, registry, { cache, signal }) {
  const exact = semver.valid(wanted);
  if (exact && listCache(cache).some(({ release }) => release === `${name}@${exact}`)) return exact;
  if (!registry.has(name)) registry.set(name, published(name, signal));
  const registered = await /** @type {Promise<Registered>} */ (registry.get(name));
  const found = newestOf(registered, wanted);
  if (found === null) throw new UsageError(noSuchRelease(name, wanted, registered));
  return found;
}

/** @param {string} name @param {string} wanted @param {Registered} registered */
const noSuchRelease = (name, wanted, { versions, tags }) =>
  `no release of ${name} is '${wanted}'; there are ${versions[0]} to ${tags.latest}, and the tags ${Object.keys(tags).join(', ')}`;

/** @param {Registered} registered @param {string} wanted @returns {string | null} */
function newestOf({ versions, tags }, wanted) {
  if (Object.hasOwn(tags, wanted)) return tags[wanted];
  if (semver.validRange(wanted) === null) return null;
  return semver.satisfies(tags.latest, wanted) ? tags.latest : semver.maxSatisfying(versions, wanted);
}

/** @param {ClientPlugin} client @param {string} version @throws {UsageError} */
function checkSpoken(client, version) {
  if (speaks(client, version)) return;
  throw new UsageError(
    `that is ${client.id} ${version}, and this tool speaks ${client.id} ${client.releases}`,
  );
}

/** @param {ClientPlugin} client @param {string} version */
const speaks = ({ releases }, version) =>
  releases === undefined || semver.satisfies(version, releases, { includePrerelease: true });

/** @param {string} key @returns {(error: unknown) => never} */
const explain = (key) => (error) => {
  if (error instanceof NpmError && error.unreachable) {
    throw new UsageError(
      `${key}: the npm registry cannot be reached (${messageOf(error)}); what is installed already can be ` +
        "measured offline, by its exact version ('redis-pipe-bench cache list')",
    );
  }
  if (error instanceof BenchError && !(error instanceof UsageError)) throw error;
  throw new UsageError(`${key}: ${messageOf(error)}`);
};
