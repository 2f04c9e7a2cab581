/** @import { Argument, CommandLine, KeyArgument, ReplyShape } from '../../traffic/types.js' */

/**
 * A replay must never wait for data: one connection that does holds up all tasks that share it, and in a closed loop
 * whoever would push may be among them. So a command that blocks is sent in the form that does not, on a key to which the
 * recording pushes; where it pushes nothing there, the command has no partner and is left out.
 *
 * @typedef {object} Unblocked
 * @property {string} name
 * @property {Argument[]} args
 * @property {ReplyShape} reply
 */

/** @param {Argument[]} args @returns {KeyArgument[]} */
const keysIn = (args) => /** @type {KeyArgument[]} */ (args.filter((arg) => Array.isArray(arg)));

/**
 * BLPOP of several keys names the one that had something, LPOP has one key and does not.
 *
 * @param {string} name
 * @returns {(line: CommandLine, key: KeyArgument) => Unblocked}
 */
const ofOneKey = (name) => (line, key) => {
  const [, bytes] = /** @type {[string, number]} */ (line.reply);
  const rest = Math.max(0, bytes - key[1]);
  return { name, args: [key], reply: name.startsWith('Z') ? ['*', rest, 2, 0] : ['$', rest] };
};

/** @param {string} name @returns {(line: CommandLine) => Unblocked} */
const withoutLast = (name) => (line) => ({ name, args: line.args.slice(0, -1), reply: line.reply });

/** @param {string} name @returns {(line: CommandLine) => Unblocked} */
const withoutFirst = (name) => (line) => ({ name, args: line.args.slice(1), reply: line.reply });

/** @param {CommandLine} line @returns {Unblocked} */
const withoutBlock = ({ name, args, reply }) => {
  const at = args.indexOf('BLOCK');
  return { name, args: [...args.slice(0, at), ...args.slice(at + 2)], reply };
};

/** @type {Record<string, (line: CommandLine, key: KeyArgument) => Unblocked>} */
const FORMS = {
  BLPOP: ofOneKey('LPOP'),
  BRPOP: ofOneKey('RPOP'),
  BZPOPMIN: ofOneKey('ZPOPMIN'),
  BZPOPMAX: ofOneKey('ZPOPMAX'),
  BLMOVE: withoutLast('LMOVE'),
  BRPOPLPUSH: withoutLast('RPOPLPUSH'),
  BLMPOP: withoutFirst('LMPOP'),
  BZMPOP: withoutFirst('ZMPOP'),
  XREAD: withoutBlock,
  XREADGROUP: withoutBlock,
};

/** @param {CommandLine} line */
export const isBlocking = ({ name, args }) =>
  Object.hasOwn(FORMS, name) && (!name.startsWith('X') || args.includes('BLOCK'));

/** @param {Pick<CommandLine, 'name' | 'args'>} line @returns {[key: number, elements: number][]} what others may wait for */
function pushedBy({ name, args }) {
  const [first, second] = keysIn(args);
  if (first === undefined) return [];
  if (/^[LR]PUSHX?$/.test(name)) return [[first[0], args.length - 1]];
  if (/^(?:LMOVE|RPOPLPUSH|BLMOVE|BRPOPLPUSH)$/.test(name)) return second ? [[second[0], 1]] : [];
  if (name === 'ZADD') return [[first[0], args.filter((arg) => typeof arg === 'number' && arg >= 0).length]];
  // Each group has it, and each that reads without one.
  return name === 'XADD' ? [[first[0], Number.POSITIVE_INFINITY]] : [];
}

/** More commands that wait for something at once are none of a service. */
const MOST_WAITING = 20_000;

/**
 * Finds for each command that blocked what was pushed for it, before it or after.
 *
 * @param {(line: CommandLine, unblocked: Unblocked) => void} onServed
 */
export function createPartners(onServed) {
  /** @type {Map<number, number>} elements by key that nobody has waited for */
  const pushed = new Map();
  /** @type {Map<number, Set<CommandLine>>} by key */
  const waiting = new Map();
  /** @type {Set<CommandLine>} */
  const all = new Set();

  /** @param {CommandLine} line @param {number} number of a key */
  function serve(line, number) {
    all.delete(line);
    for (const [key] of keysIn(line.args)) waiting.get(key)?.delete(line);
    const key = keysIn(line.args).find((each) => each[0] === number);
    onServed(line, FORMS[line.name](line, /** @type {KeyArgument} */ (key)));
  }

  return {
    /** @param {CommandLine} line that is replayed */
    push(line) {
      for (const [key, elements] of pushedBy(line)) {
        let left = elements;
        for (const each of waiting.get(key) ?? []) {
          if (left === 0) break;
          left--;
          serve(each, key);
        }
        pushed.set(key, (pushed.get(key) ?? 0) + left);
      }
    },

    /** @param {CommandLine} line that blocked and was answered @returns {boolean} whether it may still have a partner */
    ask(line) {
      const keys = keysIn(line.args);
      // It takes nothing away, so that data of its own is stored for it.
      if (line.name === 'XREAD' && keys.length > 0) {
        serve(line, keys[0][0]);
        return true;
      }
      const [key] = keys.find(([number]) => (pushed.get(number) ?? 0) > 0) ?? [];
      if (key !== undefined) {
        pushed.set(key, Number(pushed.get(key)) - 1);
        serve(line, key);
        return true;
      }
      if (all.size === MOST_WAITING) return false;
      all.add(line);
      for (const [number] of keys) waiting.set(number, (waiting.get(number) ?? new Set()).add(line));
      return true;
    },

    /** @returns {CommandLine[]} those for which nothing was pushed */
    end: () => [...all],
  };
}
