import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endStarted, QUICK, runCli } from '../helpers/cli.js';

describe('charts', () => {
  afterEach(endStarted);

  it('--plot draws below the table', async () => {
    const { code, stdout } = await runCli([...QUICK, '--plot'], { env: { LC_ALL: 'C.UTF-8' } });
    assert.equal(code, 0);
    assert.match(stdout, /^Operations per second of every run.*\n(?:.*\n)?A raw, shared connection +◆/m);
    assert.match(stdout, /^Latency of operations by percentile\n.*[┤│]/m);
  });

  it('--plot keeps to ASCII where the locale has no more', async () => {
    const { stdout } = await runCli([...QUICK, '--plot'], { env: { LC_ALL: 'C' } });
    const [, plot] = stdout.split('Operations per second of every run');
    assert.match(plot, /^A raw, shared connection +#/m);
    assert.doesNotMatch(plot, /[●◆┤│└─┴]/);
  });

  for (const [flag, does] of [
    ['--plot', 'draws below'],
    ['--details', 'adds to'],
  ]) {
    it(`${flag} with another format is refused before anything is measured`, async () => {
      const { code, stdout, stderr } = await runCli([...QUICK, flag, '--format', 'json']);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(
        stderr,
        new RegExp(`^redis-pipe-bench: ${flag} ${does} the table, but --format is json; [^\\n]+\\n$`),
      );
    });
  }

  it('--format html --output writes a whole page, and nothing to stdout', async () => {
    const args = [...QUICK, '--format', 'html', '--output', 'report.html'];
    const { code, stdout, temp } = await runCli(args, { inTemp: true });
    assert.deepEqual([code, stdout], [0, '']);
    const page = readFileSync(join(temp, 'report.html'), 'utf8');
    assert.match(page, /^<!doctype html>/);
    assert.match(page, /<\/html>\n$/);
    const points = page.match(/<title>raw, shared connection, run 1: [\d,]+ operations per second/g);
    assert.equal(points?.length, 2, 'one run, drawn for a desk and for a phone');
  });

  it('what draws pages is loaded for pages alone', () => {
    // Node tells which CommonJS files it has loaded; one of what draws is among them.
    const script = `
      import { createRequire } from 'node:module';
      import { loadCatalogue } from './src/commands/catalogue.js';
      const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => /binary-search-bounds/.test(file));
      const { formats } = await loadCatalogue();
      const before = loaded();
      await import('./src/report/formats/html/page.js');
      console.log([formats.has('html'), before, loaded()].join(' '));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    assert.equal(stdout, 'true false true\n', stderr);
  });
});
