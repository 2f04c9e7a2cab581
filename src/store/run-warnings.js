import { sum } from '../descriptive-statistics.js';
import { runsScripts } from '../server/command-places.js';
import { latencyOf } from '../statistics/latency.js';
import { startSkewMs } from './merge.js';

/** @import { OpenLoopPlan } from '../run/plan/types.js' */
/** @import { Observed } from '../run/types.js' */
/** @import { Asked } from '../worker/types.js' */
/** @import { Latency, MachineFigures, OpenLoopRun, RunWarning } from './types.js' */

/**
 * @typedef {object} RunFacts @property {boolean} opensDuringRun @property {boolean} hasOneNode @property {OpenLoopPlan | null} openLoop
 * @property {boolean} isWatched by Sentinels @property {'denied' | 'unknown'} noInfo why the server's counts are null
 * @property {number} appWorkUs intended, per operation
 * @property {boolean} ownProcessor whether the worker has its CPUs to itself
 * @property {number | null} workerCpus CPUs that the workers are pinned to; null if not pinned
 * @property {boolean} caches whether the client says that it answers from a cache of its own
 */

/** If the event loop was busy for this much more of the time than it had CPU, it shared its CPU. */
const TAKEN_AWAY = 0.15;
/** A larger share of garbage collection affects the figures. */
const MUCH_GARBAGE = 0.1;
/** A smaller deviation hardly depends on which part of a recording a run covers. */
const OTHER_RATE = 0.25;
/** A skew beyond this, or beyond this share of the run, is reported. */
const SKEW = { ms: 10, share: 0.01 };
const WORK_OFF = 0.1;
/** An operation that takes longer than this, and ten times the median, was stalled. */
const STALL_MS = 1000;
const TIMES_USUAL = 10;

/**
 * What makes a run doubtful, besides what its workers remarked. @param {Pick<Observed, 'measured' | 'stalledMs'>} observed
 * @param {RunFacts} facts @param {{latency: Latency | null, rated: OpenLoopRun | null, miscounted: RunWarning[]}} figures
 * @returns {RunWarning[]}
 */
export function warningsOf({ measured, stalledMs }, facts, { latency, rated, miscounted }) {
  const { client, elapsedMs, taskIterations, machines = [] } = measured;
  const { appWorkUs, openLoop, workerCpus } = facts;
  const operations = sum(taskIterations);
  const processes = measured.processes?.length ?? 1;
  // First, because a garbage collection that waits for CPU takes longer.
  const isTaken =
    facts.ownProcessor && client.eventLoopUtilization - client.cpuUs / 1000 / elapsedMs > TAKEN_AWAY;
  const rateOff =
    rated !== null && openLoop?.arrivals === 'recorded'
      ? rated.intendedPerSecond / openLoop.ratePerSecond - 1
      : 0;
  const skewMs = machines.length < 2 ? 0 : startSkewMs(machines);
  const workOff = appWorkUs > 0 && operations > 0 ? client.appWorkUs / operations / appWorkUs - 1 : 0;
  // Latency from the schedule has other causes too, so `latencyFromSend` is used.
  const own = rated === null ? latency : rated.latencyFromSend;
  const waitedMs = own !== null && own.maxUs > TIMES_USUAL * own.p50Us ? own.maxUs / 1000 : 0;
  // While all tasks compute in one turn of the event loop, no reply can be read.
  const stallMs = Math.max(stalledMs - (taskIterations.length * appWorkUs) / 1000, waitedMs);
  return [
    ...(operations === 0 ? [] : emptyReplies(measured.asked)),
    ...foundNothing(measured.asked),
    ...miscounted,
    ...when(isTaken, { kind: 'processor-taken' }),
    ...when(!isTaken && client.garbage.gcPauseMs > MUCH_GARBAGE * elapsedMs, { kind: 'much-garbage' }),
    ...when(Math.abs(rateOff) > OTHER_RATE, { kind: 'part-of-recording' }),
    ...when(skewMs > Math.min(SKEW.ms, SKEW.share * elapsedMs), {
      kind: 'started-apart',
      ms: SKEW.ms,
      beyondShare: SKEW.share,
    }),
    ...ownTail(machines),
    ...when(Math.abs(workOff) > WORK_OFF, { kind: 'app-work-off', more: workOff > 0, beyondShare: WORK_OFF }),
    ...(workerCpus !== null
      ? when(processes > workerCpus, { kind: 'crowded', processes, cpus: workerCpus })
      : []),
    ...when(stallMs >= STALL_MS, { kind: 'stalled', ms: stallMs }),
  ];
}

/** @param {boolean} is @param {RunWarning} warning @returns {RunWarning[]} */
export const when = (is, warning) => (is ? [warning] : []);

/** @param {Asked[]} asked @returns {Asked[]} those whose replies were all empty; a script need not reply */
export const emptyIn = (asked) =>
  asked.filter(
    ({ text, finds, filled }) =>
      finds !== 'something left' && filled === 0 && !runsScripts({ [text.split(' ')[0].toLowerCase()]: 1 }),
  );

/** What only reads, and was to find something, fails then. @param {Asked[]} asked @returns {RunWarning[]} */
const emptyReplies = (asked) =>
  emptyIn(asked).flatMap(({ name, finds, preparedBy }) =>
    when(finds === 'anything', { kind: 'empty-replies', command: name, prepared: preparedBy !== null }),
  );

/** Where a larger share of a command's operations finds nothing, a run has measured just that. */
const MOSTLY_NOTHING = 0.5;

/** @param {Asked} asked */
const isToFind = ({ finds }) => finds === 'something' || finds === 'something left';

/** @param {Asked} asked */
export const isMostlyNothing = (asked) =>
  isToFind(asked) && asked.nothing > 0 && asked.nothing >= MOSTLY_NOTHING * asked.sent;

/** @param {Asked[]} asked @returns {RunWarning[]} where a run has not failed with it */
const foundNothing = (asked) =>
  asked.flatMap((each) => {
    const { name, finds, nothing: empty, sent: operations } = each;
    const isFew = isToFind(each) && empty > 0 && !isMostlyNothing(each);
    const reads = finds === 'something' && { reads: /** @type {const} */ (true) };
    return when(isFew, { kind: 'found-nothing', command: name, empty, operations, ...reads });
  });

/** A p99 this many times that of all others together is the machine's own. */
const OWN_TAIL = 1.5;
/** A p99 of fewer operations rests on too few samples. */
const FEWEST = 1000;

/** @param {MachineFigures[]} machines */
function ownTail(machines) {
  const known = machines.flatMap(({ name, latency }) => (latency === null ? [] : { name, latency }));
  if (known.length < 2 || known.some(({ latency }) => latency.count < FEWEST)) return [];
  const worst = known.reduce((one, other) => (other.latency.p99Us > one.latency.p99Us ? other : one));
  const others = latencyOf(known.filter((each) => each !== worst).map(({ latency }) => latency.hdr));
  const isOwn = others !== null && worst.latency.p99Us > OWN_TAIL * others.p99Us;
  return when(isOwn, { kind: 'own-tail', name: worst.name, times: OWN_TAIL });
}
