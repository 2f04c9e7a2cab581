import assert from 'node:assert/strict';
import { createClient } from 'redis';
import { get, set } from '../../src/plugins/shared/steps.js';
import setGet from '../../src/plugins/workloads/set-get.js';
import { startRelay } from '../../src/relay/relay.js';
import { locateServer } from '../../src/server/locate.js';
import { startManagedServer } from '../../src/server/managed.js';
import { untilReplicated } from '../../src/server/nodes.js';
import { createBatchMeter } from '../../src/worker/batch-meter.js';
import { createCycle } from '../../src/worker/cycle.js';
import { createItems } from '../../src/worker/items.js';
import { createBatchSender, createBorrowedOperation } from '../../src/worker/operations.js';
import { createTally } from '../../src/worker/tally.js';
import { createVersions } from '../../src/worker/versions.js';

/**
 * @import { Commands, Connection } from '../../src/plugins/types.js'
 * @import { ManagedProcess } from '../../src/server/types.js'
 */

const KEYS = 4;
const LENGTH = 20;

/** @param {{fromReplicas: boolean, value?: 'text' | 'json'}} options */
function workOf({ fromReplicas, value = 'text' }) {
  const versions = createVersions(fromReplicas);
  const items = createItems({
    keyPrefix: 'k:',
    keySize: 10,
    valueSize: LENGTH,
    shortestValue: LENGTH,
    value,
    keys: KEYS,
    keyDistribution: 'sequential',
    oneSlot: false,
    seed: 1,
  });
  const tally = createTally({ stopped: false });
  const operations = {
    items: versions.itemsOf(items),
    cycle: createCycle(setGet.cycle().map((steps) => steps.map(versions.follow))),
    tally,
    meter: createBatchMeter(),
  };
  return {
    all: items.all(),
    versions,
    /** One operation after the other, as many as there are keys. */
    run: createBorrowedOperation(operations),
    sendBatch: createBatchSender(operations),
    counts: () => ({ ...versions.take(), ...tally.counts() }),
  };
}

/** @param {Partial<Record<keyof Commands | 'pipeline', (...args: any[]) => unknown>>} commands */
const connectionOf = (commands) => /** @type {Connection} */ (/** @type {unknown} */ (commands));

/** What was written to each key, and a connection that answers with any of it. */
function createHistory() {
  /** @type {Map<string, string[]>} */
  const written = new Map();
  const of = (/** @type {string} */ key) => written.get(key) ?? [];
  async function write(/** @type {string} */ key, /** @type {string} */ value) {
    written.set(key, [...of(key), value]);
    return 'OK';
  }
  return {
    of,
    write,
    answering: (/** @type {(all: string[]) => string | null} */ answer) =>
      connectionOf({ set: write, get: async (/** @type {string} */ key) => answer(of(key)) }),
  };
}

const RIGHT = { reads: KEYS, stale: 0, behind: 0, wrongReplies: 0 };
const newest = (/** @type {string[]} */ all) => all[all.length - 1];

