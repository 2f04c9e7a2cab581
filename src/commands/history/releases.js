import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { groupBy } from '../../collections.js';
import { messageOf, RunError, ServerError, UsageError } from '../../errors.js';
import { minorReleases, resolveReleases } from '../../machine/releases.js';
import { loadCatalogue } from '../../options/catalogue.js';
import { parseClient } from '../../options/client-options.js';
import { lockFile } from '../../process/lock-file.js';
import { factText } from '../../report/fact-words.js';
import { count, said } from '../../report/figures.js';
import { gridOf } from '../../report/grid.js';
import { createOrders } from '../../run/independent-runs.js';
import { prepare, readGiven } from '../../run/prepare.js';
import { createStore, makeFolder } from '../../store/result-store.js';
import { benchmark } from '../benchmark/benchmark.js';
import command from '../benchmark/index.js';
import { listSaved } from './saved-results.js';

/** @import { Cell } from '../../run/plan/types.js' */
/** @import { Catalogue } from '../../plugins/types.js' */
/** @import { Report } from '../../report/types.js' */
/** @import { SavedResult } from './saved-results.js' */
/** @import { BenchmarkHooks, BenchmarkOptions } from '../benchmark/types.js' */

/** Part of this tool, so the same in every result: it shows how fast the machine was. */
const BESIDE = 'raw';

/** Measured in order of age, releases would seem to change as the machine does. */
const ORDER_SEED = 1;

/** Two cells take 10 to 15 s, so 12 releases of 2 clients take 10 minutes, including npm install. */
const SUITE = {
  id: 'releases',
  title: 'Releases',
  summary: 'a release of a client, and raw for comparison',
  options: {
    clients: ['redis', 'ioredis'],
    scenarios: ['shared-connection'],
    runs: 6,
    starts: 3,
    profile: false,
  },
};

/**
 * @typedef {object} ReleasesOptions
 * @property {string} folder @property {number} [newest] minors per client, from the newest back
 * @property {boolean} [dryRun] measures nothing and reports which results are missing
 *
 * @typedef {Pick<BenchmarkHooks, 'signal' | 'onEvent' | 'urlOrigin' | 'pluginFolders'>} MeasuringHooks
 */

/**
 * @typedef {object} MeasuredRelease
 * @property {string} name with release and variant: `redis@5.8.3:default`
 * @property {string} client @property {string} variant @property {string} version
 * @property {'there' | 'added' | 'missing' | 'left out'} state `there`: already in the folder
 * @property {string | null} file the saved result, if added
 * @property {Cell['skipped'] | string} why it is left out, or its runs failed
 *
 * @typedef {MeasuredRelease & {ids: string[]}} Wanted `ids` of its cells
 */

/**
 * Measures the newest release of each client minor together with `raw`, unless the folder already has its result. Each result
 * is saved at once, so an interruption loses none.
 * @param {Omit<BenchmarkOptions, 'suite'> & ReleasesOptions} given
 * @param {MeasuringHooks & {onRelease?: (release: MeasuredRelease) => void}} [hooks]
 * @returns {Promise<MeasuredRelease[]>} @throws {UsageError | ServerError | RunError}
 */
export async function releases(given, { onRelease = () => {}, ...hooks } = {}) {
  const { folder, newest = 12, dryRun = false, ...options } = given;
  const { signal, onEvent } = hooks;
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new UsageError(`expected a folder for the results, but '${folder}' is a file`);
  const catalogue = await loadCatalogue(hooks.pluginFolders);
  const wanted = await findWanted(options, newest, catalogue, hooks);
  const saved = await listSaved(folder);
  for (const release of wanted)
    if (release.state === 'missing' && saved.some((each) => each.complete && hasAll(each, release)))
      release.state = 'there';

  /** @param {Wanted} release @returns {Promise<Partial<MeasuredRelease>>} what came of it; nothing if interrupted */
  async function measure(release) {
    const { client, version, name } = release;
    try {
      await resolveReleases([{ client, wanted: version }], catalogue, {
        signal,
        onInstall: (installed, cache) => onEvent?.({ type: 'install', release: installed, folder: cache }),
      });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return { state: 'left out', why: messageOf(error) };
    }
    const { file, replace } = fileFor(release, saved, folder);
    /** @type {string[]} */
    const failures = [];
    const { append } = createStore(file, { replace, onFailure: (why) => void failures.push(why) });
    const asked = { ...options, clients: [BESIDE, name] };
    makeFolder(folder);
    const unlock = lockFile(file, 'releases');
    const { failure, partial, cells } = await benchmark(asked, { ...hooks, onLine: append }, SUITE).finally(
      unlock,
    );
    if (failures.length > 0) throw new RunError(`'${file}' could not be written: ${failures[0]}`);
    if (failure !== null) throw new ServerError(`the benchmark of ${name} ended early: ${failure}`);
    const measured = cells.filter((cell) => cell.client === client);
    const [why = null] = measured.flatMap(({ runs }) => runs.flatMap(({ failed }) => failed ?? []));
    return partial ? {} : { state: 'added', file, why };
  }

  const missing = wanted.filter(({ state }) => state === 'missing' && !dryRun);
  for (const release of createOrders(missing, 1, ORDER_SEED)[0]) {
    Object.assign(release, await measure(release));
    if (signal?.aborted) break;
    onRelease(shown(release));
  }
  return wanted.map(shown);
}

