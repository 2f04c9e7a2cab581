import { serverKey } from '../axes/client-and-server.js';
import { cpuLimit, limitedBetween } from '../machine/cpu-limit.js';
import { keepAwake, measureWakeUpCost } from '../machine/keep-awake.js';
import { createPlacer } from '../machine/placement.js';
import { MEASURING } from '../method.js';
import { createEvictionWatch, processorsFor, threadNotes } from '../server/server-watch.js';
import { once } from './cell-worker.js';
import { createHeadroom } from './headroom.js';
import { turnsOf } from './plan/capacity.js';

/** @import { CommandPlan } from '../commands/types.js' */
/** @import { Settings } from '../options/types.js' */
/** @import { Capacity, Cell, Plan } from './plan/types.js' */
/** @import { Notice, WakingFact } from '../store/types.js' */
/** @import { Server } from '../server/types.js' */
/** @import { Added } from './headroom.js' */
/** @import { IdlePrevention, Place, PlanContext } from './types.js' */

/**
 * @param {Server[]} servers
 * @param {Settings} settings
 * @param {{growth?: Map<string, Added>, commandPlan?: CommandPlan}} [known] `growth`: of commands that were tried
 */
export function placeServers(servers, settings, { growth, commandPlan } = {}) {
  const { pin, rtt } = settings;
  const relay = rtt.some((each) => each !== 0) || (commandPlan?.relays?.(settings) ?? false);
  // All get as many CPUs as the server with the most threads, to compare servers rather than CPUs.
  const threads = Math.max(...servers.map(processorsFor));
  return Promise.all(
    servers.map(async (server) => ({
      server,
      placer: await createPlacer(server, pin, { relay, threads }),
      evictions: createEvictionWatch(await server.snapshot()),
      headroom: createHeadroom(server, settings, growth),
    })),
  );
}

/**
 * Every group in turn, with all of its starts, or several together.
 * @param {Plan} plan
 * @param {PlanContext} context
 */
export async function runPlan({ groups }, { places, keys, elapsedMs, runGroup, setsOf, ...context }) {
  const { onEvent, settings, capacity, commandPlan } = context;
  const halting = new AbortController();
  const signal = AbortSignal.any([context.signal, halting.signal]);
  // An idle server has chores, which must stay off the workers' CPUs.
  for (const { placer } of places) await placer.pinServer(placer.placements[0]);
  const limitBefore = cpuLimit();
  /** @type {Notice[]} */
  const notes = [];
  const warn = once((fact) => {
    onEvent({ type: 'note', cell: null, fact });
    notes.push(fact);
  });
  for (const fact of [...keys.notes, ...keyNotes(groups)]) warn(fact);
  if (!commandPlan?.sparesServers)
    for (const fact of threadNotes(places, groups.flat(), settings)) warn(fact);
  for (const fact of turnNotes(groups, capacity)) warn(fact);
  const halt = (/** @type {string} */ reason) => halting.abort(reason);
  const byKey = new Map(places.map((place) => [place.server.key, place]));
  const placeOf = (/** @type {Cell} */ cell) => /** @type {Place} */ (byKey.get(serverKey(cell)));
  const shared = { ...context, signal, halt, placeOf, keyPrefix: keys.prefix, warn };
  const tellGroup = (/** @type {Cell} */ { group }) => {
    const index = groups.findIndex(([cell]) => cell.group === group);
    onEvent({ type: 'group', index, cells: groups[index] });
  };
  let lost = null;
  let groupsLeft = groups.length;
  for (const set of setsOf?.(groups, context) ?? groups.map((cells) => [cells])) {
    if (signal.aborted || lost) break;
    tellGroup(set[0][0]);
    const leftMs = timeOf(set.length, groupsLeft, groupsLeft === groups.length, settings, elapsedMs);
    groupsLeft -= set.length;
    const own = {
      ...shared,
      leftMs,
      tellGroup,
      ...(settings.budgetMs !== undefined && { budgetLeftMs: leftMs }),
    };
    const outcome = await runGroup(set.flat(), own);
    lost = outcome.lost;
    if (!outcome.keysRemoved) for (const cell of set.flat()) keys.doubt(placeOf(cell).server);
  }
  const left = await keys.end(signal);
  const limited = limitedBetween(limitBefore, cpuLimit()) ?? [];
  const warningFacts = [places.flatMap(({ server }) => server.warnings), notes, left, limited].flat();
  return { lost, halted: halting.signal.aborted ? halting.signal.reason : null, warningFacts };
}

/**
 * The user's time is for everything, starting and ending included, and each group has its share of what is left.
 * @param {number} groups that are measured together
 * @param {number} groupsLeft with these
 * @param {boolean} isFirst
 * @param {Pick<Settings, 'budgetMs'>} settings
 * @param {() => number} elapsedMs
 * @returns {() => number} the time left for these groups
 */
export function timeOf(groups, groupsLeft, isFirst, { budgetMs }, elapsedMs) {
  const nowMs = elapsedMs();
  const untilMs =
    budgetMs === undefined
      ? (isFirst ? 0 : nowMs) + groups * MEASURING.budgetMs - MEASURING.endingMs
      : nowMs + ((budgetMs - MEASURING.endingMs - nowMs) * groups) / groupsLeft;
  return () => untilMs - elapsedMs();
}

/** All commands use the same key. @param {Cell[][]} groups @returns {Notice[]} */
const keyNotes = (groups) => (groups.flat().some(({ keys }) => keys === 1) ? [{ kind: 'one-key' }] : []);

/** Groups whose workers do not fit at once. @param {Cell[][]} groups @param {Capacity} capacity @returns {Notice[]} */
function turnNotes(groups, capacity) {
  const [most] = groups
    .map((cells) => ({ cells: cells.length, turns: turnsOf(cells, capacity).length }))
    .sort((a, b) => b.turns - a.turns);
  if (most === undefined || most.turns <= 1) return [];
  const { bytes, processes } = capacity;
  const mostProcesses = Number.isFinite(processes) ? processes : null;
  return [{ kind: 'group-in-turns', ...most, freeBytes: bytes, mostProcesses }];
}

/**
 * Keeps the processors of server and workers awake: always, or in every other run of a start. A start has both states
 * because it costs three times as much to start and warm up a cell as to measure it once more.
 * @param {Place[]} places @param {Pick<Settings, 'cpus'>} settings @returns {Promise<IdlePrevention>}
 */
export async function createIdlePrevention(places, { cpus }) {
  /** @param {WakingFact | null} fact */
  const asItIs = (fact) => ({ fact, states: [false], keep() {}, async end() {} });
  if (cpus === 'asleep') return asItIs(null);
  const pinned = places.map(({ placer }) => placer.pinned());
  const own = pinned.flatMap((each) => ('reason' in each ? [] : each));
  const kept = pinned.find((each) => 'reason' in each) ?? (await keepAwake([...new Set(own)]));
  if ('reason' in kept) return asItIs({ kind: 'not-kept-awake', ...kept });
  kept.pause();
  const cost = await measureWakeUpCost(own, kept.pids);
  return {
    fact: cost && { kind: 'wake-up', ...cost },
    states: cpus === 'awake' ? [true] : [false, true],
    keep: (isAwake) => (isAwake ? kept.resume() : kept.pause()),
    end: kept.stop,
  };
}
