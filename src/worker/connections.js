import pLimit from 'p-limit';
import { present } from '../collections.js';
import { messageOf } from '../errors.js';
import { completeConnection } from '../plugins/shared/connections.js';
import { createClientEvents } from './client-events.js';
import { excerpt } from './failures.js';
import { createSocketCount } from './meters/open-sockets.js';

/** @import { BatchMeter, Connection, ConnectionPool, Lease, ConnectionMode } from '../plugins/types.js' */
/** @import { Job, Leftovers } from './types.js' */
/** @import { Parts } from './cell-parts.js' */

// A server accepts connections one by one; opening hundreds at once only fills its backlog.
const OPENING_AT_ONCE = 32;

/**
 * @param {{connect: (watch: Watch) => Promise<Connection>, wrap: (connection: Connection) => Connection,
 *   connectPool: (pool: {size: number, adopt: Adopt}, watch: Watch) => Promise<ConnectionPool>}} parts
 * @typedef {(connection: Connection, onClose?: () => void) => Connection} Adopt
 * @typedef {NonNullable<ConnectionMode['watch']>} Watch
 * @param {ReturnType<typeof createClientEvents>} [events]
 */
export function createConnector({ wrap, ...client }, events = createClientEvents()) {
  /** @type {Set<Connection>} */
  const open = new Set();
  let opened = 0;

  /** @type {Set<NonNullable<Connection['cache']>>} */
  const caches = new Set();
  /** What closed ones answered; null while there was none. @type {number | null} */
  let answeredByGone = null;

  /** @type {Adopt} */
  function adopt(connected, onClose = () => {}) {
    if (connected.cache) {
      answeredByGone ??= 0;
      caches.add(connected.cache);
    }
    const connection = wrap(connected);
    opened++;
    open.add(connection);
    const close = connection.close.bind(connection);
    connection.close = async () => {
      onClose();
      if (connected.cache && caches.delete(connected.cache))
        answeredByGone = Number(answeredByGone) + connected.cache.answered();
      await close();
      open.delete(connection);
    };
    return connection;
  }

  async function connect() {
    const { watch, closing } = events.ofConnection();
    return adopt(await client.connect(watch), closing);
  }

  return {
    connect,
    ofConnection: events.ofConnection,
    takeEmitted: events.take,

    /** @param {number} count @returns {Promise<Connection[]>} */
    connectMany: (count) => pLimit(OPENING_AT_ONCE).map(Array.from({ length: count }), connect),

    /** @param {number} size @returns {Promise<ConnectionPool>} */
    async connectPool(size) {
      const { watch, closing } = events.ofConnection();
      const pool = await client.connectPool({ size, adopt }, watch);
      return {
        borrow: pool.borrow,
        async close() {
          closing();
          await pool.close();
          // It has closed the connections without calling their adopted close().
          open.clear();
        },
      };
    },

    opened: () => opened,

    /** @returns {number | null} commands that the client's caches have answered so far; null without any */
    answeredByCaches() {
      if (answeredByGone === null) return null;
      return [...caches].reduce((sum, cache) => sum + cache.answered(), answeredByGone);
    },

    open: () => [...open],

    destroyAll() {
      for (const connection of open) connection.destroy();
      open.clear();
    },
  };
}

const CHECKING_AT_ONCE = 32;

/**
 * @param {Job} job @param {Parts} parts @param {BatchMeter} meter @param {ConnectionMode} [manners]
 * @param {ReturnType<typeof createClientEvents>} [events] what its clients emit, known before they are connected
 */
