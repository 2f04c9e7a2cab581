import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import semver from 'semver';
import { resolveReleases } from '../../src/machine/releases.js';
import { createBreaker, slipIn } from '../helpers/broken-files.js';
import { fuzz, NIGHTLY } from '../helpers/nightly.js';
import { writePackage } from '../helpers/npm-registry.js';

/** Each that is taken starts Node, to load the package. The same ones each time. */
const SEEDS = fuzz(25, 3000).numRuns;
const NAME = 'rpb-test-client';

const WHOLE = {
  name: NAME,
  version: '2.5.0',
  main: 'index.js',
  workspaces: ['./packages/*'],
  exports: './index.js',
};
const DONORS = [
  {
    name: 'other',
    version: 'latest',
    main: '..',
    workspaces: { packages: ['packages/*', 5, null] },
    exports: {},
  },
  { version: 2.5, main: 5, workspaces: 'x'.repeat(5000), exports: { '.': { import: './index.js' } } },
  { version: '2.5.0\u001b[2J', name: ['a'], workspaces: ['/dev/zero', '../../../*', ''], exports: null },
];

describe('the package.json of a redis@path: package, whatever it holds', function () {
  this.timeout(NIGHTLY ? 3_600_000 : 60_000);

  it('gives the version that stands there, or is refused in a sentence', async function () {
    const folder = mkdtempSync(join(tmpdir(), 'rpb-manifest-fuzz-'));
    const clients = new Map([['fake', { id: 'fake', package: NAME }]]);
    const asked = [{ client: 'fake', wanted: `path:${folder}` }];
    // What is no folder of its own may be found in a workspace.
    mkdirSync(join(folder, 'packages'));
    writePackage(join(folder, 'packages/inner'), { name: NAME, version: '2.6.0' });
    writeFileSync(join(folder, 'index.js'), '');
    let taken = 0;
    try {
      for (let seed = 0; seed < SEEDS; seed++) {
        const { breakLines } = createBreaker(seed, DONORS);
        const bytes = breakLines([WHOLE]);
        writeFileSync(join(folder, 'package.json'), bytes);
        const what = `${seed}: ${bytes.subarray(0, 300)}`;
        const releases = await resolveReleases(asked, /** @type {any} */ ({ clients }), {
          cache: folder,
        }).catch((error) => {
          assert.equal(error.name, 'UsageError', `${what}: ${error.stack}`);
          assert.equal(slipIn(error.message), undefined, what);
        });
        if (releases === undefined) continue;
        taken++;
        const [{ version, entry }] = releases.values();
        assert.equal(semver.valid(version), version, what);
        const isInner = version === '2.6.0';
        if (!isInner)
          assert.deepEqual([JSON.parse(`${bytes}`).name, JSON.parse(`${bytes}`).version], [NAME, version]);
        assert.ok(
          String(entry).startsWith(`file://${folder}/${isInner ? 'packages/inner/' : ''}`),
          `${what}: ${entry}`,
        );
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    /** @type {Mocha.Runnable} */ (this.test).title += ` (${taken} of ${SEEDS} taken)`;
    assert.ok(taken > SEEDS / 20 && taken < SEEDS, `${taken}`);
  });
});
