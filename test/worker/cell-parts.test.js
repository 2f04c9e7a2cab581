import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { describeOptions, loadClient } from '../../src/worker/cell-parts.js';

describe('worker/cell-parts', () => {
  describe('the package of a client', () => {
    it('loads the package of a client', async () => {
      const { createClient } = await loadClient({ package: 'redis' });
      assert.equal(typeof createClient, 'function');
    });

    it('has all that an import has, of CommonJS and of an ES module', async () => {
      /** @type {Record<string, unknown>} */
      const imported = { ...(await import('ioredis')) };
      // Node 23 and newer add what require() gives.
      delete imported['module.exports'];
      const loaded = await loadClient({ package: 'ioredis' });
      for (const [name, exported] of Object.entries(imported)) assert.equal(loaded[name], exported, name);
      const entry = fileURLToPath(new URL('../../src/commands/messages/wire.js', import.meta.url));
      assert.equal(
        await loadClient({ package: 'fork' }, entry),
        await import('../../src/commands/messages/wire.js'),
      );
    });

    it('has nothing to load where a client needs no package', async () => {
      assert.equal(await loadClient({ package: null }), undefined);
    });

    it('says what cannot be loaded, where and why', async () => {
      await assert.rejects(loadClient({ package: 'no-such-package' }), (error) => {
        const { message } = /** @type {Error} */ (error);
        assert.match(
          message,
          /^the package no-such-package cannot be loaded on \w+ \w+ with Node \d+\..*: Cannot/,
        );
        return true;
      });
    });
  });

  describe('options in results', () => {
    it('masks every secret, at any depth', () => {
      const text = JSON.stringify(
        describeOptions({
          ...{
            password: 'S3cret',
            Pass: 'S3cret',
            authToken: 'S3cret',
            credentialsProvider: { password: 'S3cret' },
          },
          tls: { key: 'S3cret', cert: 'S3cret', pfx: 'S3cret', ca: 'S3cret', passphrase: 'S3cret' },
          nested: [{ clientSecret: 'S3cret' }],
        }),
      );
      assert.equal(text.includes('S3cret'), false, text);
    });

    it('is plain JSON: functions by name, objects of a class by its name', () => {
      assert.deepEqual(
        describeOptions({ retryStrategy() {}, map: new Map(), big: 1n, not: undefined, none: null }),
        {
          retryStrategy: '[function retryStrategy]',
          map: '[Map]',
          big: '1',
          none: null,
        },
      );
    });

    it('ends where an object holds itself', () => {
      /** @type {any} */
      const loop = {};
      loop.self = loop;
      JSON.stringify(describeOptions(loop));
    });
  });
});
