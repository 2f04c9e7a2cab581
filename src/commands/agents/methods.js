import * as v from 'valibot';
import { RunError, tryOr } from '../../errors.js';
import { duration, naturalNumber, rate } from '../../options/values.js';
import { AFTER_RUN, EMITTED, measuredRules, SECOND } from '../../run/merge-runs.js';
import {
  amount,
  anyNumber,
  count,
  kind,
  list,
  noList,
  number,
  recordOf,
  textOf,
  whole,
  wrongIn,
} from '../../schema.js';
import { CELL_PROFILE, FACT, PROCESS_FIGURES } from '../../store/shapes.js';
import { machineCount } from './options.js';

/** @import { GenericSchema, ObjectEntries } from 'valibot' */
/** @import { MergeRule } from '../../store/merge.js' */

/** Of what users name: configurations, commands. */
const LONGEST_TEXT = 1024 * 1024;

/**
 * A number with the bounds that an option has.
 * @param {string} expected
 * @param {(value: number) => unknown} read of options/values.js, which throws
 * @returns {GenericSchema<number>}
 */
const asOption = (expected, read) =>
  kind(expected, (value) => typeof value === 'number' && tryOr(() => [read(value)], null) !== null);

/** @template {ObjectEntries} E @param {E} entries and no others */
const exactly = (entries) => v.pipe(noList, v.strictObject(entries));

const ID = textOf('an id', /^[\w.-]+$/, 300);
/** Of a file: never a URL. */
const PATH = textOf('a path of a file', /^(\/|[A-Za-z]:[\\/])/, 4096);
/** Printed unchanged: nothing that moves a terminal's cursor. */
const LABEL = textOf(
  'at most 5000 characters without control characters',
  /^[^\p{Cc}\p{Bidi_Control}]*$/u,
  5000,
);
const LONG = textOf(`a text of at most ${LONGEST_TEXT} characters`, /^/, LONGEST_TEXT);
const NONCE = textOf('a nonce', /^[0-9a-f]*$/, 100);
const WORKERS_ID = textOf('a number of workers', /^\d+$/, 10);
const KEY_PREFIX = textOf('a prefix of keys', /^rpb:[0-9a-z]{4}$/, 8);
const HISTOGRAM = textOf('a histogram', /^[A-Za-z0-9+/=]*$/, LONGEST_TEXT);
const KEY = textOf('no such name', /^(?!__proto__$)/, 10_000);
/** Of options, except TLS engines, which load native code, and `fd`, which is an open file. */
const OPTION_KEY = textOf('no such name', /^(?!(__proto__|fd|.*[eE]ngine)$)/, 300);
const MILLION = whole(0, 1e6);
const ITERATIONS = asOption('a number of iterations', naturalNumber);
const NOTHING = exactly({});

