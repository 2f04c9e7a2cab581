import assert from 'node:assert/strict';
import { factText } from '../../../src/report/words/fact-words.js';

describe('words: why a cell is skipped', () => {
  it('counts one as one', () => {
    const files = { kind: 'too-many-files', connections: 1, files: 1, enough: 512 };
    assert.match(factText(/** @type {any} */ (files)), /it needs 1 connection per .* only 1 file here/);
    const clients = { kind: 'too-many-clients', connections: 1, before: 0, free: 0 };
    assert.match(factText(/** @type {any} */ (clients)), /^it needs 1 connection, but/);
  });
});
