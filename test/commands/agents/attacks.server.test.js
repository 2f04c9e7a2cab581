import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { pathToFileURL } from 'node:url';
import { createCallerName, openAgentLink } from '../../../src/commands/agents/agent-link.js';
import { agent } from '../../../src/commands/agents/agents.js';
import { commanderLease, holdLease, openControlRedis } from '../../../src/commands/agents/control-redis.js';
import { readTyped } from '../../../src/commands/agents/job-request.js';
import { placeOf } from '../../../src/commands/agents/permissions.js';
import { describeTool } from '../../../src/machine/environment.js';
import { makeCertificates } from '../../../src/server/certificates.js';
import { startCluster } from '../../helpers/cluster.js';
import { NIGHTLY } from '../../helpers/nightly.js';
import { startRedis } from '../../helpers/redis-server.js';
import { bulk, startFakeRedis, startTcpServer } from '../../helpers/tcp-server.js';
import { until } from '../../helpers/until.js';

/** @import { Place } from '../../../src/commands/agents/types.js' */
/** @import { Transport } from '../../../src/options/types.js' */

const SECRET = 'the-agents-own-secret';
const PREPARED = 'prepared';

/** One small cell, as a user types it. */
const OPTIONS = {
  clients: ['raw'],
  scenarios: ['shared-connection'],
  size: [10],
  keySize: [20],
  keys: 1,
  tasks: [1],
  seed: 1,
  machines: [1],
};
const HOW = {
  keyPrefix: 'rpb:0000',
  removal: ['DEL'],
  runIds: null,
  cpus: null,
  part: { index: 0, count: 1 },
};

/** What is not the command line's, with which an attacker fills a job. @typedef {{options?: object, place?: any, more?: object,
 *   how?: object, cell?: string}} Attack */

