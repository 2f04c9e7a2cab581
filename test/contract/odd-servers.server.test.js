import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withAdvice } from '../../src/error-causes.js';
import { messageOf } from '../../src/errors.js';
import { loadPlugin } from '../../src/plugins/registry.js';
import { makeCertificates } from '../../src/server/certificates.js';
import { openServer } from '../../src/server/open.js';
import { labelOf } from '../../src/server/target.js';
import { loadClient } from '../../src/worker/cell-parts.js';
import { freePort, keepPorts } from '../helpers/free-port.js';
import { startRedis } from '../helpers/redis-server.js';
import { startFakeRedis, startTcpServer } from '../helpers/tcp-server.js';
import { until } from '../helpers/until.js';

/** @import { NodeAddress, Target } from '../../src/server/types.js' */

const ALL = ['redis', 'ioredis', 'iovalkey', 'valkey-glide', 'raw'];
const GLIDE = 'Connection error: Standalone(Received error for address `HOST`: ';
/** @param {string} first */
const noRedis = (first) => `a reply starts with '${first}', which is no RESP type`;
const DENIED = 'DENIED Redis is running in protected mode because no password is set.';
const FULL =
  'ERR max number of clients reached (the server accepts no more connections; raise its maxclients, or use fewer --tasks or fewer connections for them)';
const HELLO =
  'HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time';
const LOCKED =
  "(the server asks for a password; put it into the URL before the host, or a socket's path, as :PASSWORD@)";
const WRONG =
  "invalid username-password pair or user is disabled. (the server rejected the user name or password; check the URL's user:password@ part)";
const NO_HELLO = "ERR unknown command 'HELLO' (redis:resp2 connects without it)";
const NO_INFO =
  "ERR unknown command 'INFO' (its ready check sends that; {enableReadyCheck:false} turns it off)";
const SELF_SIGNED = 'self-signed certificate in certificate chain';
const OTHER_NAME =
  "Hostname/IP does not match certificate's altnames: IP: 127.0.0.2 is not in the cert's list: 127.0.0.1, ::1";
const NO_HOST = 'getaddrinfo ENOTFOUND nowhere.invalid';
/** @param {string} command */
const mayNot = (command) => `this user has no permissions to run the '${command}' command`;
/** @param {string} command */
const allow = (command) => `(name another user in the URL, or allow it: ACL SETUSER USER +${command})`;
/** @param {string} text @param {string[]} [ids] */
const each = (text, ids = ALL) => Object.fromEntries(ids.map((id) => [id, text]));

