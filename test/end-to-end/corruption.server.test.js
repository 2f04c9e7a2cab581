import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { loadCatalogue } from '../../src/options/catalogue.js';
import { startWorker } from '../../src/run/workers.js';
import { makeCertificates } from '../../src/server/certificates.js';
import { open } from '../../src/worker/cell.js';
import { startCluster } from '../helpers/cluster.js';
import { jobOf } from '../helpers/job.js';
import { startManaged } from '../helpers/managed-server.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { startReplyProxy } from '../helpers/reply-proxy.js';

/** @import { Job } from '../../src/worker/types.js' */

const { clients, packages } = await loadCatalogue();
const installed = [...clients.values()].filter(
  (client) => client.package === null || client.package in packages,
);
/** By day not the one that is made from another. */
const tested = installed.filter(({ id }) => NIGHTLY || id !== 'iovalkey');
const able = (/** @type {string} */ capability) =>
  tested.filter(({ capabilities }) => capabilities.has(capability));

/** What shows in replies that are all alike, and what shows only where they differ. */
const ONE_REPLY = ['flipped'];
const ALL = ['flipped', 'the one before again', 'overtaken by the next'];
/** Without more than one command under way nothing can overtake. */
const ALL_BUT_OVERTAKING = ['flipped', 'the one before again'];

/** @type {[workload: Job['workload'], faults: string[]][]} */
const WORKLOADS = [
  [{ id: 'get', parameter: null }, ALL],
  [{ id: 'set-get', parameter: null }, ALL],
  [{ id: 'mix', parameter: { get: 1, set: 1 } }, ALL],
  [
    {
      id: 'command',
      parameter: { commands: [['GETRANGE', '{key}', '0', '-1']], prepare: ['SET', '{key}', '{value}'] },
    },
    ALL,
  ],
  [{ id: 'set', parameter: null }, ONE_REPLY],
  [{ id: 'exists', parameter: null }, ONE_REPLY],
  [{ id: 'hset', parameter: null }, ONE_REPLY],
];

/** @type {[mode: Job['pipelining'], faults: string[], requires: string[]][]} */
const MODES = [
  [{ id: 'none', parameter: null }, ALL_BUT_OVERTAKING, []],
  [{ id: 'auto', parameter: null }, ALL, ['auto-pipelining']],
  [{ id: 'window', parameter: 0 }, ALL, ['pipeline']],
  [{ id: 'explicit', parameter: 5 }, ALL, ['pipeline']],
];

let cells = 0;

/** @param {Partial<Job>} own @returns {Job} with keys of its own */
const nextJob = (own) => jobOf({ keyPrefix: `rpb:${String(cells++).padStart(4, '0')}`, ...own });

/**
 * @param {Partial<Job>} given
 * @param {{tamper: (fault: string | null) => void}[]} proxies that are between the cell and its server
 * @param {string} fault
 * @returns {Promise<{clean: number, found: number}>} what the checks found without the fault and with it
 */
async function runWith(given, proxies, fault) {
  const tamper = (/** @type {string | null} */ name) => {
    for (const proxy of proxies) proxy.tamper(name);
  };
  const job = nextJob(given);
  const cell = await open(job);
  await cell.prepare();
  const run = async (/** @type {string | null} */ name) => {
    if (job.workload.id === 'hset') await cell.beforeRun();
    tamper(name);
    const { wrongReplies, errors } = await cell.run({ iterations: 30, durationMs: 100 }, () => {});
    tamper(null);
    return wrongReplies + Object.values(errors).reduce((sum, count) => sum + count, 0);
  };
  const clean = await run(null);
  const found = await run(fault);
  await cell.finish().catch(() => {});
  return { clean, found };
}

