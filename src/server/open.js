import { connectControl } from './control.js';
import { locateServer } from './locate.js';
import { startManagedServer } from './managed.js';
import { isLoopback } from './target.js';

/** What redis-benchmark prints about a server too, because each changes what is measured. */
const CONFIG = ['save', 'appendonly', 'maxmemory', 'io-threads'];

/**
 * Opens the server that a benchmark runs on: the external one that is named, else a managed one.
 *
 * @param {import('../types.js').Target | null} external
 * @param {{serverBin?: string}} [options]
 * @returns {Promise<import('../types.js').Server>}
 * @throws {import('../errors.js').ServerError}
 */
export async function openServer(external, { serverBin } = {}) {
  const server = await connect(external, serverBin);
  try {
    return await describe(server);
  } catch (error) {
    await server.close();
    throw error;
  }
}

/**
 * @param {import('../types.js').Target | null} external
 * @param {string | undefined} serverBin
 * @returns {Promise<Undescribed>}
 *
 * @typedef {Omit<import('../types.js').Server, 'facts' | 'runId' | 'pid'>} Undescribed
 */
async function connect(external, serverBin) {
  if (external === null) {
    const { targets, control, stop } = await startManagedServer(await locateServer({ serverBin }));
    return {
      kind: 'managed',
      isLocal: true,
      targets,
      control,
      async close() {
        control.close();
        await stop();
      },
    };
  }
  const control = await connectControl(external);
  return {
    kind: 'external',
    isLocal: isLoopback(external),
    targets: { [external.transport]: external },
    control,
    close: async () => control.close(),
  };
}

/**
 * @param {Undescribed} server
 * @returns {Promise<import('../types.js').Server>}
 */
async function describe(server) {
  const info = (await server.control.info())?.fields ?? {};
  const config = await Promise.all(CONFIG.map(async (name) => [name, await server.control.config(name)]));
  const { software, version } = softwareOf(info);
  return {
    ...server,
    runId: info.run_id ?? null,
    pid: info.process_id === undefined ? null : Number(info.process_id),
    facts: {
      kind: server.kind,
      software,
      version,
      mode: info.redis_mode ?? info.server_mode ?? null,
      transports: Object.keys(server.targets),
      config: Object.fromEntries(config),
    },
  };
}

/**
 * Servers that are not Redis claim a redis_version for the sake of old clients and say their own beside it.
 *
 * @param {Record<string, string>} info
 */
function softwareOf(info) {
  if (info.valkey_version) return { software: 'Valkey', version: info.valkey_version };
  if (info.dragonfly_version) return { software: 'Dragonfly', version: info.dragonfly_version };
  return { software: 'Redis', version: info.redis_version ?? null };
}