/** What is printed by the tool's own connection, and by each client. @type {Record<string, Record<string, string>>} */
const PRINTED = {
  // What libraries say of these is theirs.
  'an HTTP server': {
    tool: `HOST does not speak the Redis protocol (${noRedis('HTTP/1.1 400 Bad Request')}); check the port`,
    raw: noRedis('HTTP/1.1 400 Bad Request'),
  },
  'an SSH server': {
    tool: `HOST does not speak the Redis protocol (${noRedis('SSH-2.0-OpenSSH_9.2')}); check the port`,
    raw: noRedis('SSH-2.0-OpenSSH_9.2'),
  },
  // Clients wait until they are stopped.
  'a silent server': {
    tool: 'HOST accepted the connection but gave no Redis reply (no reply within 5 s); is it a Redis server?',
  },
  'a silent server for TLS': {
    tool: 'HOST does not answer by TLS (no reply within 5 s); use redis:// where the port is a plain one',
  },
  'a server without INFO': {
    tool: 'ok',
    redis: NO_HELLO,
    ioredis: NO_INFO,
    iovalkey: NO_INFO,
    raw: 'ok',
  },
  'a server without HELLO': {
    ...each('ok', ['ioredis', 'iovalkey', 'raw']),
    tool: 'ok',
    redis: NO_HELLO,
  },
  'protected mode': {
    ...each(DENIED, ['redis', 'iovalkey', 'raw']),
    tool: `HOST replied with an error: ${DENIED}`,
    ioredis: 'Connection is closed.',
  },
  'too many clients': {
    ...each(FULL, ['redis', 'iovalkey', 'raw']),
    tool: `HOST replied with an error: ${FULL}`,
    ioredis: 'Connection is closed.',
  },
  'no password': {
    ...each(`NOAUTH Authentication required. ${LOCKED}`),
    tool: `HOST replied with an error: NOAUTH Authentication required. ${LOCKED}`,
    ...each(`NOAUTH ${HELLO} ${LOCKED}`, ['redis', 'ioredis']),
    'valkey-glide': `${GLIDE}NOAUTH: ${HELLO} ${LOCKED}`,
  },
  'a wrong password': {
    ...each(`WRONGPASS ${WRONG}`),
    tool: `HOST replied with an error: WRONGPASS ${WRONG}`,
    'valkey-glide': `${GLIDE}WRONGPASS: ${WRONG}`,
  },
  'a user without INFO': {
    ...each('ok'),
    tool: 'ok',
    'valkey-glide': `${GLIDE}An error was signalled by the server: - PermissionDenied: ${mayNot('info')} ${allow('info')}`,
  },
  'a user without CLIENT': { ...each('ok'), tool: 'ok' },
  'a user without CLUSTER': {
    tool: `HOST replied with an error: NOPERM ${mayNot('cluster|slots')} ${allow('cluster|slots')}`,
    redis: `NOPERM ${mayNot('cluster|slots')} ${allow('cluster|slots')}`,
    ioredis: `Failed to refresh slots cache: NOPERM ${mayNot('cluster|slots')} ${allow('cluster|slots')}`,
    'valkey-glide': `Connection error: Cluster(An error was signalled by the server: - PermissionDenied: ${mayNot('cluster|slots')}) ${allow('cluster|slots')}`,
  },
  'a certificate of an unknown authority': {
    ...each(SELF_SIGNED, ALL.slice(0, 4)),
    tool: `the certificate of HOST does not verify (${SELF_SIGNED}); name the file of the authority that signed it with --tls-ca FILE, or accept it as it is with --tls-insecure`,
  },
  'a certificate for another name': {
    ...each(OTHER_NAME, ALL.slice(0, 4)),
    tool: `the certificate of HOST does not verify (${OTHER_NAME}); name the server in --url as its certificate does, or give that name by --tls-servername, or accept it as it is with --tls-insecure`,
  },
  'a certificate for another name, which is expected': {
    ...each('ok', ['redis', 'ioredis']),
    tool: 'ok',
  },
  'a host that does not resolve': { ...each(NO_HOST), tool: 'the host of HOST does not resolve (ENOTFOUND)' },
  'a port without a server': {
    ...each('connect ECONNREFUSED HOST'),
    tool: 'nothing answers at HOST (ECONNREFUSED); start a Redis server there, or leave out --url and --socket to have one started',
  },
  'a cluster of one node, which announces no host': {
    ...each('ok', ['redis', 'valkey-glide']),
    tool: 'ok',
    ioredis:
      'it closed all connections; it ignores nodes for which CLUSTER SLOTS gives no host (see cluster-announce-ip)',
  },
  'a cluster that announces a host that does not resolve': {
    ...each(NO_HOST, ['redis', 'ioredis']),
    'valkey-glide': 'Connection in recovery- ClientError',
    tool: 'the cluster at HOST announces nowhere.invalid:PORT, which cannot be reached from here (getaddrinfo ENOTFOUND nowhere.invalid); natMap of ioredis and nodeAddressMap of redis map such addresses, for this tool too',
  },
  'the same, mapped': { ...each('ok', ['redis', 'ioredis']), tool: 'ok' },
};

/** @param {number} port @param {Partial<Target>} [more] @returns {Target} */
const at = (port, more) => ({ transport: 'tcp', host: '127.0.0.1', port, ...more });

