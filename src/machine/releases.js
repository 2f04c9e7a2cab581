import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import semver from 'semver';
import { present } from '../collections.js';
import {
  BenchError,
  InterruptedError,
  messageOf,
  Refusal,
  tryOr,
  UsageError,
  withErrorPrefix,
} from '../errors.js';
import { isTooOld, OLDEST_NODE } from '../oldest-node.js';
import { jsonIn, readBounded } from '../process/read-file.js';
import { run, withoutNodeOptions } from '../process/spawn.js';
import { succeeds } from '../process/wait.js';
import { installedVersion, readManifest } from './packages.js';

/** @import { Catalogue, ClientPlugin } from '../plugins/types.js' */
/** @import { Manifest } from './packages.js' */
/** @import { Release, Runtime } from './types.js' */

const PATH = 'path:';

/** @typedef {Context & {registered: (name: string) => Promise<Registered>}} Resolving */

/**
 * Installs missing releases first, so that no client is silently left out.
 * @param {{client: string, wanted: string | null}[]} asked @param {Catalogue} catalogue @param {Partial<Context>} [hooks]
 * @returns {Promise<Map<string, Release>>} keyed as asked, such as `redis@5.8` @throws {UsageError}
 */
export async function resolveReleases(asked, catalogue, hooks = {}) {
  /** @type {Map<string, Promise<Registered>>} */
  const known = new Map();
  /** @param {string} name */
  const registered = (name) => {
    const all = known.get(name) ?? published(name, hooks.signal);
    known.set(name, all);
    return all;
  };
  const context = { cache: cacheFolder(), ...hooks, registered };
  const releases = new Map();
  for (const { client: id, wanted } of asked) {
    const key = `${id}@${wanted}`;
    if (wanted === null || releases.has(key)) continue;
    const client = present(catalogue.clients.get(id));
    releases.set(key, await findRelease(client, wanted, context).catch(explain(key)));
  }
  return releases;
}

/**
 * @param {{client: string, from: string, to: string}} range versions, ranges or tags @param {Catalogue} catalogue
 * @param {AbortSignal} [signal] @returns {Promise<string[]>} oldest first, both ends included @throws {UsageError}
 */
export async function releasesBetween({ client: id, from, to }, catalogue, signal) {
  const { client, name, registered } = await releasesOf('--client', id, catalogue, signal);
  const [oldest, newest] = Object.entries({ '--from': from, '--to': to }).map(([option, wanted]) =>
    withErrorPrefix(option, () => checkSpoken(client, newestOf(name, wanted, registered))),
  );
  if (semver.gte(oldest, newest)) {
    throw new UsageError(
      `--from and --to: expected two releases, the older one first, got ${oldest} and ${newest}`,
    );
  }
  const range = `>${oldest} <${newest}`;
  const between = spoken(client, registered, range).filter((version) => semver.prerelease(version) === null);
  return [oldest, ...between, newest];
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
  const all = spoken(client, registered, range);
  if (all.length === 0) throw new UsageError(`--clients: ${noSuchRelease(name, range, registered)}`);
  const minorOf = (/** @type {string} */ version) => `${semver.major(version)}.${semver.minor(version)}`;
  return [...new Map(all.map((version) => [minorOf(version), version])).values()];
}

/** @param {string} flag @param {string} id @param {Catalogue} catalogue @param {AbortSignal} [signal] */
async function releasesOf(flag, id, catalogue, signal) {
  const client = present(catalogue.clients.get(id));
  const { package: name } = client;
  if (name === null)
    throw new UsageError(`${flag}: '${id}' is part of this tool and has no releases of its own`);
  return { client, name, registered: await published(name, signal).catch(explain(name)) };
}

/** @typedef {Awaited<ReturnType<typeof published>>} Registered */

