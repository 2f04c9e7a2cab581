import { present } from '../../collections.js';
import { RunError } from '../../errors.js';
import { sharedClock, untilShared } from '../../process/shared-clock.js';
import { openSocket } from '../../process/sockets.js';
import { succeeds, until } from '../../process/wait.js';
import { restart } from '../../server/managed.js';
import { COUNT } from '../../server/replies.js';
import { orderFailover, promote, promotedBy, settledPrimary } from '../../server/topologies.js';
import { pinAgain } from './stage.js';

/** @import { Interruption, Upstream } from '../../relay/types.js' */
/** @import { Watched } from '../../server/types.js' */
/** @import { Control } from '../../server/types.js' */
/** @import { Stage } from './stage.js' */
/** @import { FaultWorker } from './run.js' */

/**
 * What has happened, on the clock that all processes share. `endedAtMs`: when the server was as before, for a cut at once;
 * `freshFromMs`: from when a server without the old data replies; `promotedAtMs`: when the first Sentinel named another
 * primary; `met`: connections, writes or servers that it hit.
 * @typedef {{struckAtMs: number, endedAtMs: number, freshFromMs?: number, promotedAtMs?: number, met: number}} Strike
 */

const LOOK_EVERY_MS = 5;
const BACK_WITHIN_MS = 60_000;
/** Redis's default. */
const MAXCLIENTS = '10000';
/** 1 ms for each key, and a look at clients between them. */
const LOADING_SLOWLY = ['--key-load-delay', '1000', '--loading-process-events-interval-bytes', '1024'];

/**
 * Each resolves once repaired. A fault that met nothing is an error, because the client would seem to survive it.
 * @type {Record<Stage['fault']['kind'],
 *   (stage: Stage, atMs: number, workers: FaultWorker[]) => Promise<Strike | null>>}
 */
