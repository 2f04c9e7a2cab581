import * as v from 'valibot';
import { duration } from '../../report/figures.js';
import { amount, anyNumber, count, list, overZero, positive, text } from '../../schema.js';
import { megabytes, orBlank } from '../../store/figures.js';
import { KINDS } from './axes.js';

/** @import { GenericSchema } from 'valibot' */
/** @import { FigureEntry } from '../../store/types.js' */
/** @import { FaultPlan, FaultRun } from './types.js' */

const sinceFault = orBlank((ms) => (ms < 1 ? 'at once' : duration(ms * 1000)));

/**
 * @template {keyof FaultRun} Name
 * @template {FigureEntry['schema']} Schema
 * @param {Name} name @param {Schema} schema @param {string} title @param {string} meaning
 * @returns {FigureEntry & {in: 'fault', name: Name, schema: Schema}}
 */
const timed = (name, schema, title, meaning) => ({
  in: 'fault',
  name,
  schema,
  unit: 'ms',
  text: sinceFault,
  title,
  meaning,
  tables: { fault: title },
});

/** @type {typeof timed} */
const counted = (name, schema, title, meaning) => ({
  in: 'fault',
  name,
  schema,
  unit: 'operations',
  better: 'less',
  fromRuns: 'max',
  title,
  meaning: `${meaning}, in a run with a fault`,
  tables: { fault: title },
});

/** What runs with a fault store. @satisfies {Record<string, FigureEntry>} */
export const FIGURES = {
  recoveredMs: timed(
    'recoveredMs',
    v.nullable(amount),
    'recovered',
    'time from the fault until operations completed in time (--slo) again, with no outage after it',
  ),
  promotedMs: timed(
    'promotedMs',
    v.optional(v.nullable(amount)),
    'promoted',
    'time from the fault until the first Sentinel named another primary',
  ),
  firstCallMs: timed(
    'firstCallMs',
    v.optional(v.nullable(amount)),
    'first call',
    'time that the first caller after --idle waited for a result or an error',
  ),
  longestWaitMs: timed(
    'longestWaitMs',
    amount,
    'longest wait',
    'time that a caller waited for a result or an error',
  ),
  operationsFailed: counted('failed', count, 'failed', 'operations whose callers got an error'),
  operationsUnanswered: counted(
    'unanswered',
    count,
    'left waiting',
    'callers without a reply until the end of the run',
  ),
  answeredWrongly: counted('wrong', count, 'wrong', 'operations whose replies were wrong'),
  /** Null where the data does not show it. */
  doneTwice: counted(
    'doneTwice',
    v.nullable(count),
    'twice',
    "operations that the server's data has more than once",
  ),
  acknowledgedButLost: counted(
    'lost',
    v.nullable(count),
    'lost',
    "operations that were acknowledged and are not in the server's data",
  ),
  lastLostMs: timed(
    'lastLostMs',
    v.optional(v.nullable(amount)),
    'last lost',
    'time from the fault until the last operation was acknowledged that was lost',
  ),
  doneInPart: counted(
    'doneInPart',
    v.optional(v.nullable(count)),
    'in part',
    "requests of which the server's data has a part only",
  ),
  doneThoughFailed: counted(
    'doneThoughFailed',
    v.nullable(count),
    'failed but done',
    'operations that were done although their callers got an error',
  ),
  operationsLate: counted('late', count, 'late', 'operations that were done, but later than --slo'),
  firstSuccessMs: timed(
    'firstSuccessMs',
    v.nullable(amount),
    'first done',
    'time from the fault until the first operation that began after it was done',
  ),
  lostWithServer: counted(
    'lostWithServer',
    count,
    'lost with server',
    'operations that a server acknowledged before it lost its data',
  ),
  memoryGrowthBytes: {
    in: 'fault',
    schema: amount,
    unit: 'bytes',
    text: megabytes,
    title: 'MB more',
    meaning: "by how much the client's memory grew in a run with a fault",
    tables: { fault: 'MB more' },
  },
  loopDelayMaxMs: {
    in: 'fault',
    schema: v.nullable(amount),
    unit: 'ms',
    fromRuns: 'max',
    text: sinceFault,
    title: 'loop late',
    meaning: 'time that the event loop came late in a run with a fault, at most',
    tables: { fault: 'loop late' },
  },
  struckLateMs: {
    in: 'fault',
    schema: v.nullable(anyNumber),
    unit: 'ms',
    fromRuns: 'max',
    text: sinceFault,
    title: 'struck late',
    meaning: 'time that a fault struck later than it was meant to',
  },
};

const CRASH = v.object({
  kind: v.picklist(['exception', 'rejection', 'exit', 'stuck']),
  message: v.string(),
  at: v.nullable(v.string()),
  ms: amount,
});

const TIMELINE = v.object({
  bucketMs: positive,
  due: list(count),
  inTime: list(count),
  acknowledged: list(count),
  failed: list(count),
  waiting: list(count),
});

const OUTCOME = v.object({
  scheduled: count,
  acknowledged: count,
  failed: count,
  late: count,
  unanswered: count,
  wrong: count,
  lostWithServer: count,
  recoveredMs: v.nullable(amount),
  firstSuccessMs: v.nullable(amount),
  longestWaitMs: amount,
  longestWaitAnswered: v.boolean(),
  doneTwice: v.nullable(count),
  lost: v.nullable(count),
  doneThoughFailed: v.nullable(count),
  doneThoughUnanswered: v.nullable(count),
  doneInPart: v.optional(v.nullable(count)),
  lastLostMs: v.optional(v.nullable(amount)),
  firstCallMs: v.optional(v.nullable(amount)),
  firstCallError: v.optional(v.nullable(v.string())),
  timeline: TIMELINE,
});

/** @type {GenericSchema<FaultPlan>} */
export const FAULT_PLAN = v.object({
  name: text,
  kind: v.picklist(KINDS),
  by: v.picklist(['nobody', 'relay', 'server', 'client']),
  keepsData: v.boolean(),
  byMs: v.nullable(amount),
  lastsMs: v.nullable(amount),
  atMs: amount,
  durationMs: v.optional(overZero),
});

/** What a run stores besides its figures. @satisfies {{[Name in keyof FaultRun]?: GenericSchema<FaultRun[Name]>}} */
export const FAULT_RUN = {
  struckAtMs: v.nullable(amount),
  overAtMs: v.nullable(amount),
  met: v.nullable(amount),
  firstCallError: v.optional(v.nullable(v.string())),
  scheduled: count,
  acknowledged: count,
  unsent: count,
  proves: v.picklist(['reads', 'replies', 'writes', 'repeats']),
  doneThoughUnanswered: v.nullable(count),
  longestWaitAnswered: v.boolean(),
  silenceLimitMs: v.optional(v.nullable(amount)),
  crash: v.nullable(CRASH),
  timeline: TIMELINE,
  nodes: v.optional(v.object({ broken: OUTCOME, others: OUTCOME })),
};
