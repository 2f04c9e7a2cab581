import { setImmediate } from 'node:timers/promises';
import { createHandedConnections } from './handed-connection.js';
import { createOwnKeys } from './own-keys.js';

/** @import { CycleContext, Step, WorkloadPlugin } from '../types.js' */

/** Where a step is only looked at and never sent. */
const NO_PREFIX = '';

/**
 * The one step of a workload that is code: an iteration does several commands on a connection in hand, and computes
 * between them.
 *
 * @param {Pick<WorkloadPlugin, 'id' | 'iterate' | 'store'>} workload
 * @param {any} parameter
 * @param {Pick<CycleContext, 'keyPrefix'>} context
 * @returns {Step}
 */
export function createCodeStep({ id, iterate, store }, parameter, { keyPrefix = NO_PREFIX }) {
  const keys = createOwnKeys(keyPrefix);
  const connections = createHandedConnections(keys);
  return {
    command: id,
    async send(connection, item) {
      const before = connections.issued();
      const result = await iterate?.(connections.of(/** @type {any} */ (connection)), item, parameter);
      // Iterations that ask nothing of the server would never let the event loop go on.
      if (connections.issued() === before) await setImmediate();
      return result;
    },
    accept: (result) => result !== false,
    wrongText: () => `${id} returned false: a reply was not what it expects`,
    takeCalls: connections.takeCalls,
    keys: keys.all,
    async store(connection, item) {
      await store?.(connections.of(connection), item, parameter);
      connections.takeCalls();
    },
  };
}
