import assert from 'node:assert/strict';
import { slotOwners } from '../../src/server/move-slots.js';
import { openServer } from '../../src/server/open.js';
import { primaryOf } from '../../src/server/sentinel.js';
import { labelOf, placeOf } from '../../src/server/target.js';
import { endStarted, leftovers, runCli, startCli } from '../helpers/cli.js';
import { until } from '../helpers/until.js';

/** @import { Report } from '../../src/results/types.js' */
/** @import { Server, Watched } from '../../src/server/types.js' */

const SHORT = ['--rate', '200', '--pin', 'off', '--format', 'json', '--clients', 'ioredis'];
const ALLOWED = '--allow-server-changes';

/** @param {string} stdout @returns {any[]} what the faults did */
const faultsOf = (stdout) =>
  /** @type {Report} */ (JSON.parse(stdout)).cells.map(({ runs: [run] }) => run.fault);

describe('servers of somebody else are changed only where that is allowed, and then put back', () => {
  afterEach(endStarted);

  describe('a cluster', function () {
    this.timeout(90_000);
    /** @type {Server} */
    let theirs;
    /** @type {string[]} */
    let owners;
    /** @type {string[]} */
    let named;
    before(async () => {
      // Nodes vote for another replica after twice this time.
      const settings = ['cluster-node-timeout 2000'];
      theirs = await openServer(null, { topology: 'cluster', replicas: 1, settings });
      owners = await slotOwners(theirs.control);
      named = ['--url', `redis://${theirs.nodes[0].node}`, '--topology', 'cluster'];
    });
    after(() => theirs.close());

    async function assertAsBefore() {
      for (const { node, control } of theirs.nodes) {
        assert.deepEqual(await slotOwners(control), owners, node);
        assert.doesNotMatch(String(await control.command('CLUSTER', 'NODES')), /\[/, 'a slot on its way');
        assert.deepEqual(await control.command('KEYS', 'rpb:*'), []);
      }
    }

    it('is left alone without the option, and where a command is not allowed', async () => {
      const refused = await runCli([...SHORT, ...named, '--fault', 'slots:10,promote']);
      assert.equal(refused.code, 2, refused.stderr);
      assert.match(refused.stderr, /'slots:10' changes your servers.* allow that by --allow-server-changes/);
      const { control } = theirs.nodes[1];
      await control.command('ACL', 'SETUSER', 'default', '-migrate');
      const denied = await runCli([...SHORT, ...named, '--fault', 'slots:10', '--duration', '2s', ALLOWED]);
      await control.command('ACL', 'SETUSER', 'default', '+migrate');
      assert.equal(denied.code, 4, denied.stderr);
      assert.match(denied.stderr, /does not let this user do it \(NOPERM.*'migrate'.*nothing was changed/);
      await assertAsBefore();
    });

    it('gets its slots, its keys and its masters back', async () => {
      const { control } = theirs.nodes[0];
      const key = 'mine:{c}';
      await theirs.onKey('SET', key, 'precious');
      const args = [...SHORT, ...named, '--fault', 'slots:20:500ms,promote', '--duration', '4s', ALLOWED];
      const { code, stdout, stderr } = await runCli(args, { withinMs: 80_000 });
      assert.equal(code, 0, stderr);
      const [slots, promote] = faultsOf(stdout);
      assert.deepEqual([slots.met, promote.met], [20, 1]);
      assert.deepEqual([slots.lost, slots.doneTwice], [0, 0]);
      assert.ok(slots.moved > 0, 'the nodes sent clients elsewhere');
      assert.equal((await control.info())?.fields.role, 'master');
      assert.equal(await theirs.onKey('GET', key), 'precious');
      await theirs.onKey('DEL', key);
      await assertAsBefore();
    });

    it('gets them back after kill -9, too', async () => {
      const tool = startCli([
        ...[
          ...SHORT,
          ...named,
          '--fault',
          'slots:200:10s',
          '--fault-at',
          '100ms',
          '--duration',
          '20s',
          ALLOWED,
        ],
      ]);
      const isChanged = async () => `${await slotOwners(theirs.control)}` !== `${owners}`;
      await until('slots to move', isChanged, 30_000);
      tool.signal('SIGKILL');
      await tool.result;
      await until('slots to be back', async () => !(await isChanged()), 30_000);
      await until('everything to be gone', () => leftovers(tool.temp).length === 0);
      await assertAsBefore();
    });
  });

  it('the primary of Sentinels is the primary again, and its priority is as before', async function () {
    this.timeout(150_000);
    const theirs = await openServer(null, { topology: 'sentinel' });
    try {
      const watched = /** @type {Watched} */ (theirs.watched);
      const { sentinels, servers } = watched;
      const named = ['--sentinel', sentinels.map(({ targets }) => labelOf(targets.tcp)).join()];
      const args = [...SHORT, ...named, '--master-name', 'rpb', '--topology', 'sentinel'];
      const fault = ['--fault', 'switchover', '--duration', '4s', ALLOWED];
      const { code, stdout, stderr } = await runCli([...args, ...fault], { withinMs: 130_000 });
      assert.equal(code, 0, stderr);
      assert.ok(faultsOf(stdout)[0].promotedMs > 0);
      assert.equal(await primaryOf(watched), servers[0]);
      for (const { control } of servers) assert.equal(await control.config('replica-priority'), '100');
      const port = `${placeOf(servers[0]).port}`;
      for (const { control } of servers.slice(1))
        assert.equal((await control.info())?.fields.master_port, port);
    } finally {
      await theirs.close();
    }
  });
});
