import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { messageOf, UsageError } from '../../errors.js';
import { run } from '../../process/spawn.js';
import { readBounded } from '../../read-file.js';
import { entryOf, readManifest } from './manifest.js';
import { install } from './npm.js';

/** Ten times the largest client with native code for every platform. */
const LARGEST_TARBALL_BYTES = 256 * 1024 * 1024;

/** @param {string} name @param {string} path @param {Parameters<typeof install>[1]} context */
export async function localRelease(name, path, context) {
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
