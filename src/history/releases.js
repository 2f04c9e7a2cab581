import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { benchmark } from '../benchmark/benchmark.js';
import { factText } from '../benchmark/report/words/fact-words.js';
import { prepare, readGiven } from '../benchmark/run/prepare.js';
import { alike } from '../core/alike.js';
import { messageOf, RunError, ServerError, UsageError } from '../core/errors.js';
import { minorReleases, resolveReleases } from '../core/machine/releases.js';
import { count, said } from '../core/report/figures.js';
import { gridOf } from '../core/report/grid.js';
import { createOrders } from '../core/run/apart.js';
import { createStore } from '../core/store/result-store.js';
import { loadCatalogue } from '../options/catalogue.js';
import { parseClient } from '../options/client-options.js';
import { listSaved } from './saved-results.js';

/** @import { Cell } from '../core/plan/types.js' */
/** @import { Catalogue } from '../core/plugins/types.js' */
/** @import { Report } from '../core/report/types.js' */
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
 * Measures the newest release of each client minor together with `raw`, unless the folder already has its result. Each result
 * is saved at once, so an interruption loses none.
 * @param {Omit<BenchmarkOptions, 'suite'> & ReleasesOptions} given
 * @param {MeasuringHooks & {onRelease?: (release: MeasuredRelease) => void}} [hooks]
 * @returns {Promise<MeasuredRelease[]>} @throws {UsageError | ServerError | RunError}
 */
export async function releases(given, hooks = {}) {
  const { clients, folder, newest = 12, dryRun = false, ...options } = given;
  const { onRelease = () => {}, ...others } = hooks;
  const { signal = new AbortController().signal } = hooks;
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new UsageError(`expected a folder for the results, but '${folder}' is a file`);
  const wanted = await findWanted(clients, newest, options, { ...others, signal });
  /** @type {Bench} */
  const bench = { folder, options, hooks: { ...others, signal } };
  const saved = await listSaved(folder);
  for (const release of wanted) {
    if (release.state === 'missing' && saved.some((each) => each.complete && hasAll(each, release)))
      release.state = 'there';
  }
  const missing = wanted.filter(({ state }) => state === 'missing' && !dryRun);
  for (const release of createOrders(missing, 1, ORDER_SEED)[0]) {
    await measure(release, saved, bench);
    if (signal.aborted) break;
    onRelease(shown(release));
  }
  return wanted.map(shown);
}

/**
 * @typedef {object} Bench
 * @property {string} folder
 * @property {Record<string, unknown>} options
 * @property {Parameters<typeof benchmark>[1] & {signal: AbortSignal}} hooks
 */
/**
 * @typedef {object} MeasuredRelease
 * @property {string} name with release and variant: `redis@5.8.3:default`
 * @property {string} client @property {string} variant @property {string} version
 * @property {'there' | 'added' | 'missing' | 'left out'} state `there`: already in the folder
 * @property {string | null} file the saved result, if added
 * @property {Cell['skipped'] | string} why it is left out, or its runs failed
 *
 * @typedef {MeasuredRelease & {ids: string[], catalogue: Catalogue}} Wanted `ids` of its cells
 */

/** @param {Wanted} release @returns {MeasuredRelease} */
const shown = ({ ids, catalogue, ...release }) => release;

/**
 * @param {BenchmarkOptions['clients']} names @param {number} newest @param {Record<string, any>} options
 * @param {Bench['hooks']} hooks @returns {Promise<Wanted[]>} the newest last; installs nothing
 */
async function findWanted(names, newest, options, { signal, urlOrigin, pluginFolders = {} }) {
  const given = { ...options, clients: names };
  const { settings } = await readGiven(given, { pluginFolders, urlOrigin }, SUITE);
  const catalogue = await loadCatalogue(pluginFolders);
  const found = new Map();
  for (const name of settings.clients) {
    const { client, variant, wanted } = parseClient(name, catalogue.clients);
    const versions = await minorReleases({ client, wanted }, catalogue, signal);
    for (const version of versions.slice(-newest))
      found.set(`${client}@${version}:${variant}`, { client, variant, version });
  }
  const all = { ...given, clients: [BESIDE, ...found.keys()] };
  const asked = await readGiven(all, { pluginFolders, urlOrigin }, SUITE);
  const { cells } = await prepare(asked, null, { signal, onEvent() {}, findReleases: asPublished });
  return [...found].map(([name, release]) => wantedOf(name, release, cells, catalogue));
}

