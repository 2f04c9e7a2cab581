import { createReport } from '../../src/commands/benchmark/conclude.js';
import { withWords } from '../../src/commands/benchmark/report/words/findings.js';
import { resolveOptions } from '../../src/commands/benchmark/settings.js';
import breaking from '../../src/commands/break/index.js';
import { OPTIONS as OF_BREAK } from '../../src/commands/break/options.js';
import cold from '../../src/commands/cold/index.js';
import { OPTIONS as OF_COLD } from '../../src/commands/cold/options.js';
import { loadCatalogue, loadOptions } from '../../src/options/catalogue.js';
import { OPTIONS } from '../../src/options/option-table.js';
import { resolveFor } from '../../src/options/read.js';
import { createHeader } from '../../src/store/shapes.js';
import { planOf } from './plan.js';

/**
 * @import { Cell, Sources } from '../../src/run/plan/types.js'
 * @import {
 *   CellDetails, Report, ResultEnd, ResultHeader, ResultLine, ResultRecord, Run,
 * } from '../../src/store/types.js'
 */

/** Read once, for hundreds of reports. */
const LOADED = Promise.all([loadCatalogue(), loadOptions()]);
/** The machine of the Node Redis Pipelining Test. */
const ENVIRONMENT = {
  node: '8.15.0',
  v8: '6.2.414.75',
  os: 'darwin, 18.7.0',
  arch: 'x64',
  cpuModel: 'Intel(R) Core(TM) i7-7920HQ CPU @ 3.10GHz',
  cpuCount: 8,
  memoryBytes: 16e9,
  packages: { redis: '6.3.1', ioredis: '6.0.0' },
};

/**
 * A report of invented runs, made by the code that makes real ones.
 *
 * @param {object} facts
 * @param {Record<string, unknown>} facts.given options, as a user would give them
 * @param {(cell: Cell) => {iterations: number | null, runs: Run[], profiles?: CellDetails['profiles']} | null} facts.measured null for a
 *   cell that was not run
 * @param {Record<string, string>} [facts.packages] that are installed
 * @param {Sources} [facts.sources] releases and Node binaries that were asked for
 * @param {{id: string, title: string, summary: string, options: Record<string, unknown>}} [facts.suite]
 * @param {boolean} [facts.interrupted]
 * @param {string | null} [facts.failure]
 * @returns {Promise<Report>}
 */
export async function createFixture(facts) {
  const [header, ...rest] = await createLines(facts);
  const [end, ...records] = rest.reverse();
  return withWords(
    createReport(
      /** @type {ResultHeader} */ (header),
      /** @type {ResultRecord[]} */ (records.reverse()),
      /** @type {ResultEnd} */ (end),
    ),
  );
}

/**
 * @param {Parameters<typeof createFixture>[0]} facts
 * @returns {Promise<ResultLine[]>} the lines that a report is made of
 */
export async function createLines({
  given,
  measured,
  packages = ENVIRONMENT.packages,
  sources,
  suite = { id: 'default', title: 'Ways to connect', summary: 'for tests', options: {} },
  interrupted = false,
  failure = null,
}) {
  const [installed, loaded] = await LOADED;
  // A test may have added one.
  const options = { ...OPTIONS, ...loaded };
  const isBroken = (given.fault ?? given.idle) !== undefined;
  const catalogue = { ...installed, packages };
  const chosen = { seed: 42, ...given };
  const isCold = given.bundle !== undefined;
  const settings = isBroken
    ? resolveFor(breaking, chosen, { ...options, ...OF_BREAK })
    : isCold
      ? resolveFor(cold, chosen, { ...options, ...OF_COLD })
      : resolveOptions(chosen, suite, options);
  const command = await (isBroken ? breaking : isCold ? cold : null)?.plan?.();
  const plan = planOf(settings, catalogue, ['tcp', 'unix'], { ...sources, ...(command && { command }) });
  const header = createHeader({
    plan,
    settings,
    suite,
    environment: { ...ENVIRONMENT, packages },
    servers: [
      {
        kind: 'managed',
        software: 'Redis',
        version: '5.0.5',
        mode: 'standalone',
        transports: ['tcp', 'unix'],
        nodes: null,
        config: { save: '', appendonly: 'no', maxmemory: '0', 'io-threads': '1' },
      },
    ],
    tool: { name: 'redis-pipe-bench', version: '0.1.0' },
    startedAt: new Date('2026-01-01T10:00:00Z'),
    placements: [{ pin: 'apart', serverCpus: [0], workerCpus: [1, 2, 3], note: null }],
  });
  const records = plan.groups.flat().flatMap((cell) => {
    const { iterations, runs, profiles } = measured(cell) ?? { iterations: null, runs: null };
    if (runs === null) return [];
    return [
      {
        .../** @type {const} */ ({ type: 'cell', cell: cell.id }),
        ...{ iterations, effectiveOptions: { noDelay: true }, profiles },
      },
      ...runs.map((run) => ({
        .../** @type {const} */ ({ type: 'run', cell: cell.id, at: '2026-01-01T10:00:10.000Z' }),
        run,
      })),
    ];
  });
  const finishedAt = '2026-01-01T10:00:30.000Z';
  const partial = interrupted || failure !== null;
  return [header, ...records, { type: 'end', finishedAt, partial, failure, warningFacts: [], warnings: [] }];
}

