import { present } from '../../collections.js';
import { median } from '../../descriptive-statistics.js';
import { EXIT, messageOf, RunError, UsageError } from '../../errors.js';
import { createPlacer } from '../../machine/placement.js';
import { CALIBRATE_OPTIONS } from '../../options/option-table.js';
import { readOptions, withEnvironment } from '../../options/read.js';
import { run as runProgram } from '../../process/spawn.js';
import { untilAborted, withTimeLimit } from '../../process/wait.js';
import { factText } from '../../report/fact-words.js';
import { count, duration, micro, percent, said, times, whole } from '../../report/figures.js';
import { gridOf } from '../../report/grid.js';
import { watchReplies } from '../../run/cell-worker.js';
import { checkRoom } from '../../run/memory-check.js';
import { product } from '../../run/plan/sizes.js';
import { startBareWorker } from '../../run/workers.js';
import { difference } from '../../server/counters.js';
import { openServer } from '../../server/open.js';
import { hangTimeout, runTimeout } from '../../server/server-watch.js';
import { guardKeys } from '../../server/stored-keys.js';
import { externalTarget, transportsTo } from '../../server/target.js';
import { latencyOf } from '../../statistics/latency.js';
import { userStateFolder } from '../../store/result-store.js';
import { interruptible, interruptNote } from '../interrupt.js';
import { addOptions, formatOption, quietOption } from '../options.js';
import { printFound } from '../output.js';
import { PEERS, runPeer } from '../peers.js';

/** @import { Transport } from '../../options/types.js' */
/** @import { CeilingRun } from '../../worker/bare-socket.js' */
/** @import { BenchmarkHooks } from '../../commands/benchmark/types.js' */
/** @import { Report } from '../../report/types.js' */
/** @import { CommandPart } from '../types.js' */

/** @type {CommandPart} */
export const calibrate = {
  define(command) {
    addOptions(command, CALIBRATE_OPTIONS)
      .addOption(formatOption(['table', 'json']))
      .addOption(quietOption());
  },

  async run({ format, quiet, ...given }, { stdout, env, process, say }) {
    const { options, urlOrigin } = withEnvironment(given, env);
    const tell = quiet ? () => {} : say;
    const { result, interrupted } = await interruptible(
      process,
      (signal) => measureCeilings(options, { signal, urlOrigin, onShape: tell }),
      { interrupted: (signal) => tell(interruptNote(signal)) },
    );
    await printFound(result, { format }, { stdout }, ceilingReport);
    return interrupted ? EXIT.interrupted : EXIT.done;
  },
};

/** @typedef {{transport: Transport, connections: number, depth: number}} Shape `depth`: commands in flight per connection */

const WARN_AFTER_MS = 2000;
/** V8 still compiles at first. */
const WARM_UP_MS = 300;

/**
 * How fast one Node process drives the server without a client. What was measured before `signal` is kept.
 * @param {Record<string, unknown>} [given]
 * @param {Pick<BenchmarkHooks, 'signal' | 'urlOrigin' | 'stateFolder'> & {onShape?: (text: string) => void}} [hooks]
 * @throws {UsageError | ServerError | RunError}
 */
