import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { renderReport } from '../../src/cli/render.js';
import { measure } from '../../src/index.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { schemaErrors } from '../helpers/report-shapes.js';

/** @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js' */
/** @import { Run } from '../../src/store/types.js' */
/** @import { FaultRun } from '../../src/commands/break/types.js' */

const folder = (/** @type {string} */ kind) =>
  fileURLToPath(new URL(`../helpers/plugins/${kind}`, import.meta.url));
const PLUGINS = { clients: [folder('clients')], workloads: [folder('workloads')] };
/** @type {BenchmarkOptions} */
const SHORT = { rate: 2000, durationMs: 500, arrivals: 'even', seed: 1 };

/** @param {BenchmarkOptions} options */
async function run(options) {
  const report = await measure('break', { ...SHORT, ...options }, { pluginFolders: PLUGINS });
  assert.deepEqual(schemaErrors(report), []);
  const runs = new Map(
    report.cells.map(({ client, variant, fault, runs: [first] }) => [
      `${client}:${variant} ${fault?.name}`,
      first,
    ]),
  );
  return { report, runs };
}

/** @param {Map<string, Run>} runs @param {string} name @returns {FaultRun} of a run that has not failed */
function faultOf(runs, name) {
  const found = runs.get(name);
  assert.equal(found?.failed, null, name);
  return /** @type {FaultRun} */ (found?.fault);
}

/**
 * Writes that were acknowledged before a server ended without its data went with it. A machine that stands still may leave
 * no time for any.
 * @param {FaultRun | null | undefined} found
 * @param {string} name
 */
function assertLostWithServer(found, name) {
  const { struckAtMs, timeline, lostWithServer } = /** @type {FaultRun} */ (found);
  const before = timeline.acknowledged.slice(0, Math.floor(Number(struckAtMs) / timeline.bucketMs));
  const fewest = before.reduce((sum, count) => sum + count, 0) > 10 ? 1 : 0;
  assert.ok(Number(lostWithServer) >= fewest, `${name}: ${lostWithServer} after ${before}`);
}

/** Operations that may be under way when something strikes. @param {FaultRun} found @param {number} rate per second */
function mostUnderWay({ struckAtMs, timeline: { waiting, bucketMs } }, rate) {
  const ms = Number(struckAtMs);
  return waiting[Math.floor(ms / bucketMs) - 1] + Math.ceil(((ms % bucketMs) / 1000) * rate) + 1;
}

