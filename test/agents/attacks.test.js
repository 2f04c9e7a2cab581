import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openAgentLink } from '../../src/agents/agent-link.js';
import { commanderQueue } from '../../src/agents/bull.js';
import { openControlRedis } from '../../src/agents/control-redis.js';
import { createCallerName } from '../../src/agents/greet.js';
import { holdLease } from '../../src/agents/lease.js';
import { agent } from '../../src/index.js';
import { describeTool } from '../../src/machine/environment.js';
import { startCluster } from '../helpers/cluster.js';
import { startRedis } from '../helpers/redis-server.js';
import { bulk, startFakeRedis, startTcpServer } from '../helpers/tcp-server.js';
import { until } from '../helpers/until.js';

const SECRET = 'the-agents-own-secret';
const PREPARED = 'prepared';

/** One small cell. */
const JOB = {
  client: 'raw',
  entry: null,
  pluginFolders: {},
  variant: 'default',
  scenario: 'shared-connection',
  scenarioOptions: {},
  pipelining: { id: 'implicit' },
  workload: { id: 'get' },
  tasks: 1,
  appWorkUs: 0,
  keySize: 20,
  valueSize: 10,
  shortestValue: 10,
  value: 'text',
  keys: 1,
  ownSizes: [],
  keyDistribution: 'sequential',
  seed: 1,
  latency: true,
  clientOptions: {},
  load: null,
  part: { index: 0, count: 1 },
  keyPrefix: 'rpb:0000',
  oneSlot: false,
  removal: ['DEL'],
  runIds: null,
};

