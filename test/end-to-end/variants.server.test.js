import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endStarted, runCli } from '../helpers/cli.js';

/** @import { CellResult, Report } from '../../src/store/types.js' */

const SMALL = [
  ...['--scenarios', 'shared-connection', '--size', '10', '--runs', '1', '--warmup-runs', '0', '--no-save'],
  ...['--pin', 'off', '--no-profile'],
];

describe('variants of clients', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rpb-variants-'));
  afterEach(endStarted);
  after(() => rmSync(folder, { recursive: true }));

  it('of the user stand side by side, with options for all, and are named by what differs', async () => {
    const config = join(folder, 'config.json');
    writeFileSync(config, '{"redis": {"name": "all"}}');
    const clients = 'redis,redis{RESP:2,name:mine},redis:tuned{RESP:2},redis{RESP:2}';
    const { code, stdout, stderr } = await runCli([
      ...[...SMALL, '--clients', clients, '--config', config, '--iterations', '50', '--format', 'json'],
    ]);
    assert.equal(code, 0, stderr);
    /** @type {Report} */
    const { cells } = JSON.parse(stdout);
    assert.deepEqual(
      cells.map(({ id }) => id.split('/')[0]),
      ['redis:default', 'redis{RESP:2,name:mine}', 'redis:tuned{RESP:2}', 'redis{RESP:2}'],
    );
    const options = cells.map(({ effectiveOptions }) => /** @type {any} */ (effectiveOptions));
    assert.deepEqual(
      options.map(({ RESP, name }) => [RESP, name]),
      [
        [undefined, 'all'],
        [2, 'mine'],
        [2, 'all'],
        [2, 'all'],
      ],
    );
    assert.equal(options[2].commandOptions.timeout, null);
    assert.notEqual(options[3].commandOptions.timeout, null);
  });

  it('with a cache of their own: what it answered is missing at the server, no more and no less', async () => {
    const args = ['--clients', 'redis:cached', '--scenarios', 'shared-connection,open-and-close'];
    const { code, stdout, stderr } = await runCli([
      ...[
        ...SMALL,
        ...args,
        '--keys',
        '20',
        '--key-distribution',
        'zipf',
        '--iterations',
        '40',
        '--format',
        'json',
      ],
    ]);
    assert.equal(code, 0, stderr);
    const [shared, opening] = /** @type {CellResult[]} */ (JSON.parse(stdout).cells);
    for (const { runs } of [shared, opening]) {
      assert.deepEqual(
        runs[0].warnings.filter((text) => /cache|claims/.test(text)),
        [],
      );
      assert.equal(
        Number(runs[0].server?.commands ?? 0) >= Number(runs[0].commands) - Number(runs[0].cacheHits),
        true,
      );
    }
    assert.ok(Number(shared.summary?.cacheHitRate) > 0.9);
    assert.equal(opening.summary?.cacheHitRate, 0);
  });
});
