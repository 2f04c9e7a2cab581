import { RunError } from '../errors.js';
import { describeTool } from '../machine/environment.js';
import { LEFTOVERS, measuredRules, SECOND } from '../results/merge-runs.js';
import { each, exactly, integer } from '../schemas.js';
import { amount, checksOf, LONGEST_TEXT, list, name, orNull, plain, text, yes } from './shapes.js';

/** @import { MergeRule } from '../meters/types.js' */

/** Printed unchanged: nothing that moves a terminal's cursor. */
const label = text(5000, '^[^\\p{Cc}\\p{Bidi_Control}]*$');
const figure = { type: 'number' };
const count = integer(Number.MAX_SAFE_INTEGER);
const histogram = orNull(text(LONGEST_TEXT, '^[A-Za-z0-9+/=]*$'));
/** @param {object} schema of each */
const named = (schema) => ({
  type: 'object',
  maxProperties: 10_000,
  propertyNames: text(10_000, '^(?!__proto__$)'),
  additionalProperties: schema,
});
const fact = {
  ...named({ anyOf: [label, figure, named(figure)] }),
  $ref: 'results#/definitions/Fact',
  properties: { kind: name },
};
const VERSION = describeTool().version;
const OTHER_HELLO = 'hello of another version';
const nothing = { type: 'null' };

/** By merge rule. @type {Record<string, object>} */
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
  const fields = { ...more };
  const optional = { ...rare };
  for (const [field, rule] of Object.entries(rules)) {
    const into = OPTIONAL.includes(field) ? optional : fields;
    into[field] = shapeOf(rule);
  }
  return exactly(fields, optional);
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

/** Answers to each job; `news of` is what comes before the answer. @type {Record<string, object>} */
const ANSWERS = {
  hello: exactly({
    ...each('node cpuModel machine', label),
    name,
    tool: { const: VERSION },
    packages: named(label),
    cpuCount: integer(100_000, 1),
    openFiles: orNull(amount),
    clock,
    aheadMs: figure,
    worksFor: orNull(label),
    nonce: orNull(text(100, '^[0-9a-f]*$')),
  }),
  // Another version is only reported.
  [OTHER_HELLO]: { ...exactly({ name, tool: label }), additionalProperties: true },
  ...each('session end', nothing),
  'news of session': { const: 'open' },
  check: list(label, 10_000),
  prepare: exactly(
    { facts: exactly({ connections: count, effectiveOptions: plain, remarks: list(fact, 1000) }) },
    { pid: count },
  ),
  run: exactly({ measured, clock, aheadMs: orNull(figure) }),
  'news of run': exactly(each(Object.keys(SECOND).join(' '), amount)),
  ...each('stop interrupt kill', nothing),
  ...Object.fromEntries(
    Object.entries({
      ...each('before-run finish begin-profile', nothing),
      'after-run': exactlyBy(LEFTOVERS),
      'missing-keys': count,
      serve: orNull(count),
      'start-profile': exactly({ noInspector: yes }),
      'stop-profile': exactly({
        folded: exactly(folded),
        samplerUs: amount,
        whole: { type: ['object', 'null'] },
      }),
    }).map(([method, schema]) => [`call ${method}`, schema]),
  ),
};

const CHECKS = checksOf(ANSWERS);

/**
 * An answer is as untrusted as a job: anybody who reaches the control Redis may have written it.
 * @param {string} job its full name @param {unknown} answer @throws {RunError} where its shape is wrong
 */
export function checkAnswer(job, answer) {
  const isOther = job === 'hello' && /** @type {any} */ (answer)?.tool !== VERSION;
  const check = CHECKS.get(isOther ? OTHER_HELLO : job);
  const wrong = check === undefined ? 'it is not known' : check(answer);
  if (wrong !== null) throw new RunError(`the answer to '${job}' was refused: ${wrong}`);
}
