import assert from 'node:assert/strict';
import fc from 'fast-check';
import { renderReport } from '../../../src/cli/render.js';
import { createReport } from '../../../src/commands/benchmark/conclude.js';
import { withWords } from '../../../src/commands/benchmark/report/words/findings.js';
import { runGroup } from '../../../src/commands/benchmark/run-group.js';
import { resolveOptions } from '../../../src/commands/benchmark/settings.js';
import { describeEnvironment, describeTool } from '../../../src/machine/environment.js';
import { loadCatalogue } from '../../../src/options/catalogue.js';
import { createIdlePrevention, placeServers, runPlan } from '../../../src/run/run-plan.js';
import { openServer } from '../../../src/server/open.js';
import { guardKeys } from '../../../src/server/stored-keys.js';
import { parseUrl } from '../../../src/server/target.js';
import { resultsOf } from '../../../src/store/results.js';
import { createHeader } from '../../../src/store/shapes.js';
import { createRecorder } from '../../../src/worker/recorder.js';
import { fuzz } from '../../helpers/nightly.js';
import { planOf } from '../../helpers/plan.js';
import { startRedis } from '../../helpers/redis-server.js';

/** @import { Cell } from '../../../src/run/plan/types.js' */
/** @import { ResultRecord } from '../../../src/store/types.js' */
/** @import { RunLength } from '../../../src/worker/types.js' */
/** @import { StartWorkers, WorkerProcess } from '../../../src/run/types.js' */

const TRIES = fuzz(8, 1000).numRuns;
const SEED = Number(process.env.FUZZ_SEED ?? 60);

const SUITE = { id: 'none', title: 'no suite', summary: 'no options of its own', options: {} };
/** How cells are measured: each has other steps at which a cell can fail. @type {Record<string, object>} */
const KINDS = {
  race: { budgetMs: 16_000 },
  'race in two states': { budgetMs: 20_000 },
  'fixed starts': { runs: 6 },
  'one start': { runs: 2, starts: 1, profile: { cells: 'all', kinds: ['cpu'], folder: null } },
  'by iterations': { runs: 2, starts: 2, iterations: 100, warmupRuns: 0 },
  'without a warm-up': { warmupRuns: 0, budgetMs: 8000 },
  'of a fixed time': { runs: 2, durationMs: 200 },
  smoke: { smoke: true },
  'open loop': { rate: [1000], durationMs: 1000, runs: 2 },
  'rate search': { rateSearch: [1000, 8000], durationMs: 1000 },
};
const CELLS = { clients: ['raw', 'raw', 'raw'], scenarios: ['shared-connection'] };

/** What a worker is asked for, and how it fails then. */
const FAILURES = {
  prepare: ['crash'],
  'before-run': ['crash'],
  run: ['crash', 'wrong reply', 'error'],
  'after-run': ['crash', 'wrong reply'],
  'start-profile': ['crash'],
  'stop-profile': ['crash'],
  finish: ['crash'],
};
const failure = fc.constantFrom(
  ...Object.entries(FAILURES).flatMap(([method, hows]) => hows.map((how) => ({ method, how }))),
);
const trial = fc.record({
  kind: fc.constantFrom(...Object.keys(KINDS)),
  conditions: fc.constantFrom([1], [1, 2]),
  /** Of each cell: the call of that method at which it fails, from 0; null for one that does not. */
  failures: fc.array(fc.option(fc.record({ failure, at: fc.oneof(fc.nat(12), fc.nat(120)) }), { freq: 3 }), {
    minLength: 6,
    maxLength: 6,
  }),
  /** Whether all cells of a group fail alike. */
  alike: fc.boolean(),
});
/** @typedef {typeof trial extends fc.Arbitrary<infer Trial> ? Trial : never} Trial */

