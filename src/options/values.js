import { attempt } from '../core/errors.js';
import { byteSize, countOf } from '../core/plugins/shared/byte-size.js';
import { fail, kindOf, listOf, oneOf, partsOf, text, trimmed } from './basic-values.js';

/** @import { ProfileSettings, RateRange, SizeRange, ValueSchema } from './types.js' */

export * from './basic-values.js';

/** A kind reads a text or a value, or throws what was expected. The caller adds the option's name. */

/** @param {string} expected @param {number} lowest @param {number} highest @param {typeof countOf} read */
const wholeNumber = (expected, lowest, highest, read = countOf) =>
  kindOf('n', (/** @type {unknown} */ value) => {
    const number = typeof value === 'string' ? read(value) : value;
    return Number.isSafeInteger(number) && Number(number) >= lowest && Number(number) <= highest
      ? Number(number)
      : fail(value, expected);
  });

export const positiveInteger = wholeNumber('a positive whole number', 1, Number.MAX_SAFE_INTEGER);
export const naturalNumber = wholeNumber('a whole number, 0 or more', 0, Number.MAX_SAFE_INTEGER);
/** A task is a suspended function of a worker: a million take half a gigabyte. */
export const taskCount = wholeNumber('a whole number from 1 to 100000', 1, 100_000);
/** 512 MB is the longest string that Redis stores, and about the longest that Node has. */
export const size = wholeNumber('a length from 1 to 512mb, such as 1000 or 100kb', 1, 512_000_000, byteSize);
/** The server's default limit is 10,000, too. */
export const connectionCount = wholeNumber('a whole number from 1 to 10000', 1, 10_000);

/** Redis Cluster needs three masters, each a process. */
export const clusterNodes = wholeNumber('a whole number from 3 to 50', 3, 50);

/** Each is a process; every master of a cluster has so many. */
export const replicaCount = wholeNumber('a whole number from 0 to 5', 0, 5);

/** Each is a Node process: tens of megabytes. */
export const processCount = wholeNumber('a whole number from 1 to 64', 1, 64);
/** Each has connections to the control Redis. */
export const machineCount = wholeNumber('a whole number from 1 to 1000', 1, 1000);

const LOCAL_AGENTS = /^local:(\d{1,2})$/;
/** Each is a Node process, as are its workers. */
const localCount = wholeNumber('local: and a number from 1 to 64, as in local:3', 1, 64);

/** A URL, or how many are started here. It may hold a password, so it is never shown. */
export function agents(/** @type {unknown} */ value) {
  if (typeof value === 'object' && value !== null && 'local' in value)
    return { local: localCount(value.local) };
  const given = text(value);
  const local = LOCAL_AGENTS.exec(given)?.[1];
  if (local !== undefined) return { local: localCount(local) };
  if (given === 'env' || given.includes('://')) return given;
  throw new Error(
    'expected the URL of a control Redis, env (from RPB_QUEUE), or local:3, got something without redis:// before it',
  );
}

/** A clock of 100 ns distinguishes no more. */
export const rate = wholeNumber('operations per second, a whole number from 1 to 10000000', 1, 10_000_000);

/** @param {unknown} value @param {(value: unknown) => number} kind @param {string} expected @returns {number[]} */
const ends = (value, kind, expected) => (partsOf(value, '-') ?? fail(value, expected)).map(trimmed(kind));

/** @param {unknown} value `10000-400000` or [10000, 400000] @returns {RateRange} */
export function rateRange(value) {
  const expected = 'the lowest and the highest rate, the lowest first, as in 10000-400000';
  const rates = ends(value, rate, expected);
  return rates.length === 2 && rates[0] < rates[1] ? /** @type {RateRange} */ (rates) : fail(value, expected);
}

/** More than any service's traffic. */
const FASTEST = 1000;

export function speed(/** @type {unknown} */ value) {
  const number = /^\d*\.?\d+x?$/.test(String(value)) ? Number.parseFloat(String(value)) : 0;
  return number > 0 && number <= FASTEST
    ? number
    : fail(value, `a number such as 1, 2 or 0.5, up to ${FASTEST}`);
}

export const bytes = kindOf(
  'n',
  (/** @type {unknown} */ value) => byteSize(value) ?? fail(value, 'a number of bytes such as 500kb or 64mb'),
);

const PROFILES = ['cpu', 'heap'];

/**
 * `heap`, `./profiles`, `heap,./profiles`: the CPU is always profiled, and a folder keeps the profiles.
 * @param {unknown} value true for the flag alone, false for nothing @returns {ProfileSettings | undefined}
 */
