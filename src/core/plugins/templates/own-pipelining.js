/** @import { PipeliningSource } from 'redis-pipe-bench' */

/**
 * A pipelining mode of your own: how commands are held back or joined on a connection. This one works as it is: the
 * commands of one turn of the event loop go out as one batch.
 *
 *   redis-pipe-bench check ./batcher.js
 *   redis-pipe-bench --pipelining ./batcher.js,./batcher.js:20,implicit
 *
 * @type {PipeliningSource}
 */
const pipelining = {
  summary: 'the commands of one turn of the event loop as one batch',
  // What the client must be capable of.
  requires: ['pipeline'],

  // Reads what follows the colon; throws where it makes no sense. Leave it out if nothing may follow.
  parse(argument = '100') {
    const most = Number(argument);
    if (!Number.isInteger(most) || most < 1)
      throw new Error(`expected commands of a batch at most, got '${argument}'`);
    return most;
  },

  // A connection in place of the one it is given. `meter.sent(n)` tells of each batch.
  wrap(connection, most, meter) {
    /** @type {{args: [string, ...string[]], resolve: (reply: any) => void, reject: (error: unknown) => void}[]} */
    let waiting = [];

    function flush() {
      const batch = waiting;
      waiting = [];
      if (batch.length === 0) return;
      meter.sent(batch.length);
      connection.pipeline(batch.map(({ args }) => args)).then(
        (replies) => {
          for (const [index, { resolve, reject }] of batch.entries()) {
            if (replies[index] instanceof Error) reject(replies[index]);
            else resolve(replies[index]);
          }
        },
        (error) => {
          for (const { reject } of batch) reject(error);
        },
      );
    }

    /** @param {[string, ...string[]]} args @returns {Promise<any>} */
    const command = (args) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ args, resolve, reject });
        if (waiting.length === most) flush();
      });

    return {
      command,
      get: (key) => command(['GET', key]),
      set: (key, value) => command(['SET', key, value]),
      hset: (key, field, value) => command(['HSET', key, field, value]),
      exists: (key) => command(['EXISTS', key]),
      del: (key) => command(['DEL', key]),
      // What the tool asks before and after a run need not wait.
      ping: () => connection.ping(),
      transaction: (commands) => connection.transaction(commands),
      pipeline: (commands) => connection.pipeline(commands),
      close: () => connection.close(),
      destroy: () => connection.destroy(),
      effectiveOptions: connection.effectiveOptions,
    };
  },
};

export default pipelining;
