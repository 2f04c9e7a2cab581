import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder, resolveReleases } from '../../src/machine/releases.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { OFFLINE, packPackage, startRegistry, writePackage } from '../helpers/npm-registry.js';

/**
 * @import { Release } from '../../src/machine/types.js'
 * @import { Catalogue } from '../../src/plugins/types.js'
 */

/** What npm installs takes seconds each. */
const nightly = NIGHTLY ? it : it.skip;

/** A package that this project does not have, so that it comes from the registry of the test. */
const NAME = 'rpb-test-client';
const NODE = [process.execPath, '--input-type=module', '-e'];
const RELEASES = new URL('../../src/machine/releases.js', import.meta.url);
const WORKS = { 'index.js': 'exports.works = true' };

const CATALOGUE = /** @type {Catalogue} */ (
  /** @type {unknown} */ ({
    clients: new Map([
      ['fake', { id: 'fake', package: NAME, releases: '^1.2.0 || ^2.0.0' }],
      ['ioredis', { id: 'ioredis', package: 'ioredis' }],
      ['raw', { id: 'raw', package: null }],
    ]),
  })
);

describe('the folder of installed releases', () => {
  it('is where XDG_CACHE_HOME says, unless that is a relative path', () => {
    const ofUser = join(homedir(), '.cache', 'redis-pipe-bench', 'clients');
    assert.equal(cacheFolder({ XDG_CACHE_HOME: '/cache' }), '/cache/redis-pipe-bench/clients');
    for (const path of ['cache', './cache', '../cache', ''])
      assert.equal(cacheFolder({ XDG_CACHE_HOME: path }), ofUser, path);
  });

  it('is an absolute path where HOME is not', () => {
    const { HOME } = process.env;
    process.env.HOME = 'home';
    try {
      assert.ok(isAbsolute(cacheFolder({})));
    } finally {
      process.env.HOME = HOME;
    }
  });
});

