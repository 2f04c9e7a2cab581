import assert from 'node:assert/strict';
import { analyse } from '../../../../src/commands/benchmark/conclude.js';
import { causeText } from '../../../../src/commands/benchmark/findings/slower.js';
import { sentencesAt } from '../../../../src/commands/benchmark/report/words/findings.js';
import { summarize } from '../../../../src/store/summary.js';
import { goodRun } from '../../../helpers/report-fixture.js';

/** @import { CellResult } from '../../../../src/store/types.js' */

const RUNS = 6;
/** By figures as by default, and by what is said. @type {Record<string, any>} */
const USUAL = {
  ...{
    ms: 100,
    pin: 'apart',
    topology: 'standalone',
    connections: 1,
    gcPauseMs: 0,
    perOp: 1,
    vary: 0.01,
    bytes: 1000,
  },
  ...{
    clientBusy: 0.95,
    clientCpu: 10,
    serverBusy: 0.3,
    serverCpu: 1,
    perRead: 8,
    opened: 0,
    allocated: 4000,
  },
};

/** @param {string} scenario @param {Record<string, any>} [given] @returns {CellResult} of runs that vary by a percent, or by as much as is said */
function cell(scenario, given = {}) {
  const figures = { ...USUAL, ...given };
  const { clientBusy, serverBusy, pin } = figures;
  const runs = Array.from({ length: RUNS }, (_, index) => {
    const noise = 1 + figures.vary * ((((index * 5 + scenario.length) % RUNS) - 2.5) / 2.5);
    const averageMs = figures.ms * (1 + (noise - 1) / 2);
    const run = goodRun(index + 1, { tasks: 8, iterations: 1000, averageMs });
    const client = {
      .../** @type {any} */ (run.client),
      cpuUsPerOp: figures.clientCpu * noise,
      eventLoopUtilization: Math.min(1, clientBusy * (1 + (noise - 1) / 10)),
      cpuUtilization: figures.cpu ?? clientBusy,
      gcPauseMs: figures.gcPauseMs * noise,
      allocatedBytesPerOp: figures.allocated,
    };
    const server = {
      .../** @type {any} */ (run.server),
      commands: run.operations * figures.perOp,
      connections: figures.opened,
      netOutputBytes: run.operations * figures.bytes,
      commandsPerRead: figures.perRead * noise,
      cpuUsPerCommand: figures.serverCpu * noise,
      allThreadsCpuUsPerCommand: figures.threadsCpu === undefined ? null : figures.threadsCpu * noise,
      cpuUtilization: figures.nodesBusy ?? serverBusy,
      busiestNodeUtilization: serverBusy,
      ...(figures.nodes && { nodes: nodesOf(figures.nodes) }),
    };
    const told = figures.silent
      ? Object.fromEntries(Object.keys(server).map((name) => [name, null]))
      : server;
    const commands = run.operations * figures.perOp;
    return /** @type {any} */ ({
      ...run,
      ...{ commands, connections: figures.connections, client, server: told },
      ...(figures.hits && { cacheHits: commands * figures.hits }),
      ...(figures.lostMs && {
        slices: [{ waitedMs: figures.lostMs, serverWaitedMs: 0, cpuUs: 1, operations: 1 }],
      }),
    });
  });
  const parameter = figures.keys && { count: figures.keys };
  const chosen = { workload: { id: 'get', parameter }, pipelining: { id: 'implicit' } };
  const plain = { client: 'redis', version: null, variant: 'default', copy: 1, node: null, runtime: null };
  return /** @type {any} */ ({
    ...{ id: `redis/${scenario}/${pin}/8`, group: 'g', ...plain, scenario, scenarioOptions: {} },
    ...{
      pipelining: figures.pipelining ?? 'implicit',
      workload: 'get',
      transport: 'tcp',
      pin,
      topology: figures.topology,
    },
    ...{ tasks: 8, processes: 1, openLoop: null, iterations: 1000, floor: false, chosen, skipped: null },
    ...(figures.way && { way: figures.way }),
    ...(figures.rttMs && { distance: { rttMs: figures.rttMs } }),
    ...{ connections: figures.connections, inFlight: figures.inFlight, warm: true, runs },
    summary: {
      ...summarize(runs, { sharedCore: false, ...figures.placed }),
      ...(figures.unread && { breakdown: brokenDown(figures.unread) }),
    },
  });
}