export async function measureCeilings(
  given = {},
  {
    signal = new AbortController().signal,
    onShape = () => {},
    urlOrigin,
    stateFolder = userStateFolder(),
  } = {},
) {
  const settings = readOptions(CALIBRATE_OPTIONS, given);
  const { connections, depth, transport, size, runs, durationMs, serverBin } = settings;
  const external = externalTarget(settings, urlOrigin);
  /** Why peers have no figure, and what else is to know. @type {string[]} */
  const notes = [];
  const hasPassword = external?.username !== undefined || external?.password !== undefined;
  if (settings.peers && hasPassword)
    notes.push(
      'peers were not run: they take a password only as an argument, which the list of processes shows',
    );
  const peers = settings.peers && !hasPassword ? await findPeers() : [];
  const server = await openServer(external, { serverBin, withTls: transport?.includes('tls') });
  try {
    // The key, and replies that are not sent yet.
    const bytes = 1e6 + size * (2 + Math.max(...connections) * Math.max(...depth));
    checkRoom(server, { bytes, data: { keys: 1, valueSize: size } }, settings);
    const placer = await createPlacer(server, ['apart']);
    const placement = placer.placementFor('apart');
    await placer.pinServer(placement);
    const keys = await guardKeys([server], stateFolder);
    const key = `${keys.prefix}1`;
    const worker = startBareWorker(placement.workerCpus);
    try {
      const offered = transportsTo(server.targets);
      keys.doubt(server);
      await watched(
        worker.call('prepare-ceiling', {
          key,
          value: 'x'.repeat(size),
          removal: server.removal,
          target: server.targets[offered[0]],
        }),
      );
      const shapes = product({ transport: transport ?? offered, connections, depth });
      /** @type {Ceiling[]} */
      const results = [];
      for (const [index, shape] of shapes.entries()) {
        if (signal.aborted) break;
        onShape(
          `${index + 1} of ${shapes.length}: ${shape.transport}, ${shape.connections} × ${shape.depth}`,
        );
        await measureShape(shape).then(
          (result) => results.push(result),
          (error) => {
            if (!signal.aborted) throw error;
          },
        );
      }
      return { server: server.facts, placement, size, peers, results, notes };
    } finally {
      await worker.kill();
      for (const fact of await keys.end(signal)) {
        notes.push(factText(fact));
        onShape(`warning: ${factText(fact)}`);
      }
    }

    /** What the worker replies. @template T @param {Promise<T>} work @returns {Promise<T>} */
    function watched(work) {
      const watch = watchReplies([worker.pid], {
        stallMs: WARN_AFTER_MS,
        hangMs: hangTimeout(undefined),
        onStall: (ms) => onShape(`warning: no reply for ${Math.floor(ms / 1000)} s; waiting for the server`),
      });
      return Promise.race([work, watch.hung]).finally(watch.stop);
    }

    /** @param {Shape} shape */
    async function measureShape(shape) {
      await runOnce(shape, WARM_UP_MS);
      const observed = [];
      /** @type {Record<string, number[]>} */
      const others = Object.fromEntries(peers.map((peer) => [peer, []]));
      for (let round = 0; round < runs; round++) {
        const run = await runOnce(shape, durationMs);
        observed.push(run);
        for (const peer of peers) others[peer].push(...(await askPeer(peer, shape, run.operations)));
      }
      return resultOf(shape, observed, others);
    }

    /** @param {string} peer @param {Shape} shape @param {number} requests so that it takes about as long as our own loop */
    async function askPeer(peer, { transport, connections, depth }, requests) {
      const target = present(server.targets[transport]);
      const asked = { target, key, connections, depth, requests };
      try {
        return [await runPeer(peer, asked, placement.workerCpus, signal)];
      } catch (error) {
        signal.throwIfAborted();
        if (!notes.includes(messageOf(error))) notes.push(messageOf(error));
        return [];
      }
    }

    /** @param {Shape} shape @param {number} durationMs */
    async function runOnce({ transport, connections, depth }, durationMs) {
      const target = server.targets[transport];
      if (target === undefined)
        throw new UsageError(`--transport: the server's address does not offer ${transport}`);
      const before = await server.snapshot();
      const answer = worker.call('run', { target, connections, depth, durationMs });
      /** @type {CeilingRun} */
      const run = await watched(
        withTimeLimit(runTimeout(undefined, durationMs), untilAborted(signal, answer)),
      );
      const seen = difference(before, await server.snapshot());
      const counted = seen?.calls?.get;
      if (counted !== undefined && counted !== run.operations)
        throw new RunError(`${run.operations} GET got a reply, but the server counted ${counted}`);
      return { ...run, isCounted: counted !== undefined, serverCpuUs: seen?.mainThreadCpuUs ?? null };
    }
  } finally {
    await server.close();
  }
}

