import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchmark } from '../../src/index.js';

describe("a client of the user's own", () => {
  it('is found by the workers as well', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rpb-own-client-'));
    try {
      writeFileSync(join(folder, 'mine.js'), "export default { id: 'mine', title: 'mine', like: 'raw' };\n");
      const options = { clients: 'mine', scenarios: 'shared-connection', smoke: true };
      const { cells } = await benchmark(options, { pluginFolders: { clients: [folder] } });
      assert.deepEqual(
        cells.flatMap(({ runs }) => runs.map(({ failed }) => failed)),
        [null, null],
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
