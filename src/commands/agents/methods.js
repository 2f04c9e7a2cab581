import { createChecks, each, must, text, whole } from '../../contract/check.js';
import { messageOf, RunError } from '../../errors.js';
import { duration, naturalNumber, rate } from '../../options/values.js';
import { AFTER_RUN, measuredRules, SECOND } from '../../run/merge-runs.js';
import { SHAPES as STORED, storedShapes } from '../../store/shapes.js';
import { machineCount } from './options.js';

/** @import { Test, Type } from '../../types.js' */
/** @import { MergeRule } from '../../store/merge.js' */

/** Of what users name: configurations, commands. */
const LONGEST_TEXT = 1024 * 1024;

/**
 * A number with the bounds that an option has.
 * @param {(value: unknown) => unknown} kind of options/values.js @returns {Test<number>}
 */
const asOption = (kind) => (value) => {
  if (typeof value !== 'number') return must('be a number');
  try {
    kind(value);
    return null;
  } catch (error) {
    const [, expected] = /^expected (.*), got /.exec(messageOf(error)) ?? [];
    return must(`be ${expected}`);
  }
};

/** Words of the language of check.js for jobs and answers. */
const KINDS = {
  id: text(/^[\w.-]+$/, 300),
  /** Of a file: never a URL. */
  path: text(/^(\/|[A-Za-z]:[\\/])/, 4096),
  /** Printed unchanged: nothing that moves a terminal's cursor. */
  label: text(/^[^\p{Cc}\p{Bidi_Control}]*$/u, 5000),
  long: text(undefined, LONGEST_TEXT),
  nonce: text(/^[0-9a-f]*$/, 100),
  workersId: text(/^\d+$/, 10),
  keyPrefix: text(/^rpb:[0-9a-z]{4}$/, 8),
  histogram: text(/^[A-Za-z0-9+/=]*$/, LONGEST_TEXT),
  key: text(/^(?!__proto__$)/, 10_000),
  /** Of options, except TLS engines, which load native code, and `fd`, which is an open file. */
  optionKey: text(/^(?!(__proto__|fd|.*[eE]ngine)$)/, 300),
  cpuCount: whole(1, 100_000),
  million: whole(0, 1e6),
  duration: asOption(duration),
  iterations: asOption(naturalNumber),
  rate: asOption(rate),
  machines: asOption(machineCount),
  machineIndex: asOption((value) => machineCount(Number(value) + 1)),
  /** @type {Test} where a timer ends a run, it needs a time */
  endsIfTimed: ({ timed, durationMs }) =>
    timed === true && durationMs === undefined ? must("have 'durationMs'") : null,
};

/** @param {Record<string, Type>} fields and no others @returns {Type} */
const exactly = (fields) => ({ ...fields, '*': 'never' });

/** What a figure may be, by the rule that merges it. @type {Record<string, Type>} */
const BY_RULE = {
  ...each('sum max min weighted', 'number'),
  ...each('sumOfAll sumOfKnown scaled', 'number?'),
  first: 'long|number|flag?',
  concatenate: ['number', 1e6],
  sums: 'Figures',
  sumsOfAll: 'Figures?',
  histogram: 'histogram?',
  histograms: { '*key': 'histogram?' },
};
/** Not in every run. */
const OPTIONAL = ['openLoop', 'intendedPerSecond', 'processes'];

/** @param {Record<string, MergeRule>} rules @param {Record<string, Type>} [more] @returns {Type} */
function byRules(rules, more = {}) {
  const types = Object.entries(rules).map(([field, rule]) => [field, byRule(rule)]);
  const all = Object.entries({ ...Object.fromEntries(types), ...more });
  return exactly(
    Object.fromEntries(all.map(([field, type]) => [OPTIONAL.includes(field) ? `${field}?` : field, type])),
  );
}

/** @param {MergeRule} rule @returns {Type} */
function byRule(rule) {
  if (typeof rule === 'string') return BY_RULE[rule];
  return { '?': Array.isArray(rule) ? [byRule(rule[0]), 1e6] : byRules(rule) };
}

const { client, ...ofRun } = measuredRules('processes', 'concatenate');
const { unit, samples, frames, rest } = STORED.CellProfile;

