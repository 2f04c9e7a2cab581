import assert from 'node:assert/strict';
import { ENDLESS, endStarted, leftovers, ONE_CELL, startCli } from '../helpers/cli.js';
import { startRedis } from '../helpers/redis-server.js';
import { until } from '../helpers/until.js';

const IOREDIS = ['--clients', 'ioredis'];
const STORING = [...ENDLESS, ...IOREDIS, '--starts', '1', '--workload', 'set-get'];
const FAULTY = [
  ...[...ONE_CELL.slice(0, -1), ...IOREDIS],
  '--rate',
  '200',
  '--duration',
  '20s',
  '--runs',
  '3',
  '--fault-at',
  '500ms',
];

/** What runs between the tool and its workers' connections, or between the tool and its workers. */
const CASES = {
  'with local agents': [...STORING, '--agents', 'local:2'],
  'with a relay': [...STORING, '--rtt', '2ms'],
  'in a run with a fault that is still to come': [...FAULTY.slice(0, -2), '--fault', 'cut'],
  'in a run whose connections were cut': [...FAULTY, '--fault', 'cut'],
  'in a run whose connections are silently dead': [...FAULTY, '--fault', 'half-open'],
  'in a run that was made slow': [...FAULTY, '--fault', 'slow:300ms:10s'],
  'in a run whose worker is frozen': [...FAULTY, '--fault', 'freeze:15s'],
};

describe('kill -9 of the tool alone leaves no key on an external server', function () {
  this.timeout(60_000);
  afterEach(endStarted);

  for (const [where, args] of Object.entries(CASES)) {
    it(where, async () => {
      const server = await startRedis();
      const keys = () => server.query('KEYS', 'rpb:*');
      try {
        const cli = startCli([...args, '--url', server.url]);
        await until('its keys', async () => (await keys()).length > 0);
        // A fault that strikes at 0.5 s has done so.
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
