import assert from 'node:assert/strict';
import raw from '../../../src/plugins/clients/raw.js';
import { startRedis } from '../../helpers/redis-server.js';

/** @import { Connection } from '../../../src/plugins/types.js' */
/** @import { Target } from '../../../src/server/types.js' */

/** More than a chunk of what a socket reads or a write takes at once. */
const KEYS = Array.from({ length: 700 }, (_, index) => `rpb:test:é${index}`);

describe('raw, with commands of many arguments', () => {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    server = await startRedis();
  });
  after(() => server.stop());

  for (const buffers of [false, true]) {
    it(`many at once get each their own reply, as ${buffers ? 'buffers' : 'strings'}`, async () => {
      const { hostname: host, port } = new URL(server.url);
      const target = /** @type {Target} */ ({ transport: 'tcp', host, port: Number(port) });
      const connection = /** @type {Required<Connection>} */ (
        await raw.connect(target, {}, undefined, { buffers })
      );
      const textOf = (/** @type {number} */ round, /** @type {number} */ index) =>
        `${round} ${index} é`.padEnd(900, '.');
      const rounds = await Promise.all(
        [0, 1, 2, 3].map(async (round) => {
          const values = KEYS.map((_, index) => textOf(round, index));
          const pairs = KEYS.flatMap((key, index) => [key, values[index]]);
          // They are issued in one turn, so each MGET sees the values of its own MSET.
          const [stored, replies] = await Promise.all([
            connection.command(['MSET', ...pairs]),
            connection.command(['MGET', ...KEYS, 'rpb:test:none']),
          ]);
          return { stored, values, replies: /** @type {unknown[]} */ (replies) };
        }),
      );
      for (const { stored, values, replies } of rounds) {
        assert.equal(`${stored}`, 'OK');
        assert.equal(replies.pop(), null);
        assert.ok(replies.every((reply) => Buffer.isBuffer(reply) === buffers));
        assert.deepEqual(replies.map(String), values);
      }
      await connection.close();
    });
  }
});
