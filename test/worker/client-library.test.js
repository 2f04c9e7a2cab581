import assert from 'node:assert/strict';
import { loadClient } from '../../src/worker/client-library.js';

describe('worker/client-library', () => {
  it('loads the package of a client', async () => {
    const { createClient } = await loadClient({ package: 'redis' });
    assert.equal(typeof createClient, 'function');
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
