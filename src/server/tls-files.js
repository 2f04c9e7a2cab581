import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @import { Certificates } from './types.js' */

const NAMES = { ca: 'ca.crt', cert: 'redis.crt', key: 'redis.key' };
/** All names of a server on this machine. */
const HOSTS = [
  { type: /** @type {const} */ (2), value: 'localhost' },
  { type: /** @type {const} */ (7), ip: '127.0.0.1' },
  { type: /** @type {const} */ (7), ip: '::1' },
];
const ALGORITHM = /** @type {const} */ ({ keyType: 'ec', algorithm: 'sha256' });

/**
 * Makes a certificate authority and a server certificate signed by it. The authority's key is thrown
 * away, so that nothing else can ever be signed with it.
 *
 * @returns {Promise<Certificates>}
 */
export async function createCertificates() {
  const { generate } = await import('selfsigned');
  const authority = await generate(nameOf('redis-pipe-bench authority'), {
    ...ALGORITHM,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const server = await generate(nameOf('redis-pipe-bench server'), {
    ...ALGORITHM,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      // Nodes of a cluster connect to each other as clients.
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      { name: 'subjectAltName', altNames: HOSTS },
    ],
  });
  return { ca: authority.cert, cert: server.cert, key: server.private };
}

/** @param {string} value */
const nameOf = (value) => [{ name: 'commonName', value }];

/**
 * Writes the TLS files of a server, readable only by this user.
 *
 * @param {string} folder private to the server
 * @param {Certificates} certificates
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
