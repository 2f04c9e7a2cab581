/**
 * What the length of a slice costs: client CPU per operation in slices that alternate with those of the other cases, against the
 * same processes under steady load for a second. `head`: after some milliseconds of operations that do not count.
 * Run by hand on a machine that does nothing else: node test/performance/slice-length.js [rounds]
 *
 * Target: 1.05 at most, or the same for all.
 */

import { median, sum } from 'simple-statistics';
import { startWorkers } from '../../src/run/workers.js';
import { startManagedServer } from '../../src/server/managed.js';
import { locateServer } from '../../src/server/sources.js';
import { jobOf } from '../helpers/job.js';

const CASES = [8, 64].flatMap((tasks) => [
  { client: 'redis', variant: 'tuned', tasks },
  { client: 'ioredis', variant: 'default', tasks },
  { client: 'ioredis', variant: 'auto-pipelining', tasks },
]);
const HOW = [
  { sliceMs: 25, headMs: 0 },
  { sliceMs: 25, headMs: 5 },
  { sliceMs: 50, headMs: 0 },
  { sliceMs: 100, headMs: 0 },
];
const [rounds = 5] = process.argv.slice(2).map(Number);
/** Of each case in a round, however long its slices are. */
const ROUND_MS = 400;
const STEADY_MS = 1000;
const WARM_MS = 1500;

const server = await startManagedServer(await locateServer());
const workers = await Promise.all(
  CASES.map(async (job) => {
    const worker = startWorkers({ processes: 1, runtime: null }, [1], () => {});
    await worker.call('prepare', jobOf({ ...job, target: server.targets.tcp }));
    return worker;
  }),
);

/** @param {number} place @param {number} durationMs */
async function measure(place, durationMs) {
  const { client, taskIterations } = await workers[place].run({ durationMs, timed: true });
  return { cpuUs: client.cpuUs, operations: sum(taskIterations) };
}

/** @param {{cpuUs: number, operations: number}[]} all */
const perOp = (all) => sum(all.map(({ cpuUs }) => cpuUs)) / sum(all.map(({ operations }) => operations));

try {
  for (const place of CASES.keys()) await measure(place, WARM_MS);
  /** @type {number[][][]} by case and way, of each round */
  const ratios = CASES.map(() => HOW.map(() => []));
  for (let round = 0; round < rounds; round++) {
    const steady = [];
    for (const place of CASES.keys()) steady.push(perOp([await measure(place, STEADY_MS)]));
    for (const [way, { sliceMs, headMs }] of HOW.entries()) {
      /** @type {Awaited<ReturnType<typeof measure>>[][]} */
      const found = CASES.map(() => []);
      for (let doneMs = 0; doneMs < ROUND_MS; doneMs += sliceMs)
        for (const place of CASES.keys()) {
          if (headMs > 0) await measure(place, headMs);
          found[place].push(await measure(place, sliceMs));
        }
      for (const place of CASES.keys()) ratios[place][way].push(perOp(found[place]) / steady[place]);
    }
  }
  console.log('CPU per operation over that of steady load:');
  for (const [place, { client, variant, tasks }] of CASES.entries())
    console.log(
      `${client}:${variant}, ${tasks} tasks`.padEnd(34),
      HOW.map(
        ({ sliceMs, headMs }, way) =>
          `${sliceMs} ms${headMs ? ` after ${headMs}` : ''} ${median(ratios[place][way]).toFixed(2)}`,
      ).join(' · '),
    );
} finally {
  await Promise.all(workers.map((worker) => worker.kill()));
  server.control.close();
  await server.stop();
}
