import { messageOf, UsageError } from '../errors.js';
import { describeEnvironment, describeTool } from '../machine/environment.js';
import { addressMapOf } from '../options/client-options.js';
import { factText } from '../report/fact-words.js';
import { openServers } from '../server/open.js';
import { guardKeys } from '../server/stored-keys.js';
import { userStateFolder } from '../store/result-store.js';
import { resultsOf } from '../store/results.js';
import { createHeader } from '../store/shapes.js';
import { concludedBy } from './conclude.js';
import { capacityOf, checkMemory, limitsOf } from './memory-check.js';
import { limitCells } from './plan/capacity.js';
import { createPlan, runnable, serversNeeded } from './plan/plan.js';
import { nothingToRun, prepare, readGiven } from './prepare.js';
import { createIdlePrevention, placeServers, runPlan } from './run-plan.js';

/** @import { CommandData, Measuring } from '../commands/types.js' */
/** @import { Notice, Report, ResultEnd, ResultHeader, ResultRecord } from '../store/types.js' */
/** @import { BareEvent, BenchmarkHooks, BenchmarkOptions } from '../commands/benchmark/types.js' */
/** @import { SuitePlugin } from '../plugins/types.js' */
/** @import { Asked, Prepared } from './prepare.js' */
/** @import { Fleet } from './types.js' */
/** @import { IdlePrevention, OwnKeys } from './types.js' */

/**
 * Opens servers, plans cells, hands each group of them to the command, and reports what it concludes from the records.
 * @param {Measuring | CommandData} command @param {BenchmarkOptions} [given] @param {BenchmarkHooks} [hooks]
 * @param {SuitePlugin} [suite] instead of the one that is named @returns {Promise<Report>}
 */
export async function measure(command, given = {}, hooks = {}, suite = undefined) {
  const context = withDefaults(hooks);
  const asked = await readGiven(command, given, context, suite);
  const fleet = await fleetOf(asked, context.signal);
  try {
    const prepared = await prepare(asked, fleet, context);
    const opened = await open(asked, prepared, fleet, context);
    try {
      return await runCells(prepared, opened, context);
    } finally {
      await opened.close();
    }
  } finally {
    await fleet?.close();
  }
}

/** @param {Asked} asked @param {AbortSignal} signal @returns {Promise<Fleet | null>} null where the load comes from this machine */
const fleetOf = async ({ command, settings }, signal) =>
  (await command.fleet?.(settings))?.openFleet(settings, signal) ?? null;

/** @param {BenchmarkHooks} hooks */
const withDefaults = ({
  signal = new AbortController().signal,
  onEvent = () => {},
  onLine = () => {},
  urlOrigin,
  stateFolder = userStateFolder(),
  pluginFolders = {},
  startedAtMs = Date.now(),
}) => ({
  signal,
  /** @param {BareEvent} event */
  onEvent: (event) => onEvent(event.type === 'note' ? { ...event, message: factText(event.fact) } : event),
  onLine,
  urlOrigin,
  stateFolder,
  pluginFolders,
  startedAtMs,
  startedAt: new Date(),
});

/** @typedef {ReturnType<typeof withDefaults>} Context */

