import { attempt } from '../errors.js';
import { byteSize, countOf } from '../plugins/shared/byte-size.js';
import { goneText } from './gone.js';
import { duration, fail, isObject, kindOf, listWithRepeats, microseconds, text } from './values.js';

/**
 * Values with a grammar of their own: clients with options, background load, faults, settings of servers.
 *
 * @import { BackgroundPart } from '../plan/types.js'
 * @import { FaultKind, FaultSpec, ServerConfig } from './types.js'
 */

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

/**
 * @template T @param {unknown} value text with commas, several texts, or what was read before
 * @param {(read: unknown) => string} textOf what was read before
 * @param {(text: string) => T} read @param {(read: T) => string} nameOf @returns {T[]} each name once
 */
function eachOnce(value, textOf, read, nameOf) {
  const texts = [value]
    .flat()
    .flatMap((each) => (typeof each === 'string' ? each.split(',') : [textOf(each)]));
  return [...new Map(texts.map(read).map((each) => [nameOf(each), each])).values()];
}

const list = listWithRepeats(text);

/** `redis{RESP:2},ioredis`; one may be named twice. */
export const clientList = kindOf('list', (/** @type {unknown} */ value) =>
  list(typeof value === 'string' ? splitOutside(value, ',', { braces: true }) : value),
);

/** Nothing else is allowed, so that no key but the tool's own is touched. */
const TRAFFIC = {
  GET: { argument: ofSize, needsRate: true, byOthers: true },
  SET: { argument: ofSize, needsRate: true, byOthers: true },
  EVAL: { argument: ofTime, needsRate: true, byOthers: false },
  BLPOP: { argument: ofTime, needsRate: false, byOthers: false },
};
const EXPECTED_TRAFFIC =
  "none, or commands and their rates such as 'GET 1mb @ 20/s', 'SET 100kb @ 50/s', 'EVAL 10ms @ 5/s' (a script that keeps the server busy) " +
  "and 'BLPOP 1s' (a blocking read in a loop), several of them with + between; " +
  "GET and SET also by other clients of the server: 'GET 1kb @ 5000/s by others'";

const LARGEST_BYTES = 512e6;
/** A run waits for the last of them to end. */
const LONGEST_MS = 1000;
/** A timer of a millisecond keeps up with the first; one process can send the second. */
const HIGHEST_RATE = { own: 10_000, byOthers: 100_000 };

const PART = /^([a-z]+)\s+([\d.]+\s?[a-zµ]*)(?:\s*@\s*([\d.]+k?)\s*\/\s*s)?(\s+by\s+others)?$/i;

/** @param {unknown} value commas between values, + between commands @returns {BackgroundPart[][]} empty for `none` */
export const backgroundLoads = (value) => eachOnce(value, nameOf, readBackground, nameOf);

/** @param {unknown} parts @returns {string} */
const nameOf = (parts) =>
  Array.isArray(parts) && parts.every(isObject) ? parts.map(({ name }) => name).join(' + ') || 'none' : '';

/** @param {string} text */
const readBackground = (text) => (text.trim() === 'none' ? [] : text.split('+').map(readPart));

/** @param {string} text @returns {BackgroundPart} */
function readPart(text) {
  const [, word = '', argument = '', rate, others] = PART.exec(text.trim()) ?? [];
  const command = word.toUpperCase();
  const form = Object.hasOwn(TRAFFIC, command)
    ? TRAFFIC[/** @type {keyof typeof TRAFFIC} */ (command)]
    : null;
  const read = form?.argument(argument) ?? null;
  const perSecond = rate === undefined ? null : (countOf(rate) ?? Number(rate));
  const byOthers = others !== undefined;
  const highest = HIGHEST_RATE[byOthers ? 'byOthers' : 'own'];
  const rateIsRight = perSecond === null ? form?.needsRate === false : perSecond > 0 && perSecond <= highest;
  if (read === null || !rateIsRight || (byOthers && !form?.byOthers))
    throw new Error(`expected ${EXPECTED_TRAFFIC}; got '${text.trim()}'`);
  return {
    name: [
      command,
      argument.replace(/\s/g, '').toLowerCase(),
      ...(perSecond === null ? [] : [`@ ${perSecond}/s`]),
      ...(byOthers ? ['by others'] : []),
    ].join(' '),
    command: /** @type {BackgroundPart['command']} */ (command.toLowerCase()),
    ...read,
    perSecond,
    ...(byOthers && { byOthers }),
  };
}