describe('replies that a proxy tampers with', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startManaged>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof startReplyProxy>>} */
  let proxy;
  before(async () => {
    server = await startManaged();
    proxy = await startReplyProxy(server.targets.tcp);
  });
  after(async () => {
    await proxy.stop();
    await server.stop();
  });

  /** @param {Partial<Job>} job @param {string} fault @param {string} what */
  async function assertFound(job, fault, what) {
    const target = { ...server.targets.tcp, port: proxy.port };
    const { clean, found } = await runWith({ ...job, target }, [proxy], fault);
    assert.equal(clean, 0, `${what}: without a fault`);
    assert.ok(found > 0, `${what}: ${fault}, and not found`);
  }

  for (const [index, client] of tested.entries()) {
    it(`are found with ${client.id} in ${NIGHTLY ? 'every workload' : 'some workloads'} and every way of pipelining`, async () => {
      // Replies are checked by the workload, whatever the client: by day each client has others.
      const own = WORKLOADS.filter((_, place) => NIGHTLY || place % tested.length === index);
      for (const [workload, faults] of own) {
        for (const fault of faults) await assertFound({ client: client.id, workload }, fault, workload.id);
      }
      for (const [pipelining, faults, requires] of MODES) {
        if (!requires.every((capability) => client.capabilities.has(capability))) continue;
        for (const fault of faults)
          await assertFound({ client: client.id, pipelining }, fault, pipelining.id);
      }
    });

    it(`are found with ${client.id} in an open loop`, async () => {
      const load = /** @type {any} */ ({
        ratePerSecond: 5000,
        search: null,
        sloMs: null,
        arrivals: 'even',
        whenFull: 'wait',
        maxInFlight: 100,
      });
      for (const fault of ALL_BUT_OVERTAKING)
        await assertFound({ client: client.id, load }, fault, 'open loop');
    });

    it(`are found with ${client.id} where all replies of the workload are alike`, async () => {
      const target = { ...server.targets.tcp, port: proxy.port };
      for (const [place, fault] of [
        'the one before again',
        'overtaken by the next',
        'sent twice',
      ].entries()) {
        // What ends a run is the same check for all: by day each client has another fault.
        if (!NIGHTLY && place !== index % 3) continue;
        // A client may end with an error of its own, which none but its process must suffer.
        const worker = startWorker(null);
        const workload = { id: 'set', parameter: null };
        try {
          await worker.call('prepare', nextJob({ client: client.id, workload, target }));
          const run = async () => {
            const { wrongReplies, errors } = await worker.call('run', { iterations: 30 });
            const after = await worker.call('after-run');
            return wrongReplies + Object.keys(errors).length + after.wrongReplies;
          };
          assert.equal(await run(), 0);
          proxy.tamper(fault);
          assert.ok((await run().catch(() => 1)) > 0, `${fault}, and not found`);
        } finally {
          proxy.tamper(null);
          await worker.kill();
        }
      }
    });
  }

  it('are found where one too many comes after the last', async () => {
    const target = { ...server.targets.tcp, port: proxy.port };
    const cell = await open(nextJob({ client: 'raw', target }));
    await cell.prepare();
    await cell.run({ iterations: 30 }, () => {});
    assert.equal((await cell.afterRun()).wrongReplies, 0);
    proxy.send('+OK\r\n');
    await sleep(20);
    const { wrongReplies, firstWrongReply } = await cell.afterRun();
    assert.ok(wrongReplies > 0);
    assert.match(String(firstWrongReply), /a reply came that no command asked for|^ECHO after the run/);
    await cell.finish().catch(() => {});
  });

  it('are found over TLS', async () => {
    const certificates = makeCertificates();
    const secured = await startReplyProxy(server.targets.tcp, certificates);
    const target = {
      ...server.targets.tcp,
      transport: /** @type {const} */ ('tls'),
      port: secured.port,
      tls: { ca: certificates.ca, rejectUnauthorized: true },
    };
    for (const client of able('tls')) {
      for (const fault of ALL_BUT_OVERTAKING) {
        const { clean, found } = await runWith({ client: client.id, target }, [secured], fault);
        assert.equal(clean, 0);
        assert.ok(found > 0, `${client.id}: ${fault}, and not found`);
      }
    }
    await secured.stop();
  });
});

describe('replies of a cluster that a proxy tampers with', () => {
  /** @type {Awaited<ReturnType<typeof startCluster>>} */
  let cluster;
  /** @type {Awaited<ReturnType<typeof startReplyProxy>>[]} */
  let proxies;
  before(async () => {
    cluster = await startCluster();
    proxies = await Promise.all(cluster.nodes.map(({ targets }) => startReplyProxy(targets.tcp)));
  });
  after(async () => {
    for (const proxy of proxies) await proxy.stop();
    await cluster.stop();
  });

  /** Each client's option that says where a node is really reached; GLIDE has none. */
  const MAPS = /** @type {Record<string, string>} */ ({ redis: 'nodeAddressMap', ioredis: 'natMap' });

  for (const [client, option] of Object.entries(MAPS)) {
    it(`are found with ${client}`, async () => {
      const map = Object.fromEntries(
        cluster.nodes.map(({ targets: { tcp } }, index) => [
          `${tcp.host}:${tcp.port}`,
          { host: '127.0.0.1', port: proxies[index].port },
        ]),
      );
      for (const fault of ALL_BUT_OVERTAKING) {
        const job = { client, target: cluster.target, clientOptions: { [option]: map } };
        const { clean, found } = await runWith(job, proxies, fault);
        assert.equal(clean, 0);
        assert.ok(found > 0, `${fault}, and not found`);
      }
    });
  }
});

describe('what cannot be checked', () => {
  const SMALL = {
    clients: ['raw'],
    scenarios: ['shared-connection'],
    runs: 1,
    warmupRuns: 0,
    iterations: 20,
    pin: 'off',
    profile: false,
  };

  /** @param {Record<string, unknown>} options */
  async function remarksOf(options) {
    const { cells, warnings } = await benchmark({ ...SMALL, size: '10', ...options });
    const all = [...warnings, ...cells.flatMap(({ runs }) => runs[0].warnings)];
    assert.ok(cells.every(({ runs }) => runs[0].failed === null));
    return {
      keys: cells[0].keys,
      texts: all.filter((text) => /replies is checked|one key/.test(text)).sort(),
    };
  }

  it('is said: commands that write, or reply something else each time', async () => {
    const { texts } = await remarksOf({
      command: ['ZADD {key} 1 a', 'PTTL {key}', 'STRLEN {key}', 'OBJECT ENCODING {key}', 'SMEMBERS {key}'],
      prepare: ['DEL {key}', 'SET {key} 1', 'SET {key} 1', 'SET {key} 1', 'SADD {key} 1'],
    });
    assert.deepEqual(
      texts,
      ['OBJECT', 'PTTL', 'ZADD'].map((name) => `only the type of ${name} replies is checked`),
    );
  });

  it('is said: crossed replies where there is only one key', async () => {
    const one = ['with only one key, replies to the wrong command would not be noticed; use more --keys'];
    assert.deepEqual(await remarksOf({}), { keys: 64, texts: [] });
    assert.deepEqual(await remarksOf({ keys: 1 }), { keys: 1, texts: one });
    assert.deepEqual(await remarksOf({ suite: 'pipelining-test', tasks: [2], smoke: true }), {
      keys: 1,
      texts: one,
    });
  });
});
