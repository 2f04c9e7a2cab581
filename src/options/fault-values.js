import { duration, isObject } from './values.js';

/** @import { FaultKind, FaultSpec } from './types.js' */

/**
 * What may break in a run. `by`: whose doing it is; what a server does is only ever done to one of this tool's own.
 * `lastsMs` and `byMs`: how long it lasts, and by how much it changes something, where the user does not say.
 *
 * @type {Record<FaultKind, {by: FaultSpec['by'], lastsMs?: number, byMs?: number, mayKeepData?: boolean}>}
 */
const FORMS = {
  none: { by: 'nobody' },
  cut: { by: 'relay' },
  'half-open': { by: 'relay' },
  slow: { by: 'relay', byMs: 50, lastsMs: 2000 },
  stall: { by: 'server', lastsMs: 2000 },
  restart: { by: 'server', lastsMs: 1000, mayKeepData: true },
  loading: { by: 'server', lastsMs: 2000 },
  maxclients: { by: 'server', lastsMs: 2000 },
  oom: { by: 'server', lastsMs: 2000 },
  failover: { by: 'server', lastsMs: 1000 },
};
const EXPECTED =
  'none, cut, half-open, stall:2s, restart, restart:data, restart:data:3s, slow:50ms:2s, loading:2s, maxclients:2s, oom:2s or failover:1s, ' +
  'several with commas between';

/**
 * @param {unknown} value text, several texts, or what this returned before
 * @returns {FaultSpec[]} each once
 * @throws {Error} that says what was expected
 */
export function faults(value) {
  const texts = (Array.isArray(value) ? value : [value]).flatMap((each) =>
    typeof each === 'string' ? each.split(',') : isObject(each) ? String(each.name) : '',
  );
  return [...new Map(texts.map((text) => [readFault(text).name, readFault(text)])).values()];
}

/** @param {string} text @returns {FaultSpec} */
function readFault(text) {
  const [kind, ...words] = text.trim().split(':');
  const refuse = () => new Error(`expected ${EXPECTED}; got '${text.trim()}'`);
  if (!Object.hasOwn(FORMS, kind)) throw refuse();
  const { by, mayKeepData = false, ...usual } = FORMS[/** @type {FaultKind} */ (kind)];
  const keepsData = mayKeepData && words[0] === 'data';
  const times = (keepsData ? words.slice(1) : words).map((word) => timeOf(word, refuse));
  const names = /** @type {const} */ (['byMs', 'lastsMs']).filter((name) => usual[name] !== undefined);
  if (times.length > names.length) throw refuse();
  const given = Object.fromEntries(times.map((ms, place) => [names[place], ms]));
  return {
    name: [kind, ...words].join(':'),
    kind: /** @type {FaultKind} */ (kind),
    by,
    keepsData,
    byMs: given.byMs ?? usual.byMs ?? null,
    lastsMs: given.lastsMs ?? usual.lastsMs ?? null,
  };
}

/** @param {string} word @param {() => Error} refuse */
function timeOf(word, refuse) {
  try {
    return duration(word.trim());
  } catch {
    throw refuse();
  }
}
