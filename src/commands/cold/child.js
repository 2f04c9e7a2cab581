/**
 * A fresh process: loads a client's library, connects and gets its first reply. It loads nothing else before the library,
 * so that what that shares with this tool counts as its own.
 */
import { subscribe } from 'node:diagnostics_channel';
import { closeSync, readFileSync, writeSync } from 'node:fs';
import { filesLoaded, loadFile } from '../../worker/load-file.js';

/** @import { Emitted, Job } from '../../worker/types.js' */

/** The parent reads the outcome there: a library may print. */
const OUTCOME = 3;

function now() {
  const { user, system } = process.cpuUsage();
  return { atMs: Number(process.hrtime.bigint()) / 1e6, cpuMs: (user + system) / 1000 };
}

/** @template T @param {() => T | Promise<T>} work */
async function timed(work) {
  const from = now();
  const done = await work();
  const to = now();
  return { done, ms: to.atMs - from.atMs, cpuMs: to.cpuMs - from.cpuMs };
}

/** @param {object} outcome */
function tell(outcome) {
  writeSync(OUTCOME, JSON.stringify(outcome));
  closeSync(OUTCOME);
}

/** @param {Job} job `entry` is null for a client without a library, which is its own code */
async function startCold({ client, variant, entry, pluginFolders, clientOptions, target, keyPrefix }) {
  if (target.addressMap) (await import('../../worker/confine-network.js')).leadElsewhere(target.addressMap);
  const early = entry === null ? await import('../../plugins/registry.js') : null;
  const before = filesLoaded();
  const imported = await timed(() =>
    early !== null ? early.loadPlugin('clients', client, pluginFolders) : loadFile(String(entry)),
  );
  // Node does not say how many ES modules were loaded.
  const modules = filesLoaded() - before || null;
  const { loadPlugin } = await import('../../plugins/registry.js');
  const plugin = await loadPlugin('clients', client, pluginFolders);
  const { createClientEvents } = await import('../../worker/client-events.js');
  const { completeConnection } = await import('../../plugins/shared/connections.js');
  const options = { ...plugin.variants[variant], ...clientOptions };
  const library = entry === null ? undefined : imported.done;
  /** @type {import('node:net').Socket[]} */
  const sockets = [];
  subscribe('net.client.socket', (message) => sockets.push(Object(message).socket));
  const events = createClientEvents();
  takeEmitted = events.take;
  const { watch } = events.ofConnection();
  const connected = await timed(() => plugin.connect(target, options, library, { watch }));
  const isUnread =
    sockets.length > 0 && sockets.every(({ connecting, bytesRead }) => !connecting && bytesRead === 0);
  const connection = completeConnection(connected.done, plugin.id);
  const replied = await timed(() => connection.command(['GET', `${keyPrefix}cold`]));
  if (replied.done != null) throw new Error('a key that does not exist has a value');
  const parts = { import: imported, connect: connected, reply: replied };
  const spent = Object.entries(parts).flatMap(([part, { ms, cpuMs }]) => [
    [`${part}Ms`, ms],
    [`${part}CpuMs`, cpuMs],
  ]);
  const rssBytes = process.memoryUsage.rss();
  const { describeOptions } = await import('../../worker/cell-parts.js');
  const effectiveOptions = describeOptions(connection.effectiveOptions);
  const emitted = events.take();
  tell({ begun, ...Object.fromEntries(spent), modules, rssBytes, effectiveOptions, isUnread, emitted });
  return connection;
}

/** @type {() => Emitted | null} */
let takeEmitted = () => null;
/** The parent then ends this process. @param {string} error */
const tellFailure = (error) => tell({ error, emitted: takeEmitted() });

const begun = now();
// The parent has waited long enough.
process.once('SIGTERM', () => tellFailure('it had no reply yet'));
const connection = await startCold(JSON.parse(readFileSync(0, 'utf8'))).catch((error) =>
  tellFailure(error?.message ?? String(error)),
);
process.removeAllListeners('SIGTERM');
await connection?.close();