/** @type {GenericSchema<unknown>} */
const PLAIN = v.nullable(
  v.union([v.boolean(), anyNumber, LONG, v.lazy(() => list(PLAIN, 10_000)), v.lazy(() => PLAIN_FIELDS)]),
);
const PLAIN_FIELDS = recordOf(PLAIN, OPTION_KEY);
const FIGURES = recordOf(anyNumber, KEY);
/** A fact that is said of workers: nothing but texts, numbers and figures. */
const REMARK = v.intersect([
  FACT,
  v.object({ kind: ID }),
  recordOf(v.union([LABEL, anyNumber, FIGURES]), KEY),
]);
const CLOCK = exactly({ offsetMs: anyNumber, errorMs: amount });
const TRANSPORT = v.picklist(['tcp', 'unix', 'tls']);
const HELLO = exactly({
  tool: LABEL,
  node: LABEL,
  cpuModel: LABEL,
  machine: LABEL,
  name: ID,
  lease: ID,
  packages: recordOf(LABEL, KEY),
  cpuCount: whole(1, 100_000),
  openFiles: v.nullable(amount),
  clock: CLOCK,
  aheadMs: anyNumber,
  worksFor: v.nullable(LABEL),
  nonce: v.nullable(NONCE),
});
/** A server by what an agent's owner calls it. */
const TARGET = exactly({
  transport: TRANSPORT,
  at: LABEL,
  database: v.optional(MILLION),
  nodes: v.optional(list(LABEL, 5000)),
});
const TYPED = exactly({
  options: PLAIN_FIELDS,
  // The only other command that takes --agents.
  command: v.optional(v.literal('messages')),
  suite: exactly({ options: v.optional(PLAIN_FIELDS) }),
  folders: recordOf(list(PATH, 100), KEY),
  servers: list(
    exactly({
      server: v.optional(v.nullable(LONG)),
      serverConfig: v.optional(v.nullable(LONG)),
      transports: list(TRANSPORT, 3, 1),
    }),
    1000,
  ),
  releases: recordOf(
    exactly({
      package: LABEL,
      version: LABEL,
      path: v.optional(v.nullable(LONG)),
      entry: v.optional(v.nullable(LONG)),
      commit: v.optional(v.nullable(LONG)),
    }),
    KEY,
  ),
  cells: list(LONG, 100_000),
  targets: list(TARGET, 1000),
});
const CELL_JOB = exactly({
  workersId: WORKERS_ID,
  target: TARGET,
  cell: LONG,
  part: exactly({
    index: asOption('the number of a machine', (index) => machineCount(index + 1)),
    count: asOption('a number of machines', machineCount),
  }),
  keyPrefix: KEY_PREFIX,
  removal: v.union([
    list(v.picklist(['DEL', 'UNLINK']), 1, 1),
    v.strictTuple([v.literal('PEXPIRE'), v.literal('0')]),
  ]),
  runIds: v.nullable(list(LABEL, 10_000)),
  cpus: v.nullable(list(MILLION, 10_000)),
  untriedBytes: v.optional(amount),
});
const PREPARED = exactly({
  facts: exactly({ effectiveOptions: PLAIN, remarks: list(REMARK, 1000) }),
  pid: v.optional(count),
});
const RUN_LENGTH = v.pipe(
  exactly({
    timed: v.boolean(),
    durationMs: v.optional(asOption('a time of up to 24 hours', duration)),
    iterations: v.optional(ITERATIONS),
    ofRun: v.optional(ITERATIONS),
    ratePerSecond: v.optional(asOption('a rate', rate)),
    startAtMs: v.optional(amount),
  }),
  v.check(
    ({ timed, durationMs }) => !timed || durationMs !== undefined,
    'expected durationMs, as a timer ends the run',
  ),
);

/** What a figure may be, by the rule that merges it. @type {Record<string, GenericSchema>} */
const BY_RULE = {
  sum: anyNumber,
  max: anyNumber,
  min: anyNumber,
  weighted: anyNumber,
  sumOfAll: v.nullable(anyNumber),
  sumOfKnown: v.nullable(anyNumber),
  scaled: v.nullable(anyNumber),
  first: v.nullable(v.union([LONG, anyNumber, v.boolean()])),
  concatenate: list(anyNumber),
  sums: FIGURES,
  sumsOfAll: v.nullable(FIGURES),
  histogram: v.nullable(HISTOGRAM),
  histograms: recordOf(v.nullable(HISTOGRAM), KEY),
};
/** Not in every run. */
const OPTIONAL = ['openLoop', 'intendedPerSecond', 'processes'];

/** @param {Record<string, MergeRule>} rules @param {ObjectEntries} [more] @returns {GenericSchema} */
function byRules(rules, more = {}) {
  const ruled = Object.entries(rules).map(([field, rule]) => [field, byRule(rule)]);
  /** @type {[string, GenericSchema][]} */
  const all = Object.entries({ ...Object.fromEntries(ruled), ...more });
  return exactly(
    Object.fromEntries(
      all.map(([field, schema]) => [field, OPTIONAL.includes(field) ? v.optional(schema) : schema]),
    ),
  );
}

/** @param {MergeRule} rule @returns {GenericSchema} */
function byRule(rule) {
  if (typeof rule === 'string') return BY_RULE[rule];
  return v.nullable(Array.isArray(rule) ? list(byRule(rule[0])) : byRules(rule));
}

const { client, ...ofRun } = measuredRules('processes', 'concatenate');
const MEASURED = byRules(ofRun, {
  elapsedMs: amount,
  client: byRules(client),
  processes: list(PROCESS_FIGURES, 100_000),
});
const WRITE = exactly({ key: LONG, field: v.nullable(LONG), value: LONG });
const { unit, samples, frames, rest } = CELL_PROFILE.entries;