/** @type {(release: Wanted) => MeasuredRelease} */
const shown = ({ ids, ...release }) => release;

/**
 * @param {Omit<BenchmarkOptions, 'suite'>} options @param {number} newest @param {Catalogue} catalogue
 * @param {MeasuringHooks} hooks @returns {Promise<Wanted[]>} the newest last; installs nothing
 */
async function findWanted(options, newest, catalogue, hooks) {
  const { pluginFolders = {}, urlOrigin } = hooks;
  const { settings } = await readGiven(command, options, { pluginFolders, urlOrigin }, SUITE);
  const found = new Map();
  for (const name of settings.clients) {
    const { client, variant, wanted } = parseClient(name, catalogue.clients);
    const versions = await minorReleases({ client, wanted }, catalogue, hooks.signal);
    for (const version of versions.slice(-newest))
      found.set(`${client}@${version}:${variant}`, { client, variant, version });
  }
  const cells = await cellsOf({ ...options, clients: [BESIDE, ...found.keys()] }, hooks, SUITE);
  return [...found].map(([name, release]) => {
    const { client, variant, version } = release;
    const planned = cells.filter(
      (cell) => cell.client === client && cell.variant === variant && cell.version === version,
    );
    const ids = planned.flatMap(({ id, skipped }) => (skipped === null ? id : []));
    const isLeftOut = ids.length === 0;
    const why = isLeftOut ? (planned[0]?.skipped ?? null) : null;
    return { name, ...release, state: isLeftOut ? 'left out' : 'missing', file: null, why, ids };
  });
}

/**
 * Those of a plan in which releases are resolved, but not installed.
 * @param {BenchmarkOptions} given @param {MeasuringHooks} hooks @param {Parameters<typeof readGiven>[3]} [suite]
 */
export async function cellsOf(given, hooks, suite) {
  const { signal = new AbortController().signal, pluginFolders = {}, urlOrigin } = hooks;
  const asked = await readGiven(command, given, { pluginFolders, urlOrigin }, suite);
  const { cells } = await prepare(asked, null, { signal, onEvent() {}, findReleases: asPublished });
  return cells;
}

/** @type {typeof resolveReleases} */
async function asPublished(asked, { clients }) {
  const published = new Map();
  for (const { client, wanted: version } of asked) {
    if (version === null) continue;
    const name = String(clients.get(client)?.package);
    published.set(`${client}@${version}`, { package: name, version, path: null, entry: null, commit: null });
  }
  return published;
}

/** @param {SavedResult} saved @param {Wanted} release */
function hasAll({ header }, { ids }) {
  const has = new Set(header?.cells.flatMap(({ id, skipped }) => (skipped === null ? id : [])));
  return ids.every((id) => has.has(id));
}

/**
 * Each release has its own file; an interrupted result is replaced.
 * @type {(release: Wanted, saved: SavedResult[], folder: string) => {file: string, replace: boolean}}
 */
function fileFor(release, saved, folder) {
  const slug = nameOf(release)
    .replaceAll(/[^\w.]+/g, '-')
    .replace(/-$/, '');
  for (let number = 1; ; number++) {
    const file = join(folder, `${slug}${number === 1 ? '' : `-${number}`}.ndjson`);
    const found = saved.find((each) => each.file === file);
    const replace = found !== undefined && !found.complete && hasAll(found, release);
    if (replace || !existsSync(file)) return { file, replace };
  }
}

/** @param {MeasuredRelease} release @returns {string} where it is, or why it is not */
function resultText({ state, file, why }) {
  const reason = why === null ? null : factText(why);
  if (state === 'left out') return reason ?? 'nothing can be measured';
  return said([file, reason && `runs failed: ${reason}`]).join('; ');
}

/** @param {MeasuredRelease} release @returns {string} what came of it */
export const releaseText = (release) => `${nameOf(release)}: ${release.state} ${resultText(release)}`.trim();

/** @param {MeasuredRelease} release */
const nameOf = ({ name }) => name.replace(/:default$/, '');

/** @param {MeasuredRelease[]} releases @returns {Report} what came of all */
export function releasesReport(releases) {
  const states = groupBy(releases, ({ state }) => state).map((same) => `${same.length} ${same[0].state}`);
  const grid = gridOf(releases, (release) => ({ name: nameOf(release) }), [
    { title: '', align: 'left', text: ({ state }) => state },
    { title: 'saved result', align: 'left', text: resultText },
  ]);
  return {
    title: `${count(releases.length, 'release')} asked for: ${states.join(', ')}`,
    facts: [],
    sections: [{ place: 'first', grid: { names: { title: 'release' }, ...grid } }],
    remarks: [],
    verdicts: [],
  };
}
