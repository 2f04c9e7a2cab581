import { once } from 'node:events';
import { messageOf, ServerError } from '../errors.js';
import { within } from '../process/wait.js';
import { ANSWER_WITHIN_MS } from './explain.js';
import { openSocket } from './sockets.js';
import { labelOf } from './target.js';
import { explainTls } from './tls-errors.js';

/** @import { Target } from './types.js' */

/**
 * Checks that something listens there, without logging in: the service does that itself.
 *
 * @param {Target} target @throws {ServerError}
 */
export async function checkReachable(target) {
  const socket = openSocket(target);
  try {
    await within(ANSWER_WITHIN_MS, once(socket, target.tls === undefined ? 'connect' : 'secureConnect'));
  } catch (error) {
    const where = labelOf(target);
    throw new ServerError(
      explainTls(error, target) ??
        `nothing answers at ${where} (${messageOf(error)}); expected --url of the server that the service uses`,
      { cause: error },
    );
  } finally {
    socket.destroy();
  }
}
