import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createServer } from 'node:tls';
import selfsigned from 'selfsigned';
import { resolveOptions } from '../../src/commands/benchmark/settings.js';
import { messageOf, ServerError, UsageError } from '../../src/errors.js';
import suites from '../../src/plugins/suites.js';
import { makeCertificates } from '../../src/server/certificates.js';
import { connectControl } from '../../src/server/control.js';
import { startManagedServer } from '../../src/server/managed.js';
import { openServer } from '../../src/server/open.js';
import { locateServer } from '../../src/server/sources.js';
import { externalTarget, labelOf } from '../../src/server/target.js';

/**
 * @import { AddressInfo } from 'node:net'
 * @import { ManagedProcess } from '../../src/server/types.js'
 * @import { Target } from '../../src/server/types.js'
 */

describe('server/tls', () => {
  it('makes a server certificate for this machine, signed by an authority that is not the server', async () => {
    const { ca, cert, key } = makeCertificates();
    const [authority, server] = [new X509Certificate(ca), new X509Certificate(cert)];
    assert.equal(authority.ca, true);
    assert.equal(server.ca, false);
    assert.equal(server.verify(authority.publicKey), true);
    assert.equal(server.checkHost('localhost'), 'localhost');
    assert.equal(server.checkIP('127.0.0.1'), '127.0.0.1');
    assert.equal(server.checkIP('::1'), '::1');
    assert.equal(server.checkHost('example.org'), undefined);
    assert.match(key, /^-----BEGIN PRIVATE KEY-----\n/);
  });

  it('makes other ones each time', async () => {
    const [one, other] = [makeCertificates(), makeCertificates()];
    assert.equal(new X509Certificate(one.cert).verify(new X509Certificate(other.ca).publicKey), false);
    assert.notEqual(one.key, other.key);
  });
});

describe('a managed server with TLS', () => {
  /** @type {ManagedProcess} */
  let server;
  /** @type {Target} */
  let target;
  /** @type {string} */
  let folder;
  before(async () => {
    server = await startManagedServer(await locateServer(), { certificates: makeCertificates() });
    target = /** @type {Target} */ (server.targets.tls);
    folder = dirname(String(server.targets.unix.path));
  });
  after(async () => {
    server.control.close();
    await server.stop();
    assert.equal(existsSync(folder), false);
  });

  it('is the same server over tcp and over TLS', async () => {
    const ids = [];
    for (const each of [server.targets.tcp, target]) {
      const control = await connectControl(each);
      ids.push((await control.info())?.fields.run_id);
      control.close();
    }
    assert.match(String(ids[0]), /^[0-9a-f]{40}$/);
    assert.equal(ids[0], ids[1]);
  });

  it('has a target of plain JSON, without the key', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(target)), target);
    assert.equal(target.tls?.rejectUnauthorized, true);
    assert.ok(!JSON.stringify(target).includes('PRIVATE'));
  });

  it('has files that nobody else can read', async () => {
    for (const name of ['ca.crt', 'redis.crt', 'redis.key']) {
      assert.equal((await stat(join(folder, name))).mode & 0o077, 0, name);
    }
  });

  /** @param {Target} wrong @param {RegExp} message */
  const refused = (wrong, message) =>
    assert.rejects(connectControl(wrong), (error) => {
      assert.ok(error instanceof ServerError);
      assert.ok(error.message.includes(labelOf(wrong)), error.message);
      assert.match(error.message, message);
      return true;
    });

  it('is refused where its authority is not known: the message names --tls-ca', () =>
    refused({ ...target, tls: { rejectUnauthorized: true } }, /does not verify.*--tls-ca.*--tls-insecure/));

  it('is refused where it is signed by another authority', async () => {
    const { ca } = makeCertificates();
    await refused({ ...target, tls: { ca, rejectUnauthorized: true } }, /does not verify.*--tls-ca/);
  });

  it('is refused under another name', () =>
    refused(
      { ...target, tls: { rejectUnauthorized: true, ...target.tls, servername: 'example.org' } },
      /does not verify.*as its certificate does/,
    ));

  it('is taken unverified where that is asked for', async () => {
    const control = await connectControl({ ...target, tls: { rejectUnauthorized: false } });
    assert.equal(await control.ping(), 'PONG');
    control.close();
  });

  it('an authority that was given is not asked for again', async () => {
    const { ca } = makeCertificates();
    const error = await connectControl({ ...target, tls: { ca, rejectUnauthorized: true } }).catch(messageOf);
    assert.match(`${error}`, /the authority in --tls-ca is not the one that signed it/);
  });

  it('an expired certificate is to be renewed, whatever --tls-ca says', async () => {
    const yesterday = new Date(Date.now() - 86_400_000);
    const expired = await selfsigned.generate([{ name: 'commonName', value: 'localhost' }], {
      notBeforeDate: new Date(0),
      notAfterDate: yesterday,
    });
    const other = createServer({ cert: expired.cert, key: expired.private }).listen(0, '127.0.0.1');
    try {
      await once(other, 'listening');
      const { port } = /** @type {AddressInfo} */ (other.address());
      const tls = { ca: expired.cert, rejectUnauthorized: true };
      await refused({ ...target, port, tls }, /expired.*renew it on the server/);
    } finally {
      other.close();
    }
  });

  it('a client certificate that is missing is asked for', async () => {
    await server.control.command('CONFIG', 'SET', 'tls-auth-clients', 'yes');
    try {
      await refused(target, /--tls-cert FILE and --tls-key FILE/);
    } finally {
      await server.control.command('CONFIG', 'SET', 'tls-auth-clients', 'no');
    }
  });

  it('recognises a TLS port', () =>
    refused(
      { transport: 'tcp', host: '127.0.0.1', port: target.port },
      /does it speak TLS only \(rediss:\/\/\)/,
    ));

  it('recognises a plain port', () =>
    refused({ ...target, port: server.targets.tcp.port }, /does not answer by TLS.*redis:\/\//));
});