/** @param {ClientPlugin} client @param {string} wanted @param {Resolving} context @returns {Promise<Release>} */
async function findRelease(client, wanted, context) {
  const { package: name } = client;
  if (name === null) throw new UsageError(`it is part of this tool and has no releases of its own`);
  if (wanted.startsWith(PATH)) {
    const release = await localRelease(name, wanted.slice(PATH.length), context);
    checkSpoken(client, release.version);
    return release;
  }
  const here = installedVersion(name);
  const inProject = here !== null && semver.validRange(wanted) !== null && semver.satisfies(here, wanted);
  const exact = semver.valid(wanted);
  const isCached = exact !== null && listCache(context.cache).includes(`${name}@${exact}`);
  const known = inProject ? here : isCached ? exact : null;
  const version = checkSpoken(client, known ?? newestOf(name, wanted, await context.registered(name)));
  const release = `${name}@${version}`;
  const entry = inProject ? null : (await install({ name, release }, context)).entry;
  return { package: name, version, path: null, entry, commit: null };
}

/** @param {string} name @param {string} wanted @param {Registered} registered */
const noSuchRelease = (name, wanted, { versions, tags }) =>
  `no release of ${name} is '${wanted}'; there are ${versions[0]} to ${tags.latest}, and the tags ${Object.keys(tags).join(', ')}`;

/** @param {string} name @param {string} wanted @param {Registered} registered @returns {string} @throws {UsageError} */
function newestOf(name, wanted, registered) {
  const { versions, tags } = registered;
  if (Object.hasOwn(tags, wanted)) return tags[wanted];
  const isRange = semver.validRange(wanted) !== null;
  if (isRange && semver.satisfies(tags.latest, wanted)) return tags.latest;
  const newest = isRange ? semver.maxSatisfying(versions, wanted) : null;
  if (newest === null) throw new UsageError(noSuchRelease(name, wanted, registered));
  return newest;
}

/** @param {ClientPlugin} client @param {string} version @returns {string} that @throws {UsageError} */
function checkSpoken(client, version) {
  if (speaks(client, version)) return version;
  const { id, package: name, releases, examples = {} } = client;
  const speaker = id === name ? 'this tool' : id;
  const found = `that is ${name} ${version}, and ${speaker} speaks ${name} ${releases}`;
  const [, file] = Object.entries(examples).find(([range]) => semver.satisfies(version, range)) ?? [];
  if (file === undefined) throw new UsageError(found);
  const example = fileURLToPath(new URL(`../../examples/clients/${file}`, import.meta.url));
  throw new UsageError(`${found}; this file measures it: --clients ${example}@${version}`);
}

/** @param {ClientPlugin} client @param {string} version */
const speaks = ({ releases }, version) =>
  releases === undefined || semver.satisfies(version, releases, { includePrerelease: true });

/** Ranges match no prereleases. @param {ClientPlugin} client @param {Registered} registered @param {string} range */
const spoken = (client, { versions }, range) =>
  versions
    .filter((version) => semver.satisfies(version, range) && speaks(client, version))
    .sort(semver.compare);

