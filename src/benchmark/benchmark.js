import { messageOf, UsageError } from '../core/errors.js';
import { describeEnvironment, describeTool } from '../core/machine/environment.js';
import { limitCells } from '../core/plan/capacity.js';
import { factText } from '../core/report/fact-words.js';
import { openServers } from '../core/server/open.js';
import { guardKeys } from '../core/server/stored-keys.js';
import { userStateFolder } from '../core/store/result-store.js';
import { resultsOf } from '../core/store/results.js';
import { createHeader } from '../core/store/shapes.js';
import { addressMapOf } from '../options/client-options.js';
import { analyse, createReport } from './conclude.js';
import { explainedCells } from './findings/slower.js';
import { withWords } from './report/words/findings.js';
import { capacityOf, checkMemory, limitsOf } from './run/memory-check.js';
import { createPlan, runnable, serversNeeded } from './run/plan.js';
import { nothingToRun, prepare, readGiven } from './run/prepare.js';
import { createWaking, placeServers, runPlan } from './run/run-plan.js';

/** @import { Fleet } from '../agents/types.js' */
/** @import { Settings } from '../options/types.js' */
/** @import { OwnKeys } from '../core/server/stored-keys.js' */
/** @import { Notice, Report, ResultEnd, ResultHeader, ResultRecord } from '../core/store/types.js' */
/** @import { BareEvent, BenchmarkHooks, BenchmarkOptions } from './types.js' */
/** @import { SuitePlugin } from '../core/plugins/types.js' */
/** @import { Asked, Prepared } from './run/prepare.js' */
/** @import { Waking } from './run/run-plan.js' */

/**
 * @param {BenchmarkOptions} [given] @param {BenchmarkHooks} [hooks]
 * @param {SuitePlugin} [suite] of the command, instead of the one that is named @returns {Promise<Report>}
 */
export async function benchmark(given = {}, hooks = {}, suite = undefined) {
  const context = withDefaults(hooks);
  const asked = await readGiven(given, context, suite);
  const fleet = await fleetOf(asked.settings, context.signal);
  try {
    const prepared = await prepare(asked, fleet, context);
    const opened = await open(asked, prepared, fleet, context);
    try {
      return await measure(prepared, opened, context);
    } finally {
      await opened.close();
    }
  } finally {
    await fleet?.close();
  }
}

/** @param {Settings} settings @param {AbortSignal} signal @returns {Promise<Fleet | null>} null where the load comes from this machine */
const fleetOf = async (settings, signal) =>
  settings.agents === undefined
    ? null
    : (await import('../agents/fleet.js')).openFleet(settings, settings.agents, signal);

/** @param {BenchmarkHooks} hooks */
const withDefaults = ({
  signal = new AbortController().signal,
  onEvent = () => {},
  onLine = () => {},
  urlOrigin,
  stateFolder = userStateFolder(),
  pluginFolders = {},
  startedAtMs = Date.now(),
  command,
}) => ({
  signal,
  command,
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
  /** @type {Waking | undefined} */
  let waking;
  /** @type {OwnKeys | undefined} */
  let keys;
  const close = async () => {
    await waking?.end();
    await Promise.all(servers.map((server) => server.close()));
  };
  try {
    if (fleet !== null)
      await fleet.plan(servers, await (await import('../agents/typed.js')).typedFor(fleet, asked, prepared));
    const limits = await limitsOf(servers, fleet);
    const plan = createPlan(limitCells(cells, catalogue, limits), settings, catalogue);
    if (plan.groups.length === 0) throw new UsageError(nothingToRun(plan.cells));
    /** @type {Notice[]} */
    const warningFacts = [
      ...(fleet?.notes ?? []),
      ...servers.flatMap((server) => checkMemory(server, plan, settings, catalogue)),
    ];
    keys = await guardKeys(servers, stateFolder);
    /** @type {Map<string, import('../core/run/headroom.js').Added>} */
    const growth = new Map();
    if (plan.groups.flat().some(({ chosen }) => chosen.workload.id === 'command')) {
      const { tryCommands } = await import('./run/try-commands.js');
      for (const server of servers)
        warningFacts.push(...(await tryCommands(server, plan, settings, catalogue, keys, growth)));
    }
    const places = await placeServers(servers, settings, growth);
    waking = await createWaking(places, settings);
    if (settings.cpus === 'awake' && waking.fact?.kind === 'not-kept-awake') warningFacts.push(waking.fact);
    return { fleet, plan, places, keys, waking, capacity: capacityOf(limits), warningFacts, close };
  } catch (error) {
    await keys?.end(signal);
    await close();
    throw error;
  }
}

/** @typedef {Awaited<ReturnType<typeof open>>} Opened */

/** @param {Prepared} prepared @param {Opened} opened @param {Context} context */
async function measure(prepared, opened, context) {
  const { settings, catalogue, clientOptions, keepProfile } = prepared;
  const { fleet, plan, places, keys, waking, capacity } = opened;
  const { command, signal, onEvent, onLine, startedAtMs } = context;
  const header = headerOf(prepared, opened, context);
  /** @type {ResultRecord[]} */
  const records = [];
  onLine(header);
  onEvent({ type: 'plan', plan, settings, server: header.server, servers: header.servers });
  const { lost, halted, warningFacts } = await runPlan(plan, {
    ...{ settings, catalogue, clientOptions, keepProfile },
    ...{ capacity, places, keys, waking, signal, onEvent },
    command: command?.name,
    runGroup: (await command?.run())?.runGroup,
    startWorkers: fleet?.startWorkers,
    elapsedMs: () => Date.now() - startedAtMs,
    toProfile: chooseProfiled(header, settings, records),
    record(line) {
      records.push(line);
      onLine(line);
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
  return withWords(createReport(header, records, end));
}

/** @param {Prepared} prepared @param {Opened} opened @param {Context} context @returns {ResultHeader} */
const headerOf = ({ command, settings, suite, catalogue }, { plan, places, waking, fleet }, { startedAt }) =>
  createHeader({
    ...(command !== undefined && { command }),
    plan,
    settings,
    suite,
    startedAt,
    environment: describeEnvironment(catalogue.packages),
    ...(fleet !== null && { agents: fleet.agents }),
    servers: places.map(({ server }) => server.facts),
    placements: places[0].placer.placements,
    ...(waking.fact !== null && { waking: waking.fact }),
    tool: describeTool(),
  });

/**
 * Chooses cells to profile: all that the user asked for, or those that the report will explain, judged per group.
 * @param {ResultHeader} header @param {Pick<Settings, 'profile'>} settings
 * @param {ResultRecord[]} records grows during the benchmark @returns {(group: string) => Set<string>} their ids
 */
function chooseProfiled(header, { profile }, records) {
  return (group) => {
    const cells = header.cells.filter((cell) => cell.group === group);
    if (profile?.cells !== 'explained') return new Set(cells.map(({ id }) => id));
    const { findings } = analyse(resultsOf({ ...header, cells }, records), header.settings, true);
    return explainedCells(findings);
  };
}
