/**
 * @import { Connection, Lease } from '../plugins/types.js'
 * @typedef {{connection: Connection} | {borrow: NonNullable<Lease['borrow']>}} Uses
 */

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
