import { RunError } from '../core/errors.js';
import { createChecks, each, exactly, integer } from '../core/schemas.js';
import { LEFTOVERS, measuredRules, SECOND } from '../core/store/merge-runs.js';
import { createSchema } from '../core/store/validate.js';

/** @import { MergeRule } from '../core/worker/meters/types.js' */

/** Of what users name: configurations, commands. */
const LONGEST_TEXT = 1024 * 1024;

/** @param {number} maxLength @param {string} [pattern] */
const text = (maxLength, pattern = '') => ({ type: 'string', maxLength, pattern });
/** @param {object} items @param {number} maxItems */
const list = (items, maxItems) => ({ type: 'array', items, maxItems });
/** @param {{type: string}} schema */
const orNull = (schema) => ({ ...schema, type: [schema.type, 'null'] });
/** @param {object} schema of each */
const named = (schema) => ({
  type: 'object',
  maxProperties: 10_000,
  propertyNames: text(10_000, '^(?!__proto__$)'),
  additionalProperties: schema,
});
/** @param {string} part of the schema of results */
const stored = (part) => ({ $ref: `results#/definitions/${part}` });

const name = text(300, '^[\\w.-]+$');
/** Of a file: never a URL. */
const path = text(4096, '^(/|[A-Za-z]:[\\\\/])');
const yes = { type: 'boolean' };
const amount = { type: 'number', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const figure = { type: 'number' };
const count = integer(Number.MAX_SAFE_INTEGER);
const nothing = { type: 'null' };
const nobodys = { type: ['object', 'null'], maxProperties: 0 };
/** Printed unchanged: nothing that moves a terminal's cursor. */
const label = text(5000, '^[^\\p{Cc}\\p{Bidi_Control}]*$');
const plain = { $ref: 'plain' };
/** Options, except TLS engines, which load native code, and `fd`, which is an open file. */
const PLAIN = {
  type: ['null', 'boolean', 'number', 'string', 'array', 'object'],
  maxLength: LONGEST_TEXT,
  items: plain,
  maxItems: 10_000,
  propertyNames: text(300, '^(?!(__proto__|fd|.*[eE]ngine)$)'),
  additionalProperties: plain,
  maxProperties: 1000,
};
const fact = {
  ...named({ anyOf: [label, figure, named(figure)] }),
  ...stored('Fact'),
  properties: { kind: name },
};

const histogram = orNull(text(LONGEST_TEXT, '^[A-Za-z0-9+/=]*$'));
/** What a figure may be, by the rule that merges it. @type {Record<string, object>} */
const SHAPES = {
  ...each('sum max min weighted', figure),
  ...each('sumOfAll sumOfKnown scaled', orNull(figure)),
  first: { type: ['string', 'number', 'boolean', 'null'], maxLength: LONGEST_TEXT },
  concatenate: list(figure, 1e6),
  sums: named(figure),
  sumsOfAll: orNull(named(figure)),
  histogram,
  histograms: named(histogram),
};
/** Not in every run. */
const OPTIONAL = ['openLoop', 'intendedPerSecond', 'processes'];

/** @param {Record<string, MergeRule>} rules @param {Record<string, object>} [more] */
function byRules(rules, more = {}) {
  const shapes = Object.entries(rules).map(([field, rule]) => [field, shapeOf(rule)]);
  const properties = { ...Object.fromEntries(shapes), ...more };
  const required = Object.keys(properties).filter((field) => !OPTIONAL.includes(field));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** @param {MergeRule} rule @returns {object} */
function shapeOf(rule) {
  if (typeof rule === 'string') return SHAPES[rule];
  return Array.isArray(rule) ? orNull(list(shapeOf(rule[0]), 1e6)) : orNull(byRules(rule));
}

const clock = exactly({ offsetMs: figure, errorMs: amount });
const { client, ...ofRun } = measuredRules('processes', 'concatenate');
const measured = byRules(ofRun, {
  elapsedMs: amount,
  client: byRules(/** @type {Record<string, MergeRule>} */ (client)),
  processes: list(stored('ProcessFigures'), 100_000),
});
const ofProfile = (/** @type {string} */ field) => ({ [field]: stored(`CellProfile/properties/${field}`) });
const folded = exactly(Object.assign({}, ...['unit', 'samples', 'frames', 'rest'].map(ofProfile)));

const hello = exactly({
  ...each('tool node cpuModel machine', label),
  ...each('name lease', name),
  packages: named(label),
  cpuCount: integer(100_000, 1),
  openFiles: orNull(amount),
  clock,
  aheadMs: figure,
  worksFor: orNull(label),
  nonce: orNull(text(100, '^[0-9a-f]*$')),
});
/** A server by what an agent's owner calls it. */
const target = exactly(
  { transport: { enum: ['tcp', 'unix', 'tls'] }, at: text(5000) },
  { database: integer(1e6), nodes: list(text(300), 5000) },
);
const typed = exactly({
  ...each('options releases', plain),
  suite: exactly({}, each('options full', plain)),
  folders: { type: 'object', maxProperties: 10, additionalProperties: list(path, 100) },
  servers: list(plain, 1000),
  cells: list(text(LONGEST_TEXT), 100_000),
  targets: list(target, 1000),
});
const workersId = text(10, '^\\d+$');
const cell = exactly({
  workersId,
  target,
  cell: text(LONGEST_TEXT),
  part: exactly({ index: integer(1e6), count: integer(1e6, 1) }),
  keyPrefix: text(8, '^rpb:[0-9a-z]{4}$'),
  removal: { enum: [['DEL'], ['UNLINK'], ['PEXPIRE', '0']] },
  runIds: orNull(list(text(100), 10_000)),
  cpus: orNull(list(integer(10_000), 10_000)),
});
const prepared = exactly(
  { facts: exactly({ connections: count, effectiveOptions: plain, remarks: list(fact, 1000) }) },
  { pid: count },
);
const length = exactly({ timed: yes }, each('iterations durationMs ratePerSecond ofRun startAtMs', amount));

/** @typedef {[asked: object, answer: object, withinMs: number, news?: object]} Method */

/** @param {object} params @param {object} answer @returns {Method} what the workers of a cell are asked */
const ofWorkers = (params, answer) => [exactly({ workersId }, { params }), answer, 600_000];

/**
 * All that can be asked of an agent: what is sent, what is answered, within how many milliseconds, and news before that.
 * permissions.js says what is allowed. A run has the time limit of its benchmark. @type {Record<string, Method>}
 */
const METHODS = {
  hello: [exactly({}), hello, 3000],
  begin: [exactly({ tool: text(50), ...each('commander lease', name) }), nothing, 6000],
  plan: [typed, list(label, 10_000), 30_000],
  prepare: [cell, prepared, 15_000],
  run: [
    exactly({ workersId, length }),
    exactly({ measured, clock, aheadMs: orNull(figure) }),
    Number.POSITIVE_INFINITY,
    exactly(each(Object.keys(SECOND).join(' '), amount)),
  ],
  ...each('stop interrupt kill', /** @type {Method} */ ([exactly({ workersId }), nothing, 2000])),
  end: [exactly({}), nothing, 1500],
  ...each('before-run finish begin-profile', ofWorkers(nobodys, nothing)),
  'after-run': ofWorkers(nobodys, byRules(LEFTOVERS)),
  'missing-keys': ofWorkers(nobodys, count),
  'start-profile': ofWorkers(
    exactly({ kind: { enum: ['cpu', 'heap'] }, intervalUs: integer(1e6, 1) }),
    exactly({ noInspector: yes }),
  ),
  'stop-profile': ofWorkers(
    exactly({ ...each('fromMs toMs cpuUs', amount), whole: yes }),
    exactly({ folded, samplerUs: amount, whole: { type: ['object', 'null'] } }),
  ),
};

const compile = createChecks({
  known: () => ({ plain: PLAIN, results: createSchema() }),
  // Safe for a terminal.
  place: (place) => place.slice(0, 200).replaceAll(/[^\w/.-]/g, '?'),
});
const CHECKS = new Map(
  Object.entries(METHODS).map(([method, [asked, answer, , news = nothing]]) => [
    method,
    { asked: compile(asked), answer: compile(answer), news: compile(news) },
  ]),
);

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
