import { once } from 'node:events';
import { messageOf } from '../errors.js';
import { openSocket } from './sockets.js';
import { labelOf } from './target.js';

/** @import { Target } from './types.js' */

/** Error codes of Node and OpenSSL for a certificate that was refused. */
const UNVERIFIED = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** How Node and node-redis say that the other side has closed the connection. */
export const CLOSED = /\bECONNRESET\b|\bEPIPE\b|socket closed/i;

const NO_TLS = /wrong version number|packet length|before secure TLS connection/i;

/**
 * What to tell the user when a TLS connection fails.
 *
 * @param {unknown} error @param {Target} target @returns {string | null} null where the cause is not TLS
 */
export function explainTls(error, target) {
  if (target.transport !== 'tls') return null;
  const where = labelOf(target);
  const code = String(/** @type {any} */ (error)?.code);
  const text = messageOf(error);
  if (UNVERIFIED.has(code)) {
    return `the certificate of ${where} does not verify (${text}); ${remedyFor(code, target)}, or accept it as it is with --tls-insecure`;
  }
  if (/certificate required|handshake failure|alert (unknown ca|bad certificate|certificate)/i.test(text)) {
    return `${where} refused the TLS handshake (${text}); ${clientRemedy(target)}`;
  }
  // With TLS 1.3 a server looks at the client's certificate after the handshake, and hangs up without it.
  if (CLOSED.test(text)) {
    return `${where} closed the connection right after the TLS handshake (${text}); ${clientRemedy(target)}`;
  }
  // A plain Redis takes the handshake for the beginning of a command and waits for the rest.
  if (code === 'TIMEOUT' || code === 'EPROTO' || NO_TLS.test(text)) {
    return `${where} does not speak TLS (${text}); use redis:// where the port is a plain one`;
  }
  return null;
}

/** @param {string} code of what is wrong with the server's certificate @param {Target} target */
function remedyFor(code, { tls: given }) {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'name the server in --url as its certificate does';
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

/** Long enough for a handshake, which only says more about an error that is known already. */
const PROBE_WITHIN_MS = 1000;

/** Whether a server that hung up on plain Redis speaks TLS. @param {Target} target @returns {Promise<boolean>} */
export async function speaksTls({ host, port }) {
  const socket = openSocket({ host, port, tls: { rejectUnauthorized: false } });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(PROBE_WITHIN_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
