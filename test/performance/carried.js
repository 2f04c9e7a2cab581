/**
 * What a process carries from one condition to the next: client CPU per operation of a cell whose process has visited others
 * before, against the same cell in a process of its own. Both alternate in slices.
 * Run by hand: node test/performance/carried.js [pairs of processes] [slices] [word of a case]
 *
 * Target: the median of the pairs within 3 %.
 */
import { median, sum } from 'simple-statistics';
import { startWorkers } from '../../src/run/workers.js';
import { startManagedServer } from '../../src/server/managed.js';
import { locateServer } from '../../src/server/sources.js';
import { jobOf } from '../helpers/job.js';

const CASES = [
  { client: 'redis', variant: 'tuned', tasks: 8 },
  { client: 'redis', variant: 'tuned', tasks: 64 },
  { client: 'redis', variant: 'default', tasks: 8 },
  { client: 'ioredis', variant: 'default', tasks: 8 },
  { client: 'ioredis', variant: 'default', tasks: 64 },
  { client: 'redis', variant: 'tuned', tasks: 8, scenario: 'connection-per-task' },
  { client: 'ioredis', variant: 'default', tasks: 8, scenario: 'connection-per-task' },
];
/** Conditions that are visited before; another address needs a client of its own, as a distance does. */
const BEFORE = {
  'the same connections': [{ tasks: 64 }, { tasks: 1 }, { tasks: 8, keySize: 100, valueSize: 100 }],
  'another client as well': [{ tasks: 64, host: 'localhost' }, { tasks: 1 }, { host: 'localhost' }],
};
const WARM_MS = 900;
const SLICE_MS = 50;

const [pairs = 5, slices = 20] = process.argv.slice(2, 4).map(Number);
const [, , , , word = ''] = process.argv;
const server = await startManagedServer(await locateServer());

/** @param {Record<string, any>} job */
async function startProcess(job) {
  const worker = startWorkers({ processes: 1, runtime: null, machines: undefined }, [1], () => {});
  const visit = ({ host = '127.0.0.1', ...more }) =>
    worker.call('prepare', jobOf({ ...job, ...more, target: { ...server.targets.tcp, host } }));
  await visit({});
  await worker.run({ durationMs: WARM_MS, timed: true });
  return { worker, visit };
}

/** @param {Awaited<ReturnType<typeof startProcess>>} process @returns {Promise<{cpuUs: number, operations: number}>} */
async function slice({ worker }) {
  const { client, taskIterations } = await worker.run({ durationMs: SLICE_MS, timed: true });
  return { cpuUs: client.cpuUs, operations: sum(taskIterations) };
}

try {
  for (const job of CASES.filter((each) => JSON.stringify(each).includes(word))) {
    for (const [what, before] of Object.entries(BEFORE)) {
      const ratios = [];
      for (let pair = 0; pair < pairs; pair++) {
        const [own, visiting] = await Promise.all([
          startProcess(job),
          startProcess({ ...job, keyPrefix: 'rpb:tes2' }),
        ]);
        for (const more of [...before, {}]) {
          await visiting.worker.call('leave');
          await visiting.visit(more);
          // Both become as warm.
          for (const { worker } of [visiting, own])
            await worker.run({ durationMs: 4 * SLICE_MS, timed: true });
        }
        /** @type {[Awaited<ReturnType<typeof slice>>, Awaited<ReturnType<typeof slice>>][]} */
        const both = [];
        for (let index = 0; index <= slices; index++)
          both.push(
            index % 2 === 0
              ? [await slice(own), await slice(visiting)]
              : /** @type {any} */ ([await slice(visiting), await slice(own)].reverse()),
          );
        const perOp = [0, 1].map((place) => {
          const all = both.slice(1).map((two) => two[place]);
          return sum(all.map(({ cpuUs }) => cpuUs)) / sum(all.map(({ operations }) => operations));
        });
        ratios.push(perOp[1] / perOp[0]);
        await Promise.all([own.worker.kill(), visiting.worker.kill()]);
      }
      const text = ratios.map((ratio) => ratio.toFixed(3)).join(' ');
      console.log(`${JSON.stringify(job)}, ${what}: ${median(ratios).toFixed(3)} (${text})`);
    }
  }
} finally {
  server.control.close();
  await server.stop();
}
