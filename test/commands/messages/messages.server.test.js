import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { createBlockingReceiver } from '../../../src/commands/messages/receivers.js';
import { createMessages } from '../../../src/commands/messages/worker.js';
import queue from '../../../src/commands/messages/workloads/queue.js';
import { latencyOf } from '../../../src/statistics/latency.js';
import { startManaged } from '../../helpers/managed-server.js';

/** @import { Connection, Step, WorkloadPlugin } from '../../../src/plugins/types.js' */
/** @import { Delivery } from '../../../src/worker/types.js' */

const ITEM = { index: 0, key: '', hash: '', value: 'x' };

describe('commands/messages/messages', () => {
  /** @type {Awaited<ReturnType<typeof startManaged>>} */
  let server;
  /** @type {Delivery | null} */
  let messages = null;
  before(async () => {
    server = await startManaged();
  });
  afterEach(() => messages?.close());
  after(() => server.stop());

  /** @returns {Connection} */
  function connect() {
    const client = new Redis({ ...server.targets.tcp, lazyConnect: true });
    return /** @type {any} */ ({
      command: (/** @type {[string, ...string[]]} */ [name, ...args]) => client.call(name, ...args),
      close: async () => client.disconnect(),
    });
  }

  /** @param {WorkloadPlugin} workload @returns {Promise<(connection: Connection) => Promise<unknown>>} sends a message */
  async function senderOf(workload) {
    const job = { keyPrefix: 'rpb:', part: { index: 0, count: 1 }, workload: { parameter: 'own' } };
    const steps = /** @type {Step[]} */ (workload.cycle?.('own', /** @type {any} */ ({})).flat());
    const use = /** @type {any} */ (null);
    messages = await createMessages({
      job: /** @type {any} */ (job),
      workload,
      steps,
      connect: async () => connect(),
      use,
    });
    return async (connection) => steps[0].send(connection, ITEM);
  }

  it('name a message that was copied', async () => {
    const send = await senderOf(/** @type {any} */ (queue));
    const connection = connect();
    try {
      await send(connection);
      const { keys, settled, takeLeftovers } = /** @type {Delivery} */ (messages);
      await server.query('RPUSH', keys[0], '0:x');
      await send(connection);
      assert.deepEqual(takeLeftovers(), { wrongReplies: 1, firstWrongReply: 'message 0 arrived twice' });
      await settled();
    } finally {
      await connection.close();
    }
  });

  it('fail by the error of their receiver, not as lost ones', async () => {
    const broken = async () => {
      throw new Error('BRPOP replied what it never does');
    };
    const workload = {
      ...queue,
      receive: (/** @type {any} */ _, /** @type {any} */ tools) => createBlockingReceiver(tools, broken),
    };
    const send = await senderOf(/** @type {any} */ (workload));
    const connection = connect();
    try {
      await assert.rejects(send(connection), /BRPOP replied what it never does/);
    } finally {
      await connection.close();
    }
  });

  it('of two processes end a run at once, even where its farewell is there before it is answered', async function () {
    // It waits for 5 s for one that never says that it is done.
    this.timeout(4000);
    const connection = connect();
    let done = () => {};
    const isDone = new Promise((/** @type {(none: void) => void} */ resolve) => {
      done = resolve;
    });
    const [sending, receiving] = await Promise.all(
      [0, 1].map(async (index) => {
        const steps = /** @type {Step[]} */ (queue.cycle().flat());
        const job = {
          ...{
            keyPrefix: 'rpb:',
            part: { index, count: 2 },
            workload: { parameter: true },
            latency: true,
          },
          meeting: join(tmpdir(), `rpb-${process.pid}-testtest`),
        };
        const made = await createMessages({
          job: /** @type {any} */ (job),
          workload: /** @type {any} */ (queue),
          steps,
          connect: async () => connect(),
          async use(send) {
            const reply = await send(connection);
            await isDone;
            return reply;
          },
        });
        return { steps, ...made };
      }),
    );
    try {
      const received = receiving.receive?.().then(() => setImmediate(() => setImmediate(done)));
      const times = sending.elsewhere?.begin();
      await sending.steps[0].send(connection, ITEM);
      await sending.settled?.();
      await received;
      assert.deepEqual([sending.takeCalls?.(), receiving.takeCalls?.()], [{ lpush: 1 }, { brpop: 2 }]);
      assert.equal(latencyOf([String(times?.latencies.encode())])?.count, 1);
    } finally {
      await Promise.all([sending, receiving].map(({ close }) => close?.()));
      await connection.close();
    }
  });
});
