import { tryOr } from '../../errors.js';
import { inGroup } from '../../options/option-table.js';
import { duration, durationOrNone, isObject, kindOf, listOf } from '../../options/values.js';
import { isKind } from './axes.js';

/** @import { FaultSpec } from './types.js' */

/**
 * `by`: what causes it; servers are only broken if they are the tool's own. `lastsMs` and `byMs`: the defaults.
 * @type {Record<FaultSpec['kind'], {by: FaultSpec['by'], lastsMs?: number, byMs?: number, mayKeepData?: boolean, keepsData?: boolean, meaning: string}>}
 */
export const FAULTS = {
  none: { by: 'nobody', meaning: 'nothing, to compare with' },
  cut: { by: 'relay', meaning: 'all connections are reset' },
  'half-open': { by: 'relay', meaning: 'open connections are silently dead; new ones pass' },
  'idle-drop': { by: 'relay', byMs: 10_000, meaning: 'idle connections are dropped silently (with --idle)' },
  'idle-reset': { by: 'relay', byMs: 10_000, meaning: 'idle connections are reset (with --idle)' },
  slow: { by: 'relay', byMs: 50, lastsMs: 2000, meaning: 'round trips take longer: slow:50ms:2s' },
  stall: { by: 'server', lastsMs: 2000, meaning: 'the server is stopped for a while: stall:2s' },
  freeze: { by: 'client', lastsMs: 2000, meaning: "the client's process is stopped for a while: freeze:2s" },
  restart: {
    by: 'server',
    lastsMs: 1000,
    mayKeepData: true,
    meaning: 'the server restarts: restart, restart:data:3s',
  },
  loading: {
    by: 'server',
    lastsMs: 2000,
    keepsData: true,
    meaning: 'the server restarts, and loads its data for a while: loading:2s',
  },
  maxclients: {
    by: 'server',
    lastsMs: 2000,
    meaning: 'all connections end, and no new one is accepted: maxclients:2s',
  },
  oom: { by: 'server', lastsMs: 2000, meaning: 'the server has no memory left for writes: oom:2s' },
  failover: {
    by: 'server',
    lastsMs: 1000,
    meaning: 'the primary dies and a replica takes over: failover:1s',
  },
  switchover: { by: 'server', meaning: 'Sentinels change the primary on request (with --topology sentinel)' },
};
const EXAMPLES =
  'cut, half-open, stall:2s, freeze:2s, restart, restart:data:3s, slow:50ms:2s, loading, maxclients, oom, failover, none; behind Sentinels switchover; with --idle also idle-drop:10s, idle-reset:10s';

const faults = kindOf('list', (/** @type {unknown} */ value) => {
  const given = [value].flat();
  const names = given.flatMap((each) =>
    typeof each === 'string' ? each.split(',') : isObject(each) ? String(each.name) : '',
  );
  return [...new Map(names.map(readFault).map((fault) => [fault.name, fault])).values()];
});

/** @param {string} text @returns {FaultSpec} */
function readFault(text) {
  const [kind, ...words] = text.trim().split(':');
  const refuse = () => new Error(`expected ${EXAMPLES}; got '${text.trim()}'`);
  if (!isKind(kind)) throw refuse();
  const { by, mayKeepData, keepsData, byMs, lastsMs } = FAULTS[kind];
  const saysData = mayKeepData === true && words[0] === 'data';
  const times = words.slice(saysData ? 1 : 0).map((word) => tryOr(() => duration(word.trim()), 0));
  const names = Object.entries({ byMs, lastsMs }).flatMap(([name, ms]) => (ms === undefined ? [] : name));
  if (times.includes(0) || times.length > names.length) throw refuse();
  const given = Object.fromEntries(times.map((ms, index) => [names[index], ms]));
  return {
    name: [kind, ...words].join(':'),
    kind,
    by,
    keepsData: keepsData ?? saysData,
    byMs: given.byMs ?? byMs ?? null,
    lastsMs: given.lastsMs ?? lastsMs ?? null,
  };
}

export const OPTIONS = inGroup('compare', {
  fault: [faults, `what breaks in each run: ${EXAMPLES}`, { flag: 'faults' }],
  idle: [listOf(durationOrNone), 'pause the operations while it breaks: 0,30s,10m'],
  faultAtMs: [
    duration,
    'when it breaks or --idle begins (default: 30 % into the run)',
    {
      conflict: ({ faultAtMs, durationMs }) =>
        faultAtMs !== undefined && faultAtMs >= Number(durationMs)
          ? `--fault-at: expected a time before the end of a run (--duration, ${durationMs} ms), got ${faultAtMs} ms`
          : null,
    },
  ],
});
