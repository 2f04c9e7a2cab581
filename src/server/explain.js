import { withAdvice } from '../error-causes.js';
import { messageOf, ServerError } from '../errors.js';
import { ProtocolError } from '../relay/resp.js';
import { labelOf } from './target.js';

/** @import { Target } from './types.js' */

/** A server that needs longer for PING or INFO is not worth measuring. */
export const ANSWER_WITHIN_MS = 5000;

/** Such as `OOM command not allowed`. */
const ERROR_REPLY = /^[A-Z][A-Z_]+ /;
const NOBODY_THERE = /^(ECONNREFUSED|ENOENT|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
const CLOSED = /\bECONNRESET\b|\bEPIPE\b|socket closed/i;

/** @param {unknown} error @param {Target} target @param {boolean} [isSecure] after the TLS handshake @returns {ServerError} */
export function explain(error, target, isSecure = false) {
  if (error instanceof ServerError) return error;
  const why = explainTls(error, target, isSecure) ?? whyUnusable(error, target);
  return new ServerError(why, { cause: error });
}

/** @param {unknown} error @param {Target} target */
function whyUnusable(error, target) {
  const where = labelOf(target);
  const text = messageOf(error);
  const code = codeOf(error);
  if (code === 'TIMEOUT')
    return `${where} accepted the connection but gave no Redis reply (${text}); is it a Redis server?`;
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code)) return `the host of ${where} does not resolve (${code})`;
  if (/^(ECONNREFUSED|ENOENT)$/.test(code))
    return `nothing answers at ${where} (${code}); start a Redis server there, or leave out --url and --socket to have one started`;
  if (NOBODY_THERE.test(code)) return `nothing answers at ${where} (${code})`;
  if (ERROR_REPLY.test(text)) return `${where} replied with an error: ${withAdvice(text)}`;
  if (CLOSED.test(text)) {
    const byTls = target.transport === 'tcp' ? 'does it speak TLS only (rediss://), ' : '';
    return `${where} closed the connection before it replied (${text}); is it a Redis server, ${byTls}and is this machine let in?`;
  }
  if (error instanceof ProtocolError)
    return `${where} does not speak the Redis protocol (${text}); check the port`;
  return `cannot use ${where} as a Redis server: ${text}`;
}

/** For a server that answered before. @param {unknown} error @param {Target} target @returns {ServerError} */
export function explainLoss(error, target) {
  const cause = error instanceof ServerError ? (error.cause ?? error) : error;
  const code = codeOf(cause);
  const text = messageOf(cause);
  const how =
    code === 'TIMEOUT'
      ? `has stopped answering (${text}): the server or the network hangs`
      : CLOSED.test(text)
        ? `closed the connection (${text})`
        : NOBODY_THERE.test(code) && `is gone (${code}): the server has ended, or the network is down`;
  return how ? new ServerError(`${labelOf(target)} ${how}`, { cause }) : explain(cause, target);
}

/** @param {unknown} error of connecting */
export const isUnreachable = (error) => NOBODY_THERE.test(codeOf(error));

/** @param {unknown} error */
function codeOf(error) {
  const { code, errors } = Object(error);
  return code ?? errors?.[0]?.code;
}

/** Node and OpenSSL codes for a rejected certificate. */
const UNVERIFIED =
  /^(CERT_(CHAIN_TOO_LONG|HAS_EXPIRED|NOT_YET_VALID|REJECTED|REVOKED|SIGNATURE_FAILURE|UNTRUSTED)|DEPTH_ZERO_SELF_SIGNED_CERT|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|GET_ISSUER_CERT_LOCALLY|VERIFY_LEAF_SIGNATURE))$/;
const REFUSED = /certificate required|handshake failure|alert (unknown ca|bad certificate|certificate)/i;
const NO_TLS = /wrong version number|packet length|before secure TLS connection/i;

/**
 * @param {unknown} error @param {Target} target @param {boolean} [isSecure] after the handshake
 * @returns {string | null} null if not caused by TLS
 */
export function explainTls(error, target, isSecure = false) {
  if (target.transport !== 'tls') return null;
  const where = labelOf(target);
  const code = String(Object(error).code);
  const text = messageOf(error);
  const clientRemedy = target.tls?.cert
    ? 'the server must trust the authority that signed --tls-cert'
    : 'if it asks for a client certificate, show one with --tls-cert FILE and --tls-key FILE';
  if (UNVERIFIED.test(code))
    return `the certificate of ${where} does not verify (${text}); ${remedyFor(code, target)}, or accept it as it is with --tls-insecure`;
  if (REFUSED.test(text)) return `${where} refused the TLS handshake (${text}); ${clientRemedy}`;
  // With TLS 1.3 a server checks the client's certificate after the handshake, and hangs up without one.
  if (CLOSED.test(text)) {
    return isSecure
      ? `${where} closed the connection right after the TLS handshake (${text}); ${clientRemedy}`
      : `${where} closed the connection during the TLS handshake (${text})`;
  }
  if (code === 'EPROTO' || NO_TLS.test(text))
    return `${where} does not speak TLS (${text}); use redis:// where the port is a plain one`;
  // A plain Redis takes the handshake for the start of a command and waits for the rest.
  if (code === 'TIMEOUT' && !isSecure)
    return `${where} does not answer by TLS (${text}); use redis:// where the port is a plain one`;
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
