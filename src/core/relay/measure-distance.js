import { messageOf } from '../errors.js';
import { startWorker } from '../worker/workers.js';
import { startDistantServer } from './distant-server.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { MeasuredDistance } from '../store/types.js' */
/** @import { Server, Target } from '../server/types.js' */
/** @import { DistantServer } from './distant-server.js' */
/** @import { GroupContext, Place, RunContext } from '../run/types.js' */

/** Enough for a p99 at low latency; over a network, the time limit ends it. */
const PINGS = { count: 200, mostMs: 500 };
const WITHOUT_DELAY = { rttMs: 0, jitterPercent: 0 };

/**
 * @param {Cell[]} cells of a group @param {GroupContext} context @returns {Promise<Map<Server, DistantServer>>}
 */
export async function openDistances(cells, context) {
  const { placeOf } = context;
  const relays = new Map();
  for (const server of new Set(cells.map((cell) => placeOf(cell).server))) {
    const own = cells.filter((cell) => placeOf(cell).server === server);
    const [{ distance }] = own;
    if (distance === undefined) continue;
    const placed = { ...context, ...placeOf(own[0]) };
    const distant = startDistantServer(distance, own, placed);
    relays.set(server, distant);
    await recordDistance(own, distant, placed);
  }
  return relays;
}

/** @param {Cell[]} cells of one server @param {DistantServer} distant @param {GroupContext & Place} context */
async function recordDistance(cells, distant, context) {
  const { server, record, onEvent } = context;
  const { name } = server.facts;
  try {
    const measured = await measureDistance(cells, distant, context);
    for (const group of new Set(cells.map((cell) => cell.group))) {
      const own = cells.flatMap((cell) => (cell.group === group ? cell.id : []));
      const ofServer = name === undefined ? {} : { server: name, cells: own };
      record({ type: 'distance', ...measured, group, ...ofServer });
    }
  } catch (error) {
    // The cells will meet the same error and fail with it.
    onEvent({ type: 'note', cell: null, fact: { kind: 'distance-unmeasured', why: messageOf(error) } });
  }
}

/**
 * Times a PING from where the workers run: directly, through a relay without delay, and at these cells' distance.
 * @param {Cell[]} cells of one server @param {DistantServer} distant
 * @param {Place & Pick<RunContext, 'settings'>} context @returns {Promise<MeasuredDistance>}
 */
async function measureDistance(cells, distant, context) {
  const { server, placer } = context;
  const [{ transport, pin, group, distance }] = cells;
  const placement = placer.placementFor(pin);
  await placer.pinServer(placement);
  const undelayed = startDistantServer(WITHOUT_DELAY, cells.slice(0, 1), context);
  const worker = startWorker(placement.workerCpus);
  /** @param {Target | undefined} target @returns {Promise<MeasuredDistance['direct']>} */
  const ping = (target) => worker.call('round-trips', { target, ...PINGS });
  try {
    const direct = await ping(server.targets[transport]);
    const through = await distant.targetOf(transport);
    const uncorrected = await ping(through);
    const rttMs = distance?.rttMs ?? 0;
    // Without delay, there is nothing to shorten.
    const lateUs = rttMs === 0 ? 0 : uncorrected.p50Us - direct.p50Us - rttMs * 1000;
    if (lateUs > 0) await distant.correct(lateUs);
    return {
      group,
      direct,
      undelayed: await ping(await undelayed.targetOf(transport)),
      distant: lateUs > 0 ? await ping(through) : uncorrected,
    };
  } finally {
    await Promise.all([undelayed.end(), worker.kill()]);
  }
}
