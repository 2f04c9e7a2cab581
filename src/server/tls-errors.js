import { messageOf } from '../errors.js';
import { labelOf } from './target.js';

/** @import { Target } from './types.js' */

/** The codes of Node and OpenSSL for a certificate that was looked at and refused. */
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

const NO_TLS = /wrong version number|packet length|before secure TLS connection/i;

/**
 * What to tell the person whose TLS connection did not come to be.
 *
 * @param {unknown} error
 * @param {Target} target
 * @returns {string | null} null where TLS is not what went wrong
 */
export function explainTls(error, target) {
  if (target.transport !== 'tls') return null;
  const where = labelOf(target);
  const code = String(/** @type {any} */ (error)?.code);
  const text = messageOf(error);
  if (UNVERIFIED.has(code)) {
    const remedy =
      code === 'ERR_TLS_CERT_ALTNAME_INVALID'
        ? 'name the server in --url as its certificate does'
        : 'name the file of the authority that has signed it by --tls-ca FILE';
    return `the certificate of ${where} does not verify (${text}); ${remedy}, or go without with --tls-insecure`;
  }
  if (/certificate required|handshake failure|alert (unknown ca|bad certificate|certificate)/i.test(text)) {
    const remedy = target.tls?.cert
      ? 'the authority that has signed --tls-cert must be one that the server trusts'
      : 'if it asks for a client certificate, show one by --tls-cert FILE and --tls-key FILE';
    return `${where} refused the TLS handshake (${text}); ${remedy}`;
  }
  // A plain Redis takes the handshake for the start of a command and waits for its end.
  if (code === 'SILENT' || code === 'EPROTO' || NO_TLS.test(text)) {
    return `${where} does not speak TLS (${text}); use redis:// where the port is a plain one`;
  }
  return null;
}
