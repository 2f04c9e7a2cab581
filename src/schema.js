import * as v from 'valibot';

/** @import { BaseIssue, GenericSchema, InferOutput, UnknownPathItem } from 'valibot' */

/** What comes over a wire or out of a file: the schemas that all share, and what is wrong where one does not hold. */

const MOST_NAMES = 10_000;
const MOST_ITEMS = 1_000_000;
const FIRST = { abortEarly: true };

/**
 * @template [T=unknown]
 * @param {string} expected as in `expected a share, got 2`
 * @param {(value: any) => boolean} is
 * @returns {GenericSchema<T>}
 */
export const kind = (expected, is) => Object.assign(v.custom(is), { expects: expected });

/** @type {(what: string, is: (value: any) => boolean) => (least: number, most?: number) => GenericSchema<number>} */
const bounded =
  (what, is) =>
  (least, most = Number.MAX_SAFE_INTEGER) => {
    const from = least > Number.MIN_SAFE_INTEGER ? ` of at least ${least}` : '';
    const within = most < Number.MAX_SAFE_INTEGER ? ` from ${least} to ${most}` : from;
    const bounds = least === Number.MIN_VALUE ? ' above 0' : within;
    return kind(`a ${what}${bounds}`, (value) => is(value) && value >= least && value <= most);
  };

export const whole = bounded('whole number', Number.isInteger);
/** Nothing that is measured is closer to 0, and what is divided by such a number is infinite. */
const TINY = 1e-30;
export const number = bounded(
  'number',
  (value) => typeof value === 'number' && (value === 0 || Math.abs(value) >= TINY),
);

export const count = whole(0);
export const positive = whole(1);
export const integer = whole(Number.MIN_SAFE_INTEGER);
export const amount = number(0);
export const overZero = number(Number.MIN_VALUE);
export const share = number(0, 1);
export const percent = number(0, 100);
export const anyNumber = number(Number.MIN_SAFE_INTEGER);

/** @type {(expected: string, pattern: RegExp, longest?: number) => GenericSchema<string>} */
export const textOf = (expected, pattern, longest = Number.POSITIVE_INFINITY) =>
  kind(expected, (value) => typeof value === 'string' && value.length <= longest && pattern.test(value));

export const text = textOf('a text that is not empty', /./s);
export const name = textOf('a name', /^[A-Za-z0-9][\w-]*$/);
export const version = textOf('a version', /^\d+\.\d+\.\d+/);
export const time = textOf('a time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Comes first where a list, which valibot takes for an object, would do harm. @type {GenericSchema<any>} */
export const noList = kind('an object', (value) => !Array.isArray(value));

/**
 * @template T
 * @param {GenericSchema<T>} item
 * @param {number} [most]
 * @param {number} [least]
 * @returns {GenericSchema<T[]>} looks at the length before it looks at any item
 */
export function list(item, most = MOST_ITEMS, least = 0) {
  const length = least > 0 ? ` of ${least} to ${most}` : ` of at most ${most}`;
  /** @type {GenericSchema<T[]>} */
  const ofLength = kind(
    `a list${length}`,
    (value) => Array.isArray(value) && value.length <= most && value.length >= least,
  );
  return v.pipe(ofLength, v.array(item));
}

/**
 * An object whose names come from outside. Unlike v.record, it does not pass over `__proto__` and `constructor`.
 * @template T
 * @param {GenericSchema<T>} value
 * @param {GenericSchema<string>} [key]
 * @returns {GenericSchema<Record<string, T>>}
 */
export function recordOf(value, key) {
  /** @type {GenericSchema<Record<string, T>>} */
  const ofSize = kind(
    `an object of at most ${MOST_NAMES} names`,
    (all) =>
      typeof all === 'object' && all !== null && !Array.isArray(all) && Object.keys(all).length <= MOST_NAMES,
  );
  return v.pipe(
    ofSize,
    v.rawCheck(({ dataset, addIssue }) => {
      for (const [entry, input] of Object.entries(Object(dataset.value))) {
        const [wrong] =
          (key && v.safeParse(key, entry, FIRST).issues) ?? v.safeParse(value, input, FIRST).issues ?? [];
        if (wrong === undefined) continue;
        const { expected, message, path = [] } = wrong;
        /** @type {UnknownPathItem} */
        const place = { type: 'unknown', origin: 'value', input: dataset.value, key: entry, value: input };
        addIssue({ input: wrong.input, expected: expected ?? undefined, message, path: [place, ...path] });
        return;
      }
    }),
  );
}

/**
 * Where a value differs from its schema, and what was expected; of what was found it names the type alone, because the value
 * may be a secret.
 * @param {GenericSchema} schema
 * @param {unknown} value
 * @returns {string | null} `slots.0.2: expected a list of at most 3, got text`
 */
export function wrongIn(schema, value) {
  const { issues } = v.safeParse(schema, value, FIRST);
  return issues === undefined ? null : textOfIssue(issues[0]);
}

/**
 * @template {GenericSchema} S
 * @param {S} schema
 * @param {unknown} value
 * @param {(wrong: string) => Error} refuse
 * @returns {InferOutput<S>}
 */
export function readAs(schema, value, refuse) {
  const result = v.safeParse(schema, value, FIRST);
  if (result.success) return result.output;
  throw refuse(textOfIssue(result.issues[0]));
}

/** @param {BaseIssue<unknown>} issue @returns {string} */
function textOfIssue({ path, expected, message, input, issues }) {
  const place = path?.map(({ key }) => key).join('.');
  // The alternative that differs at a deeper place says more.
  const deeper = issues?.find((issue) => issue.path !== undefined);
  if (deeper !== undefined) return [place, textOfIssue(deeper)].filter(Boolean).join('.');
  if (path?.at(-1)?.origin === 'key') return `${place} is ${expected === 'never' ? 'not known' : 'missing'}`;
  const what = expected === null ? message : `expected ${expected}, got ${foundIn(input)}`;
  return place === undefined ? what : `${place}: ${what}`;
}

/** @param {unknown} value @returns {string} its type; of a number the number */
export function foundIn(value) {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  if (value instanceof Error) return 'an error';
  return Array.isArray(value) ? `a list of ${value.length}` : typeof value;
}
