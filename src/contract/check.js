/**
 * The language of types, in which stands what a value from a file or another machine has to be:
 *
 *     'count'   'amount?'   "'tcp'|'unix'"   'Latency'     a kind; a kind or null; one of two words; a shape by its name
 *     'Fact&Remark'                                        both
 *     ['text']   ['text', 10]   ['text', 10, 1]            a list; of at most 10; of at least one
 *     ['count', 'text']   ['count', 'text', 1]             a list of just these; the last may be missing
 *     { round: 'count', 'warm?': 'flag' }                  an object; `warm` may be missing, and any others be there
 *     { 'keys, tasks?': 'count' }                          two fields of one type
 *     { '*': 'count' }   { '*name': 'count' }              every other field is a count; and has a name of this kind
 *     { '*': 'never' }                                     there are no others
 *     { '?': { round: 'count' } }                          an object or null
 */

/** @import { Test, Type, Wrong } from '../types.js' */

const MOST_NAMES = 10_000;
const MOST_ITEMS = 1_000_000;

/** @param {string} what @returns {Wrong} */
export const must = (what) => ({ at: [], what });

/** @param {string | number} place @param {Wrong} wrong what is in it @returns {Wrong} */
const within = (place, { at, what }) => ({ at: [place, ...at], what });

/** @template [T=unknown] @param {string} what it has to be @param {(value: any) => boolean} is @returns {Test<T>} */
const kind = (what, is) => (value) => (is(value) ? null : must(what));

/** @param {string} what @param {(value: any) => boolean} is @returns {(least: number, most?: number) => Test<number>} */
const bounded =
  (what, is) =>
  (least, most = Number.MAX_SAFE_INTEGER) => {
    const from = least > Number.MIN_SAFE_INTEGER ? ` of at least ${least}` : '';
    const within = most < Number.MAX_SAFE_INTEGER ? ` from ${least} to ${most}` : from;
    const bounds = least === Number.MIN_VALUE ? ' above 0' : within;
    return kind(`be a ${what}${bounds}`, (value) => is(value) && value >= least && value <= most);
  };

export const whole = bounded('whole number', Number.isInteger);
/** Nothing that is measured is closer to 0, and what is divided by such a number is infinite. */
const TINY = 1e-30;
export const number = bounded(
  'number',
  (value) => typeof value === 'number' && (value === 0 || Math.abs(value) >= TINY),
);

/** @param {RegExp} [pattern] @param {number} [longest] @returns {Test<string>} */
export const text = (pattern, longest = Number.POSITIVE_INFINITY) => {
  return (value) => {
    if (typeof value !== 'string') return must('be a text');
    if (value.length > longest) return must(`have at most ${longest} characters`);
    return pattern === undefined || pattern.test(value) ? null : must(`match ${pattern}`);
  };
};

/** The words of the language. */
export const KINDS = {
  count: whole(0),
  positive: whole(1),
  integer: whole(Number.MIN_SAFE_INTEGER),
  amount: number(0),
  overZero: number(Number.MIN_VALUE),
  share: number(0, 1),
  percent: number(0, 100),
  number: number(Number.MIN_SAFE_INTEGER),
  string: text(),
  text: text(/./s),
  name: text(/^[A-Za-z0-9][\w-]*$/),
  optionName: text(/^[a-z][A-Za-z0-9]*$/),
  version: text(/^\d+\.\d+\.\d+/),
  time: text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  hdr: text(/^HISTF/),
  /** @type {Test<boolean>} */
  flag: kind('be true or false', (value) => typeof value === 'boolean'),
  /** @type {Test<true>} */
  true: kind('be true', (value) => value === true),
  /** @type {Test<null>} */
  null: kind('be null', (value) => value === null),
  /** @type {Test<never>} */
  never: kind('not be there', () => false),
  /** @type {Test<any>} */
  any: kind('', () => true),
  /** @type {Test<unknown>} */
  unknown: kind('', () => true),
};

/** @param {Test[]} tests @returns {Test} all of them hold */
const allOf = (tests) => (value) =>
  tests.reduce((wrong, test) => wrong ?? test(value), /** @type {Wrong | null} */ (null));

/** @param {Test[]} tests @returns {Test} one of them holds */
function anyOf(tests) {
  if (tests.length === 1) return tests[0];
  return (value) => {
    const wrongs = [];
    for (const test of tests) {
      const wrong = test(value);
      if (wrong === null) return null;
      wrongs.push(wrong);
    }
    // One that got beyond the kind says more.
    const closest = wrongs.find(({ at, what }) => at.length > 0 || !what.startsWith('be '));
    return closest ?? must(`be ${wrongs.map(({ what }) => what.replace(/^be /, '')).join(' or ')}`);
  };
}