/** @param {Asked} asked @param {Prepared} prepared @param {Fleet | null} fleet @param {Context} context */
async function open(asked, prepared, fleet, { signal, stateFolder }) {
  const { settings, catalogue, cells, sources, clientOptions } = prepared;
  const options = runnable(cells).flatMap(({ client, ownVariant }) => [
    clientOptions[client],
    ownVariant?.options,
  ]);
  const addressMap = addressMapOf(options.map((each) => each ?? {}));
  const needed = serversNeeded(sources, settings.topology, runnable(cells));
  const servers = await openServers(needed, { ...settings, addressMap });
  /** @type {IdlePrevention | undefined} */
  let idlePrevention;
  /** @type {OwnKeys | undefined} */
  let keys;
  const close = async () => {
    await idlePrevention?.end();
    await Promise.all(servers.map((server) => server.close()));
  };
  try {
    if (fleet !== null) await fleet.plan(servers, asked, prepared);
    const limits = await limitsOf(servers, fleet);
    const known = settings.import
      ? await (await import('./find-instrumented.js')).findInstrumented(prepared, servers, signal)
      : cells;
    const plan = createPlan(limitCells(known, catalogue, limits), settings, catalogue, prepared.plan);
    if (plan.groups.length === 0) throw new UsageError(nothingToRun(plan.cells));
    /** @type {Notice[]} */
    const warningFacts = [
      ...(fleet?.notes ?? []),
      ...servers.flatMap((server) => checkMemory(server, plan, settings, catalogue)),
    ];
    keys = await guardKeys(servers, stateFolder);
    /** @type {Map<string, import('./headroom.js').Added>} */
    const growth = new Map();
    if (plan.groups.flat().some(({ chosen }) => chosen.workload.id === 'command')) {
      const { tryCommands } = await import('./try-commands.js');
      for (const server of servers)
        warningFacts.push(...(await tryCommands(server, plan, settings, catalogue, keys, growth)));
    }
    const places = await placeServers(servers, settings, { growth, commandPlan: prepared.plan });
    idlePrevention = await createIdlePrevention(places, settings);
    if (settings.cpus === 'awake' && idlePrevention.fact?.kind === 'not-kept-awake')
      warningFacts.push(idlePrevention.fact);
    return { fleet, plan, places, keys, idlePrevention, capacity: capacityOf(limits), warningFacts, close };
  } catch (error) {
    await keys?.end(signal);
    await close();
    throw error;
  }
}

/** @typedef {Awaited<ReturnType<typeof open>>} Opened */

/** @param {Prepared} prepared @param {Opened} opened @param {Context} context */
async function runCells(prepared, opened, context) {
  const { command, settings, catalogue, clientOptions } = prepared;
  const { fleet, plan, places, keys, idlePrevention, capacity } = opened;
  const { signal, onEvent, onLine, startedAtMs } = context;
  const header = headerOf(prepared, opened, context);
  /** @type {ResultRecord[]} */
  const records = [];
  onLine(header);
  onEvent({ type: 'plan', plan, settings, server: header.server, servers: header.servers });
  const { runGroup, setsOf } = await command.run();
  const { lost, halted, warningFacts } = await runPlan(plan, {
    ...prepared.own,
    settings,
    catalogue,
    clientOptions,
    capacity,
    places,
    keys,
    idlePrevention,
    signal,
    onEvent,
    command: command.name,
    runGroup,
    setsOf,
    commandPlan: prepared.plan,
    startWorkers: fleet?.startWorkers,
    elapsedMs: () => Date.now() - startedAtMs,
    record(line) {
      records.push(line);
      onLine(line);
    },
    soFar(group) {
      const cells = header.cells.filter((cell) => cell.group === group);
      return { cells: resultsOf({ ...header, cells }, records), settings: header.settings };
    },
  });
  /** @type {ResultEnd} */
  const end = {
    type: 'end',
    finishedAt: new Date().toISOString(),
    partial: signal.aborted || lost !== null || halted !== null,
    failure: lost === null ? null : messageOf(lost),
    warningFacts: [...prepared.warningFacts, ...opened.warningFacts, ...warningFacts],
    warnings: [],
  };
  onLine(end);
  return concludedBy(command, header, records, end);
}

/** @param {Prepared} prepared @param {Opened} opened @param {Context} context @returns {ResultHeader} */
const headerOf = (
  { command, settings, suite, catalogue },
  { plan, places, idlePrevention, fleet },
  { startedAt },
) =>
  createHeader({
    ...('takes' in command && { command: command.name }),
    plan,
    settings,
    suite,
    startedAt,
    environment: describeEnvironment(catalogue.packages),
    ...fleet?.facts,
    servers: places.map(({ server }) => server.facts),
    placements: places[0].placer.placements,
    ...(idlePrevention.fact !== null && { waking: idlePrevention.fact }),
    tool: describeTool(),
  });
