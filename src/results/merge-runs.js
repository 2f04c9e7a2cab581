import { max, min, sum } from 'simple-statistics';
import { addAnswers } from '../analysis/findings/add-answers.js';
import { latencyOf } from '../analysis/statistics/latency.js';
import { processFigures } from './cost-record.js';

/**
 * @import { Batches } from '../plugins/types.js'
 * @import { Observed } from '../runner/types.js'
 * @import { CompanyCounts, Leftovers, LoopProbe, OpenLoopCounts, OwnCounts, StaleReads } from '../worker/types.js'
 */

/** @typedef {Observed['measured']} Measured */

/**
 * Merges what several processes measured in one run. Counters and histograms are added up; the time
 * goes from the first start to the last end, by the clock that they share.
 *
 * @param {Measured[]} all
 * @returns {Measured}
 */
export function mergeRuns(all) {
  const startedAtMs = min(all.map((each) => each.startedAtMs));
  const clients = all.map(({ client }) => client);
  return {
    startedAtMs,
    elapsedMs: max(all.map((each) => each.startedAtMs + each.elapsedMs)) - startedAtMs,
    taskElapsedMs: all.flatMap(({ taskElapsedMs }) => taskElapsedMs),
    taskIterations: all.flatMap(({ taskIterations }) => taskIterations),
    ...addCounts(all),
    openLoop: mergeOpenLoops(all.flatMap(({ openLoop = null }) => openLoop ?? [])),
    processes: all.map(processFigures),
    client: {
      cpuUs: sum(clients.map(({ cpuUs }) => cpuUs)),
      systemUs: sum(clients.map(({ systemUs }) => systemUs)),
      counts: mergeOwnCounts(clients.map(({ counts }) => counts)),
      appWorkUs: sum(clients.map(({ appWorkUs }) => appWorkUs)),
      loop: mergeLoops(clients.map(({ loop }) => loop)),
      // The busiest process is the first to reach its limit.
      eventLoopUtilization: max(clients.map(({ eventLoopUtilization }) => eventLoopUtilization)),
      gcCount: sum(clients.map(({ gcCount }) => gcCount)),
      gcPauseMs: max(clients.map(({ gcPauseMs }) => gcPauseMs)),
      allocatedBytes: clients.some(({ allocatedBytes }) => allocatedBytes === null)
        ? null
        : sum(clients.map(({ allocatedBytes }) => Number(allocatedBytes))),
      peakRssBytes: sum(clients.map(({ peakRssBytes }) => peakRssBytes)),
      pageFaults: sum(clients.map(({ pageFaults }) => pageFaults)),
    },
  };
}

/** @param {Measured[]} all what is added up no matter whether they ran at once or one after the other */
export const addCounts = (all) => ({
  ...addLeftovers(all),
  errors: addUp(all.map(({ errors }) => errors)),
  calls: addUp(all.map(({ calls }) => calls)),
  answers: addAnswers(all.map(({ answers }) => answers)),
  staleReads: mergeStale(all.flatMap(({ staleReads }) => staleReads ?? [])),
  connectionsOpened: sum(all.map(({ connectionsOpened }) => connectionsOpened)),
  answeredByCaches: addKnown(all.map(({ answeredByCaches }) => answeredByCaches)),
  latencyHdr: mergeHistograms(all.map(({ latencyHdr }) => latencyHdr)),
  commandHdrs: mergeEach(all.map(({ commandHdrs }) => commandHdrs)),
  company: mergeCompany(all.flatMap(({ company }) => company)),
  batches: mergeBatches(all.flatMap(({ batches }) => batches ?? [])),
});

/**
 * @param {Leftovers[]} all
 * @returns {Leftovers}
 */
export const addLeftovers = (all) => ({
  wrongReplies: sum(all.map(({ wrongReplies }) => wrongReplies)),
  firstWrongReply: all.find(({ firstWrongReply }) => firstWrongReply !== null)?.firstWrongReply ?? null,
});

/** @param {(number | null)[]} counts @returns {number | null} null where none is known */
const addKnown = (counts) =>
  counts.reduce((total, count) => (count === null ? total : (total ?? 0) + count), null);

/** @param {StaleReads[]} all @returns {StaleReads | null} */
const mergeStale = (all) =>
  all.length === 0
    ? null
    : {
        reads: sum(all.map(({ reads }) => reads)),
        stale: sum(all.map(({ stale }) => stale)),
        behind: max(all.map(({ behind }) => behind)),
      };

/** @param {(string | null)[]} encoded */
const mergeHistograms = (encoded) => latencyOf(encoded.filter((each) => each !== null))?.hdr ?? null;

/** @param {Record<string, string>[]} all @returns {Record<string, string>} each name's histograms, added up */
function mergeEach(all) {
  const names = [...new Set(all.flatMap((each) => Object.keys(each)))];
  return Object.fromEntries(
    names.flatMap((name) => {
      const hdr = mergeHistograms(all.map((each) => each[name] ?? null));
      return hdr === null ? [] : [[name, hdr]];
    }),
  );
}

/**
 * @param {Record<string, number>[]} all
 * @returns {Record<string, number>} the sum of each
 */
export function addUp(all) {
  /** @type {Record<string, number>} */
  const sums = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

/** @param {CompanyCounts[]} all @returns {CompanyCounts[]} one for each name */
function mergeCompany(all) {
  return [...new Set(all.map(({ name }) => name))].map((name) => {
    const own = all.filter((each) => each.name === name);
    return {
      ...own[0],
      ...addLeftovers(own),
      count: sum(own.map(({ count }) => count)),
      elapsedMs: max(own.map(({ elapsedMs }) => elapsedMs)),
      hdr: mergeHistograms(own.map(({ hdr }) => hdr)),
    };
  });
}

/** @param {LoopProbe[]} all @returns {LoopProbe} */
export const mergeLoops = (all) => ({
  watchedMs: sum(all.map(({ watchedMs }) => watchedMs)),
  busyUs: addUp(all.map(({ busyUs }) => busyUs)),
});

/** @param {(OwnCounts | null)[]} all @returns {OwnCounts | null} null where one of them is not known */
export function mergeOwnCounts(all) {
  const known = all.filter((counts) => counts !== null);
  if (known.length < all.length) return null;
  return /** @type {any} */ (addUp(known.map((counts) => ({ ...counts }))));
}

/** @param {Batches[]} all */
const mergeBatches = (all) =>
  all.length === 0
    ? null
    : {
        .../** @type {any} */ (addUp(all.map((each) => ({ ...each })))),
        largest: max(all.map(({ largest }) => largest)),
        longestHeldMs: max(all.map(({ longestHeldMs }) => longestHeldMs)),
      };

/**
 * @param {OpenLoopCounts[]} all
 * @returns {OpenLoopCounts | null}
 */
function mergeOpenLoops(all) {
  if (all.length === 0) return null;
  const counts = all.map(({ lateMs, latenessHdr, fromSendHdr, ...each }) => each);
  return {
    .../** @type {any} */ (addUp(counts)),
    sentUntilMs: max(all.map(({ sentUntilMs }) => sentUntilMs)),
    lateMs: /** @type {OpenLoopCounts['lateMs']} */ (addUp(all.map(({ lateMs }) => lateMs))),
    latenessHdr: mergeHistograms(all.map(({ latenessHdr }) => latenessHdr)),
    fromSendHdr: mergeHistograms(all.map(({ fromSendHdr }) => fromSendHdr)),
  };
}
