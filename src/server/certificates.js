import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import * as asn1 from 'asn1js';

/** @import { KeyObject } from 'node:crypto' */
/** @import { BaseBlock } from 'asn1js' */

const OIDS = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  keyUsage: '2.5.29.15',
  altNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
};
const DAY_MS = 24 * 60 * 60 * 1000;
const CONTEXT = 3;

/** @param {BaseBlock[]} value */
const sequence = (...value) => new asn1.Sequence({ value });
/** @param {keyof typeof OIDS} name */
const oid = (name) => new asn1.ObjectIdentifier({ value: OIDS[name] });
/** @param {number} tagNumber @param {BaseBlock} block */
const tagged = (tagNumber, block) =>
  new asn1.Constructed({ idBlock: { tagClass: CONTEXT, tagNumber }, value: [block] });
/** @param {string} value */
const nameOf = (value) =>
  sequence(new asn1.Set({ value: [sequence(oid('commonName'), new asn1.Utf8String({ value }))] }));
/** @param {number} tagNumber @param {string | number[]} bytes */
const hostOf = (tagNumber, bytes) =>
  new asn1.Primitive({ idBlock: { tagClass: CONTEXT, tagNumber }, valueHex: Buffer.from(bytes) });

const CRITICAL = new asn1.Boolean({ value: true });

/** @param {keyof typeof OIDS} name @param {BaseBlock} block @param {BaseBlock[]} flags */
const extension = (name, block, ...flags) =>
  sequence(oid(name), ...flags, new asn1.OctetString({ valueHex: block.toBER() }));

/** @param {number} bits @param {number} unusedBits at the end */
const usage = (bits, unusedBits) =>
  extension('keyUsage', new asn1.BitString({ valueHex: Uint8Array.of(bits), unusedBits }), CRITICAL);

const OF_AUTHORITY = [
  extension('basicConstraints', sequence(CRITICAL), CRITICAL),
  // Signs certificates and revocation lists.
  usage(0b0000_0110, 1),
];
const OF_SERVER = [
  extension('basicConstraints', sequence(), CRITICAL),
  // Digital signature.
  usage(0b1000_0000, 7),
  // Cluster nodes connect to each other as clients.
  extension('extKeyUsage', sequence(oid('serverAuth'), oid('clientAuth'))),
  extension(
    'altNames',
    sequence(hostOf(2, 'localhost'), hostOf(7, [127, 0, 0, 1]), hostOf(7, [...Array(15).fill(0), 1])),
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
 * @param {BaseBlock[]} extensions @returns {string} PEM
 */
function certify(subject, issuer, extensions) {
  const now = Date.now();
  // Valid since yesterday: another machine's clock may be behind.
  const days = [now - DAY_MS, now + 365 * DAY_MS].map((ms) => new asn1.UTCTime({ valueDate: new Date(ms) }));
  const algorithm = sequence(oid('ecdsaWithSha256'));
  const content = sequence(
    // Version 3 is written as 2.
    tagged(0, new asn1.Integer({ value: 2 })),
    // Starts with a 0 bit: serial numbers are positive.
    new asn1.Integer({ valueHex: Buffer.concat([Buffer.from([1]), randomBytes(15)]) }),
    algorithm,
    nameOf(issuer.name),
    sequence(...days),
    nameOf(subject.name),
    asn1.fromBER(subject.publicKey.export({ type: 'spki', format: 'der' })).result,
    tagged(3, sequence(...extensions)),
  );
  const signature = sign('sha256', Buffer.from(content.toBER()), issuer.privateKey);
  const whole = sequence(content, algorithm, new asn1.BitString({ valueHex: signature }));
  const base64 = Buffer.from(whole.toBER()).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
