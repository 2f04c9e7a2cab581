import { onlyReads } from './command-keys.js';

/** @import { Command } from '../types.js' */

/**
 * @typedef {{name?: string, commands: string[][], prepare: string[] | null}} Single `name`: of the user
 * @typedef {Single & {weight: number, set: number}} Share of a mix; those of one `set` have the same keys
 * @typedef {{shares: Share[]}} Shares
 */

/** They work on data of any type, or wait for a key that is missing. */
const OF_ANY =
  /^(?:DEL|UNLINK|P?EXPIRE|P?TTL|PERSIST|TYPE|EXISTS|TOUCH|DUMP|RESTORE|RENAME|COPY|SORT|OBJECT|MEMORY|EVAL|FCALL|WAIT|B[LRZ]|XREAD)/;
const TYPES =
  /^(?:(\w+)\.|(H)|(Z)|(GEO)|(X)|(V)|(L)(?!CS)|(R)(?:PUSH|POP)|(S)(?:ADD|CARD|DIFF|INTER|ISM|MEM|MISM|MOVE|POP|RAND|REM|SCAN|UNION))/;
/** @type {Record<string, string>} */
const SAME = { GEO: 'Z', R: 'L' };

/** @param {string[]} command @returns {string | null} what its data is, by its name; null for data of any type */
function typeOf([name]) {
  const upper = name.toUpperCase();
  if (OF_ANY.test(upper)) return null;
  const type = TYPES.exec(upper)?.slice(1).find(Boolean) ?? 'string';
  return SAME[type] ?? type;
}

/** @param {string[][]} commands */
const typeAmong = (commands) => commands.map(typeOf).find((type) => type !== null) ?? null;

/**
 * Commands on one type of data have the same keys, unless each has a --prepare of its own.
 * @param {Single[]} singles @param {number[]} weights @returns {Shares}
 */
export function withSets(singles, weights) {
  /** @type {{type: string | null, prepare: string | null}[]} */
  const sets = [];
  const shares = singles.map((single, index) => {
    const type = typeAmong(single.commands);
    const prepare = single.prepare?.join(' ') ?? null;
    const fits = (/** @type {string | null} */ one, /** @type {string | null} */ other) =>
      one === null || other === null || one === other;
    let set = sets.findIndex((each) => fits(each.type, type) && fits(each.prepare, prepare));
    if (set === -1) set = sets.push({ type, prepare }) - 1;
    sets[set].type ??= type;
    sets[set].prepare ??= prepare;
    return { ...single, weight: weights[index], set };
  });
  return { shares };
}

/**
 * One for each command, in order. Fewer belong to the commands on their type of data.
 * @param {string[][][]} commands of each share @param {string[][]} prepares
 * @returns {(string[] | null)[]} of each share @throws {Error}
 */
export function bindPrepares(commands, prepares) {
  if (prepares.length === commands.length) return prepares;
  const types = commands.map(typeAmong);
  /** @type {(string[] | null)[]} */
  const bound = commands.map(() => null);
  for (const prepare of prepares) {
    const type = typeOf(prepare);
    const at = types.findIndex((each, index) => bound[index] === null && (type === null || each === type));
    if (at === -1 || (type === null && new Set(types.filter(Boolean)).size > 1))
      throw new Error(
        `expected a --prepare for each of the ${commands.length}, or for those on its type of data, got one of ${prepare[0].toUpperCase()}; 'DEL {key}' is for a command that needs none`,
      );
    bound[at] = prepare;
  }
  return bound;
}

/** @param {Single | Shares} parameter @returns {(Single & Partial<Share>)[]} */
export const singlesOf = (parameter) => ('shares' in parameter ? parameter.shares : [parameter]);

/** @param {Single} single */
export const readsOnly = ({ commands }) => commands.every((args) => onlyReads(/** @type {Command} */ (args)));
