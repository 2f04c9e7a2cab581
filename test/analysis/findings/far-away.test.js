import assert from 'node:assert/strict';
import { createReport } from '../../../src/results/create-report.js';
import { createLines, goodRun } from '../../helpers/report-fixture.js';

/** @import { ResultEnd, ResultHeader, RunRecord } from '../../../src/results/types.js' */

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

describe('far away', () => {
  it('the connections that a cell opens explain why it is slower', async () => {
    const { findings } = await reportFarAway();
    const slower = findings.flatMap((finding) => (finding.kind === 'slower' ? finding : []));
    assert.deepEqual(
      slower.map(({ explained, causes }) => [explained, ...causes.map(({ kind }) => kind)]),
      [[true, 'opens-connections']],
    );
  });

  it('the distance is told as it was asked for, before the runs and in the cell where it was least exact', async () => {
    const { findings, distances } = await reportFarAway(25);
    assert.equal(distances?.length, 1);
    const [distance] = findings.flatMap((finding) => (finding.kind === 'distance' ? finding : []));
    assert.deepEqual(
      [distance.askedUs, distance.addedP50Us, distance.addedP99Us, distance.relayUs, distance.isOff],
      [2000, 2010, 2110, 15, false],
    );
    assert.deepEqual(distance.inRuns, { p50Us: 2025, p99Us: 2115 });
  });
});
