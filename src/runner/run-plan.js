import { serverKey } from '../axes/server.js';
import { createPlacer } from '../machine/placement.js';
import { createKeyPrefix } from '../own-keys.js';
import { turnsOf } from '../plan/capacity.js';
import { createSampler } from '../server/sampler.js';
import { once } from './cell-log.js';
import { createIdleWorkers } from './idle-workers.js';
import { samplerNotes } from './profile-cell.js';
import { runGroup } from './run-group.js';
import { processorsFor, threadNotes } from './server-threads.js';
import { createEvictionWatch } from './server-watch.js';
import { guardKeys, sweepKeys } from './stored-keys.js';

/** @import { Settings } from '../options/types.js' */
/** @import { Capacity, Cell, Plan } from '../plan/types.js' */
/** @import { Visit } from '../plan/visits.js' */
/** @import { Notice } from '../results/types.js' */
/** @import { Server } from '../server/types.js' */
/** @import { Place, PlanContext, WatchedPlace } from './contexts.js' */
/** @import { PlanOutcome } from './types.js' */

/**
 * Decides for each server where it and its workers run.
 * @param {Server[]} servers @param {Settings} settings @returns {Promise<Place[]>}
 */
export function placeServers(servers, { pin, rtt, fault = [], profileServer }) {
  const relay = rtt.some((each) => each !== 0) || fault.some(({ by }) => by === 'relay');
  // All have as many processors as the one with the most threads, or a comparison would be one of processors.
  const threads = Math.max(...servers.map(processorsFor));
  return Promise.all(
    servers.map(async (server) => ({
      server,
      placer: await createPlacer(server, pin, { relay, threads }),
      ...(profileServer && { sampler: await createSampler(server) }),
    })),
  );
}

/**
 * Runs the groups of a plan, each cell on its server. What is measured goes to `record` at once.
 * @param {Plan} plan @param {PlanContext} context
 * @param {Iterable<Visit>} visits which group is run next, asked for when the one before it has been measured
 * @returns {Promise<PlanOutcome>} also when the server was lost
 */
export async function runPlan(plan, { places, stateFolder, ...context }, visits) {
  const { onEvent } = context;
  const servers = places.map(({ server }) => server);
  const stopping = createHalt(context.signal);
  const noteOnce = once((fact) => onEvent({ type: 'note', cell: null, fact }));
  // An idle server still has chores, which must not run on a worker's processor.
  for (const { placer } of places) await placer.pinServer(placer.placements[0]);
  const keyPrefix = createKeyPrefix();
  const keys = await guardKeys(servers, keyPrefix, stateFolder);
  const notes = [...keys.notes, ...notesOn(plan, places, context)];
  for (const fact of notes) noteOnce(fact);
  const warn = once((fact) => {
    noteOnce(fact);
    notes.push(fact);
  });
  const watched = new Map(await Promise.all(places.map(watchPlace)));
  const placeOf = (/** @type {Cell} */ cell) => /** @type {WatchedPlace} */ (watched.get(serverKey(cell)));
  const { signal } = stopping;
  const shared = { ...context, signal, halt: stopping.halt, placeOf, keyPrefix, noteOnce, warn };
  const idleWorkers = createIdleWorkers();
  let lost = null;
  for (const visit of visits) {
    if (signal.aborted || lost) break;
    if (!(await idleWorkers.begin(visit.life, shared))) servers.forEach(keys.doubt);
    onEvent({ type: 'group', index: visit.index, cells: visit.cells });
    const outcome = await runGroup(visit, {
      ...shared,
      idleWorkers: visit.life === null ? null : idleWorkers,
    });
    lost = outcome.lost;
    if (!outcome.keysRemoved) for (const cell of visit.cells) keys.doubt(placeOf(cell).server);
  }
  if (!(await idleWorkers.begin(null, shared))) servers.forEach(keys.doubt);
  await idleWorkers.endRelays();
  const left = await keys.end((server) => sweepKeys(server, keyPrefix, signal));
  const warningFacts = [...servers.flatMap((server) => server.warnings), ...notes, ...left];
  return { lost, halted: stopping.why(), warningFacts };
}

/** @param {AbortSignal} given of the user's @returns one that the runner can abort too */
function createHalt(given) {
  const halting = new AbortController();
  /** @type {string | null} */
  let halted = null;
  return {
    signal: AbortSignal.any([given, halting.signal]),
    why: () => halted,
    /** @param {string} reason */
    halt(reason) {
      halted ??= reason;
      halting.abort();
    },
  };
}

/**
 * @param {Plan} plan @param {Place[]} places @param {Pick<PlanContext, 'capacity' | 'settings'>} context
 * @returns {Notice[]} what to say before anything runs
 */
const notesOn = ({ groups }, places, { capacity, settings }) => [
  ...keyNotes(groups),
  ...backgroundNotes(
    groups,
    places.map(({ server }) => server),
  ),
  ...threadNotes(places, groups.flat(), settings),
  ...samplerNotes(places),
  ...turnNotes(groups, capacity),
];

/** @param {Cell[][]} groups @returns {Notice[]} one if all commands use the same key */
const keyNotes = (groups) => (groups.flat().some(({ keys }) => keys === 1) ? [{ kind: 'one-key' }] : []);

/**
 * @param {Cell[][]} groups @param {Server[]} servers
 * @returns {Notice[]} on scripts that will keep a server busy that has other users
 */
function backgroundNotes(groups, servers) {
  if (servers.every(({ kind }) => kind === 'managed')) return [];
  const scripts = groups
    .flat()
    .flatMap(({ beside }) => beside.filter(({ command }) => command === 'eval').map(({ name }) => name));
  return [...new Set(scripts)].map((name) => ({ kind: 'script-blocks', name }));
}

/** @param {Place} place @returns {Promise<[key: string, place: WatchedPlace]>} */
async function watchPlace(place) {
  const { server } = place;
  return [server.key, { ...place, evictions: createEvictionWatch(await server.snapshot()) }];
}

/**
 * @param {Cell[][]} groups @param {Capacity} capacity
 * @returns {Notice[]} one where this machine cannot hold all workers of a group at once
 */
function turnNotes(groups, capacity) {
  const most = groups
    .map((cells) => ({ cells: cells.length, turns: turnsOf(cells, capacity).length }))
    .reduce((one, other) => (other.turns > one.turns ? other : one), { cells: 0, turns: 0 });
  if (most.turns <= 1) return [];
  const { bytes, processes } = capacity;
  const mostProcesses = Number.isFinite(processes) ? processes : null;
  return [{ kind: 'group-in-turns', ...most, freeBytes: bytes, mostProcesses }];
}