/** @param {number[]} unread at the p50 of each slice, in µs */
function brokenDown(unread) {
  const slices = unread.map((unreadUs) => ({ p50: { unreadUs, wholeUs: 400 } }));
  return { p50: slices[0].p50, slices };
}

/** @param {number} count */
const nodesOf = (count) =>
  Array.from({ length: count }, (_, node) => ({ node: `${node}`, commands: 1000, cpuUtilization: 0.1 }));

/** @param {CellResult[]} cells */
function findingsOf(...cells) {
  const settings = /** @type {any} */ ({ runs: RUNS, races: false, smoke: false });
  return analyse(cells, settings, false).findings;
}

/** @param {CellResult[]} cells the fastest and one other */
function whyOf(...cells) {
  const [slower] = findingsOf(...cells).flatMap((finding) => (finding.kind === 'slower' ? finding : []));
  return slower;
}

const atOnce = (/** @type {number} */ number) => ({ inFlight: { atOnce: number, batch: 1 } });
/** Of 29 µs, 17 are waited for. */
const WAITING = { ms: 230, clientBusy: 0.4, serverBusy: 0.2 };
const FAR = { clientBusy: 0.1, serverBusy: 0.02, serverCpu: 2 };
const THREADS = { ms: 300, clientBusy: 0.4, serverBusy: 0.25 };
const MGET = { way: 'mget', perOp: 1, perRead: 1, serverCpu: 12, threadsCpu: 12 };
const PIPELINE = { way: 'pipeline', perOp: 20, perRead: 20, serverCpu: 1, threadsCpu: 1 };
const CLUSTER = { topology: 'cluster', keys: 20, nodes: 3 };
const SLOW = { ms: 200, clientCpu: 20 };
const STEP = { ms: 160, clientBusy: 0.62, serverBusy: 0.45, perRead: 7.8, ...atOnce(8) };
const MORE_CPU = '20 µs of client CPU per operation instead of 10 µs';