/**
 * @typedef {object} Method
 * @property {GenericSchema} asked
 * @property {GenericSchema} answer
 * @property {number} withinMs
 * @property {GenericSchema} [news] before the answer; none if missing
 */

/** @param {GenericSchema} answer @param {ObjectEntries} [more] @returns {Method} what the workers of a cell are asked */
const ofWorkers = (answer, more = { params: v.optional(v.nullable(NOTHING)) }) => ({
  asked: exactly({ workersId: WORKERS_ID, ...more }),
  answer,
  withinMs: 600_000,
});
/** @type {Method} */
const ENDING = { ...ofWorkers(v.null(), {}), withinMs: 2000 };

/**
 * All that can be asked of an agent: permissions.js says what is allowed. A run has the time limit of its benchmark.
 * @type {Map<string, Method>}
 */
const METHODS = new Map(
  Object.entries({
    hello: { asked: NOTHING, answer: HELLO, withinMs: 3000 },
    begin: {
      asked: exactly({ tool: LABEL, commander: ID, lease: ID }),
      answer: v.null(),
      withinMs: 6000,
    },
    plan: { asked: TYPED, answer: list(LABEL, 10_000), withinMs: 30_000 },
    prepare: { asked: CELL_JOB, answer: PREPARED, withinMs: 15_000 },
    run: {
      asked: exactly({ workersId: WORKERS_ID, length: RUN_LENGTH }),
      answer: exactly({ measured: MEASURED, clock: CLOCK, aheadMs: v.nullable(anyNumber) }),
      withinMs: Number.POSITIVE_INFINITY,
      news: exactly(Object.fromEntries(Object.keys(SECOND).map((figure) => [figure, amount]))),
    },
    stop: ENDING,
    interrupt: ENDING,
    kill: ENDING,
    end: { asked: NOTHING, answer: v.null(), withinMs: 1500 },
    'make-anew': ofWorkers(v.null()),
    'before-run': ofWorkers(v.null()),
    finish: ofWorkers(v.null()),
    'begin-profile': ofWorkers(v.null()),
    'after-run': ofWorkers(
      byRules(AFTER_RUN, {
        connections: v.nullable(count),
        writes: v.nullable(list(WRITE, 16)),
      }),
    ),
    'missing-keys': ofWorkers(count),
    unanswered: ofWorkers(count),
    emitted: ofWorkers(v.nullable(byRules(EMITTED))),
    'start-profile': ofWorkers(v.null(), { params: exactly({ kind: v.picklist(['cpu', 'heap']) }) }),
    'stop-profile': ofWorkers(
      exactly({
        folded: exactly({ unit, samples, frames, rest }),
        samplerUs: amount,
        whole: v.nullable(v.pipe(noList, v.object({}))),
      }),
      { params: exactly({ fromMs: amount, toMs: amount, cpuUs: amount, whole: v.boolean() }) },
    ),
  }),
);

/** @param {unknown} caller who asks, and for whom an agent works @throws {RunError} */
export function checkCaller(caller) {
  const wrong = wrongIn(ID, caller);
  if (wrong !== null) throw new RunError(`the job was refused: session: ${wrong}`);
}

/** @param {string} method */
export const withinOf = (method) => METHODS.get(method)?.withinMs ?? 1000;

/**
 * A job and an answer are equally untrusted: anybody who reaches the control Redis may have written them.
 * @param {'asked' | 'answer' | 'news'} part @param {string} method @param {unknown} data
 * @throws {RunError} where the method is unknown, or the shape is wrong
 */
export function checkShape(part, method, data) {
  const known = METHODS.get(method);
  if (known === undefined && part === 'asked')
    throw new RunError(`an agent does not know '${method.slice(0, 100)}'`);
  const wrong = known === undefined ? 'it is not known' : wrongIn(known[part] ?? v.null(), data);
  const what = part === 'asked' ? `'${method}'` : `the ${part} to '${method}'`;
  if (wrong !== null) throw new RunError(`${what} was refused: ${printable(wrong)}`);
}

/** Names come from outside, and the text goes to a terminal. @param {string} text */
const printable = (text) => text.slice(0, 400).replaceAll(/[^ -~]/g, '?');