describe('where a server is odd', () => {
  /** @type {(() => Promise<unknown>)[]} */
  const endings = [];
  /** @type {Record<string, Target>} */
  let targets;
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let redis;

  before(async () => {
    const { tlsPort, ca } = await startNode();
    const { port } = redis;
    const login = { username: 'default', password: 'right' };
    const one = { topology: /** @type {const} */ ('cluster'), nodes: [{ host: '127.0.0.1', port }] };
    const tls = { ca, rejectUnauthorized: true };
    const secured = { host: '127.0.0.2', port: tlsPort };
    const elsewhere = at(tlsPort, { transport: 'tls', tls, ...login, ...one, ...secured, nodes: [secured] });
    const silent = await answering(null);
    targets = {
      'an HTTP server': at(await answering('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')),
      'an SSH server': at(await answering('SSH-2.0-OpenSSH_9.2\r\n')),
      'a silent server': at(silent),
      'a silent server for TLS': at(silent, { transport: 'tls', tls }),
      'a server without INFO': at(await without('INFO', 'HELLO')),
      'a server without HELLO': at(await without('HELLO')),
      'protected mode': at(await answering(`-${DENIED}\r\n`)),
      'too many clients': at(await answering('-ERR max number of clients reached\r\n')),
      'no password': at(port),
      'a wrong password': at(port, { password: 'wrong' }),
      'a user without INFO': at(port, { username: 'noinfo', password: 'right' }),
      'a user without CLIENT': at(port, { ...one, username: 'noclient', password: 'right' }),
      'a user without CLUSTER': at(port, { ...one, username: 'nocluster', password: 'right' }),
      'a certificate of an unknown authority': { ...elsewhere, tls: { rejectUnauthorized: true } },
      'a certificate for another name': elsewhere,
      'a certificate for another name, which is expected': {
        ...elsewhere,
        tls: { ...tls, servername: 'localhost' },
      },
      'a host that does not resolve': at(1, { host: 'nowhere.invalid' }),
      'a port without a server': at(1),
      'a cluster of one node, which announces no host': at(port, { ...one, ...login }),
      'a cluster that announces a host that does not resolve': at(port, { ...one, ...login }),
      'the same, mapped': at(port, { ...one, ...login }),
    };
  });
  after(() => Promise.all(endings.splice(0).map((end) => end())));

  /** A cluster of one node, with TLS and with users that may not do all. */
  async function startNode() {
    const folder = await mkdtemp(join(tmpdir(), 'rpb-odd-'));
    const certificates = makeCertificates();
    const files = Object.entries(certificates).flatMap(([name, text]) => {
      const file = join(folder, name);
      writeFileSync(file, text);
      return [`--tls-${name === 'ca' ? 'ca-cert' : name}-file`, file];
    });
    const [tlsPort, busPort] = [await freePort(), await freePort()];
    const args = `--cluster-enabled yes --cluster-port ${busPort} --tls-port ${tlsPort} --tls-auth-clients no --tls-cluster yes --bind 127.0.0.1 127.0.0.2`;
    redis = await startRedis({ args: [...args.split(' '), ...files] });
    endings.push(() =>
      Promise.all([redis.stop(), rm(folder, { recursive: true })]).then(() => keepPorts(tlsPort)),
    );
    await redis.query('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await announce('ip', '127.0.0.1');
    for (const lacking of ['info', 'client', 'cluster'])
      await redis.query('ACL', 'SETUSER', `no${lacking}`, 'on', '>right', '~*', '&*', '+@all', `-${lacking}`);
    await redis.query('CONFIG', 'SET', 'requirepass', 'right');
    const isReady = async () => /cluster_state:ok/.test(await redis.query('CLUSTER', 'INFO'));
    await until('it to be ready', isReady);
    return { tlsPort, ca: certificates.ca };
  }

  /** @param {string} what @param {string} value */
  const announce = (what, value) => redis.query('CONFIG', 'SET', `cluster-announce-${what}`, value);

  /** @param {string | null} reply to whatever comes first; null for none */
  async function answering(reply) {
    const server = await startTcpServer(
      (socket) => void socket.once('data', () => reply && socket.end(reply)),
    );
    endings.push(server.stop);
    return server.port;
  }

  /** @param {string[]} missing */
  async function without(...missing) {
    const server = await startFakeRedis((command) =>
      missing.includes(command) ? `-ERR unknown command '${command}'\r\n` : undefined,
    );
    endings.push(server.stop);
    return server.port;
  }

  /** @param {string} id @param {Target} target @param {Record<string, NodeAddress>} [map] @returns {Promise<string>} */
  async function printedBy(id, target, map) {
    const client = await loadPlugin('clients', id);
    const options = map && { [id === 'ioredis' ? 'natMap' : 'nodeAddressMap']: map };
    let connection;
    try {
      connection = await client.connect(target, { ...options }, await loadClient(client));
      await connection.ping();
      return 'ok';
    } catch (error) {
      return withAdvice(messageOf(error));
    } finally {
      connection?.destroy();
    }
  }

  /** @param {Target} target @param {Record<string, NodeAddress>} [addressMap] @returns {Promise<string>} */
  async function printedByTool(target, addressMap) {
    try {
      const server = await openServer(target, { topology: target.topology, addressMap });
      await server.close();
      return 'ok';
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  }

  for (const [name, expected] of Object.entries(PRINTED))
    it(`${name}: a hint stands only where the cause is known`, async () => {
      const target = targets[name];
      if (/announces no host/.test(name)) await announce('ip', '');
      if (/announces a host/.test(name)) {
        await announce('hostname', 'nowhere.invalid');
        await redis.query('CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'hostname');
      }
      const map = /mapped/.test(name)
        ? { [`nowhere.invalid:${target.port}`]: { host: '127.0.0.1', port: Number(target.port) } }
        : undefined;
      const printed = await Promise.all(
        Object.keys(expected).map(async (id) => {
          const text = await (id === 'tool' ? printedByTool(target, map) : printedBy(id, target, map));
          return [id, text.replaceAll(labelOf(target), 'HOST').replaceAll(`:${target.port}`, ':PORT')];
        }),
      );
      assert.deepEqual(Object.fromEntries(printed), expected);
    });
});
