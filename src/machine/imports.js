import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { InterruptedError, UsageError } from '../errors.js';
import { reasonIn } from '../process/answering.js';
import { withoutSecrets } from '../process/secrets.js';
import { guardAgainstOutliving, startProcess } from '../process/spawn.js';
import { isTimeout, within } from '../process/wait.js';

/** @import { Notice } from '../store/types.js' */
/** @import { Imported, Runtime } from './types.js' */

/** What makes Node load modules, among its options. */
const LOADS = /(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader)(?=[\s=]|$)/;
const LOADS_WITHIN_MS = 10_000;
/** A process with nothing left to do ends at once, unless what the module opened keeps it. */
const ENDS = { withinMs: 2000, lateMs: 1000 };

/** @returns {string | null} NODE_OPTIONS, without secrets, if they load modules into every process */
export function loadedByEnvironment() {
  const { NODE_OPTIONS: options = '' } = process.env;
  return LOADS.test(options) ? withoutSecrets(options) : null;
}

/**
 * Tries each module in a process of its own, with every Node that is measured.
 * @param {string[]} names files, packages, or none @param {{path: string, version: string}[]} runtimes none for this Node
 * @param {AbortSignal} signal @returns {Promise<{imports: (Imported | null)[], notices: Notice[]}>} null for none
 * @throws {UsageError} for one that cannot be loaded
 */
export async function findImports(names, runtimes, signal) {
  const loaded = loadedByEnvironment();
  if (loaded !== null)
    throw new UsageError(
      `--import: NODE_OPTIONS loads modules into every worker already (${loaded}), so that none would not be none; unset it`,
    );
  const nodes = runtimes.length > 0 ? runtimes : [{ path: process.execPath, version: process.versions.node }];
  /** @type {Notice[]} */
  const notices = [];
  /** @type {(Imported | null)[]} */
  const imports = [];
  for (const given of names) {
    if (given === 'none') {
      imports.push(null);
      continue;
    }
    const short = isFile(given) ? basename(given) : given;
    const name = names.some((other) => other !== given && basename(other) === short) ? given : short;
    const tries = [];
    for (const node of nodes) {
      if (signal.aborted) throw new InterruptedError('interrupted while the modules of --import were tried');
      tries.push(await tryOut(given, node));
    }
    const [{ file, isCommonJs }] = tries;
    imports.push({ name, args: isCommonJs ? ['--require', file] : ['--import', pathToFileURL(file).href] });
    const endsMs = Math.max(...tries.map((each) => each.endsMs));
    if (endsMs > ENDS.lateMs) notices.push({ kind: 'import-lingers', import: name, ms: endsMs });
  }
  return { imports, notices };
}

/** @param {string} given */
const isFile = (given) => statSync(given, { throwIfNoEntry: false })?.isFile() ?? false;

/** Finds a package as `--import` does, or as `--require` does. Node keeps CommonJS in the cache of `require`. */
const LOAD = `
  import { closeSync, realpathSync, writeSync } from 'node:fs';
  import { createRequire } from 'node:module';
  import { fileURLToPath, pathToFileURL } from 'node:url';
  const require = createRequire(import.meta.url);
  const [, named] = process.argv;
  async function load(find) {
    const url = find();
    await import(url);
    return realpathSync(fileURLToPath(url));
  }
  const file = await load(() => import.meta.resolve(named)).catch(() =>
    load(() => pathToFileURL(require.resolve(named)).href),
  );
  writeSync(3, JSON.stringify({ file, isCommonJs: file in require.cache }));
  closeSync(3);
`;

/** The module may write there, too. */
const FOUND = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({ file: v.string(), isCommonJs: v.boolean() }),
);

/**
 * @param {string} given @param {{path: string, version: string}} runtime
 * @returns {Promise<{file: string, isCommonJs: boolean, endsMs: number}>} `endsMs`: until the process ended, or was ended
 */
async function tryOut(given, { path, version }) {
  // A package is found from the user's folder.
  const command = [path, '--input-type=module', '-e', LOAD, isFile(given) ? resolve(given) : given];
  const { child, tail, ended } = startProcess(command, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const unguard = guardAgainstOutliving(child.pid, 0);
  try {
    const told = text(/** @type {NodeJS.ReadableStream} */ (child.stdio[3]));
    const said = await within(LOADS_WITHIN_MS, told).catch((error) => (isTimeout(error) ? null : ''));
    const found = v.safeParse(FOUND, said);
    if (!found.success) {
      const how = said === null ? `did not load it in ${LOADS_WITHIN_MS / 1000} s` : await ended;
      throw new UsageError(
        `--import: '${given}' cannot be loaded by Node ${version}: its process ${how}${reasonIn(tail())}`,
      );
    }
    const fromMs = performance.now();
    await within(ENDS.withinMs, ended).catch(() => {});
    return { ...found.output, endsMs: performance.now() - fromMs };
  } finally {
    child.kill('SIGKILL');
    await ended;
    await unguard();
  }
}
