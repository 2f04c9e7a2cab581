import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { loadCatalogue } from '../../src/options/catalogue.js';
import { ENDLESS, endStarted, leftovers, startHere } from '../helpers/cli.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { childrenOf, processesOf } from '../helpers/processes.js';
import { startRedis } from '../helpers/redis-server.js';
import { schemaErrors } from '../helpers/report-shapes.js';

/** @import { ScenarioPlugin } from '../../src/plugins/types.js' */

const { clients, scenarios } = await loadCatalogue();
/** Tasks that keep their connection, open one, and borrow one. */
const OF_EACH_KIND = ['shared-connection', 'open-and-close', ...(NIGHTLY ? ['pool'] : [])];

/**
 * @param {string} names of clients
 * @param {ScenarioPlugin} scenario
 */
const argsFor = (names, { id, opensDuringRun }) => [
  ...[...ENDLESS, '--clients', names, '--scenarios', id, '--format', 'json'],
  ...['--iterations', opensDuringRun ? '30' : '500'],
];

/**
 * Loses the server in the middle of a run, and not between two: the workers stand still until one of them has been asked
 * for the next run.
 *
 * @param {ReturnType<typeof startHere>} cli
 * @param {() => unknown} lose
 */
async function loseInRun(cli, lose) {
  await cli.says(/^round 1 /m);
  const workers = processesOf(cli.temp).filter(({ command }) => command.includes('worker/entry.js'));
  for (const { pid } of workers) process.kill(pid, 'SIGSTOP');
  await sleep(500);
  await lose();
  for (const { pid } of workers) process.kill(pid, 'SIGCONT');
}

/**
 * @param {ReturnType<typeof startHere>} cli whose server was lost
 */
async function assertEndsWell(cli) {
  // A run alone would take hours, and nobody waits for it that long.
  const { code, stdout, stderr, temp } = await cli.result;
  assert.equal(code, 3, stderr);
  const [message] = stderr.split('\n').filter((line) => line.startsWith('redis-pipe-bench: '));
  assert.match(message, /ended early: /);
  assert.doesNotMatch(stderr, /^\s+at /m);
  const report = JSON.parse(stdout);
  assert.deepEqual(schemaErrors(report), []);
  assert.equal(report.partial, true);
  assert.match(String(report.failure), /is gone \(E[A-Z]+\)|closed the connection \(.*E[A-Z]+/);
  const last = report.cells.flatMap((/** @type {any} */ { runs }) => runs.at(-1).failed ?? []);
  assert.ok(last.length > 0, 'the run that was under way is marked failed, with its cause');
  assert.ok(
    report.cells.every((/** @type {any} */ { runs }) => runs.length > 0),
    'what was measured is reported',
  );
  assert.deepEqual(leftovers(temp), []);
}

describe('a server that is lost in the middle of a run', () => {
  afterEach(endStarted);

  for (const scenario of OF_EACH_KIND.flatMap((id) => scenarios.get(id) ?? [])) {
    it(`of its own, ${scenario.id}: exit 3, with the runs until then`, async () => {
      const cli = startHere(argsFor('ioredis', scenario));
      await loseInRun(cli, () => {
        const server = processesOf(cli.temp).find(({ command }) => /^\S*(redis|valkey)-server/.test(command));
        process.kill(Number(server?.pid), 'SIGKILL');
      });
      await assertEndsWell(cli);
    });
  }

  it('external: exit 3, with the runs until then', async () => {
    const server = await startRedis();
    try {
      const [scenario] = scenarios.values();
      // By day two: how each takes the loss of its connection is tested in bad-network.server.test.js.
      const names = NIGHTLY ? [...clients.keys()].join(',') : 'ioredis,valkey-glide';
      const cli = startHere([...argsFor(names, scenario), '--url', server.url]);
      await loseInRun(cli, server.kill);
      await assertEndsWell(cli);
    } finally {
      await server.stop();
    }
  });
});

describe('a worker that is lost in the middle of a run', () => {
  it('fails its cell with the reason, and the others go on', async () => {
    const server = await startRedis();
    try {
      let killed = 0;
      const options = {
        ...{ clients: 'raw,ioredis', scenarios: 'shared-connection', size: 10, url: server.url },
        ...{ runs: 5, starts: 1, warmupRuns: 0, iterations: 50, pin: 'off', profile: false },
      };
      const { cells } = await benchmark(options, {
        stateFolder: null,
        onEvent(event) {
          if (killed > 0 || event.type !== 'run' || event.round < 2) return;
          [killed] = childrenOf('worker/entry.js');
          process.kill(killed, 'SIGKILL');
        },
      });
      const runs = cells.map((cell) => cell.runs.filter(({ failed }) => failed === null).length);
      assert.equal(Math.max(...runs), 5);
      assert.ok(Math.min(...runs) < 5);
      const reasons = cells.flatMap((cell) => cell.runs.flatMap(({ failed }) => failed ?? []));
      assert.equal(reasons.length, 1);
      assert.match(reasons[0], /SIGKILL/);
      assert.deepEqual(await server.contents(), {}, 'the keys of the lost worker are removed too');
    } finally {
      await server.stop();
    }
  });
});

describe('connections that are cut in the first of several starts', () => {
  it('leave no worker behind', async () => {
    const server = await startRedis();
    try {
      let cuts = 0;
      const options = {
        ...{ clients: 'redis,ioredis', scenarios: 'shared-connection', size: 10, url: server.url },
        ...{ runs: 3, starts: 3, warmupRuns: 0, iterations: 50, pin: 'off', profile: false },
      };
      const { cells } = await benchmark(options, {
        stateFolder: null,
        onEvent(event) {
          if (event.type === 'run' && event.round === 1 && cuts++ === 0)
            void server.query('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        },
      });
      assert.ok(cells.some(({ runs }) => runs.some(({ failed }) => failed !== null)));
      assert.deepEqual(childrenOf('worker/entry.js'), []);
    } finally {
      await server.stop();
    }
  });
});
