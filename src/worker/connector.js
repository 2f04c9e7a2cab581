/**
 * How a cell gets its connections: counted, kept track of so that none outlives the run, wrapped by
 * the pipelining mode, and, outside the timed part, checked to reach the server that is meant.
 *
 * @param {object} parts
 * @param {() => Promise<import('../types.js').Connection>} parts.connect
 * @param {(connection: import('../types.js').Connection) => import('../types.js').Connection} parts.wrap
 * @param {string | null} parts.runId the server's run_id; null where INFO is not allowed
 */
export function createConnector({ connect, wrap, runId }) {
  /** @type {Set<import('../types.js').Connection>} */
  const open = new Set();
  let opened = 0;

  async function fast() {
    const connection = wrap(await connect());
    opened++;
    open.add(connection);
    const { close } = connection;
    connection.close = async () => {
      await close();
      open.delete(connection);
    };
    return connection;
  }

  return {
    /** Connects, nothing more: for connections that are opened while the clock runs. */
    fast,

    /** Connects and checks that the server at the other end is the one that is measured. */
    async verified() {
      const connection = await fast();
      if (runId !== null) await checkServer(connection, runId);
      return connection;
    },

    startCounting() {
      opened = 0;
    },

    /** @returns {number} connections opened since `startCounting` */
    opened: () => opened,

    destroyAll() {
      for (const connection of open) connection.destroy();
      open.clear();
    },
  };
}

/**
 * @param {import('../types.js').Connection} connection
 * @param {string} runId
 */
async function checkServer(connection, runId) {
  const info = String(await connection.command(['INFO', 'server']));
  const found = /^run_id:(\w+)/m.exec(info)?.[1];
  if (found !== runId) {
    connection.destroy();
    throw new Error(
      `a connection reached another server: expected run_id ${runId}, found ${found ?? 'none'}; ` +
        'a proxy, a load balancer or a restart stands between',
    );
  }
}
