import assert from 'node:assert/strict';
import { renderReport } from '../../src/cli/render.js';
import { CHECK_FAILED } from '../../src/error-causes.js';
import { factText } from '../../src/report/fact-words.js';
import { createRun, failedRun } from '../../src/store/run-record.js';
import { latencyFixture } from '../helpers/latency-fixture.js';
import { createFixture, goodRun } from '../helpers/report-fixture.js';

/** @import { MachineFigures, Run, RunWarning } from '../../src/store/types.js' */

/** @typedef {Parameters<typeof createRun>[0]} Facts */

/** @param {Run} run @returns {Run} as a report has it */
const worded = (run) => ({
  ...run,
  warnings: [...(run.warningFacts ?? []).map(factText), ...run.warnings],
});

/** What 4 tasks of 50 GETs measured, and what the server counted. */
const MEASURED = {
  startedAtMs: 0,
  elapsedMs: 200,
  taskElapsedMs: [180, 190, 200, 190],
  taskIterations: [50, 50, 50, 50],
  wrongReplies: 0,
  firstWrongReply: null,
  errors: {},
  waited: 0,
  connectionsOpened: 0,
  answeredByCaches: null,
  latencyHdr: null,
  commandHdrs: {},
  calls: /** @type {Record<string, number>} */ ({ get: 200 }),
  answers: null,
  lookups: null,
  asked: [],
  batches: null,
  client: {
    ...{
      cpuUs: 100_000,
      contextSwitches: null,
      appWorkUs: 0,
      encodeUs: 0,
      loop: { watchedMs: 0, busyUs: {} },
      eventLoopUtilization: 0.5,
      garbage: { gcPauseMs: 1, gcLongestMs: 1, allocatedBytes: 1e6 },
    },
    peakRssBytes: 80e6,
  },
};
const SEEN = {
  ...{ commands: 200, reads: 100, connections: 0 },
  ...{ netInputBytes: 10_000, netOutputBytes: 10_000, mainThreadCpuUs: 50_000, allThreadsCpuUs: 50_000 },
  calls: /** @type {Record<string, number> | null} */ ({ get: 200, info: 0, set: 0 }),
  ...{ moved: 0, asked: 0, nodes: null },
};

/**
 * @param {Partial<typeof MEASURED> | Record<string, any>} measured
 * @param {Partial<typeof SEEN> | null} [seen]
 * @param {Partial<Facts>} [facts]
 */
const record = (measured = {}, seen = {}, facts = {}) =>
  worded(
    createRun({
      start: 1,
      round: 3,
      observed: {
        measured: { ...MEASURED, ...measured },
        connections: 1,
        stalledMs: 0,
        remarks: [],
        seen: seen === null ? null : { ...SEEN, ...seen },
      },
      opensDuringRun: false,
      ...facts,
    }),
  );

/**
 * @param {string} name
 * @param {{startedAfterMs?: number, us?: number}} own
 * @returns {MachineFigures}
 */
const machine = (name, { startedAfterMs = 0, us = 100 }) => ({
  name,
  startedAfterMs,
  clockErrorMs: 0.1,
  elapsedMs: 1000,
  operations: 2000,
  opsPerSecond: 2000,
  cpuUtilization: 0.1,
  latency: latencyFixture(Array.from({ length: 1000 }, () => us)),
});