/** What differs of a faster cell, of a slower one, and why that is slower. @type {Record<string, [faster: object, slower: object, why: string[], inPart?: true]>} */
const CASES = {
  'more CPU of the client': [{}, SLOW, [MORE_CPU]],
  'more CPU of the client, however few commands it has to send at once': [
    {},
    { ...SLOW, perRead: 1 },
    [MORE_CPU],
  ],
  'replies that lie unread for longer in every slice': [
    { unread: [30, 20, 35] },
    { ms: 300, unread: [240, 250, 230] },
    ['its replies lie unread for 240 µs of 400 µs'],
  ],
  'more CPU of the client, before replies that lie unread for it': [
    { unread: [30, 20, 35] },
    { ...SLOW, unread: [240, 250, 230] },
    [MORE_CPU, 'its replies lie unread for 240 µs of 400 µs'],
  ],
  'no replies that lie unread for longer only at times, or next to a cell without a breakdown': [
    { unread: [30, 20, 235] },
    { ms: 300, unread: [240, 250, 230] },
    [],
    true,
  ],
  'what explains less than half, in part': [
    {},
    { ms: 200, clientCpu: 14.5 },
    ['15 µs of client CPU per operation instead of 10 µs'],
    true,
  ],
  'nothing that explains less than a third': [{}, { ms: 200, clientCpu: 13 }, [], true],
  'nothing that the runs do not carry': [
    { vary: 0.9, ms: 50 },
    { ms: 400, clientCpu: 28, serverCpu: 2, perRead: 5, vary: 0.9 },
    [],
    true,
  ],
  'nothing where no figure differs': [{}, { ms: 300 }, [], true],
  'a cache that the other has': [
    { hits: 0.9 },
    { ms: 300 },
    ['it has no cache, and that of the other answers 90 % of commands'],
  ],
  'an option by which the client sends one command at a time': [
    atOnce(8),
    { ms: 400, inFlight: { atOnce: 1, batch: 1, limit: 'masterPoolSize 1' } },
    ['it sends one command at a time on each connection (masterPoolSize 1): 1 in flight instead of 8'],
  ],
  'pipelining by which it sends one command at a time, however busy it is': [
    atOnce(8),
    { ms: 200, pipelining: 'none', ...atOnce(1) },
    ['it sends one command at a time on each connection (--pipelining none): 1 in flight instead of 8'],
  ],
  'keys of a cluster that are a command for each slot': [
    { ...CLUSTER, way: 'pipeline', perOp: 20 },
    { ...CLUSTER, way: 'mget', perOp: 19.4, ms: 200, serverCpu: 3 },
    ['its 20 keys were 19.4 commands on 3 nodes'],
  ],
  'smaller batches of other connections, not the CPU that they cost': [
    {},
    { ms: 180, clientCpu: 18, perRead: 1, connections: 8 },
    ['1.0 commands per server read instead of 8.0'],
  ],
  'more CPU than smaller batches of other connections can cost': [
    {},
    { ms: 500, clientCpu: 50, perRead: 1, connections: 8 },
    ['50 µs of client CPU per operation instead of 10 µs'],
  ],
  'CPU of the server, as far as the client waits for it': [
    { clientBusy: 0.5, serverBusy: 0.4, clientCpu: 6, serverCpu: 5 },
    { ms: 200, clientBusy: 0.25, serverBusy: 0.7, clientCpu: 6, serverCpu: 17 },
    ['17 µs of server CPU per command instead of 5 µs'],
  ],
  'no CPU of the server where the client is busy': [{}, { ...SLOW, serverCpu: 9 }, [MORE_CPU]],
  'all threads of a server of several': [
    { threadsCpu: 1 },
    { ...THREADS, threadsCpu: 30 },
    ['30 µs of CPU in all server threads per command instead of 1 µs'],
  ],
  'the main thread, where only the other server has several': [
    { threadsCpu: 6 },
    { ...THREADS, serverCpu: 25, threadsCpu: 25 },
    ["25 µs of the server's main thread per command instead of 1 µs"],
  ],
  'opening connections, not what they cost': [
    {},
    { ...SLOW, opened: 8000, perRead: 1 },
    ['it opens a connection for each operation'],
  ],
  'opening connections alone at a distance': [
    { ...FAR, rttMs: 2 },
    { ...FAR, rttMs: 2, ms: 300, opened: 8000, clientCpu: 20 },
    ['it opens a connection for each operation'],
  ],
  'a cache alone': [
    { hits: 0.98 },
    { ...SLOW, hits: 0.02 },
    ['its cache answers 2 % of commands instead of 98 %'],
  ],
  'garbage collection before the code, where it takes longer': [
    {},
    { ms: 250, clientCpu: 25, gcPauseMs: 75 },
    [
      'garbage took 9.5 µs per operation instead of 1.6 µs',
      '25 µs of client CPU per operation instead of 10 µs',
    ],
  ],
  'what it allocates': [
    {},
    { ms: 150, clientCpu: 15, allocated: 24_000 },
    ['garbage took 9.6 µs per operation instead of 1.6 µs (24 kB allocated instead of 4 kB)'],
  ],
  'one command for many keys, whose costs per command do not compare': [
    PIPELINE,
    { ...MGET, ...SLOW },
    [MORE_CPU],
  ],
  'more commands, not what they cost': [
    MGET,
    { ...PIPELINE, ...SLOW },
    ['20 commands per operation instead of 1'],
  ],
  'commands that the server counted and the tool did not send': [
    {},
    { ...SLOW, perOp: 2 },
    ['2 commands per operation instead of 1'],
  ],
  'more CPU than two commands can cost': [
    {},
    { ms: 500, clientCpu: 50, perOp: 2 },
    ['50 µs of client CPU per operation instead of 10 µs'],
  ],
  'longer replies': [
    {},
    { ...SLOW, bytes: 10_000 },
    ['11 kB sent and received per operation instead of 2 kB'],
  ],
  'no longer reply of few bytes': [{ bytes: 10 }, { ...SLOW, bytes: 500 }, [MORE_CPU]],
  'tasks in lockstep on one connection': [
    { perRead: 1, connections: 8, serverBusy: 0.9, clientBusy: 0.99 },
    STEP,
    ['its 8 tasks run in lockstep: client 62 % busy, server 45 %'],
  ],
  'waiting, where both sides were idle': [{}, WAITING, ['it waits: client 40 % busy, server 20 %']],
  'no waiting for CPU that other programs used': [{}, { ...WAITING, lostMs: 150 }, [], true],
  'fewer in flight': [atOnce(8), { ...WAITING, ...atOnce(3) }, ['at most 3 in flight instead of 8']],
  'fewer in flight alone, where both mostly wait': [
    { ...FAR, ...atOnce(8) },
    { ...FAR, ms: 260, clientCpu: 30, ...atOnce(3) },
    ['at most 3 in flight instead of 8'],
  ],
};