describe('whoever reaches the control Redis', function () {
  this.timeout(60_000);
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
    transport: 'tcp',
    host: '127.0.0.1',
    port,
  });

  /**
   * Starts an agent, and commands it as an attacker would: with jobs of his own making.
   *
   * @param {string[]} [allow]
   */
  async function command(allow = [`redis://127.0.0.1:${target.port}`]) {
    const ending = new AbortController();
    /** @type {string[]} */
    const said = [];
    const ended = agent(
      { queue: control.url, name: 'load-1', allow },
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
    const held = await holdLease(redis, commanderQueue(caller), () => {});
    endings.push(held.end);
    const link = await openAgentLink(redis, 'load-1', caller);
    endings.push(link.close);
    await link.open({ tool: describeTool().version, commander: caller, lease: held.lease });
    let started = 0;

    /** @param {object} job @param {object} [more] @returns {Promise<string>} why not, if it was refused */
    async function prepare(job, more) {
      const workersId = `${++started}`;
      const given = {
        job: { ...JOB, target: targetOf(target), ...job },
        processes: 1,
        nodeBin: null,
        cpus: null,
      };
      const answer = await link.call('prepare', { workersId, ...given, ...more }).then(
        () => PREPARED,
        ({ message }) => String(message),
      );
      await link.call('kill', { workersId });
      return answer;
    }
    return {
      link,
      prepare,
      call: (/** @type {string} */ method, /** @type {any} */ data) => link.call(method, data),
    };
  }

  it('can have an allowed target measured, by every client', async () => {
    const { prepare } = await command();
    for (const client of ['redis', 'ioredis', 'iovalkey', 'valkey-glide', 'raw']) {
      assert.equal(await prepare({ client }), PREPARED, client);
    }
    assert.equal(
      await prepare({ workload: { id: 'queue', parameter: 'apart' }, pairs: true }, { processes: 2 }),
      PREPARED,
    );
  });

  it('can have a cluster measured whose nodes are all named, by their addresses or by the name of their host', async () => {
    const cluster = await startCluster();
    const { nodes = [] } = cluster.target;
    const named = nodes.map(({ host, port }) => `redis://${host}:${port}`);
    const byHost = nodes.map(({ port }) => `redis://localhost:${port}`);
    endings.push(cluster.stop);
    const { prepare } = await command([...named.slice(1), ...byHost]);
    const addresses = nodes.map(({ port }) => ({ host: 'localhost', port }));
    const target = { ...cluster.target, ...addresses[0], nodes: addresses };
    for (const client of ['redis', 'ioredis'])
      assert.equal(await prepare({ client, target }), PREPARED, client);
    for (const end of endings.splice(1).reverse()) await end();
    const most = await command(named.slice(0, 2));
    const known = { ...cluster.target, nodes: nodes.slice(0, 2) };
    const { port } = nodes[2];
    for (const client of ['redis', 'ioredis'])
      assert.doesNotMatch(
        await most.prepare({ client, target: known, runIds: null }),
        new RegExp(PREPARED),
        client,
      );
    assert.match(
      await most.prepare({ client: 'redis', target: cluster.target }),
      new RegExp(`not allowed to use the server .*:${port}`),
    );
  });

  it('runs no code, whatever the name of the method', async () => {
    const { link, call } = await command();
    await link
      .call('prepare', {
        workersId: 'x',
        job: { ...JOB, target: targetOf(target) },
        processes: 1,
        nodeBin: null,
        cpus: null,
      })
      .catch(() => {});
    await link.call('prepare', {
      workersId: '77',
      job: { ...JOB, target: targetOf(target) },
      processes: 1,
      nodeBin: null,
      cpus: null,
    });
    const evil = { ...JOB, target: targetOf(target), entry: dataUrl };
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
        call('call', { workersId: '77', method, params }),
        /does not know/,
        String(method),
      );
    }
    await assert.rejects(call('call before-run', { workersId: '77' }), /'call before-run' was refused/);
    await assert.rejects(call('obliterate', {}), /does not know 'obliterate'/);
    assert.equal(existsSync(trace), false);
  });

  it('has nothing imported that is not allowed, and never a URL', async () => {
    const { prepare } = await command([`redis://127.0.0.1:${target.port}`, 'releases']);
    assert.match(await prepare({ entry: dataUrl }), /job\/entry/);
    assert.match(await prepare({ entry: pathToFileURL(file).href }), /job\/entry/);
    assert.match(await prepare({ entry: file }), /evil\.mjs .*--allow plugins/);
    assert.match(await prepare({ client: 'evil', pluginFolders: { clients: [file] } }), /--allow plugins/);
    assert.match(await prepare({ pluginFolders: { clients: [dataUrl] } }), /job\/pluginFolders/);
    assert.equal(existsSync(trace), false);
  });

  it('has no other address connected to, and gets no password', async () => {
    const { prepare, call, link } = await command();
    const there = { host: '127.0.0.1', port: thief.port };
    const foreign = { transport: 'tcp', ...there };
    const allowed = { host: '127.0.0.1', port: target.port };
    for (const job of [
      { target: foreign },
      { target: { ...foreign, nodes: [allowed] } },
      { target: { ...targetOf(target), replicas: [there], readFrom: 'replica' }, client: 'valkey-glide' },
      { client: 'redis', target: { ...targetOf(target), topology: 'cluster', nodes: [there] } },
      ...[
        { socket: there },
        { socket: { port: `${thief.port}` } },
        { socket: { host: ['127.0.0.1'], port: thief.port } },
        { url: `redis://127.0.0.1:${thief.port}` },
        { socket: { ...there, tls: true, rejectUnauthorized: false } },
      ].map((clientOptions) => ({ client: 'redis', clientOptions })),
      { client: 'ioredis', clientOptions: there },
      { client: 'ioredis', clientOptions: { host: 'localhost', port: thief.port } },
      { client: 'ioredis', clientOptions: { ...there, tls: {} } },
      { client: 'ioredis', clientOptions: { path: join(folder, 'other.sock') } },
      { client: 'valkey-glide', clientOptions: { addresses: [there] } },
      { target: { ...targetOf(target), addressMap: { [`${allowed.host}:${allowed.port}`]: there } } },
    ]) {
      assert.match(await prepare(job), /not allowed/);
    }
    await link.call('prepare', {
      workersId: '77',
      job: { ...JOB, target: targetOf(target) },
      processes: 1,
      nodeBin: null,
      cpus: null,
    });
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
      await assert.rejects(call('call', { workersId: '77', method, params }), /does not know/);
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
    const there = { host: '127.0.0.1', port: cluster.port };
    for (const client of ['redis', 'ioredis']) {
      const job = { client, target: { ...targetOf(cluster), topology: 'cluster', nodes: [there] } };
      assert.notEqual(await prepare(job), PREPARED, client);
    }
    for (const { port } of [sentinel, thief]) {
      const sentinels = [{ host: '127.0.0.1', port }];
      const clientOptions = { sentinels, name: 'any', sentinelRetryStrategy: null };
      assert.match(await prepare({ client: 'ioredis', clientOptions }), /not allowed|unreachable/);
    }
    assert.match(
      await prepare({
        client: 'valkey-glide',
        target: { ...targetOf(cluster), topology: 'cluster', nodes: [there] },
      }),
      /valkey-glide.* any-target/,
    );
    assert.deepEqual(stolen, []);
  });

  it("gets no secret of the agent's own where any target is allowed, or in clear where TLS was named", async () => {
    const { prepare } = await command(['any-target']);
    await prepare({ target: targetOf(thief), client: 'raw' });
    assert.doesNotMatch(stolen.join(), new RegExp(SECRET));
    for (const end of endings.splice(0).reverse()) await end();
    stolen.length = 0;
    const secured = await command([`rediss://127.0.0.1:${thief.port}`]);
    assert.match(await secured.prepare({ target: targetOf(thief), client: 'raw' }), /not allowed/);
    assert.deepEqual(stolen, []);
  });

  it('has no file opened as a profile, and no more processes started than the machine bears', async () => {
    const { prepare, call } = await command();
    const replay = { workload: { id: 'profile', parameter: { file } } };
    assert.match(await prepare(replay), /evil\.mjs .*--allow profile:/);
    assert.match(await prepare({}, { processes: 60 }), /60 processes .*at most \d+/);
    const wants = {
      targets: [],
      pluginFolders: [],
      releases: [],
      nodeBins: [],
      profiles: [file],
      processes: 60,
    };
    assert.equal((await call('check', wants)).length, 2);
  });

  it('has only keys of this tool touched', async () => {
    const { prepare } = await command();
    await target.query('SET', 'theirs', '1');
    assert.match(await prepare({ keyPrefix: '' }), /job\/keyPrefix/);
    assert.match(await prepare({ removal: ['FLUSHALL'] }), /job\/removal/);
    const flush = { id: 'command', parameter: { commands: [['GET', '{key}']], prepare: ['FLUSHALL'] } };
    assert.match(await prepare({ workload: flush }), /FLUSHALL changes more/);
    assert.equal(await target.query('GET', 'theirs'), '1');
  });
});