describe('worker/versions', () => {
  /** @param {Parameters<typeof workOf>[0]} options */
  async function prepared(options) {
    const work = workOf(options);
    const history = createHistory();
    for (const { key, value } of work.all) await history.write(key, value);
    return {
      ...work,
      history,
      /** @param {(all: string[]) => string | null} answer */
      async turn(answer) {
        const before = work.counts().wrongReplies;
        for (let each = 0; each < KEYS; each++) await work.run(history.answering(answer));
        const { errors, firstWrongReply, wrongReplies, ...counts } = work.counts();
        assert.deepEqual(errors, {});
        return { ...counts, wrongReplies: wrongReplies - before, firstWrongReply };
      },
    };
  }
  /** @param {Record<string, unknown>} turn */
  const figures = ({ firstWrongReply: _, ...counts }) => counts;

  for (const value of /** @type {const} */ (['text', 'json'])) {
    it(`tells replies of ${value} that are old from those that were never written`, async () => {
      const { all, history, turn } = await prepared({ fromReplicas: true, value });
      assert.deepEqual(figures(await turn(newest)), RIGHT);
      assert.deepEqual(figures(await turn((each) => each[each.length - 2])), {
        ...RIGHT,
        stale: KEYS,
        behind: 1,
      });
      assert.deepEqual(figures(await turn((each) => each[0])), { ...RIGHT, stale: KEYS, behind: 3 });
      assert.deepEqual(figures(await turn(() => null)), { ...RIGHT, stale: KEYS, behind: 4 });
      const texts = history.of(all[0].key);
      assert.deepEqual([texts.length, new Set(texts).size], [5, 5]);
      for (const text of texts) {
        assert.equal(text.length, LENGTH);
        if (value === 'json') JSON.parse(text);
      }
    });
  }

  for (const [what, tamper] of /** @type {[string, (text: string) => string][]} */ ([
    ['the number of a write to come', (text) => text.replace(/#(.{6})/, (_, number) => `#${next(number)}`)],
    ['no number', (text) => text.replace('#', 'x')],
    ['a character changed', (text) => `!${text.slice(1)}`],
    ['a character less', (text) => text.slice(1)],
    ['nothing', () => ''],
  ])) {
    it(`finds it wrong from a replica too: a value with ${what}`, async () => {
      const { turn } = await prepared({ fromReplicas: true });
      assert.deepEqual(figures(await turn((all) => tamper(newest(all)))), { ...RIGHT, wrongReplies: KEYS });
    });
  }

  it('finds the value of another key wrong, however old', async () => {
    const { all, history, turn } = await prepared({ fromReplicas: true });
    const [{ key }, other] = all;
    await turn(newest);
    const swapped = await turn((each) => (each === history.of(key) ? other.value : newest(each)));
    assert.deepEqual(figures(swapped), { ...RIGHT, wrongReplies: 1 });
  });

  it('finds an old value wrong where a primary was asked, and says by what', async () => {
    const { turn } = await prepared({ fromReplicas: false });
    assert.deepEqual(figures(await turn(newest)), RIGHT);
    const { firstWrongReply, ...counts } = await turn((all) => all[all.length - 2]);
    assert.deepEqual(counts, { ...RIGHT, wrongReplies: KEYS });
    assert.equal(firstWrongReply, 'GET replied the value of write 1, though write 2 was acknowledged before');
    assert.deepEqual(figures(await turn(() => null)), { ...RIGHT, wrongReplies: KEYS });
  });

  it('takes neither of two writes for older that were under way at once', () => {
    const { versions, all } = workOf({ fromReplicas: true });
    const [write, read] = [set, get].map(versions.follow);
    /** @type {string[]} */
    const sent = [];
    const commands = connectionOf({ set: (_, value) => sent.push(value), get: () => {} });
    const [first, second, last] = [1, 2, 3].map(() => ({ ...all[0] }));
    write.send(commands, first);
    write.send(commands, second);
    assert.ok(write.accept('OK', second) && write.accept('OK', first));
    const staleAfter = (/** @type {string} */ reply) => {
      const asked = { ...all[0] };
      read.send(commands, asked);
      assert.ok(read.accept(reply, asked));
      return versions.take().stale;
    };
    assert.deepEqual(sent.map(staleAfter), [0, 0]);
    assert.equal(staleAfter(all[0].value), 1);
    write.send(commands, last);
    assert.ok(write.accept('OK', last));
    assert.deepEqual(sent.map(staleAfter), [1, 1, 0]);
  });

  describe('with a replica whose link is slow', () => {
    /** @type {ManagedProcess[]} */
    let servers;
    /** @type {Awaited<ReturnType<typeof startRelay>>} */
    let relay;
    /** @type {any[]} */
    let clients;
    before(async () => {
      const primary = await startManagedServer(await locateServer());
      servers = [primary, await primary.another()];
      const { host, port } = primary.targets.tcp;
      relay = await startRelay({
        upstreams: [{ host: String(host), port: Number(port) }],
        distance: { rttMs: 20, jitterPercent: 0 },
        seed: 1,
      });
      await primary.control.command('CONFIG', 'SET', 'repl-diskless-sync-delay', '0');
      await servers[1].control.command('REPLICAOF', '127.0.0.1', String(relay.ports[0]));
      await caughtUp();
      clients = await Promise.all(
        servers.map(({ targets: { tcp } }) =>
          createClient({ socket: { host: tcp.host, port: tcp.port } })
            .on('error', () => {})
            .connect(),
        ),
      );
    });
    after(async () => {
      for (const client of clients) client.destroy();
      for (const server of servers.toReversed()) {
        server.control.close();
        await server.stop();
      }
      await relay.close();
    });
    const caughtUp = () => {
      const [primary, replica] = servers.map(({ control }) => ({ node: '', control }));
      return untilReplicated([primary], [[replica]]);
    };
    const connection = () =>
      connectionOf({
        set: (key, value) => clients[0].set(key, value),
        get: (key) => clients[1].get(key),
        pipeline: (/** @type {string[][]} */ commands) =>
          Promise.all(commands.map((args) => clients[args[0] === 'GET' ? 1 : 0].sendCommand(args))),
      });

    for (const how of /** @type {const} */ (['one by one', 'in batches'])) {
      it(`counts its replies as stale, not as wrong: ${how}`, async () => {
        const { all, run, sendBatch, counts } = workOf({ fromReplicas: true });
        for (const { key, value } of all) await clients[0].set(key, value);
        await caughtUp();
        // Each key is written twice, so that in a batch too there is an older write.
        for (let each = 0; each < 2 * KEYS; each += how === 'in batches' ? KEYS : 1) {
          await (how === 'in batches' ? sendBatch(connection(), KEYS) : run(connection()));
        }
        const { reads, stale, wrongReplies, errors } = counts();
        assert.deepEqual([reads, wrongReplies, errors], [2 * KEYS, 0, {}]);
        assert.ok(stale > 0, `${stale}`);
      });
    }

    it('finds replies that somebody changed', async () => {
      const { all, run, counts } = workOf({ fromReplicas: true });
      for (const { key, value } of all) await clients[0].set(key, value);
      await caughtUp();
      for (let each = 0; each < KEYS; each++) {
        const { set: write, get: read } = connection();
        await run(connectionOf({ set: write, get: async (key) => `!${String(await read(key)).slice(1)}` }));
      }
      assert.equal(counts().wrongReplies, KEYS);
    });
  });
});

/** @param {string} number in the base of 36 @returns {string} the next one */
const next = (number) => (Number.parseInt(number, 36) + 1).toString(36).padStart(number.length, '0');
