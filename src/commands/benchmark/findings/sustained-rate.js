import { nameCells } from '../../../axes/cell-names.js';
import { duration, percent, rateText, whole } from '../../../report/figures.js';
import { isOfEnough, metricNamed } from '../../../store/metrics.js';
import { ladders } from '../judge/compare-group.js';
import { about } from '../judge/no-verdict.js';
import { roundTripUsOf } from '../judge/pair-costs.js';

/** @import { RatedCell } from '../judge/compare-group.js' */
/** @import { FindingFile } from './definitions.js' */
/** @import { Bottleneck } from './types.js' */

/**
 * The highest sustained rate of each choice, below the first that was not, and what was the bottleneck at that one.
 * @satisfies {FindingFile<'sustained-rate'>}
 */
export default {
  id: 'sustained-rate',
  place: 'first',

  find: ({ cells }) =>
    ladders(cells).map(({ steps, held, broken }) => ({
      ...about(steps),
      held: held ? figuresOf(held) : null,
      broken: broken ? { ...figuresOf(broken), ...bottleneckOf(broken) } : null,
    })),

  say({ cells, held, broken }, { measured, cell }) {
    const name = `"${nameCells(measured, ['step', 'rate']).get(cells[0])}"`;
    // Without a latency that was asked for, it only kept up.
    const [does, doesNot] =
      cell(cells[0]).openLoop?.sloMs == null
        ? ['keeps up with', 'does not keep up with']
        : ['sustains', 'does not sustain'];
    const best = held && `${name} ${does} ${rateText(held.intendedPerSecond)} (p99 ${p99Text(held.p99Us)})`;
    if (broken === null) return cells.length > 1 ? `${best}, the highest rate tried.` : [];
    const rate = rateText(broken.intendedPerSecond);
    return best === null
      ? `${name} ${doesNot} ${rate}: ${whyText(broken)}.`
      : `${best}, but not ${rate}: ${whyText(broken)}.`;
  },
};

/** @param {number | null} us */
const p99Text = (us) => (us === null ? 'not known' : duration(us));

/** Objects that wait for a reply outlive the young generation, which makes garbage collection expensive. */
const MUCH_GARBAGE = 0.2;

/** @param {Bottleneck} found */
function whyText(found) {
  const { clientBusyShare, serverBusyShare, garbageShare } = found;
  const [client, server] = [percent(clientBusyShare), percent(serverBusyShare)];
  switch (found.what) {
    case 'client':
      return `the client is ${client} busy`;
    case 'application':
      return `the application's own work takes ${percent(found.appBusyShare)} of the time`;
    case 'server':
      return `the server's main thread is ${server} busy`;
    case 'processor':
      return `starved of CPU ${percent(found.waitedShare)} of the time, so the bottleneck is unknown`;
    case 'distance':
      return `one round trip takes ${duration(Number(found.roundTripUs))}, longer than --slo`;
    case 'bound':
      return garbageShare < MUCH_GARBAGE
        ? `it hit --max-in-flight ${whole(found.maxInFlight)} (client ${client} busy, server ${server})`
        : `it hit --max-in-flight ${whole(found.maxInFlight)}, with ${percent(garbageShare)} of the time in garbage collection; try a lower one`;
    default:
      if (found.serverThreads !== undefined)
        return `unknown (client ${client} busy, all threads of the server ${found.serverThreads.toFixed(1)} CPUs)`;
      return `neither client (${client} busy) nor server (${server}) is saturated`;
  }
}

/** @param {RatedCell} cell */
function figuresOf({ summary }) {
  const { openLoop } = summary;
  const { held, intendedPerSecond } = openLoop;
  const p99Us = isOfEnough(metricNamed('medianRunP99Us'), summary) ? openLoop.p99Us : null;
  return { intendedPerSecond, held, p99Us };
}

/** @type {Bottleneck['what'][]} */
const LIMITS = ['client', 'application', 'server', 'processor'];

/** @type {(cell: RatedCell) => Bottleneck} */
function bottleneckOf(cell) {
  const { openLoop: load, summary } = cell;
  const { bottleneck, client, openLoop, averageMs, waits } = summary;
  const { limit, clientBusy, appBusy, serverBusy, serverThreads } = bottleneck;
  const roundTripUs = roundTripUsOf(cell);
  const isTooFar = load?.sloMs != null && roundTripUs > load.sloMs * 1000;
  const atBound = openLoop.waited + openLoop.dropped > 0;
  const saturated = LIMITS.find((each) => each === limit) ?? (atBound ? 'bound' : 'neither');
  return {
    what: isTooFar ? 'distance' : saturated,
    ...(isTooFar && { roundTripUs }),
    clientBusyShare: clientBusy,
    appBusyShare: appBusy,
    serverBusyShare: serverBusy,
    ...(serverThreads !== undefined && { serverThreads }),
    waitedShare: waits?.waitedShare ?? null,
    garbageShare: client.gcPauseMs / averageMs,
    maxInFlight: load?.maxInFlight ?? null,
  };
}