/** @param {string} text */
function ofSize(text) {
  const bytes = byteSize(text.trim());
  return bytes === null || bytes > LARGEST_BYTES ? null : { bytes, ms: null };
}

/** @param {string} text */
function ofTime(text) {
  const ms = attempt(() => microseconds(text.replace(/\s/g, '')) / 1000, 0);
  return ms >= 1 && ms <= LONGEST_MS ? { bytes: null, ms } : null;
}

/**
 * `by`: what causes it; servers are only broken if they are the tool's own. `lastsMs` and `byMs`: the defaults.
 * @type {Record<FaultKind, {by: FaultSpec['by'], lastsMs?: number, byMs?: number, mayKeepData?: boolean}>}
 */
const FAULTS = {
  none: { by: 'nobody' },
  cut: { by: 'relay' },
  'half-open': { by: 'relay' },
  'idle-drop': { by: 'relay', byMs: 10_000 },
  'idle-reset': { by: 'relay', byMs: 10_000 },
  slow: { by: 'relay', byMs: 50, lastsMs: 2000 },
  stall: { by: 'server', lastsMs: 2000 },
  freeze: { by: 'client', lastsMs: 2000 },
  restart: { by: 'server', lastsMs: 1000, mayKeepData: true },
  loading: { by: 'server', lastsMs: 2000 },
  maxclients: { by: 'server', lastsMs: 2000 },
  oom: { by: 'server', lastsMs: 2000 },
  failover: { by: 'server', lastsMs: 1000 },
  switchover: { by: 'server' },
};
const EXPECTED_FAULTS =
  'none, cut, half-open, stall:2s, freeze:2s, restart, restart:data, restart:data:3s, slow:50ms:2s, loading:2s, maxclients:2s, oom:2s, failover:1s, ' +
  'with --topology sentinel switchover, ' +
  'or, with --idle, idle-drop:10s or idle-reset:10s, ' +
  'several with commas between';

export const faults = kindOf('list', (/** @type {unknown} */ value) =>
  eachOnce(
    value,
    (fault) => (isObject(fault) ? String(fault.name) : ''),
    readFault,
    ({ name }) => name,
  ),
);

/** @param {string} text @returns {FaultSpec} */
function readFault(text) {
  const [kind, ...words] = text.trim().split(':');
  const refuse = () => new Error(`expected ${EXPECTED_FAULTS}; got '${text.trim()}'`);
  const gone = goneText('faultKinds', kind);
  if (gone !== undefined) throw new Error(gone);
  if (!Object.hasOwn(FAULTS, kind)) throw refuse();
  const { by, mayKeepData = false, ...usual } = FAULTS[/** @type {FaultKind} */ (kind)];
  const keepsData = mayKeepData && words[0] === 'data';
  const times = words.slice(keepsData ? 1 : 0).map((word) => attempt(() => duration(word.trim()), 0));
  const names = /** @type {const} */ (['byMs', 'lastsMs']).filter((name) => usual[name] !== undefined);
  if (times.includes(0) || times.length > names.length) throw refuse();
  const given = Object.fromEntries(times.map((ms, index) => [names[index], ms]));
  return {
    name: [kind, ...words].join(':'),
    kind: /** @type {FaultKind} */ (kind),
    by,
    keepsData,
    byMs: given.byMs ?? usual.byMs ?? null,
    lastsMs: given.lastsMs ?? usual.lastsMs ?? null,
  };
}

const NONE = 'none';
const NO_SETTINGS = 'default settings';

/**
 * Commas separate sets, semicolons or line feeds the settings of one: `io-threads 1,io-threads 4; io-threads-do-reads yes`.
 * @param {unknown} value text, several texts, or what this returned before @returns {ServerConfig[]} each once
 */
export function serverConfigs(value) {
  const given = (Array.isArray(value) ? value : [value]).flatMap((each) => {
    if (typeof each === 'string') return splitOutside(each, ',').map(readConfig);
    if (Array.isArray(each?.lines)) return [/** @type {ServerConfig} */ (each)];
    return fail(each, "settings as in redis.conf, such as 'io-threads 4'");
  });
  return [...new Map(given.map((config) => [config.name, config])).values()];
}

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
