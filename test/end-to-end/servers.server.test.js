import assert from 'node:assert/strict';
import { locateServer } from '../../src/server/sources.js';
import { endStarted, leftovers, runCli } from '../helpers/cli.js';
import { startRedis } from '../helpers/redis-server.js';
import { assertSound } from '../helpers/sound.js';

/** @import { Report } from '../../src/store/types.js' */

const CELL = ['--clients', 'raw', '--scenarios', 'shared-connection', '--size', '10', '--starts', '1'];
const QUICK = [
  ...CELL,
  '--runs',
  '1',
  '--warmup-runs',
  '0',
  '--iterations',
  '50',
  '--pin',
  'off',
  '--no-profile',
  '--no-save',
];

describe('servers side by side', () => {
  /** @type {string} */
  let binary;
  before(async () => {
    binary = await locateServer();
  });
  afterEach(endStarted);

  /** @param {string[]} args @returns {Promise<Report>} */
  async function reportOf(args) {
    const { code, stdout, stderr, temp } = await runCli([...QUICK, '--format', 'json', ...args]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(leftovers(temp), []);
    const report = JSON.parse(stdout);
    // Each run is checked against the counters of its own server.
    assertSound(report);
    return report;
  }

  it('by binary and by settings, each cell on its own, in one group', async () => {
    const { cells, servers } = await reportOf([
      ...['--server', `one=${binary},other=${binary}`],
      ...['--server-config', 'none,maxmemory 64mb; io-threads 2'],
    ]);
    assert.deepEqual(
      cells.map(({ id }) => id.split('/').slice(1, 3).join('/')),
      [
        'one/default-settings',
        'one/maxmemory-64mb-io-threads-2',
        'other/default-settings',
        'other/maxmemory-64mb-io-threads-2',
      ],
    );
    assert.equal(new Set(cells.map(({ group }) => group)).size, 1);
    assert.deepEqual(
      servers.map(({ name, config }) => [name, config.maxmemory, config['io-threads']]),
      [
        ['one, default settings', '0', '1'],
        ['one, maxmemory 64mb; io-threads 2', '67108864', '2'],
        ['other, default settings', '0', '1'],
        ['other, maxmemory 64mb; io-threads 2', '67108864', '2'],
      ],
    );
  });

  it('at a distance, over TLS and as a cluster', async () => {
    const { cells, distances = [] } = await reportOf([
      ...['--server', `one=${binary},other=${binary}`, '--rtt', 'relay'],
      ...['--clients', 'ioredis', '--topology', 'cluster', '--transport', 'tls'],
    ]);
    assert.deepEqual(
      cells.map(({ summary }) => summary?.runs),
      Array(2).fill(1),
    );
    assert.deepEqual(
      distances.map(({ server }) => server),
      ['one', 'other'],
    );
  });

  it('external ones, by host or by a name; no key stays on any', async () => {
    const [one, other] = await Promise.all([startRedis(), startRedis({ password: 'a,b' })]);
    try {
      const url = `${one.url},redis://:a,b@127.0.0.1:${other.port}`;
      const { cells, servers } = await reportOf(['--url', url]);
      assert.deepEqual(
        cells.map(({ server }) => server),
        [`127.0.0.1:${one.port}`, `127.0.0.1:${other.port}`],
      );
      assert.deepEqual(
        servers.map(({ kind }) => kind),
        ['external', 'external'],
      );
      const named = await reportOf(['--url', `near=${one.url},again=${one.url}`]);
      assert.deepEqual(
        named.cells.map(({ server }) => server),
        ['near', 'again'],
      );
      assert.deepEqual(
        named.servers.map(({ sameAs, roundTripUs }) => [sameAs, Number(roundTripUs) > 0]),
        [
          [undefined, true],
          ['near', true],
        ],
      );
      assert.deepEqual(await Promise.all([one, other].map((server) => server.query('DBSIZE'))), [0, 0]);
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
  });

  for (const [what, args, message] of /** @type {const} */ ([
    [
      'a binary that is none',
      ['--server', 'redis-server,/bin/ls'],
      /--server: .*'\/bin\/ls --version' printed/,
    ],
    [
      'a line that the server refuses',
      ['--server-config', 'io-threads 1,io-threads x'],
      /--server-config: .* refuses 'io-threads "x"': argument .*/,
    ],
    [
      "a line that is not the user's",
      ['--server-config', 'requirepass x'],
      /'requirepass' is set by this tool/,
    ],
  ])) {
    it(`refuses ${what} before anything is measured`, async () => {
      const { code, stdout, stderr, temp } = await runCli([...QUICK, ...args]);
      assert.deepEqual([code, stdout, leftovers(temp)], [2, '', []]);
      assert.match(stderr, message);
      assert.match(stderr, /^redis-pipe-bench: [^\n]+\n$/);
    });
  }
});
