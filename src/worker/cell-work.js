import { createBatchMeter } from './batch-meter.js';
import { createCoding } from './coding.js';
import { createCycle } from './cycle.js';
import { allOf, createItems, createOwnItems } from './items.js';
import { roleOf } from './role.js';

/** @import { Cycle, Items, OpenedWorkload, Step, WayPlugin, WorkloadPlugin } from '../plugins/types.js' */
/** @import { Job } from './types.js' */
/** @import { Parts } from './cell-parts.js' */
/** @import { Coding } from './coding.js' */

/** @param {Job} given @param {Pick<Parts, 'workload' | 'way'>} parts @param {number} [batchSize] */
export async function createWork(given, { workload, way }, batchSize) {
  const job = { ...given, keyPrefix: encodedPrefix(given) };
  const coding = await createCoding(job);
  const {
    own,
    items,
    more,
    iterations,
    cycle = createCycle(iterations),
  } = workload.open
    ? await ownWork(job, workload.open)
    : usualWork(job, workload, { way, itemOf: coding.itemOf });
  const steps = [...new Set(iterations.flat())];
  const made = { all: () => [], keys: () => steps.flatMap((step) => step.keys?.() ?? []) };
  return {
    own,
    items,
    coding,
    stored: allOf([items, ...more, made]),
    steps,
    cycle,
    meter: createBatchMeter(),
    appWork: job.appWorkUs > 0 ? (await import('./busy-work.js')).createAppWork(job.appWorkUs) : null,
    batchSize,
    /** Whether the latency of each command is recorded: not in a batch, which has one. */
    perCommand: batchSize === undefined && iterations.flat().some(({ label }) => label !== undefined),
    // Only a batch has all commands of an operation in flight at once.
    commandsAtOnce: batchSize === undefined ? 1 : Math.max(...iterations.map(({ length }) => length)),
  };
}

/** @typedef {Awaited<ReturnType<typeof createWork>>} Work */

/** @typedef {{own: OpenedWorkload | null, items: Items, more: Items[], iterations: Step[][], cycle?: Cycle}} Source */

/** @param {Job} job @param {NonNullable<WorkloadPlugin['open']>} open @returns {Promise<Source>} */
async function ownWork({ keyPrefix, part, removal, oneSlot, target, workload }, open) {
  const isCluster = target.topology === 'cluster';
  const slots = oneSlot ? 'one' : isCluster ? 'spread' : 'none';
  const own = await open(workload.parameter, { keyPrefix, slots, part, removal });
  const { items, steps, cycle } = own;
  return { own, items, more: [], iterations: cycle ? steps.map((step) => [step]) : [steps], cycle };
}

/**
 * @param {Job} job @param {WorkloadPlugin} workload @returns {Source}
 * @param {{way: WayPlugin | undefined, itemOf: Coding['itemOf']}} with_
 */
function usualWork(job, { processes, cycle }, { way, itemOf }) {
  const { parameter } = job.workload;
  const { role, part } = roleOf(job.part, processes?.(parameter) ?? 1);
  const ownItems = new Map(job.ownSizes.map((own) => [own.valueSize, createOwnItems(job, own, itemOf)]));
  const itemsOf = (/** @type {number} */ size) => /** @type {Items} */ (ownItems.get(size)).all();
  const { keys, keyPrefix } = job;
  const items = createItems({ ...job, part }, itemOf);
  const own = { keyPrefix, isFollowed: job.isFollowed, anyCommand: job.scripts !== undefined };
  const context = { role, keys, processes: part.count, itemsOf, ...own };
  const isSpread = job.target.topology === 'cluster' && !job.oneSlot;
  const iterations = cycle?.(parameter, { ...context, way, items: items.all, isSpread }) ?? [];
  return { own: null, items, more: [...ownItems.values()], iterations };
}

/** Cells of a group store the same, unless they encode it differently. @param {Job} job */
const encodedPrefix = ({ keyPrefix, encode = 'none' }) =>
  encode === 'none' ? keyPrefix : `${keyPrefix}${encode.at(-1)}`;
