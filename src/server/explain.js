import { withAdvice } from '../causes.js';
import { messageOf, ServerError } from '../errors.js';
import { labelOf } from './target.js';
import { CLOSED, explainTls, speaksTls } from './tls-errors.js';

/** @import { Target } from './types.js' */

/** Nobody wants to measure a server that takes longer than this for PING or INFO. */
export const ANSWER_WITHIN_MS = 5000;

/** An error reply starts with a code in capitals: `OOM command not allowed`. */
const ERROR_REPLY = /^[A-Z][A-Z_]+ /;

const NOBODY_THERE = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * What to tell the user who named this server.
 *
 * @param {unknown} error @param {Target} target @returns {ServerError}
 */
export function explain(error, target) {
  if (error instanceof ServerError) return error;
  const where = labelOf(target);
  const text = messageOf(error);
  const code = codeOf(error);
  const say = (/** @type {string} */ message) => new ServerError(message, { cause: error });
  const tls = explainTls(error, target);
  if (tls !== null) return say(tls);
  if (code === 'TIMEOUT') {
    return say(`${where} accepted the connection but gave no Redis reply (${text}); is it a Redis server?`);
  }
  if (NOBODY_THERE.has(code)) {
    return say(
      `nothing answers at ${where} (${code}); start a Redis server there, or leave out --url and --socket to have one started`,
    );
  }
  if (/ConnectionTimeout|Connection timeout/.test(text)) {
    return say(
      `nothing answers at ${where} within ${ANSWER_WITHIN_MS / 1000} s; check host, port and firewall`,
    );
  }
  if (ERROR_REPLY.test(text)) return say(`${where} answered with an error: ${withAdvice(text)}`);
  if (CLOSED.test(text)) {
    return say(
      `${where} closed the connection before it gave an answer (${text}); is it a Redis server, and is this machine let in?`,
    );
  }
  if (/RESP|type|protocol|decod/i.test(text)) {
    return say(`${where} does not speak the Redis protocol (${text}); check the port`);
  }
  return say(`cannot use ${where} as a Redis server: ${text}`);
}

/**
 * The same after a look at whether the port is one for TLS.
 *
 * @param {unknown} error @param {Target} target @returns {Promise<ServerError>}
 */
export async function explainRefusal(error, target) {
  if (target.transport !== 'tcp' || !CLOSED.test(messageOf(error)) || !(await speaksTls(target)))
    return explain(error, target);
  return new ServerError(
    `${labelOf(target)} speaks TLS only (${messageOf(error)}); use a --url that starts with rediss://`,
    { cause: error },
  );
}

/**
 * The same for a server that has answered before.
 *
 * @param {unknown} error @param {Target} target @returns {ServerError}
 */
export function explainLoss(error, target) {
  const cause = error instanceof ServerError ? (error.cause ?? error) : error;
  const where = labelOf(target);
  const code = codeOf(cause);
  const lost = (/** @type {string} */ how) => new ServerError(`${where} ${how}`, { cause });
  if (code === 'TIMEOUT')
    return lost(`has stopped answering (${messageOf(cause)}): the server or the network hangs`);
  if (CLOSED.test(messageOf(cause))) return lost(`closed the connection (${messageOf(cause)})`);
  if (NOBODY_THERE.has(code)) return lost(`is gone (${code}): the server has ended, or the network is down`);
  return explain(cause, target);
}

/** @param {any} error */
const codeOf = (error) => error?.code ?? error?.errors?.[0]?.code;
