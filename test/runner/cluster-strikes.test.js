import assert from 'node:assert/strict';
import { Cluster } from 'ioredis';
import { CLUSTER_STRIKES, PREPARING } from '../../src/runner/cluster-strikes.js';
import { watchRedirections } from '../../src/runner/redirections.js';
import { slotOwners } from '../../src/server/move-slots.js';
import { startEmptyNode, startReplica, stopServer } from '../../src/server/replica.js';
import { sharedClock } from '../../src/shared-clock.js';
import { startCluster } from '../helpers/cluster.js';

/** @import { ManagedProcess } from '../../src/server/types.js' */

const KEYS = Array.from({ length: 12 }, (_, index) => `rpb:moving:${index}`);
const SHARE = 16_384 / 4;

describe('runner/cluster-strikes', function () {
  this.timeout(60_000);
  /** @type {Awaited<ReturnType<typeof startCluster>>} */
  let cluster;
  /** @type {ManagedProcess[]} */
  let nodes;
  /** @type {ManagedProcess[]} */
  const started = [];
  /** @type {Cluster} */
  let client;
  let written = 0;
  let isOver = false;
  /** @type {Promise<void>} */
  let writing;

  /** Each key gets a letter, over and over. */
  async function write() {
    while (!isOver) {
      await Promise.all(KEYS.map((key) => client.append(key, 'x')));
      written++;
    }
  }

  before(async () => {
    cluster = await startCluster();
    nodes = [...cluster.nodes];
    client = new Cluster(cluster.target.nodes ?? []);
    await Promise.all(KEYS.map((key) => client.append(key, 'x')));
    written = 1;
    writing = write();
    writing.catch(() => {});
  });

  after(async () => {
    isOver = true;
    await writing?.catch(() => {});
    client?.disconnect();
    await Promise.all(started.map(stopServer));
    await cluster.stop();
  });

  /** @param {ManagedProcess[]} of @returns {Promise<Map<string, number>>} how many slots each node has, as all of them say */
  async function sharesOf(of) {
    const [owners, ...others] = await Promise.all(of.map(({ control }) => slotOwners(control)));
    for (const other of others) assert.deepEqual(other, owners);
    /** @type {Map<string, number>} */
    const shares = new Map();
    for (const id of owners) shares.set(id, (shares.get(id) ?? 0) + 1);
    return shares;
  }

  /** @param {object} fault @param {ManagedProcess | null} spare @returns {any} */
  function stageOf(fault, spare = null) {
    const signal = new AbortController().signal;
    return {
      fault,
      spare,
      signal,
      server: { processes: nodes, topology: 'cluster' },
      gone: new Set(),
      pids: [],
    };
  }

  /** @param {ManagedProcess} process */
  function added(process) {
    started.push(process);
    return process;
  }

  it('moves slots that hold keys, so that clients are sent elsewhere, first for this time and then for good', async () => {
    const before = await sharesOf(nodes);
    const end = watchRedirections(nodes.map(({ control }) => control));
    const strike = await CLUSTER_STRIKES.slots(stageOf({ slots: 1, lastsMs: 300 }), sharedClock());
    const moved = await sharesOf(nodes);
    assert.equal(strike.met, 1);
    assert.ok(strike.endedAtMs - strike.struckAtMs >= 300);
    const changes = [...moved].map(([id, share]) => share - Number(before.get(id))).sort((a, b) => a - b);
    assert.deepEqual(changes, [-1, 0, 1]);
    await client.append(KEYS[0], '');
    const seen = await end();
    assert.ok(Number(seen?.asked) > 0, 'ASK');
    assert.ok(Number(seen?.moved) > 0, 'MOVED');
    assert.ok(Number(seen?.slotRefreshes) > 0, 'it asked again who has which slot');
  });

  it('gives a node that joins its share, of every other node', async () => {
    const spare = added(await startEmptyNode(/** @type {any} */ ({ processes: nodes })));
    const stage = stageOf({ lastsMs: 200 }, spare);
    await PREPARING.join?.(stage);
    const strike = await CLUSTER_STRIKES.join(stage, sharedClock());
    nodes = [...nodes, spare];
    const shares = [...(await sharesOf(nodes)).values()];
    assert.equal(shares.length, 4);
    assert.ok(shares.every((share) => Math.abs(share - SHARE) <= 3));
    assert.ok(Math.abs(strike.met - SHARE) <= 3);
  });

  it('leaves nothing on a node that leaves', async () => {
    const stage = stageOf({ lastsMs: 200 });
    await CLUSTER_STRIKES.leave(stage, sharedClock());
    assert.equal(stage.gone.size, 1);
    nodes = nodes.filter((node) => !stage.gone.has(node));
    assert.equal((await sharesOf(nodes)).size, 3);
    for (const { control } of nodes)
      assert.equal(
        String(await control.command('CLUSTER', 'NODES'))
          .trim()
          .split('\n').length,
        3,
      );
  });

  const role = async (/** @type {ManagedProcess} */ { control }) => (await control.info())?.fields.role;

  it('promotes a replica in an orderly way, and nothing was lost or repeated by all of this', async () => {
    const spare = added(await startReplica(/** @type {any} */ ({ processes: nodes, topology: 'cluster' })));
    const [first] = nodes;
    await CLUSTER_STRIKES.promote(stageOf({}, spare), sharedClock());
    assert.deepEqual([await role(spare), await role(first)], ['master', 'slave']);
    isOver = true;
    await writing;
    for (const key of KEYS) assert.equal((await client.get(key))?.length, written, key);
    // The former primary is its replica now.
    nodes = [spare, first, ...nodes.slice(1)];
  });

  it('kills the first node once a replica has its slots', async () => {
    const [first, replica, ...others] = nodes;
    nodes = [first, ...others];
    const pid = Number((await first.control.info())?.fields.process_id);
    const stage = { ...stageOf({}, replica), pids: [pid] };
    await PREPARING['dead-seed']?.(stage);
    assert.deepEqual([...stage.gone], [first]);
    assert.equal(await role(replica), 'master');
    assert.equal((await sharesOf([replica, ...others])).size, 3);
  });
});