describe('run-record', () => {
  it('has the average of the tasks and the spread between slowest and fastest', () => {
    const run = record();
    assert.deepEqual([run.round, run.averageMs, run.spreadMs], [3, 190, 20]);
    assert.deepEqual(run.taskElapsedMs, MEASURED.taskElapsedMs);
  });

  it('counts the operations of all tasks, and the commands in them', () => {
    const run = record({ taskIterations: [50, 40, 60, 50], calls: { set: 200, get: 200 } }, null);
    assert.deepEqual([run.operations, run.commands, run.opsPerSecond], [200, 400, 1000]);
  });

  it('is good and without a warning where all is as it must be', () => {
    const run = record();
    assert.deepEqual([run.failed, run.warnings, run.wrongReplies, run.errors], [null, [], 0, {}]);
  });

  it('has the connections that were held, or those that were opened where that is the scenario', () => {
    assert.equal(record({ connectionsOpened: 7 }).connections, 1);
    assert.equal(record({ connectionsOpened: 7 }, {}, { opensDuringRun: true }).connections, 7);
  });

  describe('fails', () => {
    it('with wrong replies, and says how many and which', () => {
      const { failed, wrongReplies } = record({ wrongReplies: 2, firstWrongReply: 'GET replied "x"' });
      assert.equal(wrongReplies, 2);
      assert.match(String(failed), /^2 wrong replies.*GET replied "x"$/);
    });
    it('with failed operations, counted by their cause, with what to do', () => {
      const { failed, errors } = record({
        errors: {
          "READONLY You can't write against a read only replica.": 3,
          'connect EADDRNOTAVAIL 127.0.0.1:6379 - Local (127.0.0.1:40001)': 1,
          'connect EADDRNOTAVAIL 127.0.0.1:6379 - Local (127.0.0.1:40002)': 2,
          'something new': 1,
        },
      });
      assert.deepEqual(errors, { READONLY: 3, EADDRNOTAVAIL: 3, 'something new': 1 });
      assert.match(String(failed), /3 × READONLY, 3 × EADDRNOTAVAIL, 1 × something new/);
      assert.match(String(failed), /read only replica.*name its master/);
    });
    it('with connections that broke after it, which are no operations', () => {
      const after = { [`${CHECK_FAILED}Connection is closed.`]: 2, [`${CHECK_FAILED}TimeoutError`]: 1 };
      const all = record({ errors: after });
      assert.deepEqual(all.errors, { 'connection lost': 2, timeout: 1 });
      assert.equal(all.failed, `2 × connection lost, 1 × timeout: ${CHECK_FAILED}Connection is closed.`);
      assert.match(
        String(record({ errors: { 'Connection is closed.': 1, ...after } }).failed),
        /^operations failed \(3 × connection lost, 1 × timeout\): Connection/,
      );
    });
  });

  it('warns where several processes had to share processors, of which it knows', () => {
    const of = (/** @type {number} */ processes, /** @type {number | null} */ workerCpus) =>
      record({ processes: Array(processes).fill({}) }, {}, { workerCpus }).warnings;
    assert.match(of(3, 2)[0], /^3 worker processes shared 2 CPUs: latencies include/);
    assert.match(of(2, 1)[0], /^2 worker processes shared 1 CPU:/);
    assert.deepEqual([of(1, 1), of(2, 2), of(4, null)], [[], [], []]);
  });

  describe('of several machines', () => {
    const kinds = (/** @type {MachineFigures[]} */ machines, elapsedMs = MEASURED.elapsedMs) =>
      (record({ machines, elapsedMs }).warningFacts ?? []).map(({ kind }) => kind);

    it('is marked when they started too far apart, by time or by its length', () => {
      const late = [machine('a', {}), machine('b', { startedAfterMs: 8 })];
      assert.deepEqual([kinds(late, 1000), kinds(late, 500)], [[], ['started-apart']]);
      const far = [machine('a', {}), machine('b', { startedAfterMs: 11 })];
      assert.deepEqual(kinds(far, 60_000), ['started-apart']);
      assert.deepEqual(kinds([machine('a', { startedAfterMs: 50 })], 100), []);
    });

    it('names the machine whose own the tail is', () => {
      assert.deepEqual(kinds([machine('a', {}), machine('b', {}), machine('c', {})]), []);
      const machines = [machine('a', {}), machine('b', { us: 400 }), machine('c', {})];
      assert.match(record({ machines }).warnings.join(), /from b: its p99/);
    });
  });

  it('sustains a rate where the p99 of its latencies is within the objective', () => {
    const latencyHdr = latencyFixture(Array.from({ length: 200 }, () => 2000)).hdr;
    const counts = {
      sentUntilMs: 200,
      dropped: 0,
      unsent: 0,
      failed: 0,
      latenessHdr: null,
      fromSendHdr: null,
    };
    const holds = (/** @type {number | null} */ sloMs) =>
      record(
        { latencyHdr, openLoop: counts },
        {},
        { openLoop: /** @type {any} */ ({ arrivals: 'even', ratePerSecond: 1000, sloMs }) },
      ).openLoop?.held;
    assert.deepEqual([null, 2.1, 1.9].map(holds), [true, true, false]);
  });

  it('says so where its part of a recording had another rate', () => {
    const warned = (/** @type {number} */ intendedPerSecond, /** @type {'recorded' | 'even'} */ arrivals) =>
      record(
        { openLoop: { intendedPerSecond, latenessHdr: null, fromSendHdr: null } },
        {},
        { openLoop: /** @type {any} */ ({ arrivals, ratePerSecond: 1000 }) },
      ).warnings.join();
    assert.match(warned(530, 'recorded'), /has a different rate/);
    assert.match(warned(1300, 'recorded'), /has a different rate/);
    assert.deepEqual([warned(900, 'recorded'), warned(530, 'even')], ['', '']);
  });

  describe('warns of a stall', () => {
    const stalled = (/** @type {number} */ stalledMs) => {
      const run = createRun({
        start: 1,
        round: 1,
        observed: { measured: MEASURED, connections: 1, seen: SEEN, stalledMs, remarks: [] },
        opensDuringRun: false,
      });
      return worded(run).warnings.join();
    };
    it('that was seen from outside', () => assert.match(stalled(2345), /no reply came for 2\.3 s.*stalled/));
    it('but not of a moment', () => assert.equal(stalled(999), ''));
  });

  describe('warns where the server', () => {
    const warnings = (/** @type {Parameters<typeof record>} */ ...args) => record(...args).warnings;

    it('counted more commands than the run claims', () => {
      const [warning, ...more] = warnings({}, { calls: { get: 201 } });
      assert.match(warning, /200 GET.* 201: another program is using this server$/);
      assert.deepEqual(more, []);
    });
    it('ran commands of others', () => {
      const [warning] = warnings({}, { calls: { get: 200, 'config|set': 2, ping: 1, set: 0 } });
      assert.match(warning, /other commands.*config\|set ×2.*ping ×1/);
      assert.doesNotMatch(warning, /set ×0/);
    });
    it('but not where operations failed, which it may have counted', () =>
      assert.deepEqual(warnings({ errors: { ECONNRESET: 1 } }, { calls: { get: 201 } }), []));
    it('counted other commands than those that the cache of the client has answered', () => {
      assert.deepEqual(warnings({ answeredByCaches: 150 }, { calls: { get: 50 } }), []);
      for (const get of [49, 51, 200]) {
        assert.match(
          warnings({ answeredByCaches: 150 }, { calls: { get } })[0],
          new RegExp(
            `cache claims to have served 150 of 200 commands, but ${200 - get} did not reach the server$`,
          ),
        );
      }
      assert.equal(record({ answeredByCaches: 150 }, { calls: { get: 50 } }).cacheHits, 150);
      assert.equal('cacheHits' in record(), false);
    });
    it('has no counts by command, and another total', () => {
      assert.deepEqual(warnings({}, { calls: null, commands: 200 }), []);
      assert.match(warnings({}, { calls: null, commands: 199 })[0], /200 commands.* 199$/);
    });
    it('has no counts at all, or lost them', () =>
      assert.match(
        warnings({}, { calls: null, commands: /** @type {any} */ (null) })[0],
        /could not confirm them$/,
      ));
  });

  describe('does not warn where', () => {
    it('connections are opened in the run, and so set up in it', () => {
      const { warnings } = record(
        {},
        { calls: { get: 200, hello: 200, 'client|setinfo': 400 } },
        { opensDuringRun: true },
      );
      assert.deepEqual(warnings, []);
    });
    it('a step sends the same command as another one', () => {
      assert.deepEqual(record({ calls: { get: 400 } }, { calls: { get: 400 } }).warnings, []);
    });
  });

  it('says so where the server tells nothing, for then nothing was checked', () => {
    assert.match(record({}, null).warnings.join(), /^the user may not call INFO \(ACL SETUSER USER \+info\)/);
  });

  it('is stored with its warnings as data, which a report has words for', async () => {
    const { warnings, warningFacts } = createRun({
      ...{ start: 1, round: 1, opensDuringRun: false },
      observed: {
        ...{
          measured: MEASURED,
          connections: 1,
          stalledMs: 0,
          remarks: [{ kind: 'types-only', command: 'get' }],
        },
        seen: { ...SEEN, calls: { get: 201 } },
      },
    });
    assert.deepEqual(warnings, []);
    assert.deepEqual(warningFacts, [
      { kind: 'types-only', command: 'get' },
      { kind: 'command-miscounted', command: 'get', claimed: 200, counted: 201 },
    ]);
    const later = /** @type {RunWarning} */ (/** @type {unknown} */ ({ kind: 'of-a-later-release' }));
    const report = await createFixture({
      given: { clients: 'redis', scenarios: 'pool', runs: 1 },
      measured: ({ tasks }) => {
        const run = goodRun(1, { tasks, iterations: 50, averageMs: 100 });
        return { iterations: 50, runs: [{ ...run, warningFacts: [...(warningFacts ?? []), later] }] };
      },
    });
    const said = [
      'only the type of GET replies is checked',
      'the run claims 200 GET, the server counted 201: another program is using this server',
      'of-a-later-release',
    ];
    assert.deepEqual(report.cells[0].runs[0].warnings, said);
    assert.deepEqual(JSON.parse(await renderReport(report, 'json')).cells[0].runs[0].warnings, said);
  });

  it('a run that gave no figures has its reason and nothing that looks like a figure', () => {
    const run = failedRun({ round: 2, start: 1 }, 'the worker process was killed');
    assert.deepEqual([run.round, run.failed], [2, 'the worker process was killed']);
    assert.deepEqual(
      [run.averageMs, run.spreadMs, run.opsPerSecond, run.elapsedMs],
      [null, null, null, null],
    );
    assert.deepEqual([run.operations, run.commands, run.taskElapsedMs], [0, 0, []]);
  });
});

describe('why a run failed', () => {
  it('is said once, with how many operations', () => {
    const failed = (/** @type {Record<string, number>} */ errors) => record({ errors }).failed;
    assert.equal(failed({ 'All keys must be ours': 8 }), '8 operations failed: All keys must be ours');
    assert.equal(failed({ TimeoutError: 3 }), 'operations failed (3 × timeout): TimeoutError');
    assert.match(
      String(failed({ 'OOM command not allowed': 2, 'All keys must be ours': 1 })),
      /^operations failed \(2 × OOM, 1 × All keys must be ours\): OOM command not allowed/,
    );
  });
});
