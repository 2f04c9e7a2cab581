import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** @import { KeyObject } from 'node:crypto' */

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What certificates are written in (DER, ITU-T X.690): a tag, the length of what follows, and that.
 * @param {number} tag @param {Uint8Array[]} parts @returns {Buffer}
 */
function der(tag, ...parts) {
  const content = Buffer.concat(parts);
  const length = digitsOf(content.length, 256);
  const isLong = content.length > 0x7f;
  return Buffer.concat([Buffer.of(tag, ...(isLong ? [0x80 | length.length] : []), ...length), content]);
}

/** @param {number} number @param {number} base @returns {number[]} the most significant first */
const digitsOf = (number, base) =>
  number < base ? [number] : [...digitsOf(Math.floor(number / base), base), number % base];

const sequence = (/** @type {Uint8Array[]} */ ...parts) => der(0x30, ...parts);
/** @param {string} dotted */
function oid(dotted) {
  const [first, second, ...others] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...others].flatMap((number) =>
    // All bytes of a number but the last have their highest bit set.
    digitsOf(number, 128).map((digit, place, { length }) => (place < length - 1 ? 0x80 | digit : digit)),
  );
  return der(0x06, Buffer.from(bytes));
}
/** @param {Uint8Array} bytes @param {number} [unusedBits] at the end */
const bitString = (bytes, unusedBits = 0) => der(0x03, Buffer.of(unusedBits), bytes);
/** Until 2049. @param {number} ms */
const utcTime = (ms) =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replace(/\D/g, '')}Z`));
/** @param {string} name */
const commonName = (name) => sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(name)))));
/** @param {number} number @param {Uint8Array} part */
const tagged = (number, part) => der(0xa0 | number, part);

const TRUE = der(0x01, Buffer.of(0xff));

/** @param {string} id @param {Uint8Array} content @param {Uint8Array[]} flags */
const extension = (id, content, ...flags) => sequence(oid(id), ...flags, der(0x04, content));
/** @param {Uint8Array[]} parts */
const basicConstraints = (...parts) => extension('2.5.29.19', sequence(...parts), TRUE);
/** @param {number} bits @param {number} unusedBits */
const keyUsage = (bits, unusedBits) => extension('2.5.29.15', bitString(Buffer.of(bits), unusedBits), TRUE);

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const [SERVER_AUTH, CLIENT_AUTH] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'].map(oid);
const [DNS_NAME, IP_ADDRESS] = [0x82, 0x87];

const OF_AUTHORITY = [
  basicConstraints(TRUE),
  // Signs certificates and revocation lists.
  keyUsage(0b0000_0110, 1),
];
const OF_SERVER = [
  basicConstraints(),
  // Digital signature.
  keyUsage(0b1000_0000, 7),
  // Extended key usage: cluster nodes connect to each other as clients.
  extension('2.5.29.37', sequence(SERVER_AUTH, CLIENT_AUTH)),
  // Other names of the subject.
  extension(
    '2.5.29.17',
    sequence(
      der(DNS_NAME, Buffer.from('localhost')),
      der(IP_ADDRESS, Buffer.of(127, 0, 0, 1)),
      der(IP_ADDRESS, Buffer.from([...Array(15).fill(0), 1])),
    ),
  ),
];

/** Throws away the authority's key, so that nobody can sign anything else with it. */
export function makeCertificates() {
  const [authority, server] = ['authority', 'server'].map((role) => ({
    name: `redis-pipe-bench ${role}`,
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  }));
  return {
    ca: certify(authority, authority, OF_AUTHORITY),
    cert: certify(server, authority, OF_SERVER),
    key: `${server.privateKey.export({ type: 'pkcs8', format: 'pem' })}`,
  };
}

/**
 * @param {{name: string, publicKey: KeyObject}} subject @param {{name: string, privateKey: KeyObject}} issuer
 * @param {Uint8Array[]} extensions @returns {string} PEM
 */
function certify(subject, issuer, extensions) {
  const now = Date.now();
  const content = sequence(
    // Version 3 is written as 2.
    tagged(0, der(0x02, Buffer.of(2))),
    // Serial numbers are positive: they start with a 0 bit.
    der(0x02, Buffer.of(1), randomBytes(15)),
    ECDSA_WITH_SHA256,
    commonName(issuer.name),
    // Valid since yesterday: another machine's clock may be behind.
    sequence(utcTime(now - DAY_MS), utcTime(now + 365 * DAY_MS)),
    commonName(subject.name),
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions)),
  );
  const signature = sign('sha256', content, issuer.privateKey);
  const base64 = sequence(content, ECDSA_WITH_SHA256, bitString(signature)).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