describe('machine/releases', () => {
  /** @type {Awaited<ReturnType<typeof startRegistry>>} */
  let registry;
  /** @type {string} */
  let temp;
  /** @type {string[]} */
  let installed;
  const before_ = { ...process.env };
  const cache = () => join(temp, 'cache');

  before(async () => {
    registry = await startRegistry(NAME, {
      '1.0.0': WORKS,
      '1.2.0': WORKS,
      '1.2.5': WORKS,
      '1.3.0': { 'index.js': "throw new Error('built without care')" },
      '2.0.0': WORKS,
      '2.1.0': WORKS,
      '2.2.0-beta.1': WORKS,
    });
  });
  after(() => registry.stop());
  beforeEach(() => {
    temp = mkdtempSync(join(tmpdir(), 'rpb-releases-'));
    installed = [];
    Object.assign(process.env, registry.env);
    registry.requests();
  });
  afterEach(() => {
    for (const name of Object.keys(registry.env)) {
      if (before_[name] === undefined) delete process.env[name];
      else process.env[name] = before_[name];
    }
    rmSync(temp, { recursive: true, force: true, maxRetries: 5 });
  });

  const onInstall = (/** @type {string} */ release) => void installed.push(release);

  /** @param {string} wanted @param {string} [client] */
  async function resolve(wanted, client = 'fake') {
    const releases = await resolveReleases([{ client, wanted }], CATALOGUE, { cache: cache(), onInstall });
    return /** @type {Release} */ (releases.get(`${client}@${wanted}`));
  }

  /** @param {string | null | undefined} entry a URL */
  const worksAt = async (entry) => (await import(String(entry))).default.works === true;

  nightly('versions, ranges and tags are as for npm, and are looked up with one question', async () => {
    const VERSIONS = {
      1.2: '1.2.5',
      '^2.0.0': '2.1.0',
      '>=1.2 <1.3': '1.2.5',
      latest: '2.1.0',
      '2.2.0-beta.1': '2.2.0-beta.1',
    };
    const asked = Object.keys(VERSIONS).map((wanted) => ({ client: 'fake', wanted }));
    const releases = await resolveReleases(asked, CATALOGUE, { cache: cache(), onInstall });
    for (const [wanted, version] of Object.entries(VERSIONS)) {
      const release = /** @type {Release} */ (releases.get(`fake@${wanted}`));
      assert.equal(release.version, version, wanted);
      assert.deepEqual([release.package, release.path, release.commit], [NAME, null, null]);
      assert.ok(await worksAt(release.entry), wanted);
    }
    const each = [...new Set(Object.values(VERSIONS))].map((version) => `${NAME}@${version}`);
    assert.deepEqual(installed.toSorted(), each.toSorted());
    // npm asks again for each that it installs.
    const questions = registry.requests().filter((path) => path === `/${NAME}`);
    assert.equal(questions.length, 1 + each.length);
  });

  nightly(
    'what was installed once is used again, without the registry if its exact version is asked for',
    async () => {
      const first = await resolve('1.2.0');
      assert.deepEqual(await resolve('1.2.0'), first);
      assert.deepEqual(installed, [`${NAME}@1.2.0`]);
      Object.assign(process.env, OFFLINE);
      assert.deepEqual(await resolve('1.2.0'), first);
    },
  );

  nightly('one that cannot be loaded among several is named', async () => {
    const asked = ['1.2.0', '1'].map((wanted) => ({ client: 'fake', wanted }));
    await assert.rejects(
      resolveReleases(asked, CATALOGUE, { cache: cache() }),
      /fake@1: .*built without care/,
    );
  });

  nightly('two at once install the same release without breaking each other', async () => {
    const both = await Promise.all([resolve('2.0.0'), resolve('2.0.0')]);
    for (const release of both) assert.ok(await worksAt(release.entry));
    assert.deepEqual(readdirSync(cache()), [`${NAME}@2.0.0`]);
  });

  nightly('an installed release of which something is missing is noticed and made again', async () => {
    let { entry } = await resolve('2.0.0');
    for (const [what, breakIt] of /** @type {[string, (folder: string) => void][]} */ ([
      ['its package.json', (folder) => rmSync(join(folder, 'package.json'))],
      ['the end of a file', (folder) => writeFileSync(join(folder, 'index.js'), 'exports.works = {')],
    ])) {
      installed = [];
      breakIt(join(fileURLToPath(String(entry)), '..'));
      ({ entry } = await resolve('2.0.0'));
      assert.ok(existsSync(fileURLToPath(String(entry))), what);
      assert.deepEqual(installed, [`${NAME}@2.0.0`], what);
      assert.deepEqual(readdirSync(cache()), [`${NAME}@2.0.0`], what);
    }
  });

  it('where the project has a release of the range, that is taken and nothing is installed', async () => {
    Object.assign(process.env, OFFLINE);
    const release = await resolve('>=1', 'ioredis');
    assert.match(release.version, /^\d+\.\d+\.\d+$/);
    assert.equal(release.entry, null);
    assert.deepEqual(installed, []);
    assert.ok(!existsSync(cache()));
  });

  describe('bad input', () => {
    const refuses = (/** @type {string} */ wanted, /** @type {RegExp} */ message, client = 'fake') =>
      assert.rejects(resolve(wanted, client), { name: 'UsageError', message });

    it('a version that does not exist', () =>
      refuses(
        '1.9.9',
        /^fake@1\.9\.9: no release of rpb-test-client is '1\.9\.9'; there are 1\.0\.0 to 2\.1\.0/,
      ));
    it('a range that nothing is in', () => refuses('^7.0.0', /no release .* is '\^7\.0\.0'/));
    it('a tag that does not exist', () => refuses('nightly', /no release .* is 'nightly'.*tags latest/));
    it('a release that the adapter does not speak', () =>
      refuses(
        '1.0.0',
        /^fake@1\.0\.0: that is rpb-test-client 1\.0\.0, and fake speaks rpb-test-client \^1\.2\.0 \|\| \^2\.0\.0/,
      ));
    it('a client that has no package', () => refuses('1', /^raw@1: .*no releases/, 'raw'));
    nightly('a release that cannot be loaded leaves nothing behind', async () => {
      await refuses('1.3.0', /^fake@1\.3\.0: built without care/);
      assert.deepEqual(readdirSync(cache()), []);
    });
    it('no network', async () => {
      Object.assign(process.env, OFFLINE);
      await refuses(
        '2',
        /^fake@2: the npm registry cannot be reached .*ECONNREFUSED.*exact version; it is in /,
      );
    });
    it('no npm', async () => {
      const { PATH } = process.env;
      process.env.PATH = temp;
      try {
        await refuses('2', /npm, which is not on PATH/);
      } finally {
        process.env.PATH = PATH;
      }
    });
    it('a cache folder that cannot be written', async () => {
      writeFileSync(cache(), 'a file');
      await refuses('2', /cannot be written .*XDG_CACHE_HOME/);
    });
  });

  describe('path:', () => {
    /** @param {string} path */
    const local = (path) => resolve(`path:${path}`);

    it('a folder with the package', async () => {
      const folder = join(temp, 'fork');
      writePackage(folder, { name: NAME, version: '2.5.0' }, WORKS);
      const release = await local(folder);
      assert.deepEqual([release.version, release.path, release.commit], ['2.5.0', folder, null]);
      assert.ok(await worksAt(release.entry));
      assert.deepEqual(installed, []);
    });

    it('a git checkout, with its commit and whether something was changed since', async () => {
      const folder = join(temp, 'fork');
      writePackage(folder, { name: NAME, version: '2.5.0' }, WORKS);
      const git = (/** @type {string[]} */ ...args) =>
        execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args]);
      git('init', '-q');
      assert.equal((await local(folder)).commit, null);
      git('add', '.');
      git('commit', '-q', '-m', 'a fork');
      const { commit } = await local(folder);
      assert.match(String(commit), /^[0-9a-f]{7,}$/);
      writeFileSync(join(folder, 'index.js'), 'exports.works = 1');
      assert.equal((await local(folder)).commit, `${commit} with changes`);
    });

    it('a repository with the package among its workspaces', async () => {
      const folder = join(temp, 'monorepo');
      writePackage(folder, { name: 'all', version: '0.0.0', workspaces: ['./packages/*'] });
      writePackage(join(folder, 'packages', 'other'), { name: 'other', version: '2.0.0' });
      writePackage(join(folder, 'packages', 'wanted'), { name: NAME, version: '2.6.0' }, WORKS);
      const release = await local(folder);
      assert.equal(release.version, '2.6.0');
      assert.ok(await worksAt(release.entry));
    });

    it('not a folder whose workspaces are no list, nor a device', async () => {
      const folder = join(temp, 'odd');
      writePackage(folder, { name: 'all', version: '0.0.0', workspaces: 'x' });
      await assert.rejects(local(folder), { name: 'UsageError', message: /no workspace of that name/ });
      await assert.rejects(local('/dev/zero'), { name: 'UsageError', message: /it is a device/ });
    });

    nightly('a tarball, by its contents', async () => {
      const folder = join(temp, 'fork');
      writePackage(folder, { name: NAME, version: '2.5.0' }, WORKS);
      const tarball = await packPackage(folder, temp);
      const first = await local(tarball);
      assert.equal(first.version, '2.5.0');
      assert.ok(await worksAt(first.entry));
      assert.deepEqual(await local(tarball), first);
      writePackage(folder, { name: NAME, version: '2.5.0' }, { 'index.js': 'exports.works = 1' });
      await packPackage(folder, temp);
      assert.notEqual((await local(tarball)).entry, first.entry);
    });

    nightly('a tarball that comes through a pipe, or whose name does not say that it is one', async () => {
      const folder = join(temp, 'fork');
      writePackage(folder, { name: NAME, version: '2.5.0' }, WORKS);
      const tarball = await packPackage(folder, temp);
      const odd = join(temp, 'download');
      copyFileSync(tarball, odd);
      assert.equal((await local(odd)).version, '2.5.0');
      const code = `
        import { resolveReleases } from '${RELEASES.href}';
        const clients = new Map([['fake', { id: 'fake', package: '${NAME}' }]]);
        const asked = [{ client: 'fake', wanted: 'path:/dev/stdin' }];
        const cache = '${join(temp, 'other-cache')}';
        const [release] = (await resolveReleases(asked, { clients }, { cache })).values();
        console.log(release.version);
      `;
      const printed = execFileSync('sh', ['-c', `cat '${odd}' | "$0" "$@"`, ...NODE, code]);
      assert.equal(`${printed}`, '2.5.0\n');
    });

    for (const [what, path, message] of /** @type {[string, string, RegExp][]} */ ([
      ['that is not there', 'none', /expected a folder or a tarball .* no such file/],
      ['to a folder without a package', '.', /found no package\.json/],
      ['to another package', 'other', /found 'other' and no workspace of that name/],
      ['to a package that is not built', 'unbuilt', /cannot be loaded \(Cannot find module .*build it there/],
      ['to a file that is no tarball', 'text.tgz', /cannot be installed/],
      ['to a release that the adapter does not speak', 'old', /that is rpb-test-client 0\.9\.0/],
    ])) {
      it(`a path ${what} is refused`, async () => {
        writePackage(join(temp, 'other'), { name: 'other', version: '1.0.0' });
        writePackage(join(temp, 'old'), { name: NAME, version: '0.9.0' });
        writePackage(join(temp, 'unbuilt'), { name: NAME, version: '2.0.0', main: 'dist/index.js' }, {});
        writeFileSync(join(temp, 'text.tgz'), 'no tarball');
        await assert.rejects(local(join(temp, path)), { name: 'UsageError', message });
      });
    }
  });
});