describe('whoever reaches the control Redis', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let control;
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let target;
  /** @type {Awaited<ReturnType<typeof startTcpServer>>} takes whatever comes */
  let thief;
  /** @type {string[]} what came to it */
  const stolen = [];
  const folder = mkdtempSync(join(tmpdir(), 'rpb-attack-'));
  const trace = join(folder, 'trace');
  /** Leaves a trace where it is run. */
  const code = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(trace)}, ''); export default {};`;
  const file = join(folder, 'evil.mjs');
  const dataUrl = `data:text/javascript,${encodeURIComponent(code)}`;
  /** @type {(() => Promise<unknown>)[]} */
  const endings = [];

  before(async () => {
    writeFileSync(file, code);
    [control, target] = await Promise.all([startRedis(), startRedis({ password: SECRET })]);
    thief = await startTcpServer((socket) => {
      stolen.push('connected');
      socket.on('data', (bytes) => {
        stolen.push(String(bytes));
        socket.write('+OK\r\n');
      });
    });
  });
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
    stolen.length = 0;
    rmSync(trace, { force: true });
  });
  after(async () => {
    await Promise.all([control.stop(), target.stop(), thief.stop()]);
    rmSync(folder, { recursive: true });
  });

  const targetOf = (/** @type {{port: number}} */ { port }) => ({
    transport: /** @type {Transport} */ ('tcp'),
    host: '127.0.0.1',
    port,
  });
  const placeAt = (/** @type {{port: number}} */ server) => placeOf(targetOf(server));

  /**
   * Starts an agent, and commands it as an attacker would: with jobs of his own making.
   *
   * @param {string[]} [allow]
   */
  async function command(allow = [`redis://127.0.0.1:${target.port}`], more = {}) {
    const ending = new AbortController();
    /** @type {string[]} */
    const said = [];
    const ended = agent(
      { queue: control.url, name: 'load-1', allow, ...more },
      {
        signal: ending.signal,
        env: { REDIS_PASSWORD: SECRET },
        onStatus: (text) => said.push(text),
      },
    );
    endings.push(() => {
      ending.abort();
      return ended;
    });
    await until('the agent', () => said.some((text) => /waits for jobs at/.test(text)));
    const redis = await openControlRedis(control.url, {}, '--queue');
    endings.push(async () => redis.close());
    const caller = createCallerName();
    const lease = randomBytes(9).toString('hex');
    const release = await holdLease(redis, commanderLease(caller), lease, () => {});
    endings.push(async () => release?.());
    const link = await openAgentLink(redis, 'load-1', caller);
    endings.push(link.close);
    await link.begin(
      { tool: describeTool().version, commander: caller, lease },
      /** @type {any} */ (await link.hello()),
    );
    let started = 0;

    /** @param {Attack} attack @returns {Promise<{typed: any, id: string}>} and the cell that it asks for */
    async function typedOf({ options, place = placeAt(target), more: besides }) {
      const typed = {
        ...{
          options: { ...OPTIONS, ...options },
          suite: {},
          folders: {},
          releases: {},
          cells: [],
          targets: [place],
        },
        servers: [{ transports: [place.transport] }],
        ...besides,
      };
      // What cannot be read here either, or would load a file, is left to the agent.
      const isOwn = besides === undefined || 'command' in besides;
      const read = isOwn ? await readTyped(typed, () => []).catch(() => null) : null;
      const id = read === null || Array.isArray(read) ? 'any' : read.cells[0].id;
      return { typed: { ...typed, cells: [id] }, id };
    }

    /** @param {Attack} attack @returns {Promise<string>} why not, if it was refused */
    async function prepare(attack) {
      const { typed, id } = await typedOf(attack);
      const place = attack.place ?? placeAt(target);
      /** @type {string[]} */
      const refused = await link.call('plan', typed).catch(({ message }) => [String(message)]);
      const workersId = `${++started}`;
      const answer = await link
        .call('prepare', { workersId, cell: attack.cell ?? id, target: place, ...HOW, ...attack.how })
        .then(
          () => PREPARED,
          ({ message }) => String(message),
        );
      await link.call('kill', { workersId });
      if (refused.length === 0) return answer;
      assert.notEqual(answer, PREPARED, `what was refused was prepared: ${refused}`);
      return `not allowed to use ${refused.join(', ')}`;
    }
    return {
      link,
      prepare,
      typedOf,
      call: (/** @type {string} */ method, /** @type {any} */ data) => link.call(method, data),
    };
  }

  /** @param {Awaited<ReturnType<typeof command>>} commanded @returns {Promise<string>} workers that are prepared */
  async function prepared({ link, typedOf }) {
    const { typed, id } = await typedOf({});
    assert.deepEqual(await link.call('plan', typed), []);
    await link.call('prepare', { workersId: '77', cell: id, target: placeAt(target), ...HOW });
    return id;
  }

  it('can have an allowed target measured, by every client', async () => {
    const { prepare } = await command();
    const others = NIGHTLY ? ['iovalkey', 'valkey-glide:careful'] : [];
    for (const client of ['redis', 'ioredis', 'valkey-glide', 'raw', ...others]) {
      assert.equal(await prepare({ options: { clients: [client] } }), PREPARED, client);
    }
    const messages = { clients: ['redis'], workload: ['queue:apart'], keys: undefined };
    assert.equal(await prepare({ options: messages, more: { command: 'messages' } }), PREPARED);
  });

  it('can have a cluster measured whose nodes are all named, by their addresses or by the name of their host', async () => {
    const cluster = await startCluster();
    const { nodes = [] } = cluster.target;
    const named = nodes.map(({ host, port }) => `redis://${host}:${port}`);
    const byHost = nodes.map(({ port }) => `redis://localhost:${port}`);
    endings.push(cluster.stop);
    const { prepare } = await command([...named.slice(1), ...byHost]);
    const addresses = nodes.map(({ port }) => ({ host: 'localhost', port }));
    const place = placeOf({ ...cluster.target, ...addresses[0], nodes: addresses });
    const options = { topology: ['cluster'], keys: 100 };
    for (const client of ['redis', 'ioredis'])
      assert.equal(await prepare({ options: { ...options, clients: [client] }, place }), PREPARED, client);
    assert.match(
      await prepare({ options: { ...options, clients: ['valkey-glide'] }, place }),
      /a cluster with valkey-glide, whose sockets cannot be seen \(--allow any-target\)/,
    );
    for (const end of endings.splice(1).reverse()) await end();
    const most = await command(named.slice(0, 2));
    const known = placeOf({ ...cluster.target, nodes: nodes.slice(0, 2) });
    const { port } = nodes[2];
    for (const client of ['redis', 'ioredis'])
      assert.doesNotMatch(
        await most.prepare({ options: { ...options, clients: [client] }, place: known }),
        new RegExp(PREPARED),
        client,
      );
    assert.match(
      await most.prepare({ options: { ...options, clients: ['redis'] }, place: placeOf(cluster.target) }),
      new RegExp(`not allowed to use the server .*:${port}`),
    );
  });

  it('runs no code, whatever the name of the method', async () => {
    const commanded = await command();
    const { call } = commanded;
    const cell = await prepared(commanded);
    const evil = { client: 'raw', target: targetOf(target), entry: dataUrl };
    const plugin = {
      kind: 'clients',
      id: 'evil',
      file,
      pluginFolders: { clients: [file] },
      target: targetOf(target),
    };
    for (const [method, params] of [
      ['prepare', evil],
      ['prepare', { ...evil, entry: pathToFileURL(file).href }],
      ['prepare', { ...evil, entry: file }],
      ['prepare', { ...evil, entry: null, client: 'evil', pluginFolders: { clients: [file] } }],
      ['prepare-fault', evil],
      ['check', plugin],
      ['constructor', {}],
      ['__proto__', {}],
      ['before-run before-run', null],
    ]) {
      await assert.rejects(
        call(String(method), { workersId: '77', params }),
        /does not know|'prepare' was refused/,
        String(method),
      );
      await assert.rejects(call('call', { workersId: '77', method, params }), /does not know 'call'/);
    }
    for (const params of [evil, 'all', []])
      await assert.rejects(call('before-run', { workersId: '77', params }), /'before-run' was refused/);
    await assert.rejects(call('before-run', { workersId: '77', method: 'ceiling' }), /was refused/);
    await assert.rejects(call('obliterate', {}), /does not know 'obliterate'/);
    const job = { workersId: '78', cell, target: placeAt(target), ...HOW };
    for (const more of [{ job: evil }, { entry: dataUrl }, { nodeBin: file }, { processes: 2 }])
      await assert.rejects(call('prepare', { ...job, ...more }), /'prepare' was refused/);
    for (const name of ['__proto__', 'constructor', 'another cell'])
      await assert.rejects(call('prepare', { ...job, cell: name }), /is no cell that this agent can run/);
    assert.equal(existsSync(trace), false);
  });

  it('has nothing imported that is not allowed, and never a URL', async () => {
    const { prepare } = await command([`redis://127.0.0.1:${target.port}`, 'releases']);
    const release = { package: 'redis', version: '6.3.1', path: null, commit: null };
    const options = { clients: ['redis@6.3.1'] };
    for (const entry of [
      dataUrl,
      pathToFileURL(file).href,
      file,
      'node:child_process',
      'https://127.0.0.1/x.mjs',
    ]) {
      const releases = { 'redis@6.3.1': { ...release, entry } };
      assert.match(await prepare({ options, more: { releases } }), /redis@6\.3\.1 \(--allow plugins\)/);
    }
    for (const places of [[file], [folder]])
      assert.match(
        await prepare({ options: { clients: ['evil'] }, more: { folders: { clients: places } } }),
        /--allow plugins/,
      );
    for (const places of [[dataUrl], [pathToFileURL(file).href], ['./evil.mjs']])
      assert.match(await prepare({ more: { folders: { clients: places } } }), /folders\.clients/);
    for (const clients of [[file], ['./evil.mjs'], [`redis@path:${folder}`]])
      assert.match(await prepare({ options: { clients }, more: {} }), /not allowed to use/);
    for (const given of [
      { nodeBin: [process.execPath] },
      { import: [file] },
      { serverBin: file },
      { server: [file] },
      { serverConfig: [`loadmodule ${file}`] },
      { profile: `all:${join(folder, 'profiles')}` },
      { config: file },
      { url: `redis://127.0.0.1:${thief.port}` },
      { tlsInsecure: true },
      { tlsCa: file },
    ]) {
      assert.notEqual(await prepare({ options: given, more: {} }), PREPARED, JSON.stringify(given));
      assert.notEqual(
        await prepare({ more: { suite: { options: given } } }),
        PREPARED,
        JSON.stringify(given),
      );
    }
    assert.equal(existsSync(join(folder, 'profiles')), false);
    assert.equal(existsSync(trace), false);
  });

  it('has no other address connected to, and gets no password', async () => {
    const commanded = await command();
    const { prepare, call } = commanded;
    const there = { host: '127.0.0.1', port: thief.port };
    const foreign = { transport: 'tcp', ...there };
    const at = `127.0.0.1:${target.port}`;
    const elsewhere = `127.0.0.1:${thief.port}`;
    const clusterOf = (/** @type {string[]} */ nodes, first = at) => ({
      options: { clients: ['redis'], topology: ['cluster'] },
      place: { transport: 'tcp', at: first, nodes },
    });
    const glide = (/** @type {object} */ config) => ({ options: { clients: ['valkey-glide'], config } });
    for (const attack of [
      { place: placeAt(thief) },
      { place: { ...placeAt(thief), nodes: [at] } },
      { place: { ...placeAt(target), host: '127.0.0.1', port: thief.port } },
      { place: { transport: 'tcp', at: `${at}@${elsewhere}` } },
      { place: { transport: 'tcp', at: `user:pw@${at}` } },
      { place: { transport: 'tcp', at: '127.0.0.1', port: thief.port } },
      { place: { transport: 'unix', at: join(folder, 'other.sock') } },
      clusterOf([elsewhere]),
      clusterOf([at, elsewhere]),
      clusterOf([at], elsewhere),
      // What is checked is what is used: a path does not stand for another host and port.
      {
        options: { clients: ['valkey-glide'] },
        place: { transport: 'unix', at, host: '127.0.0.1', port: thief.port },
      },
      { options: { clients: ['valkey-glide'] }, place: { transport: 'unix', at: elsewhere } },
      glide({ nodeDiscoveryMode: 2 }),
      glide({ addresses: [there] }),
      glide({ requestTimeout: 1000 }),
      glide({ advancedConfiguration: { tlsAdvancedConfiguration: { insecure: true } } }),
      { options: { clients: ['valkey-glide{requestTimeout:1000}'] } },
      ...[
        { socket: there },
        { socket: { port: `${thief.port}` } },
        { socket: { host: ['127.0.0.1'], port: thief.port } },
        { url: `redis://${elsewhere}` },
        { socket: { ...there, tls: true, rejectUnauthorized: false } },
        { nodeClientOptions: { url: `redis://${elsewhere}` } },
      ].map((config) => ({ options: { clients: ['redis'], config } })),
      ...[
        there,
        { host: 'localhost', port: thief.port },
        { ...there, tls: {} },
        { path: join(folder, 'other.sock') },
        { redisOptions: there },
        { sentinels: [there], name: 'any' },
      ].map((config) => ({ options: { clients: ['ioredis'], config } })),
      { options: { clients: [`ioredis{host:'127.0.0.1',port:${thief.port}}`] } },
    ]) {
      assert.notEqual(await prepare(/** @type {any} */ (attack)), PREPARED, JSON.stringify(attack));
    }
    await prepared(commanded);
    for (const method of ['round-trips', 'ceiling']) {
      const params = {
        target: foreign,
        count: 1,
        mostMs: 10,
        key: 'k',
        value: 'v',
        connections: 1,
        depth: 1,
        durationMs: 10,
      };
      await assert.rejects(call(String(method), { workersId: '77', params }), /does not know/);
    }
    assert.deepEqual(stolen, []);
  });

  it('has no redirection followed to another address', async () => {
    const slots = () =>
      `*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n${bulk('127.0.0.1')}:${thief.port}\r\n${bulk('0'.repeat(40))}`;
    const cluster = await startFakeRedis((name, [first = '']) => {
      if (name === 'CLUSTER')
        return first.toUpperCase() === 'SLOTS' ? slots() : bulk('cluster_state:ok\r\ncluster_enabled:1');
      return name === 'HELLO' || name === 'AUTH' || name === 'CLIENT' || name === 'READONLY'
        ? '+OK\r\n'
        : `-MOVED 0 127.0.0.1:${thief.port}\r\n`;
    });
    const sentinel = await startFakeRedis((name) =>
      name === 'SENTINEL' ? `*2\r\n${bulk('127.0.0.1')}${bulk(`${thief.port}`)}` : undefined,
    );
    endings.push(cluster.stop, sentinel.stop);
    const { prepare } = await command(
      [target, cluster, sentinel].map(({ port }) => `redis://127.0.0.1:${port}`),
    );
    const at = `127.0.0.1:${cluster.port}`;
    const place = { transport: 'tcp', at, nodes: [at] };
    for (const client of ['redis', 'ioredis']) {
      const options = { clients: [client], topology: ['cluster'] };
      assert.notEqual(await prepare({ options, place }), PREPARED, client);
      for (const map of ['natMap', 'nodeAddressMap']) {
        const config = { [map]: { [at]: { host: '127.0.0.1', port: thief.port } } };
        assert.notEqual(await prepare({ options: { ...options, config }, place }), PREPARED, client);
      }
    }
    for (const { port } of [sentinel, thief]) {
      const sentinels = [{ host: '127.0.0.1', port }];
      const config = { sentinels, name: 'any' };
      assert.notEqual(await prepare({ options: { clients: ['ioredis'], config } }), PREPARED);
    }
    assert.match(
      await prepare({ options: { clients: ['valkey-glide'], topology: ['cluster'] }, place }),
      /valkey-glide.* any-target/,
    );
    assert.deepEqual(stolen, []);
  });

  it("gets no secret of the agent's own where any target is allowed, or in clear where TLS was named", async () => {
    const { prepare } = await command(['any-target']);
    await prepare({ place: placeAt(thief) });
    await prepare({ place: placeAt(target) });
    assert.notDeepEqual(stolen, []);
    assert.doesNotMatch(stolen.join(), new RegExp(SECRET));
    for (const end of endings.splice(0).reverse()) await end();
    stolen.length = 0;
    const secured = await command([`rediss://127.0.0.1:${thief.port}`]);
    assert.match(await secured.prepare({ place: placeAt(thief) }), /not allowed to use .* without TLS/);
    assert.deepEqual(stolen, []);
  });

  it("gets no secret of the agent's own under a certificate that the agent's owner does not trust", async () => {
    const { ca: authority, cert, key } = makeCertificates();
    const impostor = tls.createServer({ cert, key }, (socket) => {
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        stolen.push(String(bytes));
        socket.write('+OK\r\n');
      });
    });
    impostor.on('tlsClientError', () => {});
    await new Promise((resolve) => impostor.listen(0, '127.0.0.1', () => resolve(null)));
    endings.push(async () => void impostor.close());
    const { port } = /** @type {any} */ (impostor.address());
    const place = { transport: 'tls', at: `127.0.0.1:${port}` };
    const { prepare } = await command([`rediss://127.0.0.1:${port}`]);
    const ca = String(authority);
    const trusting = [
      { rejectUnauthorized: false },
      { ca },
      { servername: 'localhost' },
      { secureContext: {} },
      { checkServerIdentity: null },
    ];
    for (const [client, config] of [
      ...['raw', 'redis', 'ioredis', 'iovalkey', 'valkey-glide'].map((id) => [id, undefined]),
      // By day each option with one client, and each client with one option.
      ...trusting.flatMap((each, index) =>
        [
          ['redis', { socket: each }],
          ['redis', { nodeClientOptions: { socket: each } }],
          ['ioredis', { tls: each }],
          ['ioredis', { redisOptions: { tls: each } }],
          ['iovalkey', { tls: each }],
        ].filter((_, place) => NIGHTLY || place === index),
      ),
      ['ioredis', { sentinelTLS: { rejectUnauthorized: false } }],
      ['valkey-glide', { advancedConfiguration: { tlsAdvancedConfiguration: { insecure: true } } }],
      ['valkey-glide', { advancedConfiguration: { tlsAdvancedConfiguration: { rootCertificates: ca } } }],
    ]) {
      const options = { clients: [client], config };
      assert.notEqual(await prepare({ options, place }), PREPARED, JSON.stringify([client, config]));
    }
    for (const how of [{ tls: { rejectUnauthorized: false } }, { password: 'x' }, { ca }])
      assert.match(await prepare({ place: { ...place, ...how } }), /is not known/);
    assert.deepEqual(stolen, []);
  });

  it('has no file opened as a profile, and no more processes started than the machine bears', async () => {
    const { prepare } = await command();
    assert.match(
      await prepare({ options: { workload: [`profile:${file}`] } }),
      /the profile .*evil\.mjs \(--allow profile:FOLDER\)/,
    );
    assert.match(await prepare({ options: { processes: [60] } }), /60 processes .*at most \d+/);
    assert.match(
      await prepare({ options: { valueSize: [[400_000_000, 400_000_000]], tasks: [1000] } }),
      /about [\d.]+ GB of memory, of/,
    );
    const many = Array.from({ length: 100 }, (_, index) => index + 1);
    assert.match(
      await prepare({
        options: { tasks: many, size: many, keySize: undefined, maxInFlight: many, rate: many },
      }),
      /at most \d+ cells/,
    );
  });

  it('has only keys of this tool touched', async () => {
    const { prepare } = await command();
    await target.query('SET', 'theirs', '1');
    for (const keyPrefix of ['', 'theirs', 'rpb:', 'rpb:*', 'rpb:0000x'])
      assert.match(await prepare({ how: { keyPrefix } }), /'prepare' was refused: keyPrefix/);
    assert.match(await prepare({ how: { removal: ['FLUSHALL'] } }), /'prepare' was refused: removal/);
    const flush = { command: ['GET {key}'], prepare: 'FLUSHALL' };
    assert.match(await prepare({ options: flush }), /FLUSHALL/);
    for (const command of [
      `EVAL "return redis.call('FLUSHALL')" 0`,
      'FCALL flush 0',
      'MOVE {key} 5',
      'GEOSEARCHSTORE {key} theirs',
    ])
      for (const allowScripts of [true, false])
        assert.notEqual(await prepare({ options: { command: [command], allowScripts } }), PREPARED, command);
    assert.match(
      await prepare({ options: { command: [`EVAL "return 1" 0`], allowScripts: true } }),
      /not allowed to use EVAL, which may reach foreign keys \(--allow scripts\)/,
    );
    for (const [client, config] of [
      ['ioredis', { keyPrefix: 'theirs' }],
      ['ioredis', { db: 7 }],
      ['iovalkey', { redisOptions: { db: 7 } }],
      ['redis', { database: 7 }],
      ['redis', { nodeClientOptions: { database: 7 } }],
      ['valkey-glide', { databaseId: 7 }],
    ])
      assert.notEqual(await prepare({ options: { clients: [client], config } }), PREPARED, `${client}`);
    assert.match(
      await prepare({ place: { ...placeAt(target), database: 7 } }),
      /database 7 of .* \(--allow redis:\/\/.*\/7\)/,
    );
    assert.equal(await target.query('GET', 'theirs'), '1');
    assert.deepEqual(Object.keys(await target.contents()), ['theirs']);
  });
});
