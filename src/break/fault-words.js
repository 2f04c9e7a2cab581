import { duration, percent, spanText, whole } from '../core/report/figures.js';
import { rankingNotes, rankingTexts } from './fault-ranking-words.js';
import { isLateBefore } from './outcome.js';

/** @import { FaultOutcome, FaultRange } from '../benchmark/judge/types.js' */
/** @import { CellResult } from '../core/store/types.js' */
/** @import { Context, Words } from '../benchmark/report/words/findings.js' */

/** Sooner than this nobody notices. */
const AT_ONCE_MS = 20;

/** How clients survived. @satisfies {Words} */
export const FAULT_WORDS = {
  faults: { choose: rankingTexts, condition: rankingNotes },
  'came-through': {
    cause: ({ outcomes }, context) =>
      outcomes
        .filter((outcome) => isReported(outcome, outcomes, context))
        .map((each) => sentence(each, context)),
    details: ({ outcomes }, context) => outcomes.map((each) => sentence(each, context)).join(' '),
  },
};

/**
 * The table has all figures. Words are for what must not happen, and for what options of a client make of a fault.
 * @param {FaultOutcome} outcome @param {FaultOutcome[]} all @param {Context} context
 */
function isReported(outcome, all, { cell }) {
  if (!outcome.struck || isUnmoved(outcome)) return outcome.harmed;
  const own = cell(outcome.cell);
  return all.some((other) => other !== outcome && isVariant(cell(other.cell), own)) || outcome.harmed;
}

/** @param {FaultOutcome} outcome */
const isUnmoved = ({ failed, heldAgainMs, unseenRuns }) =>
  failed.high === 0 && unseenRuns === 0 && !heldAgainMs.never && Number(heldAgainMs.high) < AT_ONCE_MS;

/** @param {CellResult} one @param {CellResult} other */
const isVariant = (one, other) => one.client === other.client && one.variant !== other.variant;

/** @param {FaultOutcome} outcome @param {Context} context */
const sentence = (outcome, { name }) => `${name(outcome.cell)}: ${clausesOf(outcome).join('; ')}.`;

/** @param {FaultOutcome} outcome @returns {string[]} */
function clausesOf(outcome) {
  const { crashes, idle } = outcome;
  const happened = (/** @type {FaultRange} */ range, /** @type {string} */ text) =>
    Number(range.high) > 0 ? [`${countText(range)} ${text}`] : [];
  return [
    ...crashes.slice(0, 1).map((crash) => crashText(crash, outcome)),
    ...(idle ? idleTexts(idle) : []),
    answersText(outcome),
    ...(outcome.struck ? [heldText(outcome)] : []),
    ...happened(outcome.wrong, 'answered wrongly'),
    ...happened(outcome.doneTwice, 'done twice'),
    ...happened(outcome.doneInPart, 'done in part'),
    ...happened(outcome.lost, `acknowledged, but lost${lastLostText(outcome.lastLostMs)}`),
    ...happened(
      outcome.lostWithServer,
      isKnownByReplies(outcome)
        ? 'answered that nothing is there, by a server that had lost its data'
        : "acknowledged, then lost with the server's data",
    ),
    ...happened(outcome.doneThoughFailed, 'done, but the caller got an error or no reply'),
  ];
}

/** @param {FaultRange} [range] */
const lastLostText = (range) =>
  Number(range?.high) >= AT_ONCE_MS
    ? `, the last of them up to ${duration(Number(range?.high) * 1000)} after the fault`
    : '';

/** @param {FaultOutcome['crashes'][number]} crash the first @param {FaultOutcome} outcome */
function crashText({ kind, message, at, ms }, { crashes, runs }) {
  const when = `${duration(ms * 1000)}${runs > 1 ? ` (in ${crashes.length} of ${runs} runs)` : ''}`;
  if (kind === 'stuck') return `its event loop hung, so it was killed after ${when}`;
  if (kind === 'exit') return `its process ended after ${when}: ${message}`;
  return `an application would have crashed after ${when}, on an ${kind === 'exception' ? 'uncaught exception' : 'unhandled rejection'} (${message}${at === null ? '' : ` at ${at}`})`;
}

