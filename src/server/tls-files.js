import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @import { Certificates } from './types.js' */

/** An authority and a server certificate signed by it. What makes them is loaded only here: few benchmarks use TLS. */
export const createCertificates = async () => (await import('./certificates.js')).makeCertificates();

/**
 * Writes the TLS files of a server, readable only by this user.
 * @param {string} folder private to the server @param {Certificates} certificates
 * @returns {Promise<string[]>} the server's options that name them
 */
export async function writeTlsFiles(folder, certificates) {
  const [ca, cert, key] = ['ca.crt', 'redis.crt', 'redis.key'].map((name) => join(folder, name));
  const files = { [ca]: certificates.ca, [cert]: certificates.cert, [key]: certificates.key };
  await Promise.all(Object.entries(files).map(([path, pem]) => writeFile(path, pem, { mode: 0o600 })));
  return [
    ...['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', ca],
    // Most services connect to their Redis without a client certificate.
    ...['--tls-auth-clients', 'no'],
  ];
}
