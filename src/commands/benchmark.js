import { openCrew } from '../agents/open-crew.js';
import { createReport } from '../analysis/create-report.js';
import { messageOf, UsageError } from '../errors.js';
import { describeEnvironment, describeTool } from '../machine/environment.js';
import { limitPlan, serversNeeded } from '../plan/plan.js';
import { withWords } from '../report/words/findings.js';
import { createHeader } from '../results/header.js';
import { userStateFolder } from '../results/state-folder.js';
import { placeServers, runPlan } from '../runner/run-plan.js';
import { openServers } from '../server/open.js';
import { capacityOf, checkMemory, limitsOf } from './memory-check.js';
import { nothingToRun, prepare, readGiven, wantsOf } from './prepare.js';
import { tryCommands } from './try-commands.js';
import { chooseProfiled, visitsOf } from './what-next.js';

/** @import * as api from '../api.js' */
/** @import { Crew } from '../agents/types.js' */
/** @import { Plan } from '../plan/types.js' */
/** @import { ResultEnd, ResultHeader, ResultLine, ResultRecord } from '../results/types.js' */
/** @import { Place, PlanOutcome } from '../runner/types.js' */
/** @import { Server } from '../server/types.js' */
/** @import { Prepared } from './prepare.js' */

/** @type {typeof api.benchmark} */
export async function benchmark(given = {}, hooks = {}) {
  const startedAt = new Date();
  const context = withDefaults(hooks);
  const asked = await readGiven(given, context.pluginFolders, context.urlOrigin);
  const crew = await openCrew(asked.settings, context.signal);
  try {
    const prepared = await prepare(asked, crew, context);
    const { sources, settings, wanted } = prepared;
    const needed = serversNeeded(sources, settings.topology, wanted.groups.flat());
    const servers = await openServers(needed, settings);
    try {
      await crew?.check(servers, wantsOf(prepared));
      const fitted = await fitPlan(prepared, servers, crew);
      const facts = servers.map((server) => server.facts);
      context.onEvent({ type: 'plan', plan: fitted.plan, settings, server: facts[0], servers: facts });
      const places = await placeServers(servers, settings);
      const log = openLog(headerOf(prepared, fitted.plan, places, crew, startedAt), context.onLine);
      const outcome = await measure(prepared, fitted, places, crew, log, context);
      const warnings = [
        ...prepared.warnings,
        ...(crew?.notes ?? []),
        ...fitted.warnings,
        ...outcome.warnings,
      ];
      return withWords(log.end(endOf({ ...outcome, warnings }, context.signal.aborted)));
    } finally {
      await Promise.all(servers.map((server) => server.close()));
    }
  } finally {
    await crew?.close();
  }
}

/** @param {NonNullable<Parameters<typeof api.benchmark>[1]>} hooks */
const withDefaults = ({
  signal = new AbortController().signal,
  onEvent = () => {},
  onLine = () => {},
  urlOrigin,
  stateFolder = userStateFolder(),
  pluginFolders = {},
  startedAtMs = Date.now(),
}) => ({ signal, onEvent, onLine, urlOrigin, stateFolder, pluginFolders, startedAtMs });

/**
 * The plan as far as this machine and the servers can hold it.
 * @param {Prepared} prepared @param {Server[]} servers @param {Crew | null} crew
 */
async function fitPlan({ wanted, settings, catalogue }, servers, crew) {
  const limits = await limitsOf(servers, crew);
  const plan = limitPlan(wanted, settings, catalogue, limits);
  if (plan.groups.length === 0) throw new UsageError(nothingToRun(plan));
  const warnings = servers.flatMap((server) => checkMemory(server, plan, settings, catalogue));
  for (const server of servers) warnings.push(...(await tryCommands(server, plan, settings)));
  return { plan, capacity: capacityOf(limits), warnings };
}

/**
 * @param {Prepared} prepared @param {Plan} plan @param {Place[]} places @param {Crew | null} crew
 * @param {Date} startedAt
 */
const headerOf = ({ settings, suite, catalogue, ownFiles }, plan, places, crew, startedAt) =>
  createHeader({
    plan,
    settings,
    suite,
    startedAt,
    environment: describeEnvironment(catalogue.packages, ownFiles),
    ...(crew !== null && { agents: crew.agents }),
    servers: places.map(({ server }) => server.facts),
    placements: places[0].placer.placements,
    tool: describeTool(),
  });

/**
 * What is measured, line by line, kept for the report.
 * @param {ResultHeader} header @param {(line: ResultLine) => void} onLine
 */
function openLog(header, onLine) {
  /** @type {ResultRecord[]} */
  const records = [];
  onLine(header);
  return {
    header,
    records,
    /** @param {ResultRecord} line */
    record(line) {
      records.push(line);
      onLine(line);
    },
    /** @param {ResultEnd} end */
    end(end) {
      onLine(end);
      return createReport(header, records, end);
    },
  };
}

/**
 * @param {Prepared} prepared @param {Awaited<ReturnType<typeof fitPlan>>} fitted @param {Place[]} places
 * @param {Crew | null} crew @param {ReturnType<typeof openLog>} log
 * @param {ReturnType<typeof withDefaults>} context
 */
function measure(prepared, { plan, capacity }, places, crew, { header, records, record }, context) {
  const { settings, catalogue, clientOptions, keepProfile } = prepared;
  const { signal, onEvent, stateFolder, startedAtMs } = context;
  const visits = visitsOf(plan, settings, capacity, records, () => Date.now() - startedAtMs);
  const toProfile = chooseProfiled(header, settings, records);
  const { startWorkers } = crew ?? {};
  const given = { settings, catalogue, clientOptions, capacity, signal, onEvent, stateFolder };
  return runPlan(plan, { ...given, places, startWorkers, record, toProfile, keepProfile }, visits);
}

/** @param {PlanOutcome} outcome @param {boolean} interrupted @returns {ResultEnd} */
const endOf = ({ lost, halted, warnings }, interrupted) => ({
  type: 'end',
  finishedAt: new Date().toISOString(),
  partial: interrupted || lost !== null || halted !== null,
  failure: lost === null ? null : messageOf(lost),
  warnings,
});