describe('faults', function () {
  this.timeout(120_000);
  it('what a client loses, doubles, delays, fails and forgets is found exactly', async () => {
    const { runs } = await run({ clients: 'deceiver', fault: 'none', processes: 2 });
    const found = faultOf(runs, 'deceiver:default none');
    // Each of the two processes numbers its own 500 operations.
    const each = 2 * 5;
    assert.equal(found.scheduled, 1000);
    assert.deepEqual(
      {
        acknowledged: found.acknowledged,
        lost: found.lost,
        doneTwice: found.doneTwice,
        failed: found.failed,
        doneThoughFailed: found.doneThoughFailed,
        unanswered: found.unanswered,
        doneThoughUnanswered: found.doneThoughUnanswered,
        unsent: found.unsent,
        crash: found.crash,
      },
      {
        acknowledged: 1000 - 3 * each,
        lost: each,
        doneTwice: each,
        failed: 2 * each,
        doneThoughFailed: each,
        unanswered: each,
        doneThoughUnanswered: 0,
        unsent: 0,
        crash: null,
      },
    );
    assert.ok(found.late >= each, 'those that were delayed, and what this machine held up');
    assert.equal(found.longestWaitAnswered, false);
    const { due, acknowledged, failed, waiting } = found.timeline;
    const sum = (/** @type {number[]} */ counts) => counts.reduce((all, count) => all + count, 0);
    assert.deepEqual(
      [sum(due), sum(acknowledged), sum(failed), waiting.at(-1)],
      [1000, found.acknowledged, found.failed, found.unanswered],
    );
  });

  describe('what a client does to other workloads is found by their accounts', () => {
    /** @param {BenchmarkOptions} options */
    async function accountsIn(options) {
      const { report } = await run({ fault: 'none', ...options });
      const found = report.cells.map(({ workload, runs: [{ failed, fault, client }] }) => {
        assert.equal(failed, null, workload);
        assert.ok(Number(client?.cpuUsPerOp) > 0, `${workload}: CPU is reported`);
        const { scheduled, acknowledged, proves, wrong, lost, doneTwice, doneInPart } =
          /** @type {FaultRun} */ (fault);
        assert.equal(scheduled, 1000);
        return [workload, proves, { acknowledged, wrong, lost, doneTwice, doneInPart }];
      });
      return { found };
    }
    const each = 10;
    const none = { acknowledged: 1000, wrong: 0, lost: null, doneTwice: null, doneInPart: undefined };

    it('which read, write or count', async () => {
      const one = await accountsIn({ clients: 'tamperer', workload: 'get,set,hset,counted' });
      assert.deepEqual(one.found, [
        ['get', 'reads', { ...none, acknowledged: 1000 - each, wrong: each }],
        ['set', 'writes', { ...none, lost: each }],
        ['hset', 'writes', { ...none, lost: each }],
        ['counted', 'repeats', { ...none, lost: 0, doneTwice: each }],
      ]);
    });

    it('which do both in turn', async () => {
      const workload = 'mix:get=8,set=1,set@2kb=1,mix:get=1,exists=1';
      const mixed = await accountsIn({ clients: 'tamperer', workload });
      assert.deepEqual(mixed.found, [
        ['mix:get=8,set=1,set@2kb=1', 'writes', { ...none, acknowledged: 1000 - 8, wrong: 8, lost: 2 }],
        ['mix:get=1,exists=1', 'reads', { ...none, acknowledged: 1000 - 5, wrong: 5 }],
      ]);
    });

    it('whose operations are requests', async () => {
      const four = await accountsIn({
        clients: 'tamperer:four',
        workload: 'store:4',
        way: 'parallel',
      });
      const inPart = { ...none, lost: each, doneInPart: each };
      assert.deepEqual(four.found, [['store:4', 'writes', inPart]]);
    });
  });

  it('commands by shares are sent to data of their own type, also where some are dropped', async () => {
    const command = ['GET {key}', 'LPUSH {key} a', 'HINCRBY {key} n 1'];
    const mix = { command, share: [5, 3, 2], prepare: ['SET {key} {value}'], clients: 'ioredis' };
    const faults = await run({
      ...mix,
      fault: NIGHTLY ? 'none,cut,restart:data:100ms' : 'cut',
      processes: 2,
    });
    const dropping = await run({ ...mix, fault: 'none', maxInFlight: 1, whenFull: 'drop', tasks: 1 });
    for (const [name, { failed, fault }] of [...faults.runs, ...dropping.runs])
      assert.deepEqual([failed, fault?.wrong, fault?.failed, fault?.proves], [null, 0, 0, 'replies'], name);
    assert.ok(Number(faultOf(dropping.runs, 'ioredis:default none').unsent) > 0);
  });

  it('a share that waits is refused: it would be late whatever breaks', async () => {
    const command = ['GET {key}', 'BLPOP {missing} 0.1'];
    await assert.rejects(
      run({ command, share: [9, 1], prepare: ['SET {key} 1'] }),
      /BLPOP waits, so it is late/,
    );
  });

  it('a server that loads its data, or has no memory left, refuses writes for a while and loses none', async () => {
    const fault = 'loading:500ms,oom:500ms';
    const { runs } = await run({ clients: 'ioredis', fault, rate: 500, durationMs: 2500 });
    for (const name of fault.split(',')) {
      const { lost, lostWithServer, failed, longestWaitMs } = faultOf(runs, `ioredis:default ${name}`);
      assert.deepEqual([lost, lostWithServer], [0, 0], name);
      assert.ok(Number(failed) > 0 || Number(longestWaitMs) > 200, name);
    }
  });

  it('writes of a mix that a server lost are told from those that a client lost', async () => {
    const workload = 'mix:get=1,set=1,store:2';
    const { report } = await run({
      ...{ clients: 'ioredis', workload, way: 'one-by-one', fault: 'restart:100ms' },
      // How soon the client is back is the machine's doing, and not the point.
      ...{ rate: 1000, durationMs: 1000 },
    });
    for (const {
      workload,
      runs: [{ failed, fault }],
    } of report.cells) {
      assert.deepEqual([failed, fault?.lost, fault?.wrong], [null, 0, 0], workload);
      assertLostWithServer(fault, workload);
    }
  });

  it('whoever asks a server that has lost its data is not told wrongly', async () => {
    const { runs } = await run({ clients: 'ioredis', workload: 'get', fault: 'restart:100ms' });
    const { wrong, lostWithServer, crash } = faultOf(runs, 'ioredis:default restart:100ms');
    assert.deepEqual([wrong, crash], [0, null]);
    assert.ok(lostWithServer > 0);
  });

  it('a process that ends, breaks or hangs leaves its findings', async () => {
    const variants = ['throws', 'rejects', 'exits', 'hangs'];
    const { runs } = await run({
      clients: variants.map((variant) => `deceiver:${variant}`),
      fault: 'none',
      runTimeoutMs: 700,
    });
    const crashes = variants.map((variant) => faultOf(runs, `deceiver:${variant} none`).crash);
    assert.deepEqual(
      crashes.map((crash) => crash?.kind),
      ['exception', 'rejection', 'exit', 'stuck'],
    );
    assert.match(String(crashes[0]?.message), /^thrown on purpose$/);
    assert.match(String(crashes[0]?.at), /deceiver\.js:\d+ \(throwOne\)$/);
    assert.match(String(crashes[2]?.message), /exit code 7/);
    for (const variant of variants) {
      const { acknowledged, scheduled, lost, doneTwice } = faultOf(runs, `deceiver:${variant} none`);
      assert.ok(acknowledged > 0 && acknowledged < scheduled, variant);
      assert.deepEqual([lost, doneTwice], [0, 0], variant);
    }
  });

  it('a frozen client is not taken for one that hangs, and each of its callers is accounted for', async () => {
    const clients = NIGHTLY ? ['ioredis', 'redis:careful'] : ['ioredis'];
    const { runs } = await run({
      clients,
      fault: 'freeze:1200ms',
      faultAtMs: 200,
      processes: 2,
      runTimeoutMs: 600,
    });
    for (const name of runs.keys()) {
      const found = faultOf(runs, name);
      assert.deepEqual([found.met, found.crash, found.lost, found.unsent], [2, null, 0, 0], name);
      assert.equal(found.acknowledged + found.failed + found.unanswered, found.scheduled, name);
      assert.equal(found.unanswered, 0, `${name}: all callers were told after the thaw`);
      assert.ok(found.longestWaitMs >= 1000, 'what was due while it was frozen waited for the thaw');
      assert.ok(Number(found.loopDelayMaxMs) >= 1000);
    }
  });

  it('connections that the server closed while their client was frozen', async () => {
    const options = {
      // By day the one that sends again what was not answered.
      clients: NIGHTLY ? 'redis,ioredis' : 'ioredis',
      serverConfig: 'timeout 1',
      ...{ rate: 200, arrivals: /** @type {const} */ ('even'), durationMs: 4500 },
      // Between two operations, as far as the machine keeps time.
      faultAtMs: 503,
    };
    const { runs } = await run({ ...options, fault: 'freeze:2500ms' });
    const found = [...runs.keys()].map((name) => faultOf(runs, name));
    for (const each of found) {
      assert.deepEqual([each.crash, each.lost, each.unanswered], [null, 0, 0]);
      // A reply that was not read before the freeze is lost with the connection, and its command is sent again.
      assert.ok(Number(each.doneTwice) <= mostUnderWay(each, options.rate), `${each.doneTwice}`);
      assert.ok(Number(each.recoveredMs) > 0, 'it recovered');
    }
  });

  it('a pause is really waited, and the first caller after it meets what the network did meanwhile', async () => {
    const { report, runs } = await run({
      clients: 'ioredis',
      fault: 'none,idle-drop:200ms,idle-reset:200ms',
      idle: '1s',
    });
    const [none, dropped, reset] = ['none', 'idle-drop:200ms', 'idle-reset:200ms'].map((name) =>
      faultOf(runs, `ioredis:default ${name}`),
    );
    assert.ok(
      report.cells.every(({ runs: [{ elapsedMs }] }) => Number(elapsedMs) >= 1500),
      '500 ms and the pause',
    );
    for (const { scheduled, lost, crash, timeline } of [none, dropped, reset]) {
      assert.deepEqual([scheduled, lost, crash], [1000, 0, null]);
      assert.equal(
        timeline.due.reduce((all, count) => all + count, 0),
        1000,
      );
    }
    assert.deepEqual([none.met, dropped.met, reset.met], [null, 1, 1]);
    const { acknowledged, failed, unanswered, unsent } = none;
    assert.deepEqual(
      { acknowledged, failed, unanswered, unsent },
      { acknowledged: 1000, failed: 0, unanswered: 0, unsent: 0 },
    );
    assert.ok(reset.acknowledged > 300, 'it connects again');
    assert.ok(dropped.acknowledged <= 300, 'what was sent before the pause');
    assert.equal(dropped.unanswered, 1000 - dropped.acknowledged);
    assert.deepEqual([dropped.firstCallMs, dropped.firstCallError, none.firstCallError], [null, null, null]);
  });

  (NIGHTLY ? it : it.skip)('no pause beside a longer one shows what changes', async () => {
    const { report } = await run({ clients: 'ioredis', fault: 'idle-drop:200ms', idle: '0,500ms' });
    assert.deepEqual(
      report.cells.map(({ skipped, idleMs }) => [skipped, idleMs]),
      [
        [null, undefined],
        [null, 500],
      ],
    );
    assert.deepEqual(
      report.cells.map((cell) => [cell.runs[0].failed, cell.runs[0].fault?.met]),
      [
        [null, 0],
        [null, 1],
      ],
    );
  });

  it('a node of a cluster that stalls has figures of its own, and so have the others', async () => {
    const { runs } = await run({
      ...{ clients: 'ioredis', topology: 'cluster', fault: 'stall:300ms', rate: 500, durationMs: 1000 },
    });
    const { nodes, scheduled } = faultOf(runs, 'ioredis:default stall:300ms');
    const { broken, others } = /** @type {NonNullable<FaultRun['nodes']>} */ (nodes);
    assert.equal(broken.scheduled + others.scheduled, scheduled);
    assert.ok(Math.min(broken.scheduled, others.scheduled) > 0);
    assert.ok(broken.longestWaitMs >= 250, 'its callers wait until it goes on');
    assert.ok(broken.late > 0);
  });

  it('a fault that met nothing is an error of its run', async () => {
    const { runs } = await run({ clients: 'deceiver:absent', fault: 'cut' });
    assert.match(String(runs.get('deceiver:absent cut')?.failed), /the fault did not happen: no connection/);
  });

  it('every acknowledged operation is accounted for, whatever breaks', async () => {
    const { report, runs } = await run({
      clients: 'ioredis',
      fault: 'none,cut,stall:100ms,restart:100ms,restart:data:100ms',
    });
    const other = await run({ clients: 'redis', fault: 'cut,restart:100ms' });
    for (const [name, { failed, fault }] of [...runs, ...other.runs]) {
      assert.equal(failed, null, name);
      assert.deepEqual([fault?.lost, fault?.unsent, fault?.crash], [0, 0, null], name);
      assert.equal(
        Number(fault?.acknowledged) + Number(fault?.failed) + Number(fault?.unanswered),
        fault?.scheduled,
        name,
      );
    }
    assert.equal(faultOf(runs, 'ioredis:default none').struckAtMs, null);
    const stalled = faultOf(runs, 'ioredis:default stall:100ms');
    assert.ok(stalled.longestWaitMs >= 99, 'what was under way waited for the server');
    assert.equal(faultOf(runs, 'ioredis:default restart:data:100ms').lostWithServer, 0);
    for (const [name, of] of Object.entries({ 'ioredis:default': runs, 'redis:default': other.runs })) {
      assert.ok(Number(faultOf(of, `${name} cut`).met) > 0);
      assertLostWithServer(faultOf(of, `${name} restart:100ms`), name);
    }
    assert.equal(report.comparisons.length, 5, 'each fault is a group');
    const screen = await renderReport(report, 'table');
    assert.match(screen, /^ choose +came through +trouble$/m);
    assert.match(screen, /One run of each proves little: --runs 3 shows how much it varies\./);
  });
});