describe('cells that fail at any step', function () {
  this.timeout(600_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let external;
  /** @type {Awaited<ReturnType<typeof openServer>>} */
  let server;
  before(async () => {
    external = await startRedis();
    // As of a user who may not call INFO, of which each run would ask twice.
    server = { ...(await openServer(parseUrl(external.url))), snapshot: async () => null };
  });
  after(async () => {
    await server?.close();
    await external?.stop();
  });

  it('leave the others to go on, and the benchmark to end with what was measured', async () => {
    const seen = { trials: 0, failed: 0, whole: 0 };
    await fc.assert(
      fc.asyncProperty(trial, async (each) => {
        const { failed, cells } = await assertGoesOn(each, server);
        seen.trials++;
        seen.failed += failed > 0 ? 1 : 0;
        seen.whole += failed === cells ? 1 : 0;
      }),
      { numRuns: TRIES, seed: SEED },
    );
    assert.ok(seen.failed > seen.trials / 3 && seen.whole > 0, JSON.stringify(seen));
  });
});

/** @param {Trial} trial @param {Awaited<ReturnType<typeof openServer>>} server */
async function assertGoesOn({ kind, conditions, failures, alike }, server) {
  const catalogue = await loadCatalogue();
  const given = { ...CELLS, runTimeMs: 50, tasks: conditions, pin: 'off', cpus: 'asleep', ...KINDS[kind] };
  const settings = { ...resolveOptions(given, SUITE), seed: 1 };
  const plan = planOf(settings, catalogue, ['tcp']);
  const all = plan.groups.flat();
  const failing = new Map(
    all.map((cell, index) => [cell.id, copyOf(failures[alike ? index % conditions.length : index])]),
  );
  /** Those whose failure came. @type {Set<string>} */
  const struck = new Set();
  let clockMs = 0;
  /** @type {ResultRecord[]} */
  const records = [];
  const places = await placeServers([server], settings);
  const keys = await guardKeys([server], null);
  const waking = await createIdlePrevention([], { cpus: 'asleep' });
  const states = kind === 'race in two states' ? [false, true] : [false];
  const header = createHeader({
    ...{ plan, settings, suite: SUITE, startedAt: new Date(0), servers: [server.facts] },
    environment: describeEnvironment(catalogue.packages),
    placements: places[0].placer.placements,
    tool: describeTool(),
  });
  const { lost, halted } = await runPlan(plan, {
    ...{ places, keys, settings, catalogue, idlePrevention: { ...waking, states } },
    clientOptions: {},
    capacity: { bytes: 1e12, processes: 100 },
    elapsedMs: () => clockMs,
    signal: new AbortController().signal,
    onEvent() {},
    record: (record) => void records.push(record),
    command: 'benchmark',
    runGroup,
    soFar(group) {
      const cells = header.cells.filter((cell) => cell.group === group);
      return { cells: resultsOf({ ...header, cells }, records), settings: header.settings };
    },
    startWorkers: (cell) =>
      createScriptedWorker(/** @type {Cell} */ (cell), failing, {
        strike: (id, method) => void (method !== 'finish' && !method.includes('profile') && struck.add(id)),
        pass(ms) {
          clockMs += ms;
        },
      }),
  });
  assert.deepEqual({ lost, halted }, { lost: null, halted: null });
  const ending = { failure: null, warningFacts: [], warnings: [] };
  const finishedAt = new Date(0).toISOString();
  const report = withWords(createReport(header, records, { finishedAt, partial: false, ...ending }));
  for (const details of [false, true]) await renderReport(report, 'table', { details });
  const ofPlan = (/** @type {{id: string}} */ { id }) => all.find((cell) => id.startsWith(cell.id))?.id;
  for (const { id } of all) {
    const own = report.cells.filter((cell) => ofPlan(cell) === id);
    const runs = own.flatMap((cell) => cell.runs);
    const isFailed = runs.some(({ failed }) => failed !== null);
    assert.ok(runs.length > 0 || own[0].skipped?.kind === 'no-time', `${id} has neither run nor failure`);
    assert.equal(isFailed, struck.has(id), `${id}: ${runs.map(({ failed }) => failed)}`);
  }
  return { failed: struck.size, cells: all.length };
}

/** It is counted down. @param {Trial['failures'][number]} failure */
const copyOf = (failure) => failure && { ...failure };

/** Operations of a task in a millisecond. */
const PER_MS = 200;
const BETWEEN_MS = 10;

/**
 * Does nothing but to say that it did, in no time.
 * @param {Cell} cell @param {Map<string, Trial['failures'][number]>} failing by the id of its cell
 * @param {{strike: (id: string, method: string) => void, pass: (ms: number) => void}} hooks @returns {WorkerProcess}
 */
function createScriptedWorker(cell, failing, { strike, pass }) {
  /** @param {string} method @returns {string | undefined} how it fails now */
  function failureIn(method) {
    const own = failing.get(cell.id);
    if (own == null || own.failure.method !== method || own.at-- > 0) return undefined;
    failing.set(cell.id, null);
    strike(cell.id, method);
    return own.failure.how;
  }
  const answers = /** @type {Record<string, unknown>} */ ({
    prepare: { connections: 1, effectiveOptions: {}, remarks: [] },
    'after-run': { wrongReplies: 0, firstWrongReply: null },
    'missing-keys': 0,
    'stop-profile': { folded: { unit: 'us', samples: 1, frames: [], rest: [0] }, samplerUs: 0, whole: null },
  });
  return /** @type {any} */ ({
    pid: undefined,
    pids: [],
    async call(/** @type {string} */ method) {
      const how = failureIn(method);
      if (how === 'crash') throw new Error(`crashed on purpose in ${method}`);
      return how === undefined ? answers[method] : { wrongReplies: 1, firstWrongReply: 'ECHO replied PONG' };
    },
    /** @param {RunLength} length */
    async run({ iterations, durationMs, ratePerSecond }) {
      const how = failureIn('run');
      if (how === 'crash') throw new Error('crashed on purpose in a run');
      const elapsedMs = durationMs ?? Number(iterations) / PER_MS;
      pass(elapsedMs + BETWEEN_MS);
      return measuredRun(cell, Number(iterations ?? Math.round(elapsedMs * PER_MS)), elapsedMs, {
        ratePerSecond,
        ...(how === 'wrong reply' && { wrongReplies: 1, firstWrongReply: 'GET replied nil' }),
        ...(how === 'error' && { errors: { 'ECONNRESET on purpose': 1 } }),
      });
    },
    stop() {},
    interrupt() {},
    async kill() {},
  });
}

/** @param {Cell} cell @param {number} done by each task @param {number} elapsedMs @param {{ratePerSecond?: number}} more */
function measuredRun({ tasks, openLoop }, done, elapsedMs, { ratePerSecond, ...more }) {
  const recorder = createRecorder();
  recorder.count(1000, tasks * done);
  const latencyHdr = recorder.encode();
  const taskIterations = openLoop === null ? Array.from({ length: tasks }, () => done) : [tasks * done];
  const operations = tasks * done;
  return {
    startedAtMs: 0,
    elapsedMs,
    taskElapsedMs: taskIterations.map(() => elapsedMs),
    taskIterations,
    ...{
      wrongReplies: 0,
      firstWrongReply: null,
      errors: {},
      connectionsOpened: 0,
      answeredByCaches: null,
      waited: 0,
    },
    ...{
      latencyHdr,
      commandHdrs: {},
      calls: { get: operations },
      answers: null,
      asked: [],
      batches: null,
    },
    openLoop: openLoop && {
      ...{ scheduled: operations, sent: operations, dropped: 0, waited: 0, unsent: 0, failed: 0 },
      ...{ inFlightMax: 1, waitedMs: 0, sentUntilMs: elapsedMs, latenessHdr: latencyHdr },
      fromSendHdr: latencyHdr,
      intendedPerSecond: ratePerSecond ?? openLoop.ratePerSecond,
    },
    client: {
      ...{ cpuUs: elapsedMs * 900, contextSwitches: null, appWorkUs: 0, encodeUs: 0 },
      loop: { watchedMs: 0, busyUs: {} },
      ...{ eventLoopUtilization: 0.9, garbage: { gcPauseMs: 0, gcLongestMs: 0, allocatedBytes: 1e6 } },
      peakRssBytes: 80e6,
    },
    ...more,
  };
}
