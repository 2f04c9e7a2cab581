import { tryOr } from '../errors.js';
import { byteSize, countOf } from '../plugins/shared/byte-size.js';

/** @import { CostModel, OptionKind, ProfileSettings, ServerConfig, ValueSchema } from './types.js' */

/**
 * @template Value
 * @param {string} takes the name of a value in the help, `--runs <n>`
 * @param {(value: unknown) => Value} read
 * @returns {OptionKind<Value>}
 */
export const kindOf = (takes, read) => Object.assign(read, { takes });

/**
 * @template Value
 * @param {string} takes
 * @param {string} expected
 * @param {(value: unknown) => Value | null | undefined} read nothing where it is another value
 */
const expecting = (takes, expected, read) => kindOf(takes, (value) => read(value) ?? fail(value, expected));

/** @param {unknown} value @param {string} expected @returns {never} */
export function fail(value, expected) {
  throw new Error(`expected ${expected}, got ${shown(value)}`);
}

/** @param {unknown} value @returns {string} never throws */
const shown = (value) =>
  value !== null && ['object', 'function', 'symbol'].includes(typeof value)
    ? `${Array.isArray(value) ? 'a list' : `something of type ${typeof value}`}`
    : `'${value}'`;

/** @param {number} low @param {unknown} number @param {number} high */
const between = (low, number, high) =>
  Number(number) >= low && Number(number) <= high ? Number(number) : null;

/** @param {string} takes */
const textOf = (takes) =>
  expecting(takes, 'a text that is not empty', (value) => (typeof value === 'string' ? value || null : null));

export const text = textOf('text');
export const file = textOf('file');
export const path = textOf('path');
export const url = textOf('url');
export const name = textOf('name');
export const hosts = textOf('list');

export const texts = kindOf('text', (value) => [value].flat().map(text));

export const flag = expecting('', 'true or false', (value) => (typeof value === 'boolean' ? value : null));

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name of a file, or its contents. */
export const textOrObject = kindOf('file', (value) => (isObject(value) ? value : text(value)));

/**
 * @template {string} Choice
 * @param {readonly Choice[]} choices
 * @param {string} [takes]
 * @returns {OptionKind<Choice>}
 */
export const oneOf = (choices, takes = 'kind') =>
  Object.assign(
    expecting(takes, `one of ${choices.join(', ')}`, (value) => choices.find((each) => each === value)),
    { choices },
  );

/**
 * @template {string} Choice
 * @param {readonly Choice[]} choices
 */
export const someOf = (choices) => listOf(oneOf(choices));

export const pin = oneOf(['apart', 'same', 'off']);

/** @param {unknown} value @param {string} separator @returns {unknown[] | undefined} undefined for other types */
function partsOf(value, separator) {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' || typeof value === 'number' ? String(value).split(separator) : undefined;
}

/**
 * @template Value
 * @param {(value: unknown) => Value} kind
 * @returns {(part: unknown) => Value}
 */
const trimmed = (kind) => (part) => kind(typeof part === 'string' ? part.trim() : part);

/**
 * A comma list or an array.
 * @template Value
 * @param {(value: unknown) => Value} kind
 */
export const listWithRepeats = (kind) =>
  kindOf('list', (value) => {
    const parts = partsOf(value, ',') ?? fail(value, 'a list: values with commas between, or an array');
    if (parts.length === 0) fail('', 'at least one value');
    return parts.map(trimmed(kind));
  });

/**
 * Without repetitions.
 * @template Value
 * @param {((value: unknown) => Value) & {choices?: readonly string[]}} kind
 */
export const listOf = (kind) => {
  const { choices } = kind;
  return Object.assign(
    kindOf('list', (value) => [...new Set(listWithRepeats(kind)(value))]),
    { choices },
  );
};

/**
 * A list of names, without repetitions. A name may have an argument behind a colon, which may hold commas
 * (`mix:get=80,set=20`, `per-process:set,exists`). A number alone is one more argument of the name before it: `explicit:1,5,10`.
 * @param {string[]} known names: none belongs to an argument that does not begin with one
 */
