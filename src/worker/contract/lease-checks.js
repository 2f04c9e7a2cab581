import { deferred, until } from '../../process/wait.js';
import { borrowOf } from '../uses.js';
import { expectEqual, expectError, expectSoon, expectThat } from './expect.js';

/** @import { Connection, Lease, ScenarioPlugin } from '../../plugins/types.js' */
/** @import { createConnector } from '../connector.js' */
/** @import { ContractChecks } from './expect.js' */

const ROUNDS = 3;

/**
 * @param {{scenario: ScenarioPlugin, opened: () => {lease: Lease, connector: ReturnType<typeof createConnector>},
 *   tasks: number, expected: number, connections: () => Promise<number>, key: string}} under `connections`: of the server;
 *   `key`: holds `value` @returns {ContractChecks}
 */
export function leaseChecks({ scenario, opened, tasks, expected, connections, key }) {
  /** @template T @param {(connection: Connection) => Promise<T>} use @returns {Promise<T[]>} */
  const onEach = (use) =>
    Promise.all(Array.from({ length: tasks }, (_, index) => borrowOf(opened().lease, index)(use)));
  const opening = scenario.opensDuringRun
    ? 'opens a connection for each use'
    : 'opens no connection while it is used';
  /** @param {Lease} lease */
  async function checkBusy(lease) {
    // No more tasks can hold lent connections than there are, unless one is lent to several.
    const held = lease.forTask ? tasks : Math.min(tasks, scenario.opensDuringRun ? tasks : expected);
    // The kernel accepts a connection before the server does.
    if (!scenario.opensDuringRun) await expectSoon(`connections(${tasks})`, connections, expected);
    const released = deferred();
    /** @type {Set<unknown>} */
    const ids = new Set();
    let atWork = 0;
    const work = onEach(async (connection) => {
      ids.add(await connection.command(['CLIENT', 'ID']));
      atWork++;
      await released.promise;
    });
    work.catch(() => {});
    try {
      await until(() => atWork >= held, { everyMs: 2, withinMs: 5000 });
      expectThat(`${held} tasks to be busy at once`, atWork >= held);
      expectEqual('connections on the server', await connections(), expected);
      expectEqual('connections that are used', ids.size, Math.min(tasks, expected));
    } finally {
      released.resolve();
      await work;
    }
    expectThat('every task to have its turn', atWork === tasks);
  }
  return {
    'gives every task a connection that works': async () =>
      expectEqual(
        'the replies to all tasks',
        await onEach((connection) => connection.get(key)),
        Array(tasks).fill('value'),
      ),
    [`has ${expected} connections on the server when all tasks are busy`]: () => checkBusy(opened().lease),
    async [opening]() {
      const { connector } = opened();
      const before = connector.opened();
      for (let round = 0; round < ROUNDS; round++) await onEach((connection) => connection.ping());
      expectEqual(
        'connections opened meanwhile',
        connector.opened() - before,
        scenario.opensDuringRun ? ROUNDS * tasks : 0,
      );
      if (!scenario.opensDuringRun) expectEqual('connections opened before', before, expected);
    },
    async 'passes on the error of a task, and the others go on'() {
      const { lease } = opened();
      await expectError(
        'HSET of a string',
        () => borrowOf(lease, 0)((connection) => connection.hset(key, 'field', 'x')),
        /WRONGTYPE/,
      );
      expectEqual(
        'the last task afterwards',
        await borrowOf(lease, tasks - 1)((connection) => connection.get(key)),
        'value',
      );
    },
  };
}
