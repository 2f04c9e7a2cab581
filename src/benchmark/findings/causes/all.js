import cpu from './cpu.js';
import encoding from './encoding.js';
import farther from './farther.js';
import fewerInFlight from './fewer-in-flight.js';
import garbage from './garbage.js';
import lockstep from './lockstep.js';
import moreCommands from './more-commands.js';
import moreRoundTrips from './more-round-trips.js';
import notCached from './not-cached.js';
import opensConnections from './opens-connections.js';
import placement from './placement.js';
import serverSleeps from './server-sleeps.js';
import smallerBatches from './smaller-batches.js';
import waiting from './waiting.js';

/** Why a cell is slower, in the order in which they are told; of several that stand alone, the first. */
export const CAUSES = /** @type {const} */ ([
  placement,
  notCached,
  farther,
  fewerInFlight,
  opensConnections,
  moreRoundTrips,
  moreCommands,
  smallerBatches,
  encoding,
  cpu,
  serverSleeps,
  garbage,
  lockstep,
  waiting,
]);