/**
 * @param {() => Record<string, Type>} [shapes] by their names, besides the kinds
 * @param {(place: string) => string} [shown] how the place of an error is shown
 * @returns {(type: Type) => (value: unknown) => string | null} what is wrong, and where: `run/averageMs must be a number of at
 *   least 0 or null`
 */
export function createChecks(shapes = () => ({}), shown = String) {
  /** @type {Record<string, Type> | undefined} */
  let known;
  /** @type {Map<string, Test>} */
  const tests = new Map();

  /** A shape may hold itself, so its test is made when it is first needed. @param {string} name @returns {Test} */
  function named(name) {
    if (name.startsWith("'")) return kind(`be ${name}`, (value) => value === name.slice(1, -1));
    known ??= { ...KINDS, ...shapes() };
    if (!Object.hasOwn(known, name)) throw new Error(`expected a kind or a shape, got '${name}'`);
    const test = tests.get(name) ?? lazily(known[name]);
    tests.set(name, test);
    return test;
  }

  /** @param {Type} type @returns {Test} */
  function lazily(type) {
    if (typeof type === 'function') return type;
    /** @type {Test | undefined} */
    let test;
    return (value) => {
      test ??= compile(type);
      return test(value);
    };
  }

  /** @param {Type} type @returns {Test} */
  function compile(type) {
    if (typeof type === 'function') return type;
    if (typeof type === 'string') {
      const alternatives = type.replace(/\?$/, '|null').split('|');
      return anyOf(
        alternatives.map((each) => (each.includes('&') ? allOf(each.split('&').map(named)) : named(each))),
      );
    }
    if (Array.isArray(type)) return listOf(type);
    const { '?': orNull, ...fields } = /** @type {Record<string, Type>} */ (type);
    return orNull === undefined ? objectOf(fields) : anyOf([compile(orNull), KINDS.null]);
  }

  /** @param {readonly any[]} type @returns {Test} */
  function listOf(type) {
    const types = type.filter((each) => typeof each !== 'number').map(compile);
    const bounds = type.filter((each) => typeof each === 'number');
    const isTuple = types.length > 1;
    const [most = MOST_ITEMS, least = 0] = isTuple ? [types.length, bounds[0] ?? types.length] : bounds;
    return (value) => {
      if (!Array.isArray(value)) return must('be a list');
      if (value.length > most) return must(`have at most ${most} items`);
      if (value.length < least) return must(`have at least ${least} items`);
      for (let index = 0; index < value.length; index++) {
        const wrong = types[isTuple ? index : 0](value[index]);
        if (wrong !== null) return within(index, wrong);
      }
      return null;
    };
  }

  /** @param {Record<string, Type>} fields @returns {Test} */
  function objectOf(fields) {
    const all = Object.entries(fields).flatMap(([names, type]) => {
      const test = compile(type);
      return names
        .split(', ')
        .map((name) => ({ name: name.replace(/\?$/, ''), isOptional: name.endsWith('?'), test }));
    });
    const others = all.find(({ name }) => name.startsWith('*'));
    const own = all.filter((each) => each !== others);
    const ownNames = new Set(own.map(({ name }) => name));
    const isName = named(others?.name.slice(1) || 'any');
    return (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return must('be an object');
      for (const { name, isOptional, test } of own) {
        const isThere = Object.hasOwn(value, name) && value[name] !== undefined;
        if (!isThere && !isOptional) return must(`have '${name}'`);
        const wrong = isThere ? test(value[name]) : null;
        if (wrong !== null) return within(name, wrong);
      }
      if (others === undefined) return null;
      const names = Object.keys(value).filter((name) => !ownNames.has(name));
      if (others.test === KINDS.never && names.length > 0) return must('have no other fields');
      if (names.length > MOST_NAMES) return must(`have at most ${MOST_NAMES} names`);
      for (const name of names) {
        if (isName(name) !== null) return must('have no such names');
        const wrong = others.test(value[name]);
        if (wrong !== null) return within(name, wrong);
      }
      return null;
    };
  }

  return (type) => {
    const test = lazily(type);
    return (value) => {
      const wrong = test(value);
      return wrong && `${shown(wrong.at.join('/')) || 'it'} must ${wrong.what}`;
    };
  };
}

/** @template T @param {string} names separated by spaces @param {T} value @returns {Record<string, T>} */
export const each = (names, value) => Object.fromEntries(names.split(' ').map((name) => [name, value]));