/** Resolves releases without installing them, which is enough for a plan. @type {typeof resolveReleases} */
export async function asPublished(asked, { clients }) {
  const named = asked.flatMap(({ client, wanted }) =>
    wanted === null ? [] : [/** @type {const} */ ([client, wanted])],
  );
  return new Map(
    named.map(([client, version]) => [
      `${client}@${version}`,
      { package: String(clients.get(client)?.package), version, path: null, entry: null, commit: null },
    ]),
  );
}

/**
 * @param {string} name @param {Pick<MeasuredRelease, 'client' | 'variant' | 'version'>} release @param {Cell[]} cells
 * @param {Catalogue} catalogue @returns {Wanted}
 */
function wantedOf(name, { client, variant, version }, cells, catalogue) {
  const own = cells.filter(
    (cell) => cell.client === client && cell.variant === variant && cell.version === version,
  );
  const ids = own.flatMap(({ id, skipped }) => (skipped === null ? id : []));
  const isLeftOut = ids.length === 0;
  const why = isLeftOut ? (own.find(({ skipped }) => skipped !== null)?.skipped ?? null) : null;
  const state = isLeftOut ? 'left out' : 'missing';
  return { name, client, variant, version, state, file: null, why, ids, catalogue };
}

/** @param {SavedResult} saved @param {Wanted} release */
function hasAll({ header }, { ids }) {
  const has = new Set(header?.cells.flatMap(({ id, skipped }) => (skipped === null ? id : [])));
  return ids.every((id) => has.has(id));
}

/** @param {Wanted} release @param {SavedResult[]} saved @param {Bench} bench */
async function measure(release, saved, { folder, options, hooks }) {
  const { client, version, catalogue, name } = release;
  const { signal, onEvent } = hooks;
  try {
    await resolveReleases([{ client, wanted: version }], catalogue, {
      signal,
      onInstall: (installed, cache) => onEvent?.({ type: 'install', release: installed, folder: cache }),
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    Object.assign(release, { state: 'left out', why: messageOf(error) });
    return;
  }
  const { file, replace } = fileFor(release, saved, folder);
  /** @type {string | null} */
  let failure = null;
  const onFailure = (/** @type {string} */ why) => {
    failure = why;
  };
  const { append } = createStore(file, { replace, onFailure });
  const report = await benchmark(
    { ...options, clients: [BESIDE, name] },
    { ...hooks, onLine: append },
    SUITE,
  );
  if (failure !== null) throw new RunError(`'${file}' could not be written: ${failure}`);
  if (report.failure !== null)
    throw new ServerError(`the benchmark of ${name} ended early: ${report.failure}`);
  const own = report.cells.filter((cell) => cell.client === client);
  const [why = null] = own.flatMap(({ runs }) => runs.flatMap(({ failed }) => failed ?? []));
  if (!report.partial) Object.assign(release, { state: 'added', file, why });
}

/**
 * Each release has its own file; an interrupted result is replaced.
 * @param {Wanted} release @param {SavedResult[]} saved @param {string} folder
 * @returns {{file: string, replace: boolean}}
 */
function fileFor({ name, ids, ...release }, saved, folder) {
  const slug = name
    .replace(/:default$/, '')
    .replaceAll(/[^\w.]+/g, '-')
    .replace(/-$/, '');
  for (let number = 1; ; number++) {
    const file = join(folder, `${slug}${number === 1 ? '' : `-${number}`}.ndjson`);
    const found = saved.find((each) => each.file === file);
    const replace = found !== undefined && !found.complete && hasAll(found, { name, ids, ...release });
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
  const states = alike(releases, ({ state }) => state).map((own) => `${own.length} ${own[0].state}`);
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
