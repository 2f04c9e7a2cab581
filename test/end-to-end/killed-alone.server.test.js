import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDLESS, endStarted, leftovers, runCli, STATE, startCli } from '../helpers/cli.js';
import { killTogether, processesOf } from '../helpers/processes.js';
import { startProxy } from '../helpers/proxy.js';
import { startRedis } from '../helpers/redis-server.js';
import { until } from '../helpers/until.js';

const IOREDIS = ['--clients', 'ioredis'];
const STORING = [...ENDLESS, ...IOREDIS, '--starts', '1', '--workload', 'set-get'];

const CALIBRATING = ['calibrate', '--duration', '20s', '--connections', '1', '--depth', '1'];
const SENDING = [
  'messages',
  '--workload',
  'queue:apart',
  '--clients',
  'redis',
  '--runs',
  '1000',
  '--pin',
  'off',
];

/** More than are sent before the first run. */
const MANY_COMMANDS = 3000;

/** Each that stores keys, and what may run between the tool and its workers, or between those and the server. */
const CASES = {
  'of calibrate': CALIBRATING,
  'of messages': SENDING,
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
      const commands = async () => Number((await server.info()).total_commands_processed);
      try {
        const cli = startCli([...args, '--url', server.url]);
        await until('its keys', async () => (await keys()).length > 0);
        await until('its workers to be at work', async () => (await commands()) > MANY_COMMANDS);
        await until('its keys, still', async () => (await keys()).length > 0);
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

it('kill -9 of the tool alone, while its workers still store their data, leaves none of it', async function () {
  this.timeout(120_000);
  const server = await startRedis();
  const proxy = await startProxy(server.port);
  proxy.replies((reply, forward) => void setTimeout(forward, 20, reply));
  try {
    const cli = startCli([...ENDLESS, '--keys', '12k', '--url', proxy.url]);
    await until('the first keys', async () => (await server.query('DBSIZE')) > 1000);
    cli.signal('SIGKILL');
    await cli.result;
    await until('its processes to be gone', () => processesOf(cli.temp).length === 0);
    assert.equal(await server.query('DBSIZE'), 0);
  } finally {
    await endStarted();
    await proxy.stop();
    await server.stop();
  }
});

describe('kill -9 of everything leaves keys that clean finds', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    server = await startRedis();
  });
  afterEach(endStarted);
  after(() => server.stop());
  const keys = () => server.query('KEYS', 'rpb:*');

  /** @param {string[]} args @param {string} url by which the key is stored @param {RegExp} key to wait for */
  async function killWithKey(args, url, key) {
    const cli = startCli([...args, '--url', url]);
    await until('its key', async () => (await keys()).some((/** @type {string} */ each) => key.test(each)));
    killTogether(processesOf(cli.temp));
    await cli.result;
    assert.equal((await keys()).length, 1);
    const env = { XDG_STATE_HOME: join(cli.temp, STATE) };
    const { code, stdout, stderr } = await runCli(['clean', '--url', url], { env });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^rpb:\w{4}: removed 1 key of a benchmark of /m);
    assert.deepEqual(await keys(), []);
  }

  it('that calibrate reads', () => killWithKey(CALIBRATING, server.url, /^rpb:....1$/));

  it('on which a --command is tried, before any worker is started', async () => {
    await server.query('CONFIG', 'SET', 'maxmemory', '1gb');
    const proxy = await startProxy(server.port);
    proxy.replies((reply, forward) => void setTimeout(forward, 100, reply), { ofControl: true });
    try {
      const args = ['--clients', 'raw', '--command', 'APPEND {key} {value}', '--size', '10'];
      await killWithKey(args, proxy.url, /:tried$/);
    } finally {
      await proxy.stop();
    }
  });
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
