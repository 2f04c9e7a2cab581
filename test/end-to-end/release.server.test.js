import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const AUTHOR = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
};

describe('npm run release', function () {
  this.timeout(60_000);
  /** @type {string} */
  let clone;
  /** @param {string} file @param {...string} args */
  const run = (file, ...args) =>
    promisify(execFile)(file, args, {
      cwd: clone,
      env: { ...process.env, ...AUTHOR, npm_config_update_notifier: 'false' },
    });
  /** @param {string} name */
  const read = (name) => readFileSync(join(clone, name), 'utf8');

  before(async () => {
    clone = mkdtempSync(join(tmpdir(), 'rpb-release-'));
    cpSync(join(ROOT, '.ci'), join(clone, '.ci'), { recursive: true });
    copyFileSync(join(ROOT, 'package.json'), join(clone, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    writeFileSync(join(clone, '.gitignore'), 'node_modules\n*.tgz\n');
    writeFileSync(
      join(clone, 'CHANGELOG.md'),
      '# Changelog\n\n## [Unreleased]\n\n## [1.0.0-rc.1] - 2026-11-29\n\n- All.\n',
    );
    await run('git', 'init', '--quiet');
    await run('git', 'add', '.');
    await run('git', 'commit', '--quiet', '--message', 'All');
  });
  after(() => rmSync(clone, { recursive: true }));

  it('refuses a version that is none or not newer, what is not committed, and a release of nothing', async () => {
    await assert.rejects(
      run('npm', 'run', 'release', '--', 'soon'),
      /expected a version after 1\.0\.0-rc\.1.*'soon'/s,
    );
    await assert.rejects(
      run('npm', 'run', 'release', '--', '0.9.0'),
      /expected a version after 1\.0\.0-rc\.1/,
    );
    await assert.rejects(run('npm', 'run', 'release', '--', '1.0.0'), /CHANGELOG\.md: nothing is unreleased/);
    writeFileSync(join(clone, 'CHANGELOG.md'), read('CHANGELOG.md').replace('ased]\n', 'ased]\n\n- More.\n'));
    await assert.rejects(run('npm', 'run', 'release', '--', '1.0.0'), /clean tree.*CHANGELOG\.md/s);
    assert.equal(JSON.parse(read('package.json')).version, '1.0.0-rc.1');
  });

  it('moves what is unreleased, sets the version, tags and packs, the same each time', async () => {
    await run('git', 'commit', '--quiet', '--all', '--message', 'More');
    const { stdout } = await run('npm', 'run', '--silent', 'release', '--', '1.0.0');
    assert.match(stdout, /npm publish redis-pipe-bench-1\.0\.0\.tgz\n$/);
    assert.match(
      read('CHANGELOG.md'),
      /## \[Unreleased\]\n\n## \[1\.0\.0\] - \d{4}-\d\d-\d\d\n\n- More\.\n\n## \[1\.0\.0-rc\.1\]/,
    );
    assert.equal(JSON.parse(read('package.json')).version, '1.0.0');
    assert.equal((await run('git', 'status', '--porcelain')).stdout, '');
    assert.equal((await run('git', 'describe')).stdout, 'v1.0.0\n');
    const packed = readFileSync(join(clone, 'redis-pipe-bench-1.0.0.tgz'));
    await run('npm', 'pack', '--silent');
    assert.deepEqual(readFileSync(join(clone, 'redis-pipe-bench-1.0.0.tgz')), packed);
  });
});