/** @returns {Promise<string[]>} those on PATH */
async function findPeers() {
  const found = await Promise.all(
    Object.keys(PEERS).map((name) =>
      runProgram(name, ['--version']).then(
        () => [name],
        (error) => (error.code === 'ENOENT' ? [] : [name]),
      ),
    ),
  );
  return found.flat();
}

/**
 * Medians over the runs. @param {Shape} shape @param {(CeilingRun & {isCounted: boolean, serverCpuUs: number | null})[]} observed
 * @param {Record<string, number[]>} others operations per second of each peer
 */
function resultOf(shape, observed, others) {
  const latency = latencyOf(observed.flatMap(({ hdr }) => hdr ?? []));
  const busy = observed.flatMap(({ serverCpuUs, elapsedMs }) =>
    serverCpuUs === null ? [] : [Math.min(1, serverCpuUs / 1000 / elapsedMs)],
  );
  return {
    ...shape,
    opsPerSecond: median(observed.map(({ operations, elapsedMs }) => (operations / elapsedMs) * 1000)),
    p50Us: latency?.p50Us ?? 0,
    p99Us: latency?.p99Us ?? 0,
    cpuUsPerOp: median(observed.map(({ cpuUs, operations }) => cpuUs / operations)),
    serverBusy: busy.length > 0 ? median(busy) : null,
    verified: observed.every(({ operations }) => operations > 0),
    /** Whether the server reported its own count, which was the same. */
    counted: observed.every(({ isCounted }) => isCounted),
    /** @type {Record<string, number | null>} */
    peers: Object.fromEntries(
      Object.entries(others).map(([peer, rates]) => [peer, rates.length > 0 ? median(rates) : null]),
    ),
  };
}

/** @typedef {ReturnType<typeof resultOf>} Ceiling */

/** What a calibration measured, and how. @param {Awaited<ReturnType<typeof measureCeilings>>} calibration @returns {Report} */
function ceilingReport({ server, placement, size, peers, results, notes }) {
  const grid = gridOf(results, ({ transport }) => ({ name: transport }), [
    { title: 'connections', text: ({ connections }) => `${connections}` },
    { title: 'depth', text: ({ depth }) => `${depth}` },
    { title: 'ops/s', text: ({ opsPerSecond }) => whole(opsPerSecond) },
    { title: 'p50', text: ({ p50Us }) => duration(p50Us) },
    { title: 'p99', text: ({ p99Us }) => duration(p99Us) },
    { title: 'CPU/op', text: ({ cpuUsPerOp }) => micro(cpuUsPerOp) },
    { title: 'server busy', text: ({ serverBusy }) => (serverBusy === null ? '' : percent(serverBusy)) },
    ...peers.flatMap((peer) => [
      { title: peer, text: (/** @type {Ceiling} */ { peers: of }) => whole(of[peer]) },
      {
        title: `to ${peer}`,
        text: (/** @type {Ceiling} */ { opsPerSecond, peers: of }) =>
          of[peer] === null ? '' : times(opsPerSecond / of[peer]),
      },
    ]),
  ]);
  const where = said([server.kind, server.software, server.version]).join(' ');
  const counted = results.every((each) => each.counted)
    ? 'and the server counted the same number of commands'
    : 'but the server does not report how many commands it counted';
  const all = [
    'depth: commands in flight on each connection. The event loop polls, so no wake-up is in these figures.',
    `Every byte of the replies was as expected, ${counted}.`,
    ...notes,
  ];
  return {
    title: `One Node process without a client: GET of ${count(size, 'character')} on ${where}`,
    facts: [
      placement.note
        ? factText(placement.note)
        : `server on core ${placement.serverCpus?.join(',')}, the rest on ${placement.workerCpus?.join(',')}`,
    ],
    sections: [{ place: 'first', grid, notes: all }],
    remarks: [],
    verdicts: [],
  };
}