export function profile(value) {
  const expected = 'cpu, heap or one folder, as in heap,./profiles';
  if (value === false) return undefined;
  const read = typeof value === 'object' && value !== null && 'kinds' in value;
  const asked = { kinds: value, cells: /** @type {const} */ ('all'), folder: null };
  const { kinds, cells, folder } = read ? /** @type {ProfileSettings} */ (value) : asked;
  const parts = kinds === true ? [] : listOf(text)(kinds);
  const folders = parts.filter((part) => !PROFILES.includes(part));
  if (folders.length > (folder === null ? 1 : 0)) fail(value, expected);
  return {
    kinds: parts.includes('heap') ? ['cpu', 'heap'] : ['cpu'],
    cells,
    folder: folder ?? folders[0] ?? null,
  };
}

export function countOrAuto(/** @type {unknown} */ value) {
  if (value === 'auto') return value;
  return attempt(() => positiveInteger(value), null) ?? fail(value, "'auto' or a positive whole number");
}
countOrAuto.takes = 'n';

/** A count, `auto`, or in suites a cost model. */
export function iterations(/** @type {unknown} */ value) {
  if (typeof value === 'object' && value !== null) {
    const { budget, perOperation, perByte } = /** @type {any} */ (value);
    if ([budget, perOperation, perByte].every((part) => typeof part === 'number' && part > 0)) return value;
  }
  return countOrAuto(value);
}
iterations.takes = 'n';

export function percentage(/** @type {unknown} */ value) {
  const number = typeof value === 'number' ? value : Number(/^(\d*\.?\d+)\s?%?$/.exec(String(value))?.[1]);
  return number > 0 && number <= 100
    ? number
    : fail(value, 'a percentage above 0, up to 100, such as 2 or 0.5%');
}
percentage.takes = 'percent';

/** @param {unknown} value `100`, `100-1000` or [100, 1000] @returns {SizeRange} */
export function sizeRange(value) {
  const expected = 'a length, or the shortest and the longest as in 100-1000 or 1kb-100kb';
  const [shortest, longest = shortest, ...others] = ends(value, size, expected);
  return others.length === 0 && shortest <= longest ? [shortest, longest] : fail(value, expected);
}

/** The name of a file, or its contents. */
export const textOrObject = kindOf('file', (/** @type {unknown} */ value) =>
  typeof value === 'object' && value !== null ? value : text(value),
);

/** @param {unknown} value `6390`, `0.0.0.0:6390`, `[::1]:6390`; 0 for any free port @returns {{host: string, port: number}} */
export function listenAddress(value) {
  const expected = 'a port, or a host and a port, as in 6390 or 0.0.0.0:6390';
  if (typeof value === 'object' && value !== null && 'host' in value && 'port' in value) {
    return listenAddress(
      `${String(value.host).includes(':') ? `[${value.host}]` : value.host}:${value.port}`,
    );
  }
  const [, ipv6, host = ipv6 ?? '127.0.0.1', port] =
    /^(?:(?:\[([\da-f:]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(String(value)) ?? [];
  return port !== undefined && Number(port) < 65536 ? { host, port: Number(port) } : fail(value, expected);
}

export const flag = kindOf('', (/** @type {unknown} */ value) =>
  typeof value === 'boolean' ? value : fail(value, 'true or false'),
);

/** @param {ValueSchema} schema @returns {(value: unknown) => any} */
export function ofSchema(schema) {
  if ('enum' in schema) return oneOf(schema.enum);
  if (schema.type === 'string') return text;
  if (schema.type === 'boolean') return flag;
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const isWhole = schema.type === 'integer';
  const expected = `a ${isWhole ? 'whole ' : ''}number${rangeText(schema)}`;
  return (value) => {
    const read = (isWhole ? countOf(value) : null) ?? Number(value);
    const number = typeof value === 'string' && value.trim() !== '' ? read : value;
    const right = isWhole ? Number.isSafeInteger(number) : Number.isFinite(number);
    return right && Number(number) >= minimum && Number(number) <= maximum
      ? Number(number)
      : fail(value, expected);
  };
}

/** @param {{minimum?: number, maximum?: number}} schema */
function rangeText({ minimum, maximum }) {
  if (minimum === undefined) return maximum === undefined ? '' : `, ${maximum} or less`;
  return maximum === undefined ? `, ${minimum} or more` : ` from ${minimum} to ${maximum}`;
}

export const pin = oneOf(['apart', 'same', 'off']);
