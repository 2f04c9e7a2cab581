import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { renderReport } from '../../../src/cli/render.js';
import { mergeMachines, mergeRuns, mergeSlices } from '../../../src/run/merge-runs.js';
import { amount, wrongIn } from '../../../src/schema.js';
import { METRICS } from '../../../src/store/metrics.js';
import { createRun } from '../../../src/store/run-record.js';
import { PROCESS_METERS, startMeters } from '../../../src/worker/meters/all-meters.js';
import { createFixture } from '../../helpers/report-fixture.js';

/**
 * @import { Meter, Metered } from '../../../src/worker/meters/all-meters.js'
 * @import { Metric } from '../../../src/store/types.js'
 * @import { Observed, WatchedRun } from '../../../src/run/types.js'
 */

const SHAPES = new URL('../../../src/store/shapes.js', import.meta.url).href;

let rung = 0;

/** @type {Meter<number>} */
const bells = {
  watch() {
    let before = rung;
    return {
      begin() {
        before = rung;
      },
      take: () => rung - before,
    };
  },
  merge: { slices: 'sum', processes: 'max' },
};

/** @type {Metric} */
const bellsPerOp = {
  id: 'bellsPerOp',
  name: 'bellsPerOp',
  schema: v.nullable(amount),
  meaning: 'how often a bell rang an operation',
  title: 'bells/op',
  unit: 'times',
  better: 'less',
  in: 'client',
  from: ({ client, operations }) => /** @type {any} */ (client).bells / operations,
  fromRuns: 'median',
  text: (count) => `${count} bells`,
  tables: { cost: 'bells/op' },
};

const PROCESS = /** @type {Record<string, Meter<any>>} */ (PROCESS_METERS);

/** @returns {Metered} a run of a closed loop that sent 20 GETs */
const work = () => ({
  steps: [],
  cycle: /** @type {any} */ ({ position: () => 0, commandsIn: () => ({ get: 20 }) }),
  meter: { sent() {}, take: () => null },
  appWork: null,
  coding: { itemOf: (item) => item, takeUs: () => 0 },
  connections: { opened: () => 2, answeredByCaches: () => null },
  delivery: null,
});

/** @param {number} times that it rings @returns {Promise<Observed>} 20 operations in 50 ms */
async function observed(times) {
  const meters = startMeters(work());
  rung += 100;
  meters.begin();
  rung += times;
  await setImmediate();
  const measured = {
    startedAtMs: 1000,
    elapsedMs: 50,
    taskElapsedMs: [50, 49],
    taskIterations: [10, 10],
    wrongReplies: 0,
    firstWrongReply: null,
    errors: {},
    openLoop: null,
    ...(await meters.take(20)),
    latencyHdr: null,
    commandHdrs: {},
    waited: 0,
  };
  return { measured, remarks: [], connections: 2, seen: null, stalledMs: 0 };
}

/** @param {number} times */
const slice = async (times) =>
  /** @type {WatchedRun} */ ({ ...(await observed(times)), evictedKeys: 0, expiredKeys: 0, relay: null });

/** @param {Observed['measured']} measured */
const bellsIn = ({ client }) => /** @type {any} */ (client).bells;

/** @param {Observed} seen @param {number} [round] */
const runOf = (seen, round = 1) => createRun({ round, start: 1, observed: seen, opensDuringRun: false });

describe('the CPU time of a run', () => {
  it('is what the process used, each microsecond once, and that of several processes together', async () => {
    const meters = startMeters(work());
    const before = process.cpuUsage();
    meters.begin();
    // Of CPU, for on a busy machine it may get little of its time.
    while (process.cpuUsage(before).user < 100_000);
    const { client } = await meters.take(20);
    const { user, system } = process.cpuUsage(before);
    assert.ok(client.cpuUs > 0.8 * (user + system) && client.cpuUs <= user + system, `${client.cpuUs}`);
    const { measured } = await observed(1);
    const two = mergeRuns([measured, measured]).client.cpuUs;
    assert.equal(two, 2 * measured.client.cpuUs);
  });
});

describe('a meter that is added to the list, and its metric', () => {
  before(() => {
    PROCESS.bells = bells;
    METRICS.push(bellsPerOp);
  });
  after(() => {
    delete PROCESS.bells;
    METRICS.pop();
  });

  it('counts from the beginning of the run on', async () => {
    const { measured } = await observed(40);
    assert.equal(bellsIn(measured), 40);
    assert.deepEqual([measured.calls, measured.connectionsOpened, measured.batches], [{ get: 20 }, 0, null]);
  });

  it('is merged by its rules: of slices, of processes and of machines', async () => {
    const slices = mergeSlices([await slice(40), await slice(20)]);
    assert.equal(bellsIn(slices.measured), 60);
    assert.deepEqual(slices.measured.taskIterations, [20, 20]);
    const all = [(await observed(40)).measured, (await observed(20)).measured];
    const processes = mergeRuns(all);
    assert.equal(bellsIn(processes), 40);
    assert.deepEqual(processes.taskIterations, [10, 10, 10, 10]);
    const machines = mergeMachines(
      all.map((measured, index) => ({
        name: `host ${index}`,
        measured,
        clock: { offsetMs: 10 * index, errorMs: 0.1 },
        aheadMs: 0,
      })),
    );
    assert.equal(bellsIn(machines), 40);
    assert.deepEqual([machines.elapsedMs, machines.machines?.length], [60, 2]);
  });

  it('is in the run record, and checked where one is read', async () => {
    const { client } = runOf(await observed(40));
    assert.equal(/** @type {any} */ (client).bellsPerOp, 2);
    assert.equal(client?.gcPauseMs, 0);
    // Schemas are made of the figures that there are when they are loaded.
    const { CLIENT_COST } = await import(`${SHAPES}?with=bells`);
    assert.equal(wrongIn(CLIENT_COST, client), null);
    assert.match(`${wrongIn(CLIENT_COST, { ...client, bellsPerOp: '2' })}`, /^bellsPerOp: expected a number/);
  });

  it('stands in csv, JSON and tables', async () => {
    const runs = [runOf(await observed(40)), runOf(await observed(60), 2), runOf(await observed(80), 3)];
    const report = await createFixture({
      given: { clients: 'redis', scenarios: 'pool', runs: 3 },
      measured: () => ({ iterations: 10, runs }),
    });
    const [head, first] = (await renderReport(report, 'csv')).split('\r\n').map((line) => line.split(','));
    assert.equal(first[head.indexOf('bellsPerOp')], '2');
    const [cell] = JSON.parse(await renderReport(report, 'json')).cells;
    assert.deepEqual([cell.runs[1].client.bellsPerOp, cell.summary.client.bellsPerOp], [3, 3]);
    const table = await renderReport(report, 'table', { width: 250, details: true });
    assert.match(table, /bells\/op/);
    assert.match(table, /3 bells/);
  });
});