export const namesAmong = (known) =>
  kindOf('list', (value) => {
    const parts = Array.isArray(value) ? value : joinArguments(text(value).split(','), known);
    let prefix = '';
    return listOf((part) => {
      const name = text(part);
      if (/^\d+$/.test(name) && prefix !== '') return `${prefix}:${name}`;
      prefix = name.includes(':') ? name.slice(0, name.indexOf(':')) : '';
      return name;
    })(parts);
  });

export const names = namesAmong([]);

/** The workload that sends a command of the user's. */
export const COMMAND = 'command';

/** @param {string} name @returns {string} `redis` of `redis@5.8:tuned{RESP:2}`, `explicit` of `explicit:10` */
export const idOfName = (name) => name.split(/[:@{]/)[0];

const SHARE = /^[\w@.-]+(?::\d+)?\s*=/;
const WORD = /^\s*[a-z][\w-]*\s*$/;
/** The words that follow such an argument belong to it too. */
const WITH_WORDS = /:([a-z][\w-]*)[\w\s,-]*$/;

/** Joins the parts of each argument again. @param {string[]} parts @param {string[]} known names */
function joinArguments(parts, known) {
  const names = [parts[0]];
  for (const part of parts.slice(1)) {
    const last = names.length - 1;
    const [, word = ''] = WITH_WORDS.exec(names[last]) ?? [];
    const isWord = WORD.test(part) && word !== '';
    const beginsAnew = known.includes(part.trim()) && !known.includes(word);
    if (SHARE.test(part) || (isWord && !beginsAnew)) names[last] += `,${part}`;
    else names.push(part);
  }
  return names;
}

/** @type {Record<string, number>} */
const US_OF = { us: 1, µs: 1, ms: 1000, s: 1e6, m: 60e6, h: 3600e6 };

/** @param {unknown} value @param {number} unitUs of a number without a unit, and of what is returned @returns {number} perhaps NaN */
function readTime(value, unitUs) {
  if (typeof value === 'number' || value === '0') return Number(value);
  const [, number, unit = ''] = /^(\d*\.?\d+)\s?([a-zµ]+)$/i.exec(String(value)) ?? [];
  return Number(number) * (US_OF[unit.toLowerCase()] / unitUs);
}

/** Node's own timers end at 24 days. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** Reads milliseconds. */
export const duration = expecting('time', 'a time such as 300ms, 5s or 2m, up to 24h', (value) =>
  between(Number.MIN_VALUE, readTime(value, US_OF.ms), LONGEST_MS),
);
export const durationOrNone = expecting('time', 'a time such as 30s or 10m, up to 24h, or 0', (value) =>
  between(0, readTime(value, US_OF.ms), LONGEST_MS),
);

/** Up to 10 s, which is longer than anything that still answers. @param {number} unitUs */
const shortTime = (unitUs) => (/** @type {unknown} */ value) => {
  const time = readTime(value, unitUs);
  return time === 0 ? 0 : between(1 / unitUs, time, 10e6 / unitUs);
};

export const microseconds = expecting(
  'time',
  'a time such as 50us, 0.5ms or 2ms, up to 10s, or 0',
  shortTime(US_OF.us),
);

const milliseconds = shortTime(US_OF.ms);
/** Reads milliseconds; 0 for no relay, `relay` for one without delay. */
export const roundTrip = expecting('time', '0, relay, or a time such as 0.5ms or 20ms, up to 10s', (value) =>
  value === 'relay' ? value : milliseconds(value),
);

/** @param {string} expected @param {number} lowest @param {number} highest @param {typeof countOf} read */
export const wholeNumber = (expected, lowest, highest, read = countOf) =>
  expecting('n', expected, (value) => {
    const number = typeof value === 'string' ? read(value) : value;
    return Number.isSafeInteger(number) ? between(lowest, number, highest) : null;
  });

export const positiveInteger = wholeNumber('a positive whole number', 1, Number.MAX_SAFE_INTEGER);
export const naturalNumber = wholeNumber('a whole number, 0 or more', 0, Number.MAX_SAFE_INTEGER);
/** @param {number} lowest @param {number} highest */
export const from = (lowest, highest) =>
  wholeNumber(`a whole number from ${lowest} to ${highest}`, lowest, highest);
const share = from(1, 1000);
export const shares = kindOf('n', (value) => [value].flat().map(share));
/** A task is a suspended function of a worker: a million take half a gigabyte. */
export const taskCount = from(1, 100_000);
/** The server's default limit is 10,000, too. */
export const connectionCount = from(1, 10_000);
/** Redis Cluster needs three masters, each a process. */
export const clusterNodes = from(3, 50);
/** Each is a process; every master of a cluster has so many. */
export const replicaCount = from(0, 5);
/** Each is a Node process: tens of megabytes. */
export const processCount = from(1, 64);
/** 512 MB is the longest string that Redis stores, and about the longest that Node has. */
export const size = wholeNumber('a length from 1 to 512mb, such as 1000 or 100kb', 1, 512_000_000, byteSize);
/** A clock of 100 ns distinguishes no more. */
export const rate = wholeNumber('operations per second, a whole number from 1 to 10000000', 1, 10_000_000);

/**
 * `100-1000` or [100, 1000].
 * @param {string} takes @param {string} expected @param {(value: unknown) => number} kind
 * @param {(low: number, high: number) => boolean} fits @returns the same number twice where one is given
 */
const rangeOf = (takes, expected, kind, fits) =>
  expecting(
    takes,
    expected,
    /** @returns {[low: number, high: number] | null} */
    (value) => {
      const [low, high = low, ...others] = partsOf(value, '-')?.map(trimmed(kind)) ?? [];
      return others.length === 0 && fits(low, high) ? [low, high] : null;
    },
  );

export const rateRange = rangeOf(
  'low-high',
  'the lowest and the highest rate, the lowest first, as in 10000-400000',
  rate,
  (low, high) => low < high,
);
export const sizeRange = rangeOf(
  'list',
  'a length, or the shortest and the longest as in 100-1000 or 1kb-100kb',
  size,
  (low, high) => low <= high,
);

/** A number above 0, as text perhaps with a sign behind it. @param {RegExp} sign @param {number} highest */
const decimal = (sign, highest) => (/** @type {unknown} */ value) =>
  between(Number.MIN_VALUE, String(value).replace(sign, ''), highest);

export const speed = expecting('list', 'a number such as 1, 2 or 0.5, up to 1000', decimal(/x$/, 1000));
export const percentage = expecting(
  'percent',
  'a percentage above 0, up to 100, such as 2 or 0.5%',
  decimal(/\s?%$/, 100),
);

export const bytes = expecting('n', 'a number of bytes such as 500kb or 64mb', byteSize);

const PROFILES = ['cpu', 'heap'];
const profiledCells = oneOf(['explained', 'all']);

/**
 * `heap`, `./profiles`, `heap,./profiles`: the CPU is always profiled, and a folder keeps the profiles.
 * @param {unknown} value true for the flag alone, false for nothing @returns {ProfileSettings | undefined}
 */
export function profile(value) {
  if (value === false) return undefined;
  /** @type {{kinds?: unknown, cells?: unknown, folder?: unknown}} */
  const asked = isObject(value) && 'kinds' in value ? value : { kinds: value };
  const { kinds, cells = 'all', folder: kept = null } = asked;
  const parts = kinds === true ? [] : listOf(text)(kinds);
  const folders = [
    ...(kept === null ? [] : [text(kept)]),
    ...parts.filter((part) => !PROFILES.includes(part)),
  ];
  const [folder = null, second] = folders;
  if (second !== undefined) fail(value, 'cpu, heap or one folder, as in heap,./profiles');
  return { kinds: parts.includes('heap') ? ['cpu', 'heap'] : ['cpu'], cells: profiledCells(cells), folder };
}

const BROKEN_DOWN = /** @type {const} */ (['all', 'best', 'none']);

/** The flag alone is all. */
export const breakdown = Object.assign(
  expecting('cells', `one of ${BROKEN_DOWN.join(', ')}`, (value) =>
    typeof value === 'boolean' ? BROKEN_DOWN[value ? 0 : 2] : BROKEN_DOWN.find((each) => each === value),
  ),
  { choices: BROKEN_DOWN },
);

const AUTO = "'auto' or a positive whole number";
/** @param {unknown} value */
const readCountOrAuto = (value) => (value === 'auto' ? value : tryOr(() => positiveInteger(value), null));
export const countOrAuto = expecting('n', AUTO, readCountOrAuto);

/** @param {unknown} value @returns {value is CostModel} */
const isCostModel = (value) =>
  isObject(value) &&
  [value.budget, value.perOperation, value.perByte].every((part) => typeof part === 'number' && part > 0);

export const iterations = expecting('n', AUTO, (value) =>
  isCostModel(value) ? value : readCountOrAuto(value),
);

/** `6390`, `0.0.0.0:6390`, `[::1]:6390`, or what this made of it; port 0 for any free one */
export const listenAddress = expecting(
  'address',
  'a port, or a host and a port, as in 6390 or 0.0.0.0:6390',
  (value) => {
    /** @type {{host?: unknown, port?: unknown}} */
    const { host: given = '', port: its } = isObject(value) ? value : { port: value };
    const address = `${given && `${String(given).includes(':') ? `[${given}]` : given}:`}${its}`;
    const [, ipv6, host = ipv6 ?? '127.0.0.1', port] =
      /^(?:(?:\[([\da-f:]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(address) ?? [];
    return port !== undefined && Number(port) < 65536 ? { host, port: Number(port) } : null;
  },
);

/** @param {ValueSchema} schema @returns {OptionKind} */
export function ofSchema(schema) {
  if ('enum' in schema) return oneOf(schema.enum);
  if (schema.type === 'string') return text;
  if (schema.type === 'time') return durationOrNone;
  if (schema.type === 'boolean') return flag;
  const { minimum = 0, maximum } = schema;
  if (maximum !== undefined) return from(minimum, maximum);
  return wholeNumber(`a whole number, ${minimum} or more`, minimum, Number.MAX_SAFE_INTEGER);
}

/**
 * Splits outside of quotes and, if `braces`, outside of braces and brackets.
 * @param {string} text @param {string} separators @param {{braces?: boolean}} [more] @returns {string[]}
 */
function splitOutside(text, separators, { braces = false } = {}) {
  const parts = [''];
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|./gs)) {
    if (braces && (token === '{' || token === '[')) depth++;
    if (braces && (token === '}' || token === ']')) depth--;
    if (separators.includes(token) && depth <= 0) parts.push('');
    else parts[parts.length - 1] += token;
  }
  if (depth > 0) throw new Error("expected a '}' for each '{' of a client's options");
  return parts;
}

const list = listWithRepeats(text);

/** `redis{RESP:2},ioredis`; one may be named twice. */
export const clientList = kindOf('list', (value) =>
  list(typeof value === 'string' ? splitOutside(value, ',', { braces: true }) : value),
);

const NONE = 'none';
const NO_SETTINGS = 'default settings';

/**
 * Commas separate sets, semicolons or line feeds the settings of one: `io-threads 1,io-threads 4; io-threads-do-reads yes`.
 * Reads text, several texts, or what this returned before; each once.
 */
export const serverConfigs = kindOf('settings', (value) => {
  const given = [value].flat().flatMap((each) => {
    if (typeof each === 'string') return splitOutside(each, ',').map(readConfig);
    if (isConfig(each)) return [each];
    return fail(each, "settings as in redis.conf, such as 'io-threads 4'");
  });
  return [...new Map(given.map((config) => [config.name, config])).values()];
});

/** @param {unknown} value @returns {value is ServerConfig} */
const isConfig = (value) => isObject(value) && Array.isArray(value.lines);

/** @param {string} text @returns {ServerConfig} */
function readConfig(text) {
  const lines = splitOutside(text.trim(), ';\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter(Boolean);
  if (lines.length === 0) {
    throw new Error(
      "expected settings as in redis.conf, such as 'io-threads 4', or none, between the commas",
    );
  }
  return lines[0] === NONE && lines.length === 1
    ? { name: NO_SETTINGS, lines: [] }
    : { name: lines.join('; '), lines };
}
