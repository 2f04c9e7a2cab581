import pLimit from 'p-limit';

/** @import { ClientCache, Connection, ConnectionPool, Lease } from '../plugins/types.js' */

// A server accepts connections one by one; opening hundreds at once only fills its backlog.
const OPENING_AT_ONCE = 32;

/**
 * @param {{connect: () => Promise<Connection>, wrap: Adopt,
 *   connectPool: (pool: {size: number, adopt: Adopt}) => Promise<ConnectionPool>}} parts
 * @typedef {(connection: Connection) => Connection} Adopt
 */
export function createConnector({ wrap, ...client }) {
  /** @type {Set<Connection>} */
  const open = new Set();
  let opened = 0;

  /** @type {Set<ClientCache>} */
  const caches = new Set();
  let hasCache = false;
  let answeredByGone = 0;

  /** @type {Adopt} */
  function adopt(connected) {
    if (connected.cache) {
      hasCache = true;
      caches.add(connected.cache);
    }
    const connection = wrap(connected);
    // A user's own mode may not have it.
    connection.transaction ??= (commands) => connected.transaction(commands);
    opened++;
    open.add(connection);
    const close = connection.close.bind(connection);
    connection.close = async () => {
      if (connected.cache && caches.delete(connected.cache)) answeredByGone += connected.cache.answered();
      await close();
      open.delete(connection);
    };
    return connection;
  }

  const connect = async () => adopt(await client.connect());

  return {
    connect,

    /** @param {number} count @returns {Promise<Connection[]>} */
    connectMany: (count) => pLimit(OPENING_AT_ONCE).map(Array.from({ length: count }), connect),

    /** @param {number} size @returns {Promise<ConnectionPool>} */
    async connectPool(size) {
      const pool = await client.connectPool({ size, adopt });
      return {
        borrow: pool.borrow,
        async close() {
          await pool.close();
          // It has closed the connections without calling their adopted close().
          open.clear();
        },
      };
    },

    opened: () => opened,

    /** @returns {number | null} commands that the client's caches have answered so far; null without any */
    answeredByCaches() {
      if (!hasCache) return null;
      return [...caches].reduce((sum, cache) => sum + cache.answered(), answeredByGone);
    },

    open: () => [...open],

    /** @param {Connection} connection @param {string[] | null} runIds null where the server does not say */
    async checkServer(connection, runIds) {
      // A cluster client may not connect to a node before it has a command for it.
      await connection.ping();
      if (runIds === null) return;
      const info = String(await connection.command(['INFO', 'server']));
      const found = /^run_id:(\w+)/m.exec(info)?.[1];
      if (found !== undefined && runIds.includes(found)) return;
      throw new Error(
        `a connection reached another server: expected run_id ${runIds.join(' or ')}, found ${found ?? 'none'}; ` +
          'a proxy, a load balancer or a restart stands between',
      );
    },

    destroyAll() {
      for (const connection of open) connection.destroy();
      open.clear();
    },
  };
}

/** @typedef {{connection: Connection} | {borrow: NonNullable<Lease['borrow']>}} Uses */

/** Uses a connection as this task would. @param {Lease} lease @param {number} task @returns {NonNullable<Lease['borrow']>} */
export function borrowOf({ forTask, borrow }, task) {
  if (forTask) {
    const connection = forTask(task);
    return (use) => use(connection);
  }
  if (borrow) return borrow;
  throw new Error('expected open() to resolve to something with forTask or borrow');
}

/** @param {Lease} lease @param {number} tasks @returns {() => Uses} for the next operation: those of the tasks in turn */
export function usesInTurn(lease, tasks) {
  const { forTask } = lease;
  if (!forTask) {
    const use = { borrow: borrowOf(lease, 0) };
    return () => use;
  }
  const uses = Array.from({ length: tasks }, (_, index) => ({ connection: forTask(index) }));
  let next = 0;
  return () => {
    const use = uses[next];
    next = next + 1 < uses.length ? next + 1 : 0;
    return use;
  };
}
