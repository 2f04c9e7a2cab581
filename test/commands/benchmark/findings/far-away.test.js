import assert from 'node:assert/strict';
import { createReport } from '../../../../src/commands/benchmark/conclude.js';
import { withWords } from '../../../../src/commands/benchmark/report/words/findings.js';
import { originFacts } from '../../../../src/report/origin-facts.js';
import { openLoopRun } from '../../../helpers/open-loop-fixture.js';
import { createFixture, createLines, goodRun } from '../../../helpers/report-fixture.js';
import { adviceOf, detailsOf } from '../../../helpers/said.js';

/** @import { ResultEnd, ResultHeader, RunRecord } from '../../../../src/store/types.js' */
/** @import { ServerFacts } from '../../../../src/server/types.js' */

const TRIPS = { direct: 20, undelayed: 35, distant: 2_030 };

/** @param {number} p50Us */
const roundTrips = (p50Us) => ({ count: 200, p50Us, p99Us: p50Us + 100 });

/** Two cells at 2 ms, idle most of the time; one of them opens a connection for each operation. */
async function reportFarAway(lateUs = 10) {
  const given = { clients: 'ioredis', scenarios: 'shared-connection,open-and-close', rtt: '2ms', runs: 6 };
  const lines = await createLines({ given, measured: () => null });
  const header = /** @type {ResultHeader} */ (lines[0]);
  const runs = header.cells.flatMap(({ id, tasks, scenario }) =>
    Array.from({ length: 6 }, (_, index) => {
      const opens = scenario === 'open-and-close';
      const averageMs = (opens ? 300 : 100) + index;
      const run = goodRun(index + 1, { tasks, iterations: 100, averageMs });
      const client = { .../** @type {any} */ (run.client), eventLoopUtilization: 0.1, cpuUtilization: 0.1 };
      const server = { .../** @type {any} */ (run.server), connections: opens ? run.operations : 0 };
      const relay = { roundTrips: run.operations, lateP50Us: lateUs, lateP99Us: lateUs + 90, pauses: 0 };
      return /** @type {RunRecord} */ ({
        ...{ type: 'run', cell: id, at: header.startedAt },
        run: { ...run, client, server, relay },
      });
    }),
  );
  const { group } = header.cells[0];
  const trips = Object.fromEntries(Object.entries(TRIPS).map(([name, us]) => [name, roundTrips(us)]));
  const distance = /** @type {any} */ ({ type: 'distance', group, ...trips });
  return createReport(header, [distance, ...runs], /** @type {ResultEnd} */ (lines.at(-1)));
}

/**
 * The same client against two servers, the far one 200 times slower, idle, and with more CPU for each operation.
 *
 * @param {Partial<ServerFacts>} far
 */
async function twoServers(far) {
  const lines = await createLines({
    given: { clients: 'ioredis', scenarios: 'shared-connection', runs: 6 },
    sources: {
      servers: ['near', 'far'].map((server) => ({
        ...{ server, serverConfig: null },
        transports: ['tcp'],
      })),
    },
    measured: () => null,
  });
  const header = /** @type {ResultHeader} */ (lines[0]);
  const external = { ...header.server, kind: /** @type {const} */ ('external') };
  header.servers = [
    { ...external, name: 'near', roundTripUs: 50 },
    { ...external, name: 'far', roundTripUs: 10_000, ...far },
  ];
  const runs = header.cells.flatMap(({ id, tasks, server }) =>
    Array.from({ length: 6 }, (_, index) => {
      const slowness = server === 'far' ? 200 : 1;
      const run = goodRun(index + 1, { tasks, iterations: 100, averageMs: 20 * slowness + index / 10 });
      const busy = slowness > 1 ? 0.04 : 0.9;
      const cpuUsPerOp = (slowness > 1 ? 130 : 10) + index / 10;
      const client = { ...run.client, cpuUsPerOp, eventLoopUtilization: busy, cpuUtilization: busy };
      const cpu = slowness > 1 ? 60 + index : 10;
      const ofServer = { ...run.server, cpuUsPerCommand: cpu, allThreadsCpuUsPerCommand: cpu };
      return /** @type {RunRecord} */ ({
        ...{ type: 'run', cell: id, at: header.startedAt },
        run: /** @type {any} */ ({ ...run, client, server: ofServer }),
      });
    }),
  );
  return withWords(createReport(header, runs, /** @type {ResultEnd} */ (lines.at(-1))));
}

describe('far away', () => {
  it('a server of the user that is farther away is slower by its round trip', async () => {
    const report = await twoServers({});
    const { findings } = report;
    const kinds = findings.map(({ kind }) => kind);
    assert.ok(kinds.includes('slower'), kinds.join());
    const told = detailsOf(report);
    assert.match(told, /\b198x slower: its server's fastest PING takes 10 ms instead of 50 µs\./);
    assert.doesNotMatch(told, /of (client|server) CPU/);
    assert.match(originFacts(report).join(' · '), /near, round trip 50 µs\).*far, round trip 10 ms\)/);
  });

  it('a round trip that is longer than the latency allowed is named, whatever else was at work', async () => {
    const given = { clients: 'ioredis', rate: 1000, durationMs: 1000, rtt: '10ms', sloMs: 5 };
    const report = await createFixture({
      given,
      measured: () => ({
        iterations: null,
        runs: [1, 2, 3].map((round) => openLoopRun(round, { latenciesUs: [11_000], held: false })),
      }),
    });
    assert.match(adviceOf(report)[0], /: one round trip takes 10 ms, longer than --slo/);
  });

  it('two addresses of one process are called that', async () => {
    const report = await twoServers({ roundTripUs: 60, sameAs: 'near' });
    assert.match(originFacts(report).join(' · '), /far, round trip 60 µs, the same process as near\)/);
  });

  it('the connections that a cell opens explain why it is slower', async () => {
    const { findings } = await reportFarAway();
    const slower = findings.flatMap((each) => (each.kind === 'slower' ? each : []));
    assert.deepEqual(
      slower.map(({ explained, causes }) => [explained, ...causes.map(({ kind }) => kind)]),
      [[true, 'opens-connections']],
    );
  });

  it('reports the distance as asked for, and as it was before the runs', async () => {
    const { findings, distances } = await reportFarAway(25);
    assert.equal(distances?.length, 1);
    const [distance] = findings.flatMap((finding) => (finding.kind === 'distance' ? finding : []));
    assert.deepEqual(
      [distance.askedUs, distance.addedP50Us, distance.addedP99Us, distance.relayUs, distance.isOff],
      [2000, 2010, 2110, 15, false],
    );
  });
});
