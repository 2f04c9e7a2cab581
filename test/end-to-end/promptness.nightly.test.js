import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDLESS, endStarted, leftovers, startCli } from '../helpers/cli.js';
import { processesOf } from '../helpers/processes.js';
import { startRedis } from '../helpers/redis-server.js';
import { timed } from '../helpers/timed.js';
import { until } from '../helpers/until.js';

const SEVERAL = [
  ...ENDLESS,
  ...['--clients', 'raw,ioredis', '--scenarios', 'shared-connection,open-and-close', '--iterations', '20'],
];

describe('an end in time', () => {
  afterEach(endStarted);

  timed('leaves nothing within 2 s after kill -9: no server, no worker, no folder', async () => {
    const cli = startCli(SEVERAL);
    await cli.says(/^round 1 /m);
    const commands = processesOf(cli.temp).map(({ command }) => command);
    assert.ok(commands.some((command) => /redis-server|valkey-server/.test(command)));
    assert.equal(commands.filter((command) => command.includes('worker/entry.js')).length, 4);
    cli.signal('SIGKILL');
    await cli.result;
    await until(
      () => `nothing to be left of ${leftovers(cli.temp)}`,
      () => leftovers(cli.temp).length === 0,
      2000,
    );
  });

  timed('a server that stalls and Ctrl-C: exit 130 within 3 s, with the runs until then', async () => {
    const server = await startRedis();
    try {
      const cli = startCli([...ENDLESS, '--clients', 'raw,ioredis', '--url', server.url, '--format', 'json']);
      await cli.says(/^round 2 /m);
      process.kill(server.pid, 'SIGSTOP');
      await sleep(300);
      const pressedAt = performance.now();
      cli.signal('SIGINT');
      const { code, stdout, temp } = await cli.result;
      const tookMs = performance.now() - pressedAt;
      assert.equal(code, 130);
      assert.ok(tookMs < 3000, `${tookMs} ms`);
      assert.ok(JSON.parse(stdout).cells[0].runs.length >= 2);
      assert.deepEqual(leftovers(temp), []);
    } finally {
      process.kill(server.pid, 'SIGCONT');
      await endStarted();
      await server.stop();
    }
  });
});
