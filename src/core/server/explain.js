import { withAdvice } from '../causes.js';
import { messageOf, ServerError } from '../errors.js';
import { succeeds } from '../process/wait.js';
import { ProtocolError } from '../resp.js';
import { tryConnect } from './sockets.js';
import { labelOf } from './target.js';

/** @import { Target } from './types.js' */

/** A server that needs longer for PING or INFO is not worth measuring. */
export const ANSWER_WITHIN_MS = 5000;

/** Such as `OOM command not allowed`. */
const ERROR_REPLY = /^[A-Z][A-Z_]+ /;

const NOBODY_THERE = /^(ECONNREFUSED|ENOENT|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
const NO_CONNECTION = /Connection timeout/;
const NO_SUCH_HOST = /^(ENOTFOUND|EAI_AGAIN)$/;

/** @param {unknown} error @param {Target} target @param {boolean} [isSecure] after the TLS handshake @returns {ServerError} */
export function explain(error, target, isSecure = false) {
  if (error instanceof ServerError) return error;
  const where = labelOf(target);
  const text = messageOf(error);
  const code = codeOf(error);
  const say = (/** @type {string} */ message) => new ServerError(message, { cause: error });
  const tls = explainTls(error, target, isSecure);
  if (tls !== null) return say(tls);
  if (code === 'TIMEOUT') {
    return say(`${where} accepted the connection but gave no Redis reply (${text}); is it a Redis server?`);
  }
  if (NO_SUCH_HOST.test(code)) return say(`the host of ${where} does not resolve (${code})`);
  if (/^(ECONNREFUSED|ENOENT)$/.test(code)) {
    return say(
      `nothing answers at ${where} (${code}); start a Redis server there, or leave out --url and --socket to have one started`,
    );
  }
  if (NOBODY_THERE.test(code)) return say(`nothing answers at ${where} (${code})`);
  if (NO_CONNECTION.test(text)) return say(`nothing answers at ${where} within ${ANSWER_WITHIN_MS / 1000} s`);
  if (ERROR_REPLY.test(text)) return say(`${where} replied with an error: ${withAdvice(text)}`);
  if (CLOSED.test(text)) {
    return say(
      `${where} closed the connection before it replied (${text}); is it a Redis server, and is this machine let in?`,
    );
  }
  if (error instanceof ProtocolError) {
    return say(`${where} does not speak the Redis protocol (${text}); check the port`);
  }
  return say(`cannot use ${where} as a Redis server: ${text}`);
}

/** Also checks whether the port expects TLS. @param {unknown} error @param {Target} target @param {boolean} [isSecure] */
export async function explainRefusal(error, target, isSecure) {
  if (target.transport !== 'tcp' || !CLOSED.test(messageOf(error)) || !(await speaksTls(target)))
    return explain(error, target, isSecure);
  return new ServerError(
    `${labelOf(target)} speaks TLS only (${messageOf(error)}); use a --url that starts with rediss://`,
    { cause: error },
  );
}

/** For a server that answered before. @param {unknown} error @param {Target} target @returns {ServerError} */
export function explainLoss(error, target) {
  const cause = error instanceof ServerError ? (error.cause ?? error) : error;
  const where = labelOf(target);
  const code = codeOf(cause);
  const lost = (/** @type {string} */ how) => new ServerError(`${where} ${how}`, { cause });
  if (code === 'TIMEOUT')
    return lost(`has stopped answering (${messageOf(cause)}): the server or the network hangs`);
  if (CLOSED.test(messageOf(cause))) return lost(`closed the connection (${messageOf(cause)})`);
  if (NOBODY_THERE.test(code)) return lost(`is gone (${code}): the server has ended, or the network is down`);
  return explain(cause, target);
}

/** @param {unknown} error of connecting */
export const isUnreachable = (error) =>
  NOBODY_THERE.test(codeOf(error)) || NO_CONNECTION.test(messageOf(error));

/** @param {any} error */
const codeOf = (error) => error?.code ?? error?.errors?.[0]?.code;

/** Node and OpenSSL codes for a rejected certificate. */
const UNVERIFIED =
  /^(CERT_(CHAIN_TOO_LONG|HAS_EXPIRED|NOT_YET_VALID|REJECTED|REVOKED|SIGNATURE_FAILURE|UNTRUSTED)|DEPTH_ZERO_SELF_SIGNED_CERT|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|GET_ISSUER_CERT_LOCALLY|VERIFY_LEAF_SIGNATURE))$/;

const CLOSED = /\bECONNRESET\b|\bEPIPE\b|socket closed/i;

const NO_TLS = /wrong version number|packet length|before secure TLS connection/i;

/**
 * @param {unknown} error @param {Target} target @param {boolean} [isSecure] after the handshake
 * @returns {string | null} null if not caused by TLS
 */
export function explainTls(error, target, isSecure = false) {
  if (target.transport !== 'tls') return null;
  const where = labelOf(target);
  const code = String(/** @type {any} */ (error)?.code);
  const text = messageOf(error);
  if (UNVERIFIED.test(code)) {
    return `the certificate of ${where} does not verify (${text}); ${remedyFor(code, target)}, or accept it as it is with --tls-insecure`;
  }
  if (/certificate required|handshake failure|alert (unknown ca|bad certificate|certificate)/i.test(text)) {
    return `${where} refused the TLS handshake (${text}); ${clientRemedy(target)}`;
  }
  // With TLS 1.3 a server checks the client's certificate after the handshake, and hangs up without one.
  if (CLOSED.test(text)) {
    return isSecure
      ? `${where} closed the connection right after the TLS handshake (${text}); ${clientRemedy(target)}`
      : `${where} closed the connection during the TLS handshake (${text})`;
  }
  if (code === 'EPROTO' || NO_TLS.test(text)) {
    return `${where} does not speak TLS (${text}); use redis:// where the port is a plain one`;
  }
  // A plain Redis takes the handshake for the start of a command and waits for the rest.
  if (code === 'TIMEOUT' && !isSecure) {
    return `${where} does not answer by TLS (${text}); use redis:// where the port is a plain one`;
  }
  return null;
}

/** @param {string} code of the certificate error @param {Target} target */
function remedyFor(code, { tls: given }) {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'name the server in --url as its certificate does, or give that name by --tls-servername';
  if (code === 'CERT_HAS_EXPIRED') return 'renew it on the server';
  if (code === 'CERT_NOT_YET_VALID') return 'see whether the clocks of both machines are right';
  if (given?.ca) return 'the authority in --tls-ca is not the one that signed it';
  return 'name the file of the authority that signed it with --tls-ca FILE';
}

/** @param {Target} target */
const clientRemedy = ({ tls: given }) =>
  given?.cert
    ? 'the server must trust the authority that signed --tls-cert'
    : 'if it asks for a client certificate, show one with --tls-cert FILE and --tls-key FILE';

/** Long enough for a handshake; the result only refines an error message. */
const PROBE_WITHIN_MS = 1000;

/** @param {Target} target @returns {Promise<boolean>} */
const speaksTls = ({ host, port }) =>
  succeeds(tryConnect({ host, port, tls: { rejectUnauthorized: false } }, PROBE_WITHIN_MS));