export async function createConnections(job, parts, meter, manners, events) {
  const { target } = job;
  const { client, scenario, pipelining, options, library } = parts;
  const measured = { ...manners, buffers: job.replies === 'buffer' };
  const { opened, answeredByCaches, open, destroyAll, ofConnection, takeEmitted, ...connector } =
    createConnector(
      {
        connect: (watch) => client.connect(target, options, library, { ...measured, watch }),
        wrap: (connected) => {
          const connection = completeConnection(connected, client.id);
          return pipelining.wrap?.(connection, job.pipelining.parameter, meter) ?? connection;
        },
        connectPool: (pool, watch) =>
          present(client.connectPool?.(target, options, library, pool, { ...measured, watch })),
      },
      events,
    );
  const sockets = createSocketCount(target);
  const lease = await scenario.open({ ...connector, tasks: job.tasks, options: job.scenarioOptions });

  return {
    lease,
    all: open,
    opened,
    takeEmitted,
    /** @returns {number | null} connections to the server that are open now, in this whole process; null where unknown */
    connected: () => sockets() ?? (hasOneNode(target) ? open().length : null),
    answeredByCaches,
    /** Whether a reply may come from the client itself. */
    mayCache: () => client.caches === true || answeredByCaches() !== null,
    /** One that no task uses, as the client gives it. */
    async connectSeparately() {
      const { watch, closing } = ofConnection();
      const connection = await client.connect(target, options, library, { ...manners, watch });
      const close = connection.close.bind(connection);
      connection.close = () => {
        closing();
        return close();
      };
      return connection;
    },

    /** @template T @param {(connection: Connection) => Promise<T>} use @returns {PromiseLike<T>} */
    use: (use) => borrowOf(lease, 0)(use),

    /** @throws {Error} when one reaches another server */
    checkAll: () => pLimit(CHECKING_AT_ONCE).map(open(), (connection) => checkServer(connection, job.runIds)),

    /** @returns {Promise<Leftovers>} replies that belong to another command, and connections that broke since the run */
    async askAll() {
      const connected = open();
      const echoes = Math.max(FEWEST_ECHOES, Math.ceil(ECHOES / connected.length));
      const all = await Promise.all(connected.map((connection) => checkEchoes(connection, echoes)));
      const wrong = all.flatMap((each) => each.wrong);
      /** @type {Record<string, number>} */
      const errors = {};
      for (const { error } of all) if (error !== null) errors[error] = (errors[error] ?? 0) + 1;
      return { wrongReplies: wrong.length, firstWrongReply: wrong[0] ?? null, errors };
    },

    async close() {
      await lease.close();
      destroyAll();
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof createConnections>>} Connections */

/** Elsewhere a client's connection is several to the server. @param {Job['target']} target */
const hasOneNode = ({ topology }) => topology === undefined || topology === 'standalone';

/**
 * What the tasks of a workload use. A service does not keep a connection of a pool while it waits for its database.
 * @param {Lease} lease @param {Pick<Parts, 'scenario' | 'workload'>} parts @returns {Lease}
 */
export function leaseFor(lease, { scenario, workload }) {
  const { borrow, close } = lease;
  if (!borrow || scenario.opensDuringRun || !workload.borrowsForEach) return lease;
  /** @type {Pick<Connection, 'get' | 'set' | 'command'>} */
  const commands = {
    get: (key) => Promise.resolve(borrow((connection) => connection.get(key))),
    set: (key, value) => Promise.resolve(borrow((connection) => connection.set(key, value))),
    command: (args) => Promise.resolve(borrow((connection) => connection.command(args))),
  };
  return { forTask: () => /** @type {Connection} */ (commands), close };
}

/** Uses a connection as this task would. @param {Lease} lease @param {number} task @returns {NonNullable<Lease['borrow']>} */
export function borrowOf({ forTask, borrow }, task) {
  if (forTask) {
    const connection = forTask(task);
    return (use) => use(connection);
  }
  if (borrow) return borrow;
  throw new Error('expected open() to resolve to something with forTask or borrow');
}

/** @param {Connection} connection @param {Job['runIds']} runIds */
async function checkServer(connection, runIds) {
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
}

/** In all: the tasks of a typical benchmark have so many in flight. */
const ECHOES = 16;
/** Of a connection: one alone could not be swapped with another. */
const FEWEST_ECHOES = 2;

/**
 * @param {Connection} connection
 * @param {number} count of echoes
 * @returns {Promise<{wrong: string[], error: string | null}>} `wrong`: what is reported of replies to another command; `error`: why
 *   the connection cannot be used any more
 */
async function checkEchoes(connection, count) {
  const asked = Array.from({ length: count }, (_, index) => `echo ${index}`);
  const replies = await Promise.allSettled(asked.map((text) => connection.command(['ECHO', text])));
  const wrong = replies.flatMap((reply, index) =>
    reply.status === 'rejected' || String(reply.value) === asked[index]
      ? []
      : [`ECHO after the run replied ${excerpt(reply.value)}`],
  );
  if (wrong.length > 0 || replies.every(({ status }) => status === 'fulfilled'))
    return { wrong, error: null };
  // The user may not be allowed to ECHO, or the client has connected again.
  const text = await connection.ping().then(() => null, messageOf);
  if (text === null) return { wrong, error: null };
  const { CHECK_FAILED, nameOfCause } = await import('../error-causes.js');
  // Where no cause is known, the client complains of a reply, as of one too many.
  return nameOfCause(text) === text
    ? { wrong: [`a connection was broken at the end of the run: ${text}`], error: null }
    : { wrong, error: `${CHECK_FAILED}${text}` };
}
