/** @import { Connection } from '../plugins/types.js' */

/** A turn of the event loop takes a few microseconds, and so many answers out of a cache some hundred. */
const ANSWERS_A_TURN = 256;

/**
 * An answer out of a client's own cache needs no turn of the event loop. Tasks that get nothing else would go on from
 * one to the next without one, as no service does: nobody could tell them to stop, and no word that a key has
 * changed would come in. So after some answers all wait for the next turn.
 *
 * @returns {(connection: Connection) => void} has a connection with a cache do so, together with the others
 */
export function createBreather() {
  let left = ANSWERS_A_TURN;
  /** @type {Promise<void> | null} */
  let turn = null;

  const nextTurn = () =>
    new Promise((/** @type {(none: void) => void} */ resolve) => {
      setImmediate(() => {
        left = ANSWERS_A_TURN;
        turn = null;
        resolve();
      });
    });

  /** @template T @param {Promise<T>} answer @returns {Promise<T>} */
  function breathe(answer) {
    if (left-- > 0) return answer;
    turn ??= nextTurn();
    return turn.then(() => answer);
  }

  return (connection) => {
    const get = connection.get.bind(connection);
    const exists = connection.exists.bind(connection);
    connection.get = (key) => breathe(get(key));
    connection.exists = (key) => breathe(exists(key));
  };
}
