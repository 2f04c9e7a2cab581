import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endStarted, QUICK, runCli } from '../helpers/cli.js';

describe('charts', () => {
  afterEach(endStarted);

  it('--format html --output writes a whole page, and nothing to stdout', async () => {
    const args = [...QUICK, '--format', 'html', '--output', 'report.html'];
    const { code, stdout, temp } = await runCli(args, { inTemp: true });
    assert.deepEqual([code, stdout], [0, '']);
    const page = readFileSync(join(temp, 'report.html'), 'utf8');
    assert.match(page, /^<!doctype html>/);
    assert.match(page, /<\/html>\n$/);
    assert.match(page, /<svg[\s\S]*<title>raw, shared connection<\/title>/);
  });

  it('what draws pages is loaded for pages alone', () => {
    // Node tells which CommonJS files it has loaded; one of what draws is among them.
    const script = `
      import { createRequire } from 'node:module';
      import { loadCatalogue } from './src/options/catalogue.js';
      const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => /binary-search-bounds/.test(file));
      const { formats } = await loadCatalogue();
      const before = loaded();
      await import('./src/formats/html/page.js');
      console.log([formats.has('html'), before, loaded()].join(' '));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    assert.equal(stdout, 'true false true\n', stderr);
  });
});
