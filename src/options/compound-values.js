import { attempt } from '../core/errors.js';
import { goneText } from './gone.js';
import { duration, fail, isObject, kindOf, listWithRepeats, text } from './values.js';

/**
 * Values with a grammar of their own: clients with options, faults, settings of servers.
 *
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

/** What --compare can make choices of one table, and the axes of each. Its cells share relay, load and faults, so those stay conditions. */
export const COMPARABLE = {
  workload: ['workload'],
  topology: ['topology'],
  tasks: ['tasks'],
  size: ['keySize', 'valueSize'],
  appWork: ['appWork'],
  processes: ['processes'],
  pin: ['pin'],
};
