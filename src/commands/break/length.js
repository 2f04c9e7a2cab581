import { IN_TIME } from '../../statistics/latency.js';
import { FORGETS, STRIKES_AFTER } from './axes.js';

/** @import { AskedClients, Settings } from '../../options/types.js' */
/** @import { FaultSpec } from './types.js' */
/** @import { Notice } from '../../store/types.js' */

/** Enough for clients that reconnect soon. */
const USUAL_MS = 10_000;
/** Clients try to reconnect every 2 s or sooner, and some attempts fail. */
const RECONNECTED_MS = 4000;
/** It is some 10 s until Sentinels make the old primary a replica. */
const DEMOTED_MS = 10_000;
/** The kernels of client and relay take so much for a dead connection: a timeout that starts anew with each write begins then. */
const SWALLOWED_BYTES = 6e6;
const MOST_SWALLOWED_MS = 15_000;
/** What a command has besides its key and value. */
const COMMAND_BYTES = 40;

/** @type {FaultSpec['kind'][]} */
const SILENT = ['half-open', 'idle-drop'];

/** Whether connections are dead and no end is told. @param {Pick<FaultSpec, 'kind'> | undefined} fault */
export const isSilent = (fault) => fault !== undefined && SILENT.includes(fault.kind);

/**
 * How long each run lasts so that it shows a recovery, where the user has not said it, and what else cannot be seen.
 * @param {Settings} settings @param {AskedClients} asked @returns {{settings: Settings, notes: Notice[]}}
 */
export function withLengths(settings, { clients, known, config }) {
  const limits = clients.flatMap(({ client, variant, own }) => {
    const plugin = known.get(client);
    const options = { ...config[client], ...plugin?.variants[own?.base ?? variant], ...own?.options };
    return plugin?.silenceLimitMs?.(options) ?? [];
  });
  const longestLimitMs = Math.max(0, ...limits);
  const faults = settings.fault ?? [];
  const { durationMs, smoke } = settings;
  if (durationMs !== undefined)
    return {
      settings,
      notes: smoke ? [] : faults.flatMap((fault) => tooShort(fault, settings, longestLimitMs)),
    };
  const lasting = faults.map((fault) => ({
    ...fault,
    durationMs: neededMs(fault, settings, longestLimitMs),
  }));
  const longestMs = Math.max(...lasting.map((fault) => fault.durationMs));
  return { settings: { ...settings, fault: lasting, durationMs: longestMs }, notes: [] };
}

/** @param {FaultSpec} fault @param {Settings} settings @param {number} limitMs the longest after which a client ends a silent connection */
function neededMs(fault, settings, limitMs) {
  const swallowed = isSilent(fault) && limitMs > 0 ? swallowedMs(settings) : 0;
  const demoted = settings.topology.includes('sentinel') ? DEMOTED_MS : 0;
  const afterMs =
    outageMs(fault, settings, limitMs) + Math.max(RECONNECTED_MS, swallowed) + demoted + IN_TIME.windowMs;
  const { faultAtMs } = settings;
  const wholeMs =
    faultAtMs === undefined
      ? Math.max(USUAL_MS, afterMs / (1 - STRIKES_AFTER))
      : faultAtMs + Math.max(USUAL_MS * (1 - STRIKES_AFTER), afterMs);
  return Math.ceil(wholeMs / 1000) * 1000;
}

/** @param {FaultSpec} fault @param {Settings} settings @param {number} limitMs @returns {Notice[]} */
function tooShort(fault, settings, limitMs) {
  const durationMs = Number(settings.durationMs);
  const atMs = settings.faultAtMs ?? durationMs * STRIKES_AFTER;
  const outage = outageMs(fault, settings, limitMs);
  if (outage === 0 || atMs + outage + IN_TIME.windowMs <= durationMs) return [];
  return [
    {
      kind: 'run-too-short',
      fault: fault.name,
      durationMs,
      neededMs: neededMs(fault, settings, limitMs),
      // A timeout of a client may do without the last second, the end of a fault does not.
      surely: atMs + lastingMs(fault, settings) >= durationMs,
    },
  ];
}

/** At least, from when callers can notice it. @param {FaultSpec} fault @param {Settings} settings @param {number} limitMs */
const outageMs = (fault, settings, limitMs) =>
  Math.max(lastingMs(fault, settings), isSilent(fault) ? limitMs : 0);

/** The part of a fault after the pause in whose middle it strikes. @param {FaultSpec} fault @param {Settings} settings */
const lastingMs = ({ kind, lastsMs }, { idle = [0] }) =>
  FORGETS.includes(kind) ? 0 : Math.max(0, ...idle.map((idleMs) => Number(lastsMs) - idleMs / 2));

/** @param {Settings} settings */
function swallowedMs({ rate = [], size, keySize, valueSize }) {
  const bytes = COMMAND_BYTES + Math.min(...(keySize ?? size)) + Math.min(...(valueSize ?? size).flat());
  return Math.min(MOST_SWALLOWED_MS, (1000 * SWALLOWED_BYTES) / (bytes * Math.min(...rate)));
}
