import { createPrivateKey, X509Certificate } from 'node:crypto';
import { messageOf, UsageError } from '../errors.js';
import { readBoundedSync } from '../read-file.js';

/** @import { TlsOptions } from './types.js' */

/** @typedef {{tlsCa?: string, tlsCert?: string, tlsKey?: string, tlsInsecure?: boolean, tlsServername?: string}} TlsFiles */

const FLAGS = {
  tlsCa: '--tls-ca',
  tlsCert: '--tls-cert',
  tlsKey: '--tls-key',
  tlsInsecure: '--tls-insecure',
  tlsServername: '--tls-servername',
};
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** @param {TlsFiles} files @returns {TlsOptions} @throws {UsageError} if a file has no valid content */
export function readTlsOptions({ tlsCa, tlsCert, tlsKey, tlsInsecure = false, tlsServername }) {
  const cert = tlsCert === undefined ? undefined : readCertificates('--tls-cert', tlsCert);
  const key = tlsKey === undefined ? undefined : readKey(tlsKey);
  if (
    cert !== undefined &&
    key !== undefined &&
    !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  ) {
    throw new UsageError(
      `--tls-key: expected the private key of '${tlsCert}', but '${tlsKey}' belongs to another`,
    );
  }
  return {
    ...(tlsCa === undefined ? {} : { ca: readCertificates('--tls-ca', tlsCa) }),
    ...(cert === undefined ? {} : { cert, key }),
    ...(tlsServername === undefined ? {} : { servername: tlsServername }),
    rejectUnauthorized: !tlsInsecure,
  };
}

/** @param {TlsFiles} files @throws {UsageError} */
export function refuseTlsOptions(files) {
  const given = Object.entries(FLAGS).find(([name]) => files[/** @type {keyof TlsFiles} */ (name)]);
  if (given === undefined) return;
  throw new UsageError(
    `${given[1]} is about the TLS connection to an external server; expected a --url, or --agents, that starts with rediss://`,
  );
}

/** @param {string} flag @param {string} file @returns {string} only the certificates, in PEM */
const readCertificates = (flag, file) =>
  readPem(flag, file, 'certificates', (text) => {
    const certificates = text.match(CERTIFICATE) ?? [];
    for (const each of certificates) new X509Certificate(each);
    return certificates.map((each) => `${each}\n`).join('');
  });

/** Encrypted keys are not supported; errors never hold the file's content. @param {string} file @returns {string} */
const readKey = (file) =>
  readPem('--tls-key', file, 'a private key', (text) =>
    text.includes('PRIVATE KEY')
      ? String(createPrivateKey(text).export({ type: 'pkcs8', format: 'pem' }))
      : '',
  );

/** @param {string} flag @param {string} file @param {string} what @param {(text: string) => string} read */
function readPem(flag, file, what, read) {
  const wrong = (/** @type {string} */ found) =>
    new UsageError(`${flag}: expected a file of ${what} in PEM form, but '${file}' ${found}`);
  let found;
  try {
    found = read(readBoundedSync(file).toString());
  } catch (error) {
    throw wrong(`cannot be read: ${messageOf(error)}`);
  }
  if (found === '') throw wrong('holds none');
  return found;
}