/** @param {string} key @returns {(error: unknown) => never} */
const explain = (key) => (error) => {
  if (error instanceof Error && 'unreachable' in error && error.unreachable) {
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

/** @param {string} name @param {string} path @param {Context} context @returns {Promise<Release>} */
async function localRelease(name, path, context) {
  const place = resolve(path);
  const stats = statSync(place, { throwIfNoEntry: false });
  const wrong = (/** @type {string} */ found) =>
    new UsageError(`expected a folder or a tarball with the package '${name}', ${found}`);
  if (stats === undefined) throw wrong('but there is no such file');
  if (!stats.isDirectory()) {
    const { folder, entry } = await unpack(name, place, context).catch((error) => {
      throw error instanceof BenchError
        ? error
        : wrong(
            error instanceof Refusal
              ? `but it ${error.message}`
              : `but it cannot be installed: ${messageOf(error)}`,
          );
    });
    return describe(folder, entry);
  }
  const manifest = readManifest(place);
  const folder = [place, ...workspacesOf(manifest, place)].find((each) => readManifest(each)?.name === name);
  if (folder === undefined) {
    const found = manifest?.name;
    throw wrong(`but found ${found ? `'${found}' and no workspace of that name` : 'no package.json'}`);
  }
  const entry = await entryOf(folder, context.signal).catch((error) => {
    throw wrong(`and found it, but it cannot be loaded (${messageOf(error)}); install and build it there`);
  });
  return describe(folder, entry);

  /** @param {string} folder @param {string} entry */
  async function describe(folder, entry) {
    const { version } = present(readManifest(folder));
    if (semver.valid(version) !== version)
      throw wrong('and found it, but with no valid version in its package.json');
    return {
      package: name,
      version,
      path,
      entry,
      commit: await commitOf(folder),
    };
  }
}

/** @param {Manifest | null} manifest of a monorepo @param {string} place */
function workspacesOf(manifest, place) {
  const workspacesField = manifest?.workspaces;
  const named = Object(workspacesField).packages ?? workspacesField;
  const workspaces = [named].flat().filter((each) => typeof each === 'string');
  return workspaces.flatMap((each) => {
    if (basename(each) !== '*') return join(place, each);
    const above = join(place, dirname(each));
    return tryOr(() => readdirSync(above), []).map((child) => join(above, child));
  });
}

/** Named by its contents, because the next build may have the same name and version. @param {string} name @param {string} file @param {Context} context */
async function unpack(name, file, context) {
  const tarball = await readBounded(file, { largestBytes: LARGEST_TARBALL_BYTES, pipes: true });
  const hash = createHash('sha256').update(tarball).digest('hex').slice(0, 12);
  return install({ name, release: `${name}@tarball-${hash}`, tarball }, context);
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

/** @param {string[]} paths @returns {Promise<(Runtime & {path: string})[]>} @throws {UsageError} if one is not Node or too old */
export async function checkNodeBinaries(paths) {
  const found = await Promise.all(paths.map(checkNodeBinary));
  return found.map((runtime) => {
    const same = found.filter(({ version }) => version === runtime.version);
    if (same.length === 1) return { ...runtime, name: runtime.version };
    // Results are shared: where they lie on this machine is nobody's business.
    const files = same.map(({ path }) => basename(path));
    const areDistinct = new Set(files).size === files.length;
    const which = areDistinct ? basename(runtime.path) : same.indexOf(runtime) + 1;
    return { ...runtime, name: `${runtime.version} (${which})` };
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
    env: withoutNodeOptions(),
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

/** https://specifications.freedesktop.org/basedir-spec @param {NodeJS.ProcessEnv} [env] */
export function cacheFolder({ XDG_CACHE_HOME: chosen } = process.env) {
  // The specification says to ignore a relative path.
  const base = chosen && isAbsolute(chosen) ? chosen : join(homedir(), '.cache');
  return resolve(base, 'redis-pipe-bench', 'clients');
}

/** A scoped package has a slash in its name. @param {string} cache @returns {string[]} the releases that it has */
export const listCache = (cache) =>
  tryOr(() => readdirSync(cache), [])
    .filter((name) => !name.startsWith('.'))
    .map((name) => name.replace('+', '/'));

/** Imports a package by folder or name and prints the URL of its main file. */
const IMPORT = `
  const [from, what] = process.argv.slice(1);
  const { href } = require('node:url').pathToFileURL(require('node:module').createRequire(from).resolve(what));
  import(href).then(() => require('node:fs').writeSync(1, href));
`;

/** Own process, because Node caches modules and failed lookups. @param {string} folder @param {AbortSignal} [signal] */
async function entryOf(folder, signal) {
  const manifest = readManifest(folder);
  if (manifest === null) throw new Error(`no package.json in '${folder}'`);
  const from = join(folder, 'package.json');
  try {
    const args = ['-e', IMPORT, from, manifest.exports && manifest.name ? manifest.name : folder];
    return await run(process.execPath, args, { signal, env: withoutNodeOptions() });
  } catch (error) {
    const printed = error instanceof Error && 'stderr' in error ? `${error.stderr}` : '';
    throw new Error(/^\w*Error.*: (.*)/m.exec(printed)?.[1] ?? messageOf(error));
  }
}

/** A list of releases takes a few hundred kilobytes. */
const LONGEST_ANSWER = 64 * 1024 * 1024;
/** Without these npm retries for over a minute before it reports that the network is down. */
const PATIENCE = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
const UNREACHABLE = /^(E(CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|AI_AGAIN|NETUNREACH|HOSTUNREACH)|E5\d\d)$/;

/** Uses the user's npm settings. @param {string[]} args @param {AbortSignal} [signal] @returns {Promise<any>} */
async function npm(args, signal) {
  // npm does not need the server's URL, which may hold a password.
  const env = { ...process.env, REDIS_URL: undefined };
  try {
    const options = { env, signal, maxBuffer: LONGEST_ANSWER };
    return JSON.parse(await run('npm', ['--json', ...PATIENCE, ...args], options));
  } catch (error) {
    if (signal?.aborted) throw new InterruptedError('interrupted while npm was running');
    const { code, stdout } = Object(error);
    if (code === 'ENOENT') {
      throw new UsageError('other releases of a client are installed with npm, which is not on PATH');
    }
    const told = tryOr(() => JSON.parse(stdout).error, undefined);
    const why = told
      ? messageOf(new Error(told.summary || told.code))
      : `npm ${args[0]} failed: ${messageOf(error)}`;
    throw Object.assign(new Error(why), { unreachable: UNREACHABLE.test(told?.code) });
  }
}

/** @param {string} name @param {AbortSignal} [signal] @throws {UsageError | InterruptedError} */
async function published(name, signal) {
  const { versions, 'dist-tags': tags } = await npm(['view', name, 'versions', 'dist-tags'], signal);
  // npm prints a single release as a string instead of a list.
  return { versions: [versions].flat(), tags };
}

/** @typedef {{cache: string, signal?: AbortSignal, onInstall?: (release: string, cache: string) => void}} Context */

/**
 * Installs into a temporary folder and renames it, because several invocations may run at once.
 * @param {{name: string, release: string, tarball?: Buffer}} wanted `tarball`: its content, else npm fetches the release
 * @param {Context} context
 */
async function install({ name, release, tarball }, { cache, signal, onInstall }) {
  const place = join(cache, release.replace('/', '+'));
  const folder = join(place, 'node_modules', name);
  const found = await entryOf(folder, signal).catch(() => null);
  // A damaged installation cannot be loaded and is replaced.
  if (found !== null) return { folder, entry: found };
  const unfinished = await mkdir(cache, { recursive: true })
    // `listCache` skips it.
    .then(() => mkdtemp(join(cache, '.')))
    .catch((error) => {
      throw new UsageError(
        `other releases of a client are kept in '${cache}', which cannot be written (${messageOf(error)}); ` +
          'make it writable, or set XDG_CACHE_HOME to another folder',
      );
    });
  onInstall?.(release, cache);
  try {
    // npm gets what was read: a pipe gives it only once, and npm takes a file for a tarball by its name.
    const file = join(unfinished, 'package.tgz');
    if (tarball !== undefined) await writeFile(file, tarball);
    await npm(['install', '--prefix', unfinished, ...INSTALL, '--', tarball ? file : release], signal);
    await rm(file, REMOVAL);
    await entryOf(join(unfinished, 'node_modules', name), signal);
    await rename(unfinished, place).catch(async (error) => {
      if (!/EEXIST|ENOTEMPTY/.test(messageOf(error))) throw error;
      if (await succeeds(entryOf(folder, signal))) return;
      await rm(place, REMOVAL);
      await rename(unfinished, place);
    });
  } finally {
    await rm(unfinished, REMOVAL);
  }
  return { folder, entry: await entryOf(folder, signal) };
}

/** The packages are only measured, so install scripts do not run. */
const INSTALL = '--ignore-scripts --no-audit --no-fund --no-save --no-package-lock'.split(' ');
const REMOVAL = { recursive: true, force: true, maxRetries: 3 };