describe('why a cell is slower', () => {
  for (const [what, [faster, slower, why, inPart]] of Object.entries(CASES)) {
    it(`is ${what}`, () => {
      const found = whyOf(cell('shared-connection', faster), cell('pool', slower));
      assert.deepEqual([found.causes.map(causeText), found.explained], [why, !inPart]);
    });
  }

  it('has no cause where none is proven, but the largest difference', () => {
    const [faster, slower] = CASES['nothing that the runs do not carry'];
    const found = whyOf(cell('shared-connection', faster), cell('pool', slower));
    assert.deepEqual(found.causes, []);
    assert.equal(found.unproven?.of, 'client');
    assert.ok(Number(found.unproven?.us) > 1.25 * Number(found.unproven?.againstUs));
    const nothing = whyOf(cell('shared-connection'), cell('pool', { ms: 300 }));
    assert.equal(nothing.unproven, undefined);
  });

  it('is the placement only where the same cell differs by it', () => {
    const slow = { ms: 400, clientBusy: 0.5, clientCpu: 30 };
    const same = whyOf(cell('shared-connection', { pin: 'same' }), cell('shared-connection', slow));
    assert.equal(causeText(same.causes[0]), 'it is 4.0x as fast with --pin same');
    const twin = cell('pool', { ms: 380, pin: 'same', vary: 0.6 });
    const others = whyOf(
      cell('shared-connection', { pin: 'same' }),
      cell('pool', { ms: 400, vary: 0.6 }),
      twin,
    );
    assert.ok(!others?.causes.some(({ kind }) => kind === 'placement'));
  });

  it('is not said of a cell that may be as fast, nor with figures that a server does not tell', () => {
    assert.equal(whyOf(cell('shared-connection'), cell('pool', { ms: 100.01 })), undefined);
    const silent = { silent: true, clientBusy: 0.5 };
    assert.deepEqual(
      whyOf(cell('shared-connection', silent), cell('pool', { ...silent, ms: 200 })).causes,
      [],
    );
  });

  it('is one line a cause, whole in the details', () => {
    const cells = [cell('shared-connection'), cell('pool', SLOW), cell('pool-of-9', { ms: 300 })];
    const settings = { runs: RUNS, races: false, smoke: false };
    const analysed = analyse(cells, /** @type {any} */ (settings), false);
    const report = { settings, servers: [], ...analysed, warningFacts: [], warnings: [] };
    const data = /** @type {any} */ (report);
    const { group } = cells[0];
    assert.deepEqual(sentencesAt(data, 'cause', group), [
      'Why "redis, pool" is slower: 20 µs of client CPU per operation instead of 10 µs.',
    ]);
    assert.deepEqual(sentencesAt(data, 'details', group), [
      '"redis, pool" is 2.0x slower: 20 µs of client CPU per operation instead of 10 µs.',
      '"redis, pool of 9" is 3.0x slower; the figures do not show why.',
    ]);
  });
});
