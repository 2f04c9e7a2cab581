import assert from 'node:assert/strict';
import { compareGroup, contrastGroups } from '../../../../src/benchmark/findings/compare-group.js';
import { groupFindings } from '../../../../src/benchmark/findings/group-findings.js';
import { summarize } from '../../../../src/benchmark/findings/summary.js';
import { withWords } from '../../../../src/benchmark/report/words/findings.js';
import { goodRun } from '../../../helpers/report-fixture.js';

/** @import { CellResult } from '../../../../src/core/store/types.js' */

const RUNS = 6;

/**
 * A cell of runs whose figures vary by a percent, or by as much as is said.
 *
 * @param {string} scenario
 * @param {Record<string, any>} [figures]
 * @returns {CellResult}
 */
function cell(scenario, figures = {}) {
  const {
    ms = 100,
    pin = 'apart',
    topology = 'standalone',
    underWay,
    connections = 1,
    gcPauseMs = 0,
  } = figures;
  const {
    clientBusy = 0.95,
    clientCpu = 10,
    serverBusy = 0.3,
    serverCpu = 1,
    perRead = 8,
    opened = 0,
  } = figures;
  const { cpu = clientBusy, nodesBusy = serverBusy, vary = 0.01, silent = false, placed = {} } = figures;
  const runs = Array.from({ length: RUNS }, (_, index) => {
    const noise = 1 + vary * ((((index * 5 + scenario.length) % RUNS) - 2.5) / 2.5);
    const run = goodRun(index + 1, { tasks: 8, iterations: 1000, averageMs: ms * (1 + (noise - 1) / 2) });
    const client = {
      .../** @type {any} */ (run.client),
      cpuUsPerOp: clientCpu * noise,
      eventLoopUtilization: Math.min(1, clientBusy * (1 + (noise - 1) / 10)),
      cpuUtilization: cpu,
      gcPauseMs: gcPauseMs * noise,
    };
    const server = {
      .../** @type {any} */ (run.server),
      connections: opened,
      commandsPerRead: perRead * noise,
      cpuUsPerCommand: serverCpu * noise,
      allThreadsCpuUsPerCommand: figures.threadsCpu === undefined ? null : figures.threadsCpu * noise,
      cpuUtilization: nodesBusy,
      busiestNodeUtilization: serverBusy,
      sleepsPerCommand: (figures.sleeps ?? 0.1) * noise,
    };
    const commands = run.operations * (figures.perOp ?? 1);
    return { ...run, commands, connections, client, server: silent ? nothingOf(server) : server };
  });
  const chosen = { workload: { id: 'get', parameter: undefined }, pipelining: { id: 'implicit' } };
  return /** @type {any} */ ({
    id: `redis/${scenario}/${pin}/8`,
    group: 'g',
    client: 'redis',
    version: null,
    variant: 'default',
    copy: 1,
    node: null,
    scenario,
    scenarioOptions: {},
    ...(figures.way && { way: figures.way }),
    pipelining: 'implicit',
    workload: 'get',
    transport: 'tcp',
    pin,
    topology,
    tasks: 8,
    processes: 1,
    openLoop: null,
    iterations: 1000,
    floor: false,
    chosen,
    connections,
    underWay,
    runs,
    summary: summarize(runs, { sharedCore: false, ...placed }),
  });
}

/** @param {CellResult[]} cells @returns {string[]} */
function explain(...cells) {
  const [group] = contrastGroups([cells]);
  const comparison = compareGroup(group);
  const findings = groupFindings({ ...group, comparison });
  return withWords(
    /** @type {any} */ ({ cells, comparisons: [comparison], findings, warningFacts: [], warnings: [] }),
  ).comparisons[0].explanation;
}

/** @param {object} figures */
const nothingOf = (figures) =>
  /** @type {any} */ (Object.fromEntries(Object.keys(figures).map((name) => [name, null])));

const WAITING = { clientBusy: 0.4, serverBusy: 0.2 };

