import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ENDLESS, endStarted, leftovers, startCli } from '../helpers/cli.js';
import { processesOf } from '../helpers/processes.js';
import { startRedis } from '../helpers/redis-server.js';
import { until } from '../helpers/until.js';

const IOREDIS = ['--clients', 'ioredis'];
const STORING = [...ENDLESS, ...IOREDIS, '--starts', '1', '--workload', 'set-get'];

/** What runs between the tool and its workers' connections, or between the tool and its workers. */
const CASES = {
  'with local agents': [...STORING, '--agents', 'local:2'],
  'with a relay': [...STORING, '--rtt', '2ms'],
};

describe('kill -9 of the tool alone leaves no key on an external server', function () {
  this.timeout(120_000);
  afterEach(endStarted);

  for (const [where, args] of Object.entries(CASES)) {
    it(where, async () => {
      const server = await startRedis();
      const keys = () => server.query('KEYS', 'rpb:*');
      try {
        const cli = startCli([...args, '--url', server.url]);
        await until('its keys', async () => (await keys()).length > 0);
        await new Promise((resolve) => setTimeout(resolve, 1000));
        assert.notDeepEqual(await keys(), []);
        cli.signal('SIGKILL');
        await cli.result;
        await until(
          () => `nothing to be left of ${leftovers(cli.temp)}`,
          () => leftovers(cli.temp).filter((what) => what.startsWith('process')).length === 0,
        );
        assert.deepEqual(await keys(), []);
      } finally {
        await server.stop();
      }
    });
  }
});

it('kill -9 of the tool alone ends frozen workers and the servers that it broke', async function () {
  this.timeout(120_000);
  const cli = startCli([
    ...['break', 'freeze:15s', ...IOREDIS, '--rate', '200', '--duration', '20s', '--fault-at', '300ms'],
    ...['--pin', 'off', '--no-save'],
  ]);
  const isFrozen = (/** @type {number} */ pid) =>
    / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, ''));
  await until('its worker to be frozen', () =>
    processesOf(cli.temp).some(({ pid, command }) => command.includes('worker/entry.js') && isFrozen(pid)),
  );
  cli.signal('SIGKILL');
  await cli.result;
  await until(
    () => `nothing to be left of ${leftovers(cli.temp)}`,
    () => leftovers(cli.temp).every((what) => !what.startsWith('process')),
  );
  endStarted();
});
