import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDLESS, endStarted, leftovers, QUICK, runCli, STATE, startCli, startHere } from '../helpers/cli.js';
import { startRedis } from '../helpers/redis-server.js';
import { schemaErrors } from '../helpers/report-shapes.js';

/** @param {string} temp @returns {Promise<string[]>} the results that a tool has kept there */
const kept = (temp) => readdir(join(temp, STATE, 'redis-pipe-bench')).catch(() => []);

/** @param {string} text @returns {any[]} */
const linesOf = (text) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('saved results', () => {
  afterEach(endStarted);

  it('are kept below the state folder, listed by history, and reported again as they were', async () => {
    const { code, stdout, stderr, temp } = await runCli([...QUICK, '--runs', '2', '--starts', '1']);
    assert.equal(code, 0, stderr);
    const [name, ...others] = await kept(temp);
    assert.deepEqual(others, []);
    assert.ok(stderr.includes(join(temp, STATE, 'redis-pipe-bench', name)));
    const env = { XDG_STATE_HOME: join(temp, STATE) };

    // So wide that the name of the file stands on one line, however long this machine makes it.
    const history = await runCli(['history'], { env: { ...env, COLUMNS: '200' } });
    assert.match(history.stdout, new RegExp(`^ ${name} +raw; shared-connection; get; 8 tasks +2 +1 +`, 'm'));
    const [entry] = JSON.parse((await runCli(['history', '--format', 'json'], { env })).stdout);
    assert.deepEqual([entry.cells, entry.runs, entry.complete], [1, 2, true]);

    const [screen] = stdout.split('More: ');
    for (const which of ['last', name, entry.file]) {
      const again = await runCli(['report', ...(which === 'last' ? [] : [which])], { env });
      const more = `More: redis-pipe-bench report ${which} --details (`;
      assert.deepEqual([again.code, again.stdout.replace(/\s+/g, ' ').includes(more)], [0, true]);
      assert.equal(again.stdout.split('More: ')[0], screen);
      assert.doesNotMatch(again.stderr, /torn|closing line/);
      assert.match(again.stderr, /^warning:/m);
    }
    const details = await runCli(['report', 'last', '--details'], { env });
    assert.ok(details.stdout.startsWith(screen));
    // What details have is not said beside them again.
    assert.doesNotMatch(details.stderr, /^warning:/m);
    assert.match(details.stdout.slice(screen.length), /^ raw, shared connection .*\n(.*\n)*Not measured: /m);
    const json = JSON.parse((await runCli(['report', 'last', '--format', 'json'], { env })).stdout);
    assert.deepEqual(schemaErrors(json), []);
    const csv = await runCli(['report', '--format', 'csv', '--output', 'runs.csv'], { env, inTemp: true });
    assert.equal((await readFile(join(csv.temp, 'runs.csv'), 'utf8')).split('\r\n').length, 1 + 2 + 1);
  });

  it('are not kept with --no-save, with --smoke, or where --save names another file', async () => {
    for (const args of [['--no-save'], ['--smoke'], ['--save', 'mine.ndjson']]) {
      const { code, stderr, temp } = await runCli([...QUICK, ...args], { inTemp: true });
      assert.equal(code, 0, stderr);
      assert.deepEqual(await kept(temp), []);
      assert.deepEqual(leftovers(temp), args[1] ? ['file mine.ndjson'] : []);
    }
  });

  it('hold every run as soon as it has ended, and what was measured survives kill -9', async () => {
    const cli = startCli([...ENDLESS, '--save', 'mine.ndjson'], { inTemp: true });
    await cli.says(/^round 2 /m);
    const soon = linesOf(await readFile(join(cli.temp, 'mine.ndjson'), 'utf8'));
    assert.deepEqual(
      soon.slice(0, 4).map(({ type }) => type),
      ['header', 'cell', 'run', 'run'],
    );
    cli.signal('SIGKILL');
    await cli.result;
    const { code, stdout, stderr } = await runCli(['report', join(cli.temp, 'mine.ndjson')]);
    assert.equal(code, 0);
    assert.match(stdout, /ended early/);
    assert.match(stderr, /^warning: .*no closing line.* complete runs?$/m);
    await truncate(
      join(cli.temp, 'mine.ndjson'),
      (await readFile(join(cli.temp, 'mine.ndjson'))).length - 20,
    );
    assert.match((await runCli(['report', join(cli.temp, 'mine.ndjson')])).stderr, /^warning: .*torn/m);
  });

  it('of an interrupted benchmark are partial', async () => {
    const cli = startHere([...ENDLESS, '--save', 'mine.ndjson'], { inTemp: true });
    await cli.says(/^round 1 /m);
    cli.signal('SIGINT');
    assert.equal((await cli.result).code, 130);
    const end = linesOf(await readFile(join(cli.temp, 'mine.ndjson'), 'utf8')).at(-1);
    assert.deepEqual([end.type, end.partial, end.failure], ['end', true, null]);
  });

  it('never hold a password', async () => {
    const server = await startRedis({ password: 'geheim!' });
    try {
      assert.match(server.url, /geheim/);
      const { code, stderr, temp } = await runCli(
        [...QUICK, '--clients', 'ioredis,redis', '--url', server.url, '--save', 'mine.ndjson'],
        { inTemp: true },
      );
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(await readFile(join(temp, 'mine.ndjson'), 'utf8'), /geheim/);
    } finally {
      await server.stop();
    }
  });

  describe('where nothing can be kept', () => {
    it('a benchmark goes on, and warns', async () => {
      const { temp } = await runCli(['list']);
      await writeFile(join(temp, 'file'), '');
      await mkdir(join(temp, 'closed'));
      await chmod(join(temp, 'closed'), 0o500);
      /** @type {[NodeJS.ProcessEnv, RegExp][]} */
      const places = [
        [{ XDG_STATE_HOME: join(temp, 'file') }, /^warning: the results are not saved: E/m],
        [
          { XDG_STATE_HOME: undefined, HOME: '' },
          /^warning: the results are not saved, because .* no home .*--save/m,
        ],
      ];
      // The superuser may write everywhere.
      if (process.getuid?.() !== 0) places.push([{ XDG_STATE_HOME: join(temp, 'closed') }, /EACCES/]);
      for (const [env, warning] of places) {
        const { code, stdout, stderr } = await runCli(QUICK, { env });
        assert.equal(code, 0, stderr);
        assert.match(stdout, /raw, shared connection/);
        assert.match(stderr, warning);
        assert.doesNotMatch(stderr, /saved as/);
        assert.equal(stderr.match(/^warning: the results/gm)?.length, 1);
      }
    });
    it('a file that the user named is an error: before the benchmark, or with the results on stdout', async () => {
      const early = await runCli([...QUICK, '--save', '/no/such/folder/x.ndjson']);
      assert.deepEqual([early.code, early.stdout], [2, '']);
      assert.match(early.stderr, /--save: expected .*'\/no\/such\/folder'/);
      const late = await runCli([...QUICK, '--save', '/dev/full']);
      assert.equal(late.code, 4);
      assert.match(late.stderr, /^warning: the results are not saved: ENOSPC/m);
      assert.match(late.stdout, /raw, shared connection/);
    });
  });
});