describe('words/limit-words', () => {
  it('says what limits the fastest, with the figures', () => {
    const [client] = explain(cell('shared-connection'));
    assert.equal(
      client,
      '"redis, shared connection" is limited by the client: 95 % busy, 10 µs of CPU per operation.',
    );
    const [server] = explain(cell('pool', { clientBusy: 0.4, serverBusy: 0.97, serverCpu: 0.43 }));
    assert.match(server, /limited by the server: its main thread 97 % busy, 0\.43 µs of CPU per command/);
  });

  it('names a server that sleeps more often where the client also needs more CPU', () => {
    const fast = cell('shared-connection');
    const [, slower] = explain(fast, cell('pool', { ms: 150, clientCpu: 15, sleeps: 0.6 }));
    assert.match(
      slower,
      /CPU per operation .*; the server went idle 0\.6\d times per command instead of 0\.1\d, and each time a write had to wake it\.$/,
    );
    const [, waits] = explain(fast, cell('pool', { ms: 150, ...WAITING, sleeps: 0.6 }));
    assert.doesNotMatch(waits, /asleep/);
    const [, hardly] = explain(fast, cell('pool', { ms: 150, clientCpu: 15, sleeps: 0.15 }));
    assert.doesNotMatch(hardly, /asleep/);
  });

  it('a server whose other threads work as well does not wait for round trips, and its figures name whose they are', () => {
    const [limit] = explain(cell('pool', { ...WAITING, serverBusy: 0.25, threadsCpu: 4 }));
    assert.match(
      limit,
      /no clear limit: client 40 % busy, the server's main thread 25 %, all its threads 1\.0 CPUs/,
    );
    const fast = cell('shared-connection', { clientBusy: 0.95, threadsCpu: 1 });
    const slow = { ms: 300, ...WAITING, serverBusy: 0.25, serverCpu: 1.5 };
    const [, threads] = explain(fast, cell('pool', { ...slow, threadsCpu: 6 }));
    assert.match(threads, /all threads of the server together used 6\.0x the CPU per command/);
    assert.doesNotMatch(threads, /it waits|only in part/);
    const busy = { ...slow, clientBusy: 0.95, threadsCpu: 6 };
    assert.match(explain(fast, cell('pool', busy))[1], /explained only in part: all threads of the server/);
    const [, main] = explain(
      cell('shared-connection', { threadsCpu: 6 }),
      cell('pool', { ...slow, threadsCpu: 1.5 }),
    );
    assert.match(main, /the server's main thread used 1\.5x the CPU per command/);
  });

  it('round trips limit nothing whose event loop is busy, wherever it ran', () => {
    const placed = { sharedCore: true };
    const [busy] = explain(cell('pool', { clientBusy: 0.96, cpu: 0.5, serverBusy: 0.35, placed }));
    assert.match(
      busy,
      /no clear limit: client 50 % and server 35 % of the CPU that they share, event loop 96 % busy; something else may have used the rest/,
    );
    const [idle] = explain(cell('pool', { clientBusy: 0.6, cpu: 0.4, serverBusy: 0.3, placed }));
    assert.match(idle, /limited by round trips: client 40 % busy, server 30 %/);
  });

  it('says which part of a cluster is busy', () => {
    const cluster = { topology: 'cluster', clientBusy: 0.4 };
    assert.match(
      explain(cell('pool', { ...cluster, serverBusy: 0.97 }))[0],
      /limited by the server: its busiest node 97 % busy/,
    );
    const shared = { ...cluster, serverBusy: 0.4, nodesBusy: 0.97, placed: { serverCpus: 1 } };
    assert.match(
      explain(cell('pool', shared))[0],
      /the server: the processor that its nodes share 97 % busy/,
    );
  });

  it('tells no cause whose own difference the runs do not carry', () => {
    const noisy = { ms: 400, clientCpu: 14, serverCpu: 2, perRead: 5, vary: 0.9 };
    const [, why] = explain(cell('shared-connection', { vary: 0.9, ms: 50 }), cell('pool', noisy));
    assert.match(why, /; the figures do not show why\.$/);
  });

  it('names tasks that go in step on one connection', () => {
    const step = {
      ms: 160,
      clientBusy: 0.62,
      serverBusy: 0.45,
      perRead: 7.8,
      underWay: { atOnce: 8, batch: 1 },
    };
    const [, why] = explain(
      cell('connection-per-task', { perRead: 1, connections: 8, serverBusy: 0.9, clientBusy: 0.99 }),
      cell('shared-connection', step),
    );
    assert.match(
      why,
      /"redis, shared connection" is 1\.6x slower: its 8 tasks run in lockstep on one connection \(7\.8 commands per server read\): client and server alternate, and neither is saturated \(client 62 % busy, server 45 %\)\.$/,
    );
    const [alone] = explain(cell('shared-connection', step));
    assert.match(
      alone,
      /at most 8 in flight; its 8 tasks run in lockstep on one connection \(7\.8 commands per server read\)/,
    );
  });

  it('compares what commands cost the server only where requests take as many of them', () => {
    const single = { way: 'mget', perOp: 1, perRead: 1, serverCpu: 12, threadsCpu: 12, sleeps: 1 };
    const many = { way: 'pipeline', perOp: 20, perRead: 20, serverCpu: 1, threadsCpu: 1, sleeps: 0.05 };
    const slow = { ms: 200, clientCpu: 20 };
    const [, one] = explain(cell('shared-connection', many), cell('pool', { ...single, ...slow }));
    assert.match(one, /slower: the client used 2\.0x the CPU per operation \(20 µs instead of 10 µs\)\.$/);
    const [, more] = explain(cell('shared-connection', single), cell('pool', { ...many, ...slow }));
    assert.match(more, /slower: it takes 20 commands per operation instead of 1; the client used 2\.0x/);
    const alone = { ...many, way: 'one-by-one', perRead: 1 };
    const [, batches] = explain(cell('shared-connection', many), cell('pool', { ...alone, ...slow }));
    assert.match(batches, /slower: the server reads 1\.0 commands at a time instead of 20\.0; the client/);
  });

  it('names waiting where both sides were idle, and that less was under way', () => {
    const [, why] = explain(cell('shared-connection'), cell('pool', { ms: 230, ...WAITING }));
    assert.match(why, /it waits \(client 40 % busy, server 20 %\)/);
    assert.doesNotMatch(why, /only in part|do not show why/);
    const [, fewer] = explain(
      cell('shared-connection', { underWay: { atOnce: 8, batch: 1 } }),
      cell('pool', { ms: 230, ...WAITING, underWay: { atOnce: 3, batch: 1 } }),
    );
    assert.match(fewer, /it waits, with at most 3 in flight instead of 8 \(client 40 % busy/);
  });

  it('names nothing but what is under way where both sides of both cells mostly wait, as at a distance', () => {
    const far = { clientBusy: 0.1, clientCpu: 10, serverBusy: 0.02, serverCpu: 2 };
    const [, why] = explain(
      cell('shared-connection', { ...far, ms: 100, underWay: { atOnce: 8, batch: 1 } }),
      cell('pool', { ...far, ms: 260, clientCpu: 30, underWay: { atOnce: 3, batch: 1 } }),
    );
    assert.match(why, /it waits, with at most 3 in flight instead of 8/);
    assert.doesNotMatch(why, /CPU|only in part/);
  });

  it('names the placement only where the same cell differs by it', () => {
    const same = cell('shared-connection', { pin: 'same' });
    const slow = { ms: 400, clientBusy: 0.5, clientCpu: 30 };
    const [, why] = explain(same, cell('shared-connection', slow));
    assert.match(why, /the same cell is 4\.0x as fast with --pin same as with --pin apart/);
    const twin = cell('pool', { ms: 380, pin: 'same', vary: 0.6 });
    const texts = explain(same, cell('pool', { ms: 400, vary: 0.6 }), twin);
    assert.doesNotMatch(texts.join(' '), /with --pin/);
  });

  it('admits what the figures do not explain, or only in part', () => {
    const [, nothing] = explain(cell('shared-connection'), cell('pool', { ms: 300 }));
    assert.equal(nothing, '"redis, pool" is 3.0x slower; the figures do not show why.');
    const [, part] = explain(cell('shared-connection'), cell('pool', { ms: 900, clientCpu: 13 }));
    assert.match(part, /explained only in part: the client used 1\.3x/);
  });

  it('says nothing of a cell that may be as fast, and never that one is 1.0x slower', () => {
    assert.equal(explain(cell('shared-connection'), cell('pool', { ms: 100.01 })).length, 1);
    const [, near] = explain(
      cell('shared-connection', { vary: 0.001 }),
      cell('pool', { ms: 103, vary: 0.001 }),
    );
    assert.match(near, /"redis, pool" is 1\.03x slower/);
  });

  it('lives with a server that tells nothing', () => {
    const sentences = explain(
      cell('shared-connection', { silent: true, clientBusy: 0.5 }),
      cell('pool', { ms: 200, silent: true, clientBusy: 0.5 }),
    );
    assert.match(sentences[0], /shows no clear limit/);
    assert.doesNotMatch(sentences.join(' '), /null|NaN|undefined/);
  });
});
