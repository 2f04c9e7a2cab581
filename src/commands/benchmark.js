import { openCrew } from '../agents/open-crew.js';
import { messageOf, UsageError } from '../errors.js';
import { describeEnvironment, describeTool } from '../machine/environment.js';
import { openFilesLimit } from '../machine/open-files-and-ports.js';
import { limitPlan, serversNeeded } from '../plan/plan.js';
import { withWords } from '../report/words/findings.js';
import { createHeader, createReport } from '../results/create-report.js';
import { userStateFolder } from '../results/state-folder.js';
import { placeServers, runPlan } from '../runner/run-plan.js';
import { openServers } from '../server/open.js';
import { visitsOfMap } from './map-visits.js';
import { checkMemory } from './memory-check.js';
import { nothingToRun, prepare, readGiven, wantsOf } from './prepare.js';
import { chooseProfiled } from './profiled-cells.js';
import { tryCommands } from './try-commands.js';

/**
 * @import * as api from '../api.js'
 * @import { Crew } from '../agents/types.js'
 * @import { Limits } from '../plan/types.js'
 * @import { ResultEnd, ResultLine, ResultRecord } from '../results/types.js'
 * @import { PlanContext, PlanOutcome } from '../runner/types.js'
 * @import { Server } from '../server/types.js'
 */

/** @type {typeof api.benchmark} */
export async function benchmark(
  given = {},
  {
    signal = new AbortController().signal,
    onEvent = () => {},
    onLine = () => {},
    urlOrigin,
    stateFolder = userStateFolder(),
    pluginFolders = {},
    startedAtMs = Date.now(),
  } = {},
) {
  const startedAt = new Date();
  const asked = await readGiven(given, pluginFolders, urlOrigin);
  const crew = await openCrew(asked.settings, signal);
  try {
    const prepared = await prepare(asked, crew, { signal, onEvent });
    const { sources, settings, wanted } = prepared;
    const needed = serversNeeded(sources, settings.topology, wanted.groups.flat());
    const servers = await openServers(needed, settings);
    try {
      await crew?.check(servers, wantsOf(prepared));
      return await measure(prepared, servers, crew, {
        startedAt,
        startedAtMs,
        signal,
        onEvent,
        onLine,
        stateFolder,
      });
    } finally {
      await Promise.all(servers.map((server) => server.close()));
    }
  } finally {
    await crew?.close();
  }
}

/**
 * @param {Awaited<ReturnType<typeof prepare>>} prepared
 * @param {Server[]} servers
 * @param {Crew | null} crew
 * @param {Pick<PlanContext, 'signal' | 'onEvent' | 'stateFolder'> & {startedAt: Date, startedAtMs: number,
 *   onLine: (line: ResultLine) => void}} about
 */
async function measure({ wanted, ...prepared }, servers, crew, about) {
  const { startedAt, startedAtMs, onLine, ...context } = about;
  const { settings, catalogue, suite, clientOptions, keepProfile } = prepared;
  const limits = await limitsOf(servers, crew);
  const plan = limitPlan(wanted, settings, catalogue, limits);
  if (plan.groups.length === 0) throw new UsageError(nothingToRun(plan));
  const unchecked = servers.flatMap((server) => checkMemory(server, plan, settings, catalogue));
  for (const server of servers) unchecked.push(...(await tryCommands(server, plan, settings)));
  const facts = servers.map((server) => server.facts);
  context.onEvent({ type: 'plan', plan, settings, server: facts[0], servers: facts });
  const places = await placeServers(servers, settings);
  const header = createHeader({
    plan,
    settings,
    suite,
    startedAt,
    environment: describeEnvironment(catalogue.packages, prepared.ownFiles),
    ...(crew !== null && { agents: crew.agents }),
    servers: facts,
    placements: places[0].placer.placements,
    tool: describeTool(),
  });
  onLine(header);
  /** @type {ResultRecord[]} */
  const records = [];
  /** @param {ResultRecord} line */
  const record = (line) => {
    records.push(line);
    onLine(line);
  };
  const capacity = capacityOf(limits);
  const { startWorkers } = crew ?? {};
  const toProfile = chooseProfiled(header, settings, records);
  const given = { settings, catalogue, clientOptions, capacity };
  const parts = { ...given, places, startWorkers, record, toProfile, keepProfile };
  const { budgetMs } = settings;
  const visits =
    budgetMs === undefined
      ? undefined
      : visitsOfMap(plan, { ...settings, budgetMs }, capacity, records, () => Date.now() - startedAtMs);
  const outcome = await runPlan(plan, { ...context, ...parts }, visits);
  const warnings = [...prepared.warnings, ...(crew?.notes ?? []), ...unchecked, ...outcome.warnings];
  const end = endOf({ ...outcome, warnings }, context.signal.aborted);
  onLine(end);
  return withWords(createReport(header, records, end));
}

/**
 * @param {Server[]} servers
 * @param {Crew | null} crew
 * @returns {Promise<Limits>}
 */
const limitsOf = async (servers, crew) => ({
  files: crew === null ? await openFilesLimit() : leastFiles(crew),
  servers: Object.fromEntries(
    servers.map(({ key, freeConnections, facts }) => [
      key,
      { free: freeConnections, nodes: facts.nodes?.length ?? 1 },
    ]),
  ),
});

/** @param {Crew} crew @returns {number | null} files that a process may have open on every machine */
function leastFiles({ agents }) {
  const known = agents.flatMap(({ openFiles }) => openFiles ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

/** Files open in the tool itself, and for each worker: two pipes, a channel, and one to spare. */
const FILES = { own: 64, worker: 4 };

/** @param {Limits} limits */
const capacityOf = ({ files }) => ({
  bytes: process.availableMemory(),
  processes: Math.floor(((files ?? Number.POSITIVE_INFINITY) - FILES.own) / FILES.worker),
});

/**
 * @param {PlanOutcome} outcome
 * @param {boolean} interrupted
 * @returns {ResultEnd}
 */
const endOf = ({ lost, halted, warnings }, interrupted) => ({
  type: 'end',
  finishedAt: new Date().toISOString(),
  partial: interrupted || lost !== null || halted !== null,
  failure: lost === null ? null : messageOf(lost),
  warnings,
});