describe('a managed server without TLS', () => {
  it('has no TLS port', async () => {
    const server = await openServer(null);
    try {
      assert.equal(server.targets.tls, undefined);
      assert.equal(await server.control.config('tls-port'), '0');
    } finally {
      await server.close();
    }
  });
});

describe('TLS options', () => {
  /** @type {string} */
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rpb-tls-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** @param {string} name @param {string} text */
  async function file(name, text) {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  }
  /** @param {Parameters<typeof externalTarget>[0]} options @param {RegExp} message */
  const wrong = (options, message) =>
    assert.throws(
      () => externalTarget(options),
      (error) => {
        assert.ok(error instanceof UsageError, `${error}`);
        assert.match(error.message, message);
        return true;
      },
    );
  const url = 'rediss://127.0.0.1:6390';

  it('a rediss:// URL verifies with the authorities of the system', () =>
    assert.deepEqual(externalTarget({ url })?.tls, { rejectUnauthorized: true }));

  it('--tls-ca gives the certificates of a file, and nothing else of it', async () => {
    const [one, two] = [makeCertificates(), makeCertificates()];
    const tlsCa = await file('two.pem', `# ours\n${one.ca}\n${one.key}\n${two.ca}`);
    const { ca = '', rejectUnauthorized } = externalTarget({ url, tlsCa })?.tls ?? {};
    assert.equal(rejectUnauthorized, true);
    assert.equal(ca.match(/BEGIN CERTIFICATE/g)?.length, 2);
    assert.ok(!ca.includes('PRIVATE'));
  });

  it('--tls-insecure does not verify', () =>
    assert.deepEqual(externalTarget({ url, tlsInsecure: true })?.tls, { rejectUnauthorized: false }));

  it('--tls-ca needs a file that is there', () =>
    wrong({ url, tlsCa: join(folder, 'none.pem') }, /^--tls-ca: .*none\.pem.*ENOENT/));
  it('--tls-ca needs a file that can be read', () =>
    wrong({ url, tlsCa: folder }, /^--tls-ca: .* is a folder, not a regular file/));
  it('--tls-ca needs certificates', async () =>
    wrong({ url, tlsCa: await file('text.pem', 'hello') }, /^--tls-ca: .*PEM.*text\.pem.*holds none/));
  it('--tls-ca needs certificates that are some', async () => {
    const text = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    wrong({ url, tlsCa: await file('bad.pem', text) }, /^--tls-ca: .*bad\.pem.*cannot be read/);
  });
  for (const options of [{ tlsCa: '/x' }, { tlsInsecure: true }, { tlsServername: 'a' }]) {
    const [name] = Object.keys(options);
    it(`${name} needs a rediss:// URL`, () => {
      wrong({ ...options }, /^--tls-.*rediss:\/\//);
      wrong({ ...options, url: 'redis://127.0.0.1' }, /^--tls-.*rediss:\/\//);
      wrong({ ...options, socket: '/run/redis.sock' }, /^--tls-.*rediss:\/\//);
    });
  }
  it('--tls-servername is what the tool and the clients expect', () =>
    assert.deepEqual(externalTarget({ url, tlsServername: 'cache.example' })?.tls, {
      rejectUnauthorized: true,
      servername: 'cache.example',
    }));
  it('--tls-servername and --tls-insecure exclude each other', () =>
    assert.throws(
      () => resolveOptions({ url, tlsServername: 'a', tlsInsecure: true }, suites[0]),
      /--tls-servername and --tls-insecure do not go together/,
    ));
  it('--tls-ca and --tls-insecure exclude each other', () =>
    assert.throws(() => resolveOptions({ url, tlsCa: '/x', tlsInsecure: true }, suites[0]), UsageError));

  it('names a server that was built without TLS, and leaves no folder', async () => {
    const path = join(folder, 'redis-server');
    const words = `>>> 'tls-port "1"'\\nBad directive or wrong number of arguments\\n`;
    await writeFile(path, `#!/bin/sh\nprintf '${words.replaceAll("'", "'\\''")}' >&2\nexit 1\n`);
    await chmod(path, 0o755);
    await assert.rejects(startManagedServer(path, { certificates: makeCertificates() }), (error) => {
      assert.ok(error instanceof ServerError);
      assert.match(error.message, /built without TLS.*--server-bin.*--transport/);
      return true;
    });
  });
});
