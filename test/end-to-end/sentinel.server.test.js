import assert from 'node:assert/strict';
import { openServer } from '../../src/server/open.js';
import { replicasOf } from '../../src/server/topologies.js';
import { endStarted, leftovers, runCli } from '../helpers/cli.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { assertSound } from '../helpers/sound.js';
import { until } from '../helpers/until.js';

/** @import { Report } from '../../src/store/types.js' */
/** @import { ManagedProcess } from '../../src/server/types.js' */
/** @import { Server } from '../../src/server/types.js' */

const SMALL = [
  ...['--topology', 'sentinel', '--scenarios', 'shared-connection', '--size', '20', '--runs', '1'],
  ...['--warmup-runs', '0'],
  ...['--iterations', '50', '--pin', 'off', '--no-profile', '--format', 'json'],
];

/** @param {string} stdout @returns {Report} */
const reportOf = (stdout) => JSON.parse(stdout);

describe('behind Sentinels', () => {
  afterEach(endStarted);

  it('clients are measured over TLS, and nothing is left', async function () {
    this.timeout(120_000);
    const args = [...SMALL, '--clients', 'ioredis,redis', '--transport', 'tls'];
    const { code, stdout, stderr, temp } = await runCli([...args, '--workload', 'set-get'], {
      withinMs: 55_000,
    });
    assert.equal(code, 0, stderr);
    const report = reportOf(stdout);
    assertSound(report);
    assert.equal(report.server.replicas?.length, 2);
    assert.deepEqual(leftovers(temp), []);
  });

  (NIGHTLY ? it : it.skip)(
    'with a distance, every server and Sentinel is as far away, replicas take the reads, and redis keeps its connection, however often it asks Sentinels',
    async function () {
      this.timeout(120_000);
      const args = [
        ...SMALL,
        '--clients',
        'ioredis,redis{scanInterval:20}',
        '--rtt',
        '2ms',
        '--read-from',
        'primary,replica',
      ];
      const { code, stdout, stderr } = await runCli([...args, '--iterations', '5'], { withinMs: 55_000 });
      assert.equal(code, 0, stderr);
      const report = reportOf(stdout);
      assertSound(report);
      const shares = report.cells.flatMap(({ client, readFrom, skipped, runs: [run] }) =>
        skipped === null
          ? [`${client} ${readFrom}: ${run.server?.replicaReadShare} ${Number(run.averageMs) >= 10}`]
          : [],
      );
      assert.deepEqual(shares.sort(), [
        'ioredis primary: 0 true',
        'redis primary: 0 true',
        'redis replica: 1 true',
      ]);
    },
  );

  it('Sentinels promote a replica where the primary is killed, or where it is ordered; TLS changes nothing', async function () {
    this.timeout(240_000);
    const { code, stdout, stderr, temp } = await runCli(
      [
        ...[
          ...['break', 'failover:500ms,switchover'],
          '--topology',
          'sentinel',
          '--clients',
          'ioredis',
          '--transport',
          'tls',
          '--format',
          'json',
          '--pin',
          'off',
        ],
        ...['--rate', '200', '--duration', '8s', '--fault-at', '1s'],
      ],
      { withinMs: 115_000 },
    );
    assert.equal(code, 0, stderr);
    const { cells } = reportOf(stdout);
    assert.equal(cells.length, 2);
    for (const [run] of cells.map(({ runs }) => runs)) {
      assert.equal(run.failed, null);
      const fault = /** @type {any} */ (run.fault);
      assert.ok(Number(fault.promotedMs) > 0, JSON.stringify(fault));
      assert.equal(Number(fault.lost) > 0, Number(fault.lastLostMs) > 0);
      assert.ok(Math.abs(fault.overAtMs - fault.struckAtMs - fault.promotedMs) < 1e-6);
    }
    assert.deepEqual(leftovers(temp), []);
  });

  describe('of somebody else', () => {
    const ONE = [...SMALL, '--clients', 'redis,ioredis'];
    /** @type {Server} */
    let theirs;
    /** @type {ManagedProcess[]} */
    let sentinels;
    /** @type {ManagedProcess[]} */
    let servers;
    const place = (/** @type {ManagedProcess} */ { targets: { tcp } }) => `${tcp.host}:${tcp.port}`;
    const state = () => sentinels[0].control.command('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'rpb');
    before(async () => {
      theirs = await openServer(null, { topology: 'sentinel' });
      ({ sentinels, servers } = /** @type {NonNullable<Server['watched']>} */ (theirs.watched));
    });
    after(() => theirs.close());

    /** @param {string[]} args @param {number} expected exit code @param {RegExp} message */
    async function refused(args, expected, message) {
      const { code, stdout, stderr } = await runCli([...ONE, ...args]);
      assert.equal(code, expected, stderr);
      assert.match(stderr, message);
      assert.equal(stdout, '');
    }

    it('is refused where there is no Sentinel, no such primary, or no quorum', async function () {
      this.timeout(120_000);
      const named = ['--master-name', 'rpb'];
      await refused(
        ['--sentinel', '127.0.0.1:1', ...named],
        3,
        /no Sentinel can be used; 127.0.0.1:1: .*ECONNREFUSED/,
      );
      await refused(['--sentinel', place(servers[0]), ...named], 3, /is no Sentinel .* named by --url/);
      const ofTheirs = ['--sentinel', sentinels.map(place).join()];
      await refused([...ofTheirs, '--master-name', 'x'], 2, /watches no 'x'; expected one of 'rpb'/);
      await sentinels[0].control.command('SENTINEL', 'SET', 'rpb', 'quorum', '4');
      await refused([...ofTheirs, ...named], 3, /could not promote a replica now: .*NOQUORUM/);
      await sentinels[0].control.command('SENTINEL', 'SET', 'rpb', 'quorum', '2');
    });

    it('is measured with the passwords of both, which are shown nowhere, and left as it was', async function () {
      this.timeout(120_000);
      const before = await state();
      for (const { control } of servers) {
        await control.command('CONFIG', 'SET', 'masterauth', 'S3cret');
        await control.command('CONFIG', 'SET', 'requirepass', 'S3cret');
      }
      for (const { control } of sentinels) {
        await control.command('SENTINEL', 'SET', 'rpb', 'auth-pass', 'S3cret');
        await control.command('ACL', 'SETUSER', 'default', 'resetpass', '>0ther');
      }
      // With another password they connect anew.
      await until('the Sentinels to reach both replicas again', async () => {
        const found = await Promise.all(sentinels.map(({ control }) => replicasOf(control, 'rpb')));
        return found.every(({ length }) => length === 2);
      });
      const [master, list] = [
        'redis://:S3cret@rpb',
        `redis://:0ther@127.0.0.1:1,${sentinels.map(place).join()}`,
      ];
      const args = ['--sentinel', list, '--master-name', master, '--read-from', 'primary,replica'];
      const { code, stdout, stderr } = await runCli([...ONE, ...args], { withinMs: 55_000 });
      assert.equal(code, 0, stderr);
      const report = reportOf(stdout);
      assertSound(report);
      assert.deepEqual(
        report.cells.map(({ runs }) => runs.length),
        report.cells.map(({ skipped }) => (skipped === null ? 1 : 0)),
      );
      assert.equal(report.cells.filter(({ skipped }) => skipped === null).length, 3);
      assert.doesNotMatch(stdout + stderr, /S3cret|0ther/);
      assert.deepEqual(await state(), before);
      assert.deepEqual(await servers[0].control.command('KEYS', '*'), []);
    });
  });
});