/**
 * A good run. Only this place knows all fields of a run.
 *
 * @param {number} round
 * @param {Pick<Cell, 'tasks'> & {iterations: number, averageMs: number, spreadMs?: number, warnings?: string[]}} facts
 * @returns {Run}
 */
export function goodRun(round, { tasks, iterations, averageMs, spreadMs = 0, warnings = [] }) {
  const operations = tasks * iterations;
  const elapsedMs = averageMs + spreadMs / 2;
  const first = averageMs - spreadMs / 2;
  return {
    round,
    start: Math.max(1, round),
    averageMs,
    spreadMs,
    taskElapsedMs: Array.from(
      { length: tasks },
      (_, task) => first + (spreadMs * task) / Math.max(1, tasks - 1),
    ),
    elapsedMs,
    operations,
    commands: operations,
    answers: null,
    opsPerSecond: (operations / elapsedMs) * 1000,
    connections: 1,
    latency: null,
    batching: null,
    openLoop: null,
    processes: [],
    client: {
      cpuUsPerOp: 20,
      cpuUtilization: 0.9,
      eventLoopUtilization: 0.9,
      gcPauseMs: 1,
      allocatedBytesPerOp: 3000,
      peakRssBytes: 80e6,
    },
    server: {
      commands: operations,
      connections: 0,
      netInputBytes: operations * 1000,
      netOutputBytes: operations * 1000,
      commandsPerRead: 4,
      cpuUsPerCommand: 5,
      allThreadsCpuUsPerCommand: 5,
      cpuUtilization: 0.3,
      busiestNodeUtilization: 0.3,
      moved: 0,
      asked: 0,
      nodes: null,
    },
    wrongReplies: 0,
    errors: {},
    failed: null,
    warnings,
  };
}

/**
 * @param {number} round
 * @param {string} reason
 * @returns {Run}
 */
export const badRun = (round, reason) => ({
  ...goodRun(round, { tasks: 1, iterations: 1, averageMs: 1 }),
  ...{ averageMs: null, spreadMs: null, taskElapsedMs: [], elapsedMs: null, operations: 0, commands: 0 },
  ...{ opsPerSecond: null, connections: null, latency: null, client: null, server: null },
  failed: reason,
});

/** Words that every format for people must contain. */
export const REASONS = {
  failed: "READONLY You can't write against a read only replica",
  skipped: 'not installed: npm install ioredis',
  warning: 'garbage collection took over 10 % of the run',
};

/** Cells of every kind: fast, slower, with a failed run, failed, with its own iterations, skipped, not run. */
export const mixedReport = (/** @type {{smoke?: boolean}} */ { smoke = false } = {}) =>
  createFixture({
    given: {
      clients: 'redis,redis:tuned,ioredis',
      scenarios: 'shared-connection,connection-per-task,pool,open-and-close',
      runs: 3,
      smoke,
    },
    packages: { redis: '6.3.1' },
    interrupted: true,
    measured: ({ tasks, variant, scenario }) => {
      const run = (/** @type {number} */ round, /** @type {number} */ averageMs, iterations = 100) =>
        goodRun(round, { tasks, iterations, averageMs, spreadMs: 4 });
      const all = (/** @type {number[]} */ figures, iterations = 100) => ({
        iterations,
        runs: figures.map((averageMs, index) => run(index + 1, averageMs, iterations)),
      });
      switch (`${variant} ${scenario}`) {
        case 'tuned shared-connection':
          return all([100, 101, 102]);
        case 'default shared-connection':
          return all([200, 210, 220]);
        case 'default connection-per-task':
          return { iterations: 100, runs: [run(1, 400), badRun(2, REASONS.failed), run(3, 420)] };
        case 'tuned connection-per-task':
          return { iterations: 100, runs: [badRun(0, REASONS.failed)] };
        case 'default pool': {
          return { iterations: 100, runs: [{ ...run(1, 300), warningFacts: [{ kind: 'much-garbage' }] }] };
        }
        case 'default open-and-close':
          return all([500, 510, 505], 7);
        default:
          return null;
      }
    },
  });
