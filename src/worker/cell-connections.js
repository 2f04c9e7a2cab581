import pLimit from 'p-limit';
import { messageOf } from '../errors.js';
import { completeConnection } from '../plugins/shared/complete-connection.js';
import { createConnector } from './connector.js';
import { excerpt } from './tally.js';
import { borrowOf } from './uses.js';

/** @import { BatchMeter, Connection, Manners } from '../plugins/types.js' */
/** @import { Parts } from './cell-parts.js' */
/** @import { Job, Leftovers } from './types.js' */

const CHECKING_AT_ONCE = 32;

/** @param {Job} job @param {Parts} parts @param {BatchMeter} meter @param {Manners} [manners] */
export async function createConnections(job, parts, meter, manners) {
  const { target } = job;
  const { client, scenario, pipelining, options, library } = parts;
  const measured = { ...manners, buffers: job.replies === 'buffer' };
  const connector = createConnector({
    connect: () => client.connect(target, options, library, measured),
    wrap: (connected) => {
      const connection = completeConnection(connected, client.id);
      return pipelining.wrap ? pipelining.wrap(connection, job.pipelining.parameter, meter) : connection;
    },
    connectPool: (pool) =>
      /** @type {Required<typeof client>} */ (client).connectPool(target, options, library, pool, measured),
  });
  /** @type {WeakSet<Connection>} */
  const checked = new WeakSet();
  const lease = await scenario.open({ ...connector, tasks: job.tasks, options: job.scenarioOptions });

  return {
    lease,
    opened: connector.opened,
    /** One that no task uses, as the client gives it. */
    connectSeparately: () => client.connect(target, options, library, manners),
    answeredByCaches: connector.answeredByCaches,

    /** @template T @param {(connection: Connection) => Promise<T>} use @returns {PromiseLike<T>} */
    use: (use) => borrowOf(lease, 0)(use),

    /** @param {string[] | null} runIds @throws {Error} when one reaches another server */
    async checkAll(runIds) {
      const unchecked = connector.open().filter((connection) => !checked.has(connection));
      await pLimit(CHECKING_AT_ONCE).map(unchecked, (connection) =>
        connector.checkServer(connection, runIds),
      );
      for (const connection of unchecked) checked.add(connection);
    },

    /** @returns {Promise<Leftovers>} replies that belong to another command */
    async askAll() {
      const wrong = (await Promise.all(connector.open().map(wrongEchoes))).flat();
      return { wrongReplies: wrong.length, firstWrongReply: wrong[0] ?? null };
    },

    async close() {
      await lease.close();
      connector.destroyAll();
    },
  };
}

/** As many as the tasks of a typical benchmark have in flight. */
const ECHOES = 16;

/** @param {Connection} connection @returns {Promise<string[]>} what is reported of replies to another command */
async function wrongEchoes(connection) {
  const asked = Array.from({ length: ECHOES }, (_, index) => `echo ${index}`);
  const replies = await Promise.allSettled(asked.map((text) => connection.command(['ECHO', text])));
  if (replies.every(({ status }) => status === 'rejected')) return broken(connection);
  return replies.flatMap((reply, index) =>
    reply.status === 'rejected' || String(reply.value) === asked[index]
      ? []
      : [`ECHO after the run replied ${excerpt(reply.value)}`],
  );
}

/** A client may end a connection that gives a reply too many, perhaps after the run. @param {Connection} connection */
const broken = (connection) =>
  connection.ping().then(
    () => [],
    (error) => [`a connection was broken at the end of the run: ${messageOf(error)}`],
  );
