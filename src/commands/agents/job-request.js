import { fileURLToPath } from 'node:url';
import { present } from '../../collections.js';
import { tryOr, UsageError } from '../../errors.js';
import { cacheFolder } from '../../machine/releases.js';
import { loadCatalogue, loadOptions } from '../../options/catalogue.js';
import { readConfig } from '../../options/client-options.js';
import { choicesOf } from '../../options/plugin-names.js';
import { byTableNames, resolveFor } from '../../options/read.js';
import { secretsIn } from '../../process/secrets.js';
import { runnable } from '../../run/plan/plan.js';
import { choiceOf, prepare } from '../../run/prepare.js';
import { permissionOf, sentBy } from '../../server/command-places.js';
import { loadCommand } from '../all.js';
import { isWithin } from './permissions.js';

/** @import { ControlRedis } from './control-redis.js' */
/** @import { Typed, Wants } from './types.js' */
/** @import { Asked, Prepared } from '../../run/prepare.js' */

/** A job for agents carries what the user typed, and an agent reads it as the command line does. */

/** What is about the commanding machine, its files, the server or the report, and no business of agents. */
const NOT_SENT = new Set(
  (
    'agents queueToken url socket sentinel masterName server serverBin serverConfig clusterNodes replicas ' +
    'profile assert assertStrict import'
  ).split(' '),
);

/** @param {string} name of an option */
const isSent = (name) => !NOT_SENT.has(name) && !name.startsWith('tls');
/** @param {Record<string, unknown>} options */
const sentOf = (options) => Object.fromEntries(Object.entries(options).filter(([name]) => isSent(name)));

/**
 * @param {Pick<ControlRedis, 'isPrivate'>} control @param {Asked} asked @param {Prepared} prepared @returns {Promise<Omit<Typed, 'targets'>>}
 * @throws {UsageError} where a secret would travel in the open
 */
export async function typedFor({ isPrivate }, { options, command, suite }, prepared) {
  const { settings, catalogue, cells, sources, releases } = prepared;
  const config = await readConfig(settings.config);
  const [secret] = isPrivate ? [] : secretsIn(config ?? {});
  if (secret !== undefined) {
    throw new UsageError(
      `--config's '${secret}' is not sent through a control Redis that is reached without TLS; use rediss:// for --agents`,
    );
  }
  const { seed, machines } = settings;
  return {
    options: { ...sentOf(options), seed, machines, ...(config !== undefined && { config }) },
    ...('takes' in command && { command: command.name }),
    suite: { options: sentOf(suite.options) },
    folders: catalogue.folders,
    servers: sources.map(choiceOf),
    releases: Object.fromEntries(releases ?? []),
    cells: runnable(cells).map(({ id }) => id),
  };
}

/** More would keep an agent from answering. */
const MOST_CELLS = 100_000;

/**
 * @param {Typed} typed @param {(wants: Wants) => string[]} refused asked before anything that it names is loaded
 * @returns {Promise<Prepared | string[]>} or what is refused @throws {UsageError}
 */
export async function readTyped(
  { options: given, command: name, suite: own, folders, servers, releases, targets },
  refused,
) {
  const withEntry = Object.entries(releases).filter(([, release]) => release?.entry != null);
  const foreign = withEntry.filter(([, { entry }]) => !isInstalledHere(String(entry))).map(([name]) => name);
  const wants = {
    targets,
    pluginFolders: [...Object.values(folders).flat().map(String), ...foreign],
    releases: withEntry.map(([name]) => name),
    nodeBins: [],
    profiles: [],
    scripts: [],
  };
  const first = refused(wants);
  if (first.length > 0) return first;
  const command = await loadCommand(name ?? 'benchmark');
  const table = await loadOptions(folders, await command.ownOptions?.());
  const options = byTableNames(table, given);
  for (const name of [given, own.options].flatMap((each) => Object.keys(each ?? {})))
    if (!isSent(name)) throw new UsageError(`the option '${name}' is not for agents`);
  const suite = { id: 'typed', title: '', summary: '', ...own, options: own.options ?? {} };
  const asked = { ...options, agents: 'env' };
  const settings =
    'takes' in command
      ? resolveFor(command, asked, table)
      : await present(command.resolve)(asked, suite, table);
  if (typeof settings.config === 'string')
    throw new UsageError('--config: expected its contents, not a file');
  const lists = Object.values(settings).filter(Array.isArray);
  if (lists.reduce((count, { length }) => count * Math.max(1, length), 1) > MOST_CELLS)
    throw new UsageError(`expected at most ${MOST_CELLS} cells`);
  const { workload } = choicesOf(settings, await loadCatalogue(folders, settings));
  const parameters = [...workload.values()].map(
    ({ parameter }) => /** @type {{file?: string}} */ (parameter ?? {}),
  );
  const all = refused({
    ...wants,
    nodeBins: settings.nodeBin ?? [],
    profiles: parameters.flatMap(({ file }) => file ?? []),
    scripts: parameters.flatMap(scriptsIn),
  });
  if (all.length > 0) return all;
  const sources = servers.map((each) => ({ ...NO_SERVER, ...each, external: null }));
  return prepare({ options, command, suite, folders, settings, servers: sources }, null, {
    signal: new AbortController().signal,
    onEvent: () => {},
    findReleases: async () => new Map(Object.entries(releases)),
  });
}

const NO_SERVER = { server: null, serverConfig: null, binary: null, settings: [], transports: [] };

/** @param {any} parameter of a workload @returns {string[]} its commands that may reach other keys than their own */
const scriptsIn = (parameter) =>
  sentBy(parameter)
    .filter((words) => Array.isArray(words) && permissionOf([words]) !== null)
    .map(([name]) => String(name).toUpperCase());

/** Else it may be any code. @param {string} entry */
const isInstalledHere = (entry) => tryOr(() => isWithin(cacheFolder(), fileURLToPath(entry)), false);
