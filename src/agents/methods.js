import { RunError } from '../errors.js';
import { describeTool } from '../machine/environment.js';
import { LEFTOVERS, measuredRules, SECOND } from '../results/merge-runs.js';
import { createSchema } from '../results/validate.js';
import { createChecks, each, exactly, integer } from '../schemas.js';

/** @import { MergeRule } from '../meters/types.js' */

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

const name = text(300, '^[\\w.-]+$');
/** Of a file: never a URL. */
const path = text(4096, '^(/|[A-Za-z]:[\\\\/])');
const yes = { type: 'boolean' };
const amount = { type: 'number', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const figure = { type: 'number' };
const count = integer(Number.MAX_SAFE_INTEGER);
const nothing = { type: 'null' };
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

const VERSION = describeTool().version;
const fact = {
  ...named({ anyOf: [label, figure, named(figure)] }),
  $ref: 'results#/definitions/Fact',
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
const OPTIONAL = ['openLoop', 'intendedPerSecond'];

/** @param {Record<string, MergeRule>} rules @param {Record<string, object>} [more] @param {Record<string, object>} [rare] */
function exactlyBy(rules, more = {}, rare = {}) {
  const shapes = Object.entries(rules).map(([field, rule]) => [field, shapeOf(rule)]);
  const isRare = (/** @type {any[]} */ [field]) => OPTIONAL.includes(field);
  return exactly(
    { ...more, ...Object.fromEntries(shapes.filter((shape) => !isRare(shape))) },
    { ...rare, ...Object.fromEntries(shapes.filter(isRare)) },
  );
}

/** @param {MergeRule} rule @returns {object} */
function shapeOf(rule) {
  if (typeof rule === 'string') return SHAPES[rule];
  return Array.isArray(rule) ? orNull(list(shapeOf(rule[0]), 1e6)) : orNull(exactlyBy(rule));
}

const { client, ...ofRun } = measuredRules('processes', 'concatenate');
const clock = exactly({ offsetMs: figure, errorMs: amount });
const measured = exactlyBy(
  ofRun,
  {
    elapsedMs: amount,
    client: exactlyBy(/** @type {Record<string, MergeRule>} */ (client)),
  },
  { processes: list({ $ref: 'results#/definitions/ProcessFigures' }, 100_000) },
);
const folded = Object.fromEntries(
  ['unit', 'samples', 'frames', 'rest'].map((field) => [
    field,
    { $ref: `results#/definitions/CellProfile/properties/${field}` },
  ]),
);
const hello = exactly({
  ...each('node cpuModel machine', label),
  ...each('name lease', name),
  tool: { const: VERSION },
  packages: named(label),
  cpuCount: integer(100_000, 1),
  openFiles: orNull(amount),
  clock,
  aheadMs: figure,
  worksFor: orNull(label),
  nonce: orNull(text(100, '^[0-9a-f]*$')),
});

const workersId = text(10, '^\\d+$');
const nobodys = { type: ['object', 'null'], maxProperties: 0 };
/** A server by what an agent's owner calls it. */
const target = exactly(
  { transport: { enum: ['tcp', 'unix', 'tls'] }, at: text(5000) },
  { database: integer(1e6), nodes: list(text(300), 5000) },
);

/**
 * All that can be asked of an agent: what is sent, what is answered, and within how many milliseconds. permissions.js says what
 * is allowed. A run has the time limit of its benchmark. @type {Record<string, [asked: object, answer: object, withinMs: number]>}
 */
const METHODS = {
  hello: [exactly({}), hello, 3000],
  begin: [exactly({ tool: text(50), ...each('commander lease', name) }), nothing, 6000],
  plan: [
    exactly({
      options: plain,
      suite: exactly({}, each('options full', plain)),
      folders: { type: 'object', maxProperties: 10, additionalProperties: list(path, 100) },
      servers: list(plain, 1000),
      releases: plain,
      cells: list(text(LONGEST_TEXT), 100_000),
      targets: list(target, 1000),
    }),
    list(label, 10_000),
    30_000,
  ],
  prepare: [
    exactly({
      workersId,
      target,
      cell: text(LONGEST_TEXT),
      part: exactly({ index: integer(1e6), count: integer(1e6, 1) }),
      keyPrefix: text(8, '^rpb:[0-9a-z]{4}$'),
      removal: { enum: [['DEL'], ['UNLINK'], ['PEXPIRE', '0']] },
      runIds: orNull(list(text(100), 10_000)),
      cpus: orNull(list(integer(10_000), 10_000)),
    }),
    exactly(
      { facts: exactly({ connections: count, effectiveOptions: plain, remarks: list(fact, 1000) }) },
      { pid: count },
    ),
    10_000,
  ],
  run: [
    exactly({
      workersId,
      length: exactly({ timed: yes }, each('iterations durationMs ratePerSecond ofRun startAtMs', amount)),
    }),
    exactly({ measured, clock, aheadMs: orNull(figure) }),
    Number.POSITIVE_INFINITY,
  ],
  ...each('stop interrupt kill', /** @type {any} */ ([exactly({ workersId }), nothing, 2000])),
  end: [exactly({}), nothing, 1500],
};

/** What the workers of a cell are asked. @type {Record<string, [params: object, answer: object]>} */
const OF_WORKERS = {
  ...each('before-run finish begin-profile', /** @type {any} */ ([nobodys, nothing])),
  'after-run': [nobodys, exactlyBy(LEFTOVERS)],
  'missing-keys': [nobodys, count],
  'start-profile': [
    exactly({ kind: { enum: ['cpu', 'heap'] }, intervalUs: integer(1e6, 1) }),
    exactly({ noInspector: yes }),
  ],
  'stop-profile': [
    exactly({ ...each('fromMs toMs cpuUs', amount), whole: yes }),
    exactly({ folded: exactly(folded), samplerUs: amount, whole: { type: ['object', 'null'] } }),
  ],
};
const WORKERS_ANSWER_WITHIN_MS = 600_000;
for (const [method, [params, answer]] of Object.entries(OF_WORKERS))
  METHODS[`call ${method}`] = [
    exactly({ workersId, method: { const: method } }, { params }),
    answer,
    WORKERS_ANSWER_WITHIN_MS,
  ];

const check = createChecks({
  known: () => ({ plain: PLAIN, results: createSchema() }),
  // Safe for a terminal.
  place: (place) => place.slice(0, 200).replaceAll(/[^\w/.-]/g, '?'),
});
const CHECKS = new Map(
  Object.entries(METHODS).flatMap(([method, [asked, answer]]) => [
    [`asked ${method}`, check(asked)],
    [`answer ${method}`, check(answer)],
  ]),
);
CHECKS.set('news run', check(exactly(each(Object.keys(SECOND).join(' '), amount))));
// Another version is only reported.
const OTHER_HELLO = 'answer of another version';
CHECKS.set(OTHER_HELLO, check({ ...exactly({ name, tool: label }), additionalProperties: true }));

/** With what a cell's workers are asked. @param {string} method @param {any} data @returns {string} */
const fullName = (method, data) => (data.method === undefined ? method : `${method} ${data.method}`);

/** @param {string} method @param {any} data */
export const withinOf = (method, data) => METHODS[fullName(method, data)]?.[2] ?? WORKERS_ANSWER_WITHIN_MS;

/** @param {string} method of a job @param {any} given with it @throws {RunError} where it is unknown or malformed */
export function checkJob(method, { session: _, ...data }) {
  const full = fullName(method, data);
  const wrongWith = CHECKS.get(`asked ${full}`);
  if (wrongWith === undefined) throw new RunError(`an agent does not know '${full.slice(0, 100)}'`);
  const wrong = wrongWith(data);
  if (wrong !== null) throw new RunError(`'${full}' was refused: ${wrong}`);
}

/**
 * An answer is as untrusted as a job: anybody who reaches the control Redis may have written it.
 * @param {'answer' | 'news'} kind @param {string} method @param {any} data of the job @param {unknown} answer
 * @throws {RunError} where its shape is wrong
 */
export function checkAnswer(kind, method, data, answer) {
  const full = fullName(method, data);
  const isOther = full === 'hello' && /** @type {any} */ (answer)?.tool !== VERSION;
  const wrongWith = CHECKS.get(isOther ? OTHER_HELLO : `${kind} ${full}`);
  const wrong = wrongWith === undefined ? 'it is not known' : wrongWith(answer);
  if (wrong !== null) throw new RunError(`the ${kind} to '${full}' was refused: ${wrong}`);
}
