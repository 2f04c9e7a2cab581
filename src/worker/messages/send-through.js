/** @import { Connection, Item, MessageLedger, Step } from '../../plugins/types.js' */

/**
 * Makes each operation of a workload a message: it ends when that has arrived everywhere, and the command that sent it is
 * answered.
 * @param {Step[]} steps are changed @param {object} way @param {string} way.key @param {MessageLedger} way.ledger
 * @param {() => number} [way.lateMs] how much later than meant the next one is sent
 * @param {(connection: Connection) => void} [way.onSent]
 */
export function sendThrough(steps, { key, ledger, lateMs = () => 0, onSent = () => {} }) {
  for (const step of steps) {
    const { send } = step;
    step.send = async (connection, /** @type {Item} */ item) => {
      const { id, arrived } = ledger.send(lateMs());
      const reply = send(connection, { ...item, key, value: `${id}:${item.value}` });
      onSent(/** @type {Connection} */ (connection));
      const answer = await reply;
      await arrived;
      return answer;
    };
  }
}
