import assert from 'node:assert/strict';
import { link, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeProfile, record } from '../../src/index.js';
import { readMonitorLine } from '../../src/traffic/monitored.js';
import { readProfile } from '../../src/traffic/read-profile.js';
import { startRedis } from '../helpers/redis-server.js';
import { until } from '../helpers/until.js';

/** @import { CommandLine } from '../../src/traffic/types.js' */

const TEXT = String.raw`OK
1339518083.107412 [0 127.0.0.1:60866] "SET" "key" "a \"quoted\" \x00\n value" "EX" "60"
1339518083.207412 [0 127.0.0.1:60867] "get" "key"
1339518083.307412 [3 127.0.0.1:60866] "LRANGE" "list" "0" "4"
1339518083.407412 [3 lua] "INCR" "n"
this is no such line
1339518084.107412 [0 unix:/run/redis.sock] "HGETALL" "hash"
1339518084.207412 [0 127.0.0.1:60866] "SELECT" "0"
`;

describe('traffic/monitored', () => {
  /** @type {string} */
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rpb-monitor-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** @param {string} file */
  async function commandsIn(file) {
    /** @type {CommandLine[]} */
    const commands = [];
    const { header, end } = await readProfile(file, (line) => line.type === 'command' && commands.push(line));
    return { header, end, commands };
  }

  it('reads lines as MONITOR writes them', () => {
    const [, set, , , script, other] = TEXT.split('\n');
    const read = readMonitorLine(set);
    assert.ok(read !== null && read !== 'script');
    assert.deepEqual(
      read.words.map((word) => word.toString('latin1')),
      ['SET', 'key', 'a "quoted" \u0000\n value', 'EX', '60'],
    );
    assert.deepEqual([read.atUs, read.database, read.client], [1339518083107412, 0, '127.0.0.1:60866']);
    assert.deepEqual([readMonitorLine(script), readMonitorLine(other)], ['script', null]);
    for (const wrong of [set.slice(0, -1), `${set} x`, set.replace('[0', '[0 '), '', ' "a"']) {
      assert.equal(readMonitorLine(wrong), null, wrong);
    }
  });

  it('records a text: connections by address, databases, assumed replies, no lines of scripts', async () => {
    const [from, output] = [join(folder, 'monitor.txt'), join(folder, 'text.ndjson.gz')];
    await writeFile(from, TEXT);
    const { figures, assumed } = await record({ from, output });
    const { commands: all, connections, script, unreadable } = figures;
    assert.deepEqual([all, connections, script, unreadable], [6, 3, 1, 1]);
    assert.deepEqual(Object.keys(assumed ?? {}), ['valueBytes', 'members', 'mostMembers']);
    const { header, end, commands } = await commandsIn(output);
    assert.deepEqual([header.source, header.replies], ['text', 'assumed']);
    assert.deepEqual(end?.leftOut, { script: 1, unreadable: 1 });
    assert.deepEqual(
      commands.map(({ atUs, connection, name, args, reply }) => [atUs, connection, name, args, reply]),
      [
        [0, 1, 'SET', [[0, 3], 19, 'EX', '60'], ['+', 2]],
        [100_000, 2, 'GET', [[0, 3]], ['$', 19]],
        [200_000, 1, 'SELECT', ['3'], ['+', 2]],
        [200_000, 1, 'LRANGE', [[1, 4], '0', '4'], ['*', 500, 5, 0]],
        [1_000_000, 3, 'HGETALL', [[2, 4]], ['*', 2000, 20, 0]],
        [1_100_000, 1, 'SELECT', ['0'], ['+', 2]],
      ],
    );
    assert.equal((await describeProfile(output)).commands, 6);
  });

  it('refuses a text without such lines, and MONITOR without --yes', async () => {
    const [from, output] = [join(folder, 'other.txt'), join(folder, 'other.ndjson')];
    await writeFile(from, 'something else\n');
    await assert.rejects(record({ from, output }), /--from: expected lines such as .*holds none/);
    await assert.rejects(record({ from: join(folder, 'none'), output }), /cannot be read/);
    await assert.rejects(record({ url: 'redis://127.0.0.1:1', monitor: true, output }), /add --yes/);
    await assert.rejects(record({ output }), /expected --url/);
    await assert.rejects(record({ from, url: 'redis://127.0.0.1:1', output }), /leave one of them out/);
  });

  it('refuses to write over the text that it reads, by any path', async () => {
    const from = join(folder, 'only-copy.txt');
    await writeFile(from, TEXT);
    await symlink(from, join(folder, 'symbolic'));
    await link(from, join(folder, 'hard'));
    for (const output of [
      from,
      join(folder, '.', 'only-copy.txt'),
      join(folder, 'symbolic'),
      join(folder, 'hard'),
    ]) {
      await assert.rejects(record({ from, output }), /--output: expected another file than --from/);
      await assert.rejects(record({ from: output, output: from }), /--output: expected another file/);
    }
    assert.equal(await readFile(from, 'utf8'), TEXT);
  });

  it('records what a server says', async () => {
    const server = await startRedis();
    try {
      const output = join(folder, 'live.ndjson');
      const end = new AbortController();
      let listening = false;
      const recorded = record(
        { url: server.url, monitor: true, yes: true, output },
        {
          signal: end.signal,
          onEvent: ({ type }) => {
            listening ||= type === 'monitoring';
          },
        },
      );
      await until('MONITOR', () => listening);
      await server.query('SET', 'key', 'value');
      await server.query('EVAL', "return redis.call('GET', KEYS[1])", '1', 'key');
      await until('the commands', async () => (await server.calls('eval')) === 1);
      await server.query('PING');
      end.abort();
      const { figures, reason } = await recorded;
      assert.equal(reason, 'interrupted');
      assert.ok(figures.commands >= 2 && figures.script === 1, JSON.stringify(figures));
      const { commands } = await commandsIn(output);
      assert.deepEqual(
        commands.filter(({ name }) => /SET|EVAL/.test(name)).map(({ name, args }) => [name, args]),
        [
          ['SET', [[0, 3], 5]],
          ['EVAL', [33, '1', [0, 3]]],
        ],
      );
    } finally {
      await server.stop();
    }
  });
});
