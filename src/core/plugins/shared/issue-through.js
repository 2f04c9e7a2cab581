/** @import { Commands, Connection } from '../types.js' */

/**
 * A connection whose commands are sent when `issue` decides.
 * @param {Connection} connection
 * @param {(send: (commands: Commands) => unknown) => Promise<any>} issue resolves to the reply @returns {Connection}
 */
export const issueThrough = (connection, issue) => ({
  get: (key) => issue((commands) => commands.get(key)),
  set: (key, value) => issue((commands) => commands.set(key, value)),
  hset: (key, field, value) => issue((commands) => commands.hset(key, field, value)),
  exists: (key) => issue((commands) => commands.exists(key)),
  del: (key) => issue((commands) => commands.del(key)),
  command: (args) => issue((commands) => commands.command(args)),
  transaction: (given) => issue((commands) => commands.transaction(given)),
  // The tool's own commands before and after a run need not wait.
  ping: () => connection.ping(),
  pipeline: (commands) => connection.pipeline(commands),
  close: () => connection.close(),
  destroy: () => connection.destroy(),
  get effectiveOptions() {
    return connection.effectiveOptions;
  },
});
