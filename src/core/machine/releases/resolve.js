import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import semver from 'semver';
import { isTooOld, OLDEST_NODE } from '../../../oldest-node.js';
import { BenchError, messageOf, UsageError } from '../../errors.js';
import { installedVersion, readManifest } from '../../packages.js';
import { run } from '../../process/spawn.js';
import { jsonIn, readBounded } from '../../read-file.js';
import { cacheFolder, entryOf, install, listCache, NpmError, published } from './installed.js';

/** @import { Catalogue, ClientPlugin } from '../../plugins/types.js' */
/** @import { Release, Runtime } from '../types.js' */

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
  if (exact && listCache(cache).includes(`${name}@${exact}`)) return exact;
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
        `measured offline, by its exact version; it is in ${cacheFolder()}`,
    );
  }
  if (error instanceof BenchError && !(error instanceof UsageError)) throw error;
  throw new UsageError(`${key}: ${messageOf(error)}`);
};

/** Ten times the largest client with native code for every platform. */
const LARGEST_TARBALL_BYTES = 256 * 1024 * 1024;

/** @param {string} name @param {string} path @param {Parameters<typeof install>[1]} context */
async function localRelease(name, path, context) {
  const refuse = (/** @type {string} */ found) =>
    new UsageError(`expected a folder or a tarball with the package '${name}', ${found}`);
  const place = resolve(path);
  if (!existsSync(place)) throw refuse('but there is no such file');
  const { folder, entry } = statSync(place).isDirectory()
    ? await findCheckout(name, place, context, refuse)
    : await unpack(name, place, context, refuse);
  const { version } = readManifest(folder);
  return { package: name, version, path, entry, commit: await commitOf(folder) };
}

/**
 * @param {string} name @param {string} place @param {Parameters<typeof install>[1]} context
 * @param {(found: string) => UsageError} refuse
 */
async function findCheckout(name, place, { signal }, refuse) {
  const folder = findPackage(place, name);
  if (folder === null) throw refuse(`but found ${nameIn(place)}`);
  const entry = await entryOf(folder, signal).catch((error) => {
    throw refuse(`and found it, but it cannot be loaded (${messageOf(error)}); install and build it there`);
  });
  return { folder, entry };
}

/** @param {string} folder of a package or a monorepo @param {string} name @returns {string | null} */
function findPackage(folder, name) {
  const manifest = readManifest(folder);
  if (manifest?.name === name) return folder;
  const named = manifest?.workspaces?.packages ?? manifest?.workspaces;
  const workspaces = [named].flat().filter((each) => typeof each === 'string');
  const folders = workspaces.flatMap((each) =>
    basename(each) === '*' ? childrenOf(join(folder, dirname(each))) : join(folder, each),
  );
  return folders.find((each) => readManifest(each)?.name === name) ?? null;
}

/** @param {string} folder @returns {string[]} */
const childrenOf = (folder) =>
  existsSync(folder) ? readdirSync(folder).map((child) => join(folder, child)) : [];

/** @param {string} folder */
function nameIn(folder) {
  const found = readManifest(folder)?.name;
  return found ? `'${found}' and no workspace of that name` : 'no package.json';
}

/**
 * @param {string} name @param {string} tarball @param {Parameters<typeof install>[1]} context
 * @param {(found: string) => UsageError} refuse
 */
async function unpack(name, tarball, context, refuse) {
  // Named by its contents, because the next build may have the same name and version.
  const content = await readBounded(tarball, LARGEST_TARBALL_BYTES).catch((error) => {
    throw refuse(`but '${tarball}' cannot be taken for one: ${messageOf(error)}`);
  });
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const release = `${name}@tarball-${hash}`;
  return install({ name, release, spec: tarball }, context).catch((error) => {
    throw error instanceof UsageError ? error : refuse(`but it cannot be installed: ${messageOf(error)}`);
  });
}

/** @param {string} folder @returns {Promise<string | null>} null if not in a git checkout */
async function commitOf(folder) {
  const git = (/** @type {string[]} */ ...args) =>
    run('git', ['-C', folder, ...args]).then((printed) => printed.trim());
  try {
    // A package in node_modules lies inside a repository but is not part of it.
    await git('ls-files', '--error-unmatch', 'package.json');
    const changed = await git('status', '--porcelain', '--untracked-files=no');
    return `${await git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : ' with changes'}`;
  } catch {
    return null;
  }
}

const ANSWERS_WITHIN_MS = 10_000;

/** @param {string[]} paths @returns {Promise<Runtime[]>} @throws {UsageError} if one is not Node or too old */
export async function checkNodeBinaries(paths) {
  const found = await Promise.all(paths.map(checkNodeBinary));
  return found.map((runtime) => {
    const twice = found.filter(({ version }) => version === runtime.version).length > 1;
    return { ...runtime, name: twice ? `${runtime.version} (${runtime.path})` : runtime.version };
  });
}

/** @param {string} given */
async function checkNodeBinary(given) {
  const path = resolve(given);
  const refuse = (/** @type {string} */ found) =>
    new UsageError(`--node-bin: expected the path of a Node binary, ${found}`);
  if (!existsSync(path)) throw refuse(`but '${path}' does not exist`);
  const printed = await run(path, ['-p', 'JSON.stringify(process.versions)'], {
    timeout: ANSWERS_WITHIN_MS,
  }).catch((error) => {
    throw refuse(`but '${path}' failed: ${messageOf(error)}`);
  });
  const { node: version, v8 } = Object(jsonIn(printed));
  if (!semver.valid(version)) throw refuse(`but '${path} -p process.versions' printed something else`);
  if (isTooOld(version)) {
    throw new UsageError(`--node-bin: expected Node ${OLDEST_NODE} or newer, but '${path}' is ${version}`);
  }
  return { path, version, v8 };
}