/** @type {Record<string, Type>} */
const SHAPES = {
  Plain: 'flag|number|long|PlainList|PlainFields?',
  PlainList: ['Plain', 10_000],
  PlainFields: { '*optionKey': 'Plain' },
  Figures: { '*key': 'number' },
  Remark: { kind: 'id', '*key': 'label|number|Figures' },
  Clock: exactly({ offsetMs: 'number', errorMs: 'amount' }),
  Hello: exactly({
    'tool, node, cpuModel, machine': 'label',
    'name, lease': 'id',
    packages: { '*key': 'label' },
    cpuCount: 'cpuCount',
    openFiles: 'amount?',
    clock: 'Clock',
    aheadMs: 'number',
    worksFor: 'label?',
    nonce: 'nonce?',
  }),
  /** A server by what an agent's owner calls it. */
  Target: exactly({
    transport: "'tcp'|'unix'|'tls'",
    at: 'label',
    'database?': 'million',
    'nodes?': ['label', 5000],
  }),
  Typed: exactly({
    options: 'PlainFields',
    // The only other command that takes --agents.
    'command?': "'messages'",
    suite: exactly({ 'options?': 'PlainFields' }),
    folders: { '*key': ['path', 100] },
    servers: [exactly({ 'server?, serverConfig?': 'long?', transports: ["'tcp'|'unix'|'tls'", 3, 1] }), 1000],
    releases: {
      '*key': exactly({ 'package, version': 'label', 'path?, entry?, commit?': 'long?' }),
    },
    cells: ['long', 100_000],
    targets: ['Target', 1000],
  }),
  CellJob: exactly({
    workersId: 'workersId',
    target: 'Target',
    cell: 'long',
    part: exactly({ index: 'machineIndex', count: 'machines' }),
    keyPrefix: 'keyPrefix',
    removal: 'Removal|Expiry',
    runIds: { '?': ['label', 10_000] },
    cpus: { '?': ['million', 10_000] },
    'untriedBytes?': 'amount',
  }),
  Removal: ["'DEL'|'UNLINK'", 1, 1],
  Expiry: ["'PEXPIRE'", "'0'"],
  Prepared: exactly({
    facts: exactly({ effectiveOptions: 'Plain', remarks: ['Notice&Remark', 1000] }),
    'pid?': 'count',
  }),
  RunLength: 'LengthFields&endsIfTimed',
  LengthFields: exactly({
    timed: 'flag',
    'durationMs?': 'duration',
    'iterations?, ofRun?': 'iterations',
    'ratePerSecond?': 'rate',
    'startAtMs?': 'amount',
  }),
  Measured: byRules(ofRun, {
    elapsedMs: 'amount',
    client: byRules(/** @type {Record<string, MergeRule>} */ (client)),
    processes: ['ProcessFigures', 100_000],
  }),
  AfterRun: byRules(AFTER_RUN, { connections: 'count?', writes: { '?': ['Write', 16] } }),
  Write: exactly({ key: 'long', field: 'long?', value: 'long' }),
  Folded: exactly({ unit, samples, frames, rest }),
};

/** @typedef {[asked: Type, answer: Type, withinMs: number, news?: Type]} Method */

/** @param {Type} params @param {Type} answer @returns {Method} what the workers of a cell are asked */
const ofWorkers = (params, answer) => [exactly({ workersId: 'workersId', params }), answer, 600_000];
/** @param {Type} answer @returns {Method} to a question that needs nothing more */
const plain = (answer) => [
  exactly({ workersId: 'workersId', 'params?': { '?': exactly({}) } }),
  answer,
  600_000,
];

/**
 * All that can be asked of an agent: what is sent, what is answered, within how many milliseconds, and news before that.
 * permissions.js says what is allowed. A run has the time limit of its benchmark. @type {Record<string, Method>}
 */
const METHODS = {
  hello: [exactly({}), 'Hello', 3000],
  begin: [exactly({ tool: 'label', 'commander, lease': 'id' }), 'null', 6000],
  plan: ['Typed', ['label', 10_000], 30_000],
  prepare: ['CellJob', 'Prepared', 15_000],
  run: [
    exactly({ workersId: 'workersId', length: 'RunLength' }),
    exactly({ measured: 'Measured', clock: 'Clock', aheadMs: 'number?' }),
    Number.POSITIVE_INFINITY,
    exactly(each(Object.keys(SECOND).join(' '), 'amount')),
  ],
  ...each('stop interrupt kill', /** @type {Method} */ ([exactly({ workersId: 'workersId' }), 'null', 2000])),
  end: [exactly({}), 'null', 1500],
  ...each('make-anew before-run finish begin-profile', plain('null')),
  'after-run': plain('AfterRun'),
  'missing-keys': plain('count'),
  unanswered: plain('count'),
  'start-profile': ofWorkers(exactly({ kind: "'cpu'|'heap'" }), 'null'),
  'stop-profile': ofWorkers(
    exactly({ 'fromMs, toMs, cpuUs': 'amount', whole: 'flag' }),
    exactly({ folded: 'Folded', samplerUs: 'amount', whole: { '?': {} } }),
  ),
};

const check = createChecks(
  () => ({ ...storedShapes(), ...KINDS, ...SHAPES }),
  // Safe for a terminal.
  (place) => place.slice(0, 200).replaceAll(/[^\w/.-]/g, '?'),
);
const CHECKS = new Map(
  Object.entries(METHODS).map(([method, [asked, answer, , news = 'null']]) => [
    method,
    { asked: check(asked), answer: check(answer), news: check(news) },
  ]),
);

/** @param {unknown} caller who asks, and for whom an agent works @throws {RunError} */
export function checkCaller(caller) {
  const wrong = KINDS.id(caller);
  if (wrong !== null) throw new RunError(`the job was refused: session must ${wrong.what}`);
}

/** @param {string} method */
export const withinOf = (method) => METHODS[method]?.[2] ?? 1000;

/**
 * A job and an answer are equally untrusted: anybody who reaches the control Redis may have written them.
 * @param {'asked' | 'answer' | 'news'} kind @param {string} method @param {unknown} data
 * @throws {RunError} where the method is unknown, or the shape is wrong
 */
export function checkShape(kind, method, data) {
  const checks = CHECKS.get(method);
  if (checks === undefined && kind === 'asked')
    throw new RunError(`an agent does not know '${method.slice(0, 100)}'`);
  const wrong = checks === undefined ? 'it is not known' : checks[kind](data);
  const what = kind === 'asked' ? `'${method}'` : `the ${kind} to '${method}'`;
  if (wrong !== null) throw new RunError(`${what} was refused: ${wrong}`);
}
