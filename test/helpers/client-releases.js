import { fileURLToPath } from 'node:url';
import semver from 'semver';
import { messageOf } from '../../src/errors.js';
import { cacheFolder, listCache, resolveReleases } from '../../src/machine/releases.js';
import { loadCatalogue } from '../../src/options/catalogue.js';
import { CACHE_HOME } from './cli.js';
import { NIGHTLY } from './nightly.js';

/**
 * @import { Release } from '../../src/machine/types.js'
 * @import { Catalogue, ClientPlugin } from '../../src/plugins/types.js'
 */

/** What npm and the way to its registry may be the cause of. */
const NOT_OURS = /npm|registry|network|socket|fetch|timed? ?out|\bE[A-Z]{4,}/i;

/**
 * @typedef {object} TestedClient
 * @property {string} name `redis`, `redis@4.7.1`
 * @property {ClientPlugin} client with what that release has
 * @property {string | null} entry the path of what its worker would import; null for the package of this project
 */

/**
 * Every installed client, and at night of the older releases that its adapter supports the newest of each major.
 *
 * @returns {Promise<{tested: TestedClient[], missing: string[]}>} and what could not be installed, with the reason
 */
export async function clientReleases() {
  const catalogue = await loadCatalogue();
  /** @type {TestedClient[]} */
  const tested = [];
  const missing = [];
  for (const client of catalogue.clients.values()) {
    if (client.package !== null && !(client.package in catalogue.packages)) continue;
    tested.push({ name: client.id, client, entry: null });
    const here = client.package && catalogue.packages[client.package];
    const older = (client.releases ?? '')
      .split(' || ')
      .filter((range) => NIGHTLY && range && here && !semver.satisfies(here, range));
    for (const wanted of older) {
      try {
        tested.push(await olderRelease(client, wanted, catalogue));
      } catch (error) {
        // Anything else is a defect, and would be hidden if it were skipped.
        if (!NOT_OURS.test(messageOf(error))) throw error;
        missing.push(`${client.id}@${wanted}: ${messageOf(error)}`);
      }
    }
  }
  return { tested, missing };
}

/**
 * @param {ClientPlugin} client
 * @param {string} wanted
 * @param {Catalogue} catalogue
 * @returns {Promise<TestedClient>}
 */
async function olderRelease(client, wanted, catalogue) {
  const cache = cacheFolder({ XDG_CACHE_HOME: CACHE_HOME });
  const exact = newestInstalled(client, wanted, cache) ?? wanted;
  const releases = await resolveReleases([{ client: client.id, wanted: exact }], catalogue, { cache });
  const { version, entry } = /** @type {Release} */ (releases.get(`${client.id}@${exact}`));
  const has = (/** @type {string} */ name) => semver.gte(version, client.since?.[name] ?? '0.0.0');
  const variants = Object.fromEntries(Object.entries(client.variants).filter(([name]) => has(name)));
  const capabilities = new Set([...client.capabilities].filter(has));
  return {
    name: `${client.id}@${version}`,
    client: { ...client, variants, capabilities },
    entry: entry ? fileURLToPath(entry) : null,
  };
}

/**
 * To ask npm for the newest of all takes most of a second of a processor, for each range and each file of tests.
 *
 * @param {ClientPlugin} client
 * @param {string} wanted a range
 * @param {string} cache
 * @returns {string | null} a version
 */
function newestInstalled(client, wanted, cache) {
  const ofClient = `${client.package}@`;
  const versions = listCache(cache).flatMap((release) =>
    release.startsWith(ofClient) ? release.slice(ofClient.length) : [],
  );
  return semver.maxSatisfying(versions, wanted);
}

/**
 * What could not be installed, for example without a network, is not a failure of this project: it is
 * shown as skipped, with the reason in its name.
 *
 * @param {string[]} missing
 */
export function skipMissing(missing) {
  for (const release of missing) it.skip(release);
}
