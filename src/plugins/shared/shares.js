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

/** @param {string | null} one @param {string | null} other */
const fits = (one, other) => one === null || other === null || one === other;

/**
 * Commands on one type of data have the same keys, unless each has a --prepare of its own. Fewer of these than commands
 * are for those on their type of data.
 * @param {Omit<Single, 'prepare'>[]} singles @param {string[][]} prepares @param {number[]} weights
 * @returns {Shares} @throws {Error}
 */
export function withSets(singles, prepares, weights) {
  /** @type {{type: string | null, prepare: string | undefined}[]} */
  const sets = [];
  const shares = singles.map((single, index) => {
    const type = single.commands.map(typeOf).find((each) => each !== null) ?? null;
    const isOwn = (/** @type {string[]} */ prepare, /** @type {number} */ at) =>
      prepares.length === singles.length ? at === index : fits(typeOf(prepare), type);
    const prepare = prepares.find(isOwn) ?? null;
    const text = prepare?.join(' ');
    const known = sets.findIndex((each) => fits(each.type, type) && each.prepare === text);
    const set = known === -1 ? sets.push({ type, prepare: text }) - 1 : known;
    sets[set].type ??= type;
    return { ...single, prepare, weight: weights[index], set };
  });
  const unused = prepares.find((each) => shares.every(({ prepare }) => prepare !== each));
  if (unused === undefined) return { shares };
  throw new Error(
    `expected a --prepare for each of the ${singles.length}, or one for each type of data, got ${unused[0].toUpperCase()} besides; 'DEL {key}' is for a command that needs none`,
  );
}

/** @param {Single | Shares} parameter @returns {(Single & Partial<Share>)[]} */
export const singlesOf = (parameter) => ('shares' in parameter ? parameter.shares : [parameter]);

/** @param {Single} single */
export const readsOnly = ({ commands }) => commands.every((args) => onlyReads(/** @type {Command} */ (args)));
