import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServerError, UsageError } from '../../src/errors.js';
import { difference } from '../../src/server/counters.js';
import { openServer, startServers } from '../../src/server/open.js';
import { locateServer } from '../../src/server/sources.js';
import { parseUrl } from '../../src/server/target.js';
import { startCluster } from '../helpers/cluster.js';
import { isAlive, processesOf } from '../helpers/processes.js';
import { startRedis } from '../helpers/redis-server.js';
import { until } from '../helpers/until.js';

/**
 * @import { Topology } from '../../src/options/types.js'
 * @import { Certificates, Server, Target } from '../../src/server/types.js'
 */

const STARTER = fileURLToPath(new URL('../helpers/start-managed-cluster.js', import.meta.url));
/** Keys in slots of the first, second and third of three nodes. */
const KEYS = ['b', 'c', 'a'];

describe('server/cluster', () => {
  /** @type {Awaited<ReturnType<typeof startCluster>>} */
  let cluster;
  before(async () => {
    cluster = await startCluster({ tls: true });
  });
  after(() => cluster.stop());

  /** @param {(server: Server) => Promise<void>} use the cluster as an external one */
  async function opened(use, url = cluster.url) {
    const server = await openServer(parseUrl(url), { topology: 'cluster' });
    try {
      await use(server);
    } finally {
      await server.close();
    }
  }

  it('every node knows of every slot, and takes the keys of its own', async () => {
    for (const [node, key] of KEYS.entries()) {
      const info = String(await cluster.query(node, 'CLUSTER', 'INFO'));
      assert.match(info, /cluster_state:ok/);
      assert.match(info, /cluster_slots_ok:16384/);
      assert.match(info, /cluster_known_nodes:3/);
      assert.equal(await cluster.query(node, 'SET', key, 'x'), 'OK');
      const covered = await cluster.query(node, 'CONFIG', 'GET', 'cluster-require-full-coverage');
      assert.deepEqual(covered, ['cluster-require-full-coverage', 'no'], 'where one is down, others go on');
    }
    await assert.rejects(cluster.query(0, 'GET', KEYS[1]), /^Error: MOVED/);
  });

  it('sends its clients to plain ports, and those with TLS to TLS ports', async () => {
    const certificates = /** @type {Certificates} */ (cluster.certificates);
    const [tls] = cluster.nodes.map(({ targets }) => targets.tls);
    const url = `rediss://${tls?.host}:${tls?.port}`;
    const external = { ...parseUrl(url), tls: { ca: certificates.ca, rejectUnauthorized: true } };
    const server = await openServer(external, { topology: 'cluster' });
    await server.close();
    assert.deepEqual(ports(server.targets.tls), ports(cluster.tlsTarget));
    await opened(async ({ targets }) => assert.deepEqual(ports(targets.tcp), ports(cluster.target)));
  });

  describe('as an external one, by the URL of one node', () => {
    it('is known by all of its nodes', async () => {
      const infos = await Promise.all(KEYS.map((_, node) => cluster.info(node)));
      const labels = cluster.nodes.map(({ targets }) => `127.0.0.1:${targets.tcp.port}`);
      for (const url of labels.map((label) => `redis://${label}`)) {
        await opened(async ({ facts, runIds, pids, topology, isLocal }) => {
          assert.deepEqual(facts.nodes, labels);
          assert.equal(facts.mode, 'cluster');
          assert.deepEqual(
            runIds,
            infos.map(({ run_id }) => run_id),
          );
          assert.deepEqual(
            pids,
            infos.map(({ process_id }) => Number(process_id)),
          );
          assert.deepEqual([topology, isLocal], ['cluster', true]);
        }, url);
      }
    });

    it('has the counters of all nodes, the commands of each, and none of our own', () =>
      opened(async (server) => {
        const before = await server.snapshot();
        for (const [node, key] of KEYS.entries()) {
          for (let times = 0; times <= node; times++) await cluster.query(node, 'GET', key);
        }
        const seen = difference(before, await server.snapshot());
        assert.equal(seen?.commands, 6);
        assert.equal(seen?.reads, 6);
        assert.equal(seen?.netInputBytes, 6 * '*2\r\n$3\r\nGET\r\n$1\r\na\r\n'.length);
        assert.equal(seen?.netOutputBytes, 6 * '$1\r\nx\r\n'.length);
        assert.deepEqual(
          seen?.nodes?.map(({ commands }) => commands),
          [1, 2, 3],
        );
        assert.equal(seen?.calls?.get, 6);
        assert.equal(seen?.calls?.info, 0);
        assert.deepEqual([seen?.moved, seen?.asked], [0, 0]);
        assert.ok(Number(seen?.mainThreadCpuUs) > 0);
      }));

    it('has its redirections counted', () =>
      opened(async (server) => {
        const [from, to] = await Promise.all([
          cluster.query(0, 'CLUSTER', 'MYID'),
          cluster.query(1, 'CLUSTER', 'MYID'),
        ]);
        const slot = String(await cluster.query(0, 'CLUSTER', 'KEYSLOT', KEYS[0]));
        const before = await server.snapshot();
        await assert.rejects(cluster.query(1, 'GET', KEYS[0]), /MOVED/);
        await assert.rejects(cluster.query(2, 'GET', KEYS[0]), /MOVED/);
        await cluster.query(1, 'CLUSTER', 'SETSLOT', slot, 'IMPORTING', from);
        await cluster.query(0, 'CLUSTER', 'SETSLOT', slot, 'MIGRATING', to);
        await assert.rejects(cluster.query(0, 'GET', `{${KEYS[0]}}missing`), /ASK/);
        await cluster.query(0, 'CLUSTER', 'SETSLOT', slot, 'STABLE');
        await cluster.query(1, 'CLUSTER', 'SETSLOT', slot, 'STABLE');
        const seen = difference(before, await server.snapshot());
        assert.deepEqual([seen?.moved, seen?.asked], [2, 1]);
      }));

    it('has keys removed on every node', () =>
      opened(async (server) => {
        for (const [node, key] of KEYS.entries()) {
          for (const name of ['one', 'two']) await cluster.query(node, 'SET', `rpb:test{${key}}${name}`, 'x');
          await cluster.query(node, 'SET', key, 'kept');
        }
        const removed = await server.removeKeys(['rpb:none', 'rpb:test']);
        assert.deepEqual([...removed.values()], [0, 2 * KEYS.length]);
        for (const [node, key] of KEYS.entries()) {
          assert.deepEqual(await cluster.query(node, 'KEYS', '*'), [key]);
        }
      }));

    /** @param {string} url @param {RegExp} message @param {Topology} [topology] */
    const refused = (url, message, topology = 'cluster') =>
      assert.rejects(openServer(parseUrl(url), { topology }), (error) => {
        assert.ok(error instanceof ServerError, `${error}`);
        assert.match(error.message, message);
        return true;
      });

    it('is refused as a standalone server', () =>
      refused(cluster.url, /is a node of a cluster.*--topology cluster/, 'standalone'));

    it('is refused when it is no cluster', async () => {
      const alone = await startRedis();
      try {
        await refused(alone.url, /is not a cluster.*--topology cluster/);
      } finally {
        await alone.stop();
      }
    });

    it('is refused with a database other than 0', () =>
      assert.rejects(openServer(parseUrl(`${cluster.url}/1`), { topology: 'cluster' }), UsageError));

    it('is refused while slots are not served, with their number', async () => {
      await cluster.queryAll('CLUSTER', 'DELSLOTS', '0', '1');
      try {
        await refused(cluster.url, /2 of the 16384 slots .* not served/);
      } finally {
        await cluster.query(0, 'CLUSTER', 'ADDSLOTS', '0', '1');
        await until('all slots to be served again', async () =>
          (await cluster.queryAll('CLUSTER', 'INFO')).every((text) => /cluster_state:ok/.test(String(text))),
        );
      }
    });
  });

  it('is gone with all of its folders once stop has resolved', async () => {
    const { nodes, stop } = await startServers(await locateServer(), { size: 3, cluster: true });
    const pids = await Promise.all(
      nodes.map(async ({ control }) => Number((await control.info())?.fields.process_id)),
    );
    const folders = nodes.map(({ targets }) => dirname(String(targets.unix.path)));
    assert.ok(pids.every(isAlive));
    await stop();
    assert.deepEqual(pids.filter(isAlive), []);
    assert.deepEqual(folders.filter(existsSync), []);
  });

  it('is gone with all of its folders within 2 s after kill -9 of the process that started it', async () => {
    const starter = spawn(process.execPath, [STARTER], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(starter, 'exit');
    try {
      const [line] = await once(starter.stdout, 'data');
      /** @type {{pid: number, folder: string}[]} */
      const nodes = JSON.parse(String(line));
      assert.equal(nodes.length, 3);
      assert.ok(nodes.every(({ pid, folder }) => isAlive(pid) && existsSync(folder)));
      starter.kill('SIGKILL');
      await exited;
      const gone = () => nodes.every(({ pid, folder }) => !isAlive(pid) && !existsSync(folder));
      await until('nodes and folders to be gone', gone);
    } finally {
      starter.kill('SIGKILL');
    }
  });

  it('stops the nodes that did start when one does not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rpb-broken-'));
    const usualTemp = process.env.TMPDIR;
    try {
      const path = join(folder, 'redis-server');
      const third = `mkdir ${folder}/1 2>/dev/null || mkdir ${folder}/2 2>/dev/null || { echo 'no luck today'; exit 1; }`;
      await writeFile(path, `#!/bin/sh\n${third}\nexec ${await locateServer()} "$@"\n`);
      await chmod(path, 0o755);
      process.env.TMPDIR = folder;
      await assert.rejects(startServers(path, { size: 3, cluster: true }), (error) => {
        assert.ok(error instanceof ServerError);
        assert.match(error.message, /did not become ready.*no luck today/);
        return true;
      });
      assert.deepEqual((await readdir(folder)).sort(), ['1', '2', 'redis-server']);
      await until('the guards to be gone as well', () => processesOf(folder).length === 0);
    } finally {
      if (usualTemp === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = usualTemp;
      await rm(folder, { recursive: true });
    }
  });
});

/** @param {Target | undefined} target */
const ports = (target) => target?.nodes?.map(({ port }) => port);