export const STRIKES = {
  none: async () => null,
  cut: (stage, atMs) => atRelay(stage, { kind: 'cut', atMs }),
  'half-open': (stage, atMs) => atRelay(stage, { kind: 'silence', atMs }),

  'idle-drop': (stage, atMs) => forgotten(stage, atMs, false),
  'idle-reset': (stage, atMs) => forgotten(stage, atMs, true),

  async slow(stage, atMs) {
    const { byMs, lastsMs } = stage.fault;
    const strike = await atRelay(stage, { kind: 'delay', byMs: Number(byMs), atMs });
    const untilMs = strike.struckAtMs + Number(lastsMs);
    const healed = await relayOf(stage).interrupt({ kind: 'delay', byMs: 0, atMs: untilMs });
    return { ...strike, endedAtMs: healed.atMs };
  },

  stall: (stage, atMs) =>
    watching(stage, () =>
      lasting(stage, atMs, {
        begin: async () => Number(process.kill(stage.pids[0], 'SIGSTOP')),
        mend: async () => process.kill(stage.pids[0], 'SIGCONT'),
      }),
    ),

  freeze: (stage, atMs, workers) => {
    const signalAll = async (/** @type {NodeJS.Signals} */ name) =>
      workers.filter((worker) => worker.signal(name)).length;
    const missing = 'every process of the client had ended';
    return lasting(stage, atMs, {
      begin: () => signalAll('SIGSTOP'),
      mend: () => signalAll('SIGCONT'),
      missing,
    });
  },

  restart: (stage, atMs) => restarted(stage, atMs, Number(stage.fault.lastsMs)),

  async loading(stage, atMs) {
    const lastsMs = Number(stage.fault.lastsMs);
    const hurried = untilShared(atMs + lastsMs, stage.signal).then(() => hurryLoading(stage));
    const [strike] = await Promise.all([restarted(stage, atMs, 0, LOADING_SLOWLY), hurried]);
    const tookMs = strike.endedAtMs - strike.struckAtMs;
    if (tookMs >= lastsMs / 2) return strike;
    throw missed(`the server was to load its data for ${lastsMs} ms, and did so in ${Math.round(tookMs)} ms`);
  },

  maxclients: (stage, atMs) =>
    lasting(stage, atMs, {
      async begin({ command, ask }) {
        await command('CONFIG', 'SET', 'maxclients', '1');
        return ask(COUNT, 'CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      },
      mend: ({ command }) => command('CONFIG', 'SET', 'maxclients', MAXCLIENTS),
      missing: 'there was no connection to end',
    }),

  async oom(stage, atMs) {
    const { control } = stage.server;
    const limit = (/** @type {string} */ bytes) => control.command('CONFIG', 'SET', 'maxmemory', bytes);
    const strike = await lasting(stage, atMs, {
      begin: () => limit('1').then(() => 1),
      mend: () => limit('0'),
    });
    const { errorstat_OOM: refusals = '' } = (await control.info())?.fields ?? {};
    const met = Number(/count=(\d+)/.exec(refusals)?.[1] ?? 0);
    if (met === 0) throw missed('the server refused no write');
    return { ...strike, met };
  },

  failover: (stage, atMs) =>
    stage.server.watched
      ? promoted(stage, atMs, () => process.kill(stage.pids[0], 'SIGKILL'))
      : failedOver(stage, atMs),
  switchover: (stage, atMs) => promoted(stage, atMs, orderFailover),
};

/**
 * Breaks something and repairs it after its time.
 * @param {Stage} stage @param {number} atMs
 * @param {{begin: (control: Control) => Promise<number>, mend: (control: Control) => Promise<unknown>, missing?: string}} how
 *   `begin` says how many it met; `missing`: why it may be none
 */
async function lasting({ server: { control }, fault, signal }, atMs, { begin, mend, missing = '' }) {
  const struckAtMs = await untilShared(atMs, signal);
  try {
    const met = await begin(control);
    if (met === 0) throw missed(missing);
    // From when it holds: a busy machine may take a while to begin.
    const endedAtMs = await untilShared(sharedClock() + Number(fault.lastsMs), signal);
    return { struckAtMs, endedAtMs, met };
  } finally {
    await mend(control);
  }
}

/** @param {string} why */
const missed = (why) => new RunError(`the fault did not happen: ${why}`);

/** @param {Stage} stage */
const relayOf = ({ relay }) => present(relay);

/** @param {Stage} stage @param {Interruption} interruption */
async function atRelay(stage, interruption) {
  const { atMs: struckAtMs, connections } = await relayOf(stage).interrupt(interruption);
  if (connections === 0) throw missed('no connection was open at that moment');
  return { struckAtMs, endedAtMs: struckAtMs, met: connections };
}

/** @param {Stage} stage @param {number} atMs the middle of the pause @param {boolean} resets */
async function forgotten(stage, atMs, resets) {
  const halfMs = (stage.cell.idleMs ?? 0) / 2;
  const pause = { atMs: atMs - halfMs, untilMs: atMs + halfMs };
  const byMs = Number(stage.fault.byMs);
  const begun = await relayOf(stage).interrupt({ kind: 'forget', ...pause, byMs, resets });
  // It is a valid result if all connections survived.
  return { struckAtMs: begun.atMs + halfMs, endedAtMs: begun.atMs + 2 * halfMs, met: begun.connections };
}

/** @param {Stage} stage @param {number} atMs @param {number} downMs @param {string[]} [args] @returns {Promise<Strike>} */
async function restarted(stage, atMs, downMs, args = []) {
  const { server, relay, pids, signal } = stage;
  const { keepsData } = stage.fault;
  const [process] = server.processes ?? [];
  // Clients must not find a listening relay while the server is down.
  const closed = relay?.interrupt({ kind: 'close', atMs });
  const how = { pid: pids[0], atMs, downMs, keepsData, args, signal };
  const { killedAtMs: struckAtMs, startedAtMs } = await restart(process, how);
  await closed;
  await relay?.interrupt({ kind: 'open' });
  await until(() => succeeds(server.control.ping()), {
    everyMs: LOOK_EVERY_MS,
    withinMs: BACK_WITHIN_MS,
    late: () => new RunError(`the server did not reply within ${BACK_WITHIN_MS / 1000} s of its start`),
  });
  const endedAtMs = sharedClock();
  await pinAgain(stage);
  return { struckAtMs, endedAtMs, freshFromMs: keepsData ? undefined : startedAtMs, met: 1 };
}

const FILL = "for i = 1, ARGV[1] do redis.call('SET', ARGV[2] .. i, ARGV[3]) end";
/** More than the run writes: clients such as ioredis wait for as long as the loaded bytes make the server expect. */
const FILLER = 'x'.repeat(2048);

/** Before the run, in a snapshot: so the server still replies while it loads them. @param {Stage} stage */
export async function storeFillers({ fault, server: { control } }) {
  await control.command('CONFIG', 'SET', 'rdbcompression', 'no');
  await control.command('EVAL', FILL, '0', `${fault.lastsMs}`, 'filler:', FILLER);
  await control.command('BGREWRITEAOF');
  const isDone = async () => (await control.info())?.fields.aof_rewrite_in_progress === '0';
  await until(isDone, { everyMs: LOOK_EVERY_MS });
}

/** Loads what is left at once. The tool's own connection opens by a PING, which a loading server refuses. @param {Stage} stage */
function hurryLoading({ server }) {
  const [process] = server.processes ?? [];
  const socket = openSocket(process.targets.unix);
  // Without it, loading takes longer, which the run says.
  socket.on('error', () => {}).resume();
  socket.end('CONFIG SET key-load-delay 0\r\n');
}

/**
 * Cluster nodes tell clients of the new primary; the relay leads others there, and refuses connections meanwhile.
 * @param {Stage} stage @param {number} atMs @returns {Promise<Strike>}
 */
async function failedOver(stage, atMs) {
  const { cell, fault, relay, signal } = stage;
  const spare = present(stage.spare);
  const leads = cell.topology === 'standalone';
  const closed = leads ? relay?.interrupt({ kind: 'close', atMs }) : undefined;
  const struckAtMs = await untilShared(atMs, signal);
  stage.gone.add(present(stage.server.processes)[0]);
  process.kill(stage.pids[0], 'SIGKILL');
  await closed;
  await untilShared(struckAtMs + Number(fault.lastsMs), signal);
  await promote(spare.control, cell.topology);
  const { host, port } = (cell.transport === 'tls' && spare.targets.tls) || spare.targets.tcp;
  /** @type {Upstream} */
  const upstream = { host: `${host}`, port: Number(port) };
  if (leads) await relay?.interrupt({ kind: 'open', upstreams: [upstream] });
  return { struckAtMs, endedAtMs: sharedClock(), met: 1 };
}

/**
 * @param {Stage} stage @param {number} atMs @param {(watched: Watched) => unknown} strike @returns {Promise<Strike>}
 */
async function promoted({ server, signal }, atMs, strike) {
  const watched = present(server.watched);
  const before = await settledPrimary(watched);
  const struckAtMs = await untilShared(atMs, signal);
  await strike(watched);
  const found = await promotedBy(watched, before, { everyMs: LOOK_EVERY_MS, withinMs: BACK_WITHIN_MS });
  if (found === null) throw missed(`the Sentinels promoted no replica within ${BACK_WITHIN_MS / 1000} s`);
  const promotedAtMs = sharedClock();
  return { struckAtMs, endedAtMs: promotedAtMs, promotedAtMs, met: 1 };
}

/** Watches for a promotion by Sentinels. @param {Stage} stage @param {() => Promise<Strike>} strike */
async function watching({ server: { watched } }, strike) {
  if (watched === undefined) return strike();
  const before = await settledPrimary(watched);
  const gone = new AbortController();
  const promoting = promotedBy(watched, before, { everyMs: LOOK_EVERY_MS, signal: gone.signal }).then(
    (found) => found && sharedClock(),
  );
  const struck = await strike().finally(() => gone.abort());
  const promotedAtMs = await promoting;
  // Waits for a failover in progress.
  const after = await settledPrimary(watched);
  return { ...struck, promotedAtMs: promotedAtMs ?? (after === before ? undefined : sharedClock()) };
}