/** @param {NonNullable<FaultOutcome['idle']>} idle @returns {string[]} */
function idleTexts({ firstCallMs, errors, met }) {
  const kept = met.high === 0 ? ['traffic or keep-alive probes kept its connections alive'] : [];
  if (firstCallMs.high === null) return [...kept, 'the first caller after the pause never got a reply'];
  const waited = timeText(firstCallMs);
  const never = firstCallMs.never ? ', or for ever' : '';
  const first =
    errors.length > 0 ? `got an error after ${waited}${never} (${errors[0]})` : `waited ${waited}${never}`;
  return [...kept, `the first caller after the pause ${first}`];
}

/** @param {FaultOutcome} outcome */
const isKnownByReplies = ({ proves }) => proves === 'reads' || proves === 'replies';

/** @param {FaultOutcome} outcome */
function answersText(outcome) {
  const { failed, unanswered, longestWaitMs, wrong, lost, lostWithServer } = outcome;
  const longest = duration(Number(longestWaitMs.high) * 1000);
  if (Number(unanswered.high) > 0) {
    const also = Number(failed.high) > 0 ? `, and ${countText(failed)} failed` : '';
    const callers = unanswered.high === 1 ? 'caller was' : 'callers were';
    return `${countText(unanswered)} ${callers} still waiting when the run ended, after up to ${longest}${also}`;
  }
  const notFound = isKnownByReplies(outcome) && Number(lostWithServer.high) > 0;
  const isUntrue = notFound || Number(wrong.high) + Number(lost.high) > 0;
  const did = isUntrue ? 'callers got replies' : 'operations succeeded';
  if (Number(failed.high) === 0) return `all ${did}, the slowest in ${timeText(longestWaitMs)}`;
  return `${countText(failed)} failed, and no caller waited longer than ${longest}`;
}

/** @param {FaultOutcome} outcome */
function heldText(outcome) {
  const { afterThawMs, afterPromotionMs, heldAgainMs, unseenRuns, outlasted, watchedMs } = outcome;
  const event = outcome.idle === undefined ? 'fault' : 'pause';
  if (isLateBefore(outcome))
    return `only ${percent(outcome.inTimeBefore)} of operations were in time just before the ${event}`;
  const { low, high, never } = heldAgainMs;
  const soon =
    outlasted || watchedMs === 0
      ? 'before the fault was over'
      : `${duration(watchedMs * 1000)} after the ${event}`;
  const unseen = `the run ended ${soon}, too soon to see it recover`;
  const notYet = `had not recovered when the run ended, ${soon}`;
  if (low === null || high === null) return never ? `it ${notYet}` : unseen;
  const some = never ? ', in some runs never' : unseenRuns > 0 ? `; in some runs ${unseen}` : '';
  if (afterThawMs !== undefined) return `it recovered ${sinceText(afterThawMs, 'it was thawed')}${some}`;
  if (afterPromotionMs !== undefined && high >= AT_ONCE_MS)
    return `it recovered ${sinceText(afterPromotionMs, 'Sentinels named the new primary')}${some}`;
  if (low >= AT_ONCE_MS) return `it recovered after ${timeText(heldAgainMs)}${some}`;
  const again = duration(high * 1000);
  if (high >= AT_ONCE_MS) return `it sustained the rate, or recovered after up to ${again}${some}`;
  return `it sustained the rate${never ? `, or ${notYet}` : some}`;
}

/** @param {FaultRange} range @param {string} event */
const sinceText = (range, event) =>
  Number(range.high) < AT_ONCE_MS ? `as soon as ${event}` : `${timeText(range)} after ${event}`;

/** @param {FaultRange} range @returns {string} `9`, `9 to 12` */
const countText = ({ low, high }) => spanText(whole(low), whole(high));

/** @param {FaultRange} range @returns {string} `1.2 s`, `1.2 s to 1.4 s` */
const timeText = ({ low, high }) => spanText(duration(Number(low) * 1000), duration(Number(high) * 1000));
