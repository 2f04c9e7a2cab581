import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @import { Certificates } from './types.js' */

/** An authority and a server certificate signed by it. What makes them is loaded only here: few benchmarks use TLS. */
export const createCertificates = async () => (await import('./certificates.js')).makeCertificates();

const NAMES = { ca: 'ca.crt', cert: 'redis.crt', key: 'redis.key' };

/**
 * Writes the TLS files of a server, readable only by this user.
 * @param {string} folder private to the server @param {Certificates} certificates
 * @returns {Promise<string[]>} the server's options that name them
 */
export async function writeTlsFiles(folder, certificates) {
  const paths = { ca: join(folder, NAMES.ca), cert: join(folder, NAMES.cert), key: join(folder, NAMES.key) };
  await Promise.all([
    writeFile(paths.ca, certificates.ca, { mode: 0o600 }),
    writeFile(paths.cert, certificates.cert, { mode: 0o600 }),
    writeFile(paths.key, certificates.key, { mode: 0o600 }),
  ]);
  return [
    '--tls-cert-file',
    paths.cert,
    '--tls-key-file',
    paths.key,
    '--tls-ca-cert-file',
    paths.ca,
    // Most services connect to their Redis without a client certificate.
    '--tls-auth-clients',
    'no',
  ];
}
