import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../src/errors.js';
import { openBatch } from '../../src/plugins/shared/connections.js';
import { openServer } from '../../src/server/open.js';
import { loadClient } from '../../src/worker/cell-parts.js';
import { clientReleases, skipMissing } from '../helpers/client-releases.js';
import { testedVariants } from '../helpers/nightly.js';
import { until } from '../helpers/until.js';

/**
 * @import { Connection } from '../../src/plugins/types.js'
 * @import { Server, Target } from '../../src/server/types.js'
 */

const { tested, missing } = await clientReleases();
const variants = tested
  .filter(({ client }) => client.capabilities.has('sentinel'))
  .flatMap(({ name, client, entry }) =>
    testedVariants(client.variants).map(([variant, options]) => ({ name, client, entry, variant, options })),
  );

describe('every client behind Sentinels', () => {
  /** @type {Server} */
  let server;
  before(async () => {
    server = await openServer(null, { topology: 'sentinel', withTls: true });
  });
  after(() => server.close());

  /** Those of clients: not those of Sentinels, of replicas and of the tool itself. */
  async function connections() {
    const list = String(await server.control.command('CLIENT', 'LIST'));
    return list
      .split('\n')
      .filter((line) => line !== '' && !/ name=sentinel-| flags=S | cmd=client\|?list? /.test(line));
  }

  it('and their servers listen on this machine only', async () => {
    const { sentinels = [], servers = [] } = server.watched ?? {};
    assert.deepEqual([sentinels.length, servers.length], [3, 3]);
    for (const { folder } of sentinels)
      assert.match(readFileSync(join(folder, 'sentinel.conf'), 'utf8'), /^bind 127\.0\.0\.1$/m);
    for (const { control } of servers) assert.equal(await control.config('bind'), '127.0.0.1');
  });

  skipMissing(missing);

  for (const { name, client, entry, variant, options } of variants) {
    describe(`${name}:${variant}`, () => {
      const target = () => /** @type {Target} */ (server.targets.tls);
      /** @type {Connection} */
      let connection;
      before(async () => {
        connection = await client.connect(target(), options, await loadClient(client, entry));
      });
      after(async () => {
        await connection.close();
        await until('all connections to be closed', async () => (await connections()).length === 0);
      });

      it('finds the primary, and all commands work there', async () => {
        assert.equal(await connection.ping(), 'PONG');
        assert.equal(await connection.set('key', 'value'), 'OK');
        assert.equal(await server.onKey('GET', 'key'), 'value');
        assert.equal(await connection.get('key'), 'value');
        assert.equal(await connection.exists('key'), 1);
        assert.equal(await connection.hset('hash', 'field', 'x'), 1);
        assert.equal(await connection.command(['HGET', 'hash', 'field']), 'x');
        assert.equal(await connection.del('hash'), 1);
        assert.match(String(await connection.command(['INFO', 'replication'])), /^role:master\r$/m);
      });

      it('transactions, pipelines and batches have their replies in order', async () => {
        const [set, get] = /** @type {[string, ...string[]][]} */ ([
          ['SET', 'key', 'x'],
          ['GET', 'key'],
        ]);
        assert.deepEqual(await connection.transaction([set, get]), ['OK', 'x']);
        assert.deepEqual(await connection.pipeline([set, ['PING'], get]), ['OK', 'PONG', 'x']);
        const batch = openBatch(connection);
        batch.set('key', 'y');
        batch.transaction([get]);
        batch.get('key');
        assert.deepEqual(await batch.exec(), ['OK', ['y'], 'y']);
      });

      it('many at once get each their own reply, and an error rejects', async () => {
        const keys = Array.from({ length: 100 }, (_, index) => `many:${index}`);
        await Promise.all(keys.map((key) => connection.set(key, `value of ${key}`)));
        assert.deepEqual(
          await Promise.all(keys.map((key) => connection.get(key))),
          keys.map((key) => `value of ${key}`),
        );
        await assert.rejects(connection.hset(keys[0], 'field', 'x'), /WRONGTYPE/);
      });
    });

    it(`${name}:${variant}: where no Sentinel listens, connect rejects with the reason`, async () => {
      const nowhere = { ...server.targets.tls, sentinels: [{ host: '127.0.0.1', port: 1 }] };
      await assert.rejects(
        client.connect(/** @type {Target} */ (nowhere), options, await loadClient(client, entry)),
        (error) => /ECONNREFUSED|sentinels are (unreachable|available)/i.test(messageOf(error)),
      );
    });
  }
});
