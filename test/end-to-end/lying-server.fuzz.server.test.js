import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { removeLeftovers } from '../../src/cli/commands/clean.js';
import { BenchError } from '../../src/errors.js';
import { askAboutKeys } from '../../src/plugins/shared/command-keys.js';
import { readReply } from '../../src/relay/resp.js';
import { difference } from '../../src/server/counters.js';
import { openServer } from '../../src/server/open.js';
import { prefixOf } from '../../src/server/own-keys.js';
import { topologyOf } from '../../src/server/reach.js';
import { externalTarget, sentinelTarget } from '../../src/server/target.js';
import { endStarted, QUICK, runCli } from '../helpers/cli.js';
import { startLyingProxy } from '../helpers/lying-proxy.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { poison, withOther } from '../helpers/poison.js';
import { startRedis } from '../helpers/redis-server.js';
import { bulk, startFakeRedis } from '../helpers/tcp-server.js';
import { until } from '../helpers/until.js';

/** @typedef {Awaited<ReturnType<typeof startRedis>>} Redis */

const [TRIES, COMMANDS] = NIGHTLY ? [10_000, Number(process.env.FUZZ_TRIES ?? 400)] : [80, 2];
const SEED = Number(process.env.FUZZ_SEED ?? 59);
const AT_ONCE = 16;
/** The tool waits 5 s for a reply, here and there twice. */
const ENDS_WITHIN_MS = 30_000;

const PREFIX = 'rpb:fuzz';
const FOREIGN = { other: 'theirs', 'rpb:x': 'not ours', 'rpb-agents:y': 'not ours', '': 'empty' };

/** What no message may hold: it would be this tool's own confusion. */
const CONFUSED =
  /\bNaN\b|\bundefined\b|Infinity|\[object|is not a function|is not iterable|Cannot (?:read|destructure|convert)|Maximum call stack|Invalid array length|Invalid time/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\x00-\x09\x0b-\x1f\x7f-\x9f]/;

/** @param {any} value @returns {string} in RESP2 */
function encoded(value) {
  if (value === null || value === undefined) return '$-1\r\n';
  if (value instanceof Error) return `-${value.message}\r\n`;
  if (Number.isSafeInteger(value)) return `:${value}\r\n`;
  if (Array.isArray(value)) return `*${value.length}\r\n${value.map(encoded).join('')}`;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
}

const BAD_NUMBERS = ['-1', '1e400', '9'.repeat(400), '', '0x10', 'many', '-0', '1.5', '\u001b[2J'];

const whole = fc.oneof(
  poison.map(encoded),
  fc.constantFrom(
    ':5\r\n',
    ':-5\r\n',
    `:${'9'.repeat(30)}\r\n`,
    '+OK\r\n',
    '+\r\n',
    '$-1\r\n',
    '*-1\r\n',
    '*0\r\n',
    '$0\r\n\r\n',
    '-ERR odd\r\n',
    '-NOPERM no\r\n',
    '-MOVED 1 nowhere.invalid:0\r\n',
    '-\u001b[2J\r\n',
    '*1\r\n-ERR inner\r\n',
    '*2\r\n$-1\r\n$-1\r\n',
    `${'*1\r\n'.repeat(30)}:1\r\n`,
    `${'*1\r\n'.repeat(20_000)}:1\r\n`,
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    '%1\r\n+a\r\n+b\r\n',
    '$99999999999999\r\n',
    '*99999999999999\r\n',
    ':many\r\n',
    '*3\r\n:0\r\n:16383\r\n*2\r\n$0\r\n\r\n:0\r\n',
    '*1\r\n*3\r\n:0\r\n:999999999\r\n*2\r\n$1\r\na\r\n:99999\r\n',
    '*2\r\n$1\r\n7\r\n*0\r\n',
    `*2\r\n$1\r\n0\r\n*3\r\n${Object.keys(FOREIGN).slice(0, 3).map(bulk).join('')}`,
    `*2\r\n$1\r\n0\r\n*2\r\n:1\r\n$-1\r\n`,
  ),
);
/** Nothing comes, or not all of it: the tool waits. */
const unended = fc.constantFrom(null, '$1000\r\nx', '*3\r\n:1\r\n', '*100000000\r\n');

/** @param {Buffer} reply @returns {unknown} its text where it is one of RESP3 */
function valueIn(reply) {
  try {
    return readReply(reply, 0, reply.length).value;
  } catch {
    return `${reply}`;
  }
}

/** @typedef {(reply: Buffer) => string | Buffer | null} Change */

const inPlace = fc
  .tuple(fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), poison)
  .map(([path, other]) => /** @type {Change} */ ((reply) => encoded(withOther(valueIn(reply), path, other))));
const field = fc.tuple(fc.nat(), fc.constantFrom(...BAD_NUMBERS)).map(
  ([at, number]) =>
    /** @type {Change} */ (
      (reply) => {
        const text = String(valueIn(reply));
        const numbers = [...text.matchAll(/(?<=[:=])\d[\d.]*/g)];
        if (numbers.length === 0) return encoded(number);
        const { index, 0: found } = numbers[at % numbers.length];
        return encoded(text.slice(0, index) + number + text.slice(index + found.length));
      }
    ),
);
/** @type {fc.Arbitrary<Change>} */
const change = fc.oneof(
  { weight: 8, arbitrary: whole.map((other) => () => other) },
  { weight: 8, arbitrary: inPlace },
  { weight: 8, arbitrary: field },
  { weight: 1, arbitrary: unended.map((other) => () => other) },
  { weight: 1, arbitrary: fc.constant((/** @type {Buffer} */ reply) => Buffer.concat([reply, reply])) },
);

describe('a server whose replies make no sense', function () {
  this.timeout(NIGHTLY ? 3_600_000 : 120_000);
  /** @type {Record<'alone' | 'node', Redis>} */
  let servers;
  /** @type {Awaited<ReturnType<typeof startFakeRedis>>} */
  let sentinel;
  const folder = mkdtempSync(join(tmpdir(), 'rpb-lies-'));

  before(async () => {
    const [alone, node] = await Promise.all([
      startRedis(),
      // ioredis ignores a node without a host.
      startRedis({ args: ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'] }),
    ]);
    servers = { alone, node };
    await node.query('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await until('it to be ready', async () => /state:ok/.test(await node.query('CLUSTER', 'INFO')));
    for (const [key, value] of Object.entries(FOREIGN))
      for (const each of [alone, node]) await each.query('SET', key, value);
    sentinel = await startFakeRedis((name, [what]) => {
      if (name !== 'SENTINEL') return undefined;
      if (what === 'CKQUORUM') return '+OK\r\n';
      if (what === 'GET-MASTER-ADDR-BY-NAME') return encoded(['127.0.0.1', `${alone.port}`]);
      const [flags, status] = ['slave', 'ok'];
      const fields = [
        'ip',
        '127.0.0.1',
        'port',
        `${alone.port}`,
        'flags',
        flags,
        'master-link-status',
        status,
      ];
      return encoded(what === 'MASTER' ? fields : [fields]);
    });
  });
  after(async () => {
    await endStarted();
    await sentinel?.stop();
    rmSync(folder, { recursive: true });
    await Promise.all(Object.values(servers ?? {}).map((each) => each.stop()));
  });

  /** Of each invocation the commands that it asks, and what it does at a port. */
  const INVOCATIONS = {
    clean: {
      commands: ['PING', 'INFO', 'CONFIG', 'DEL', 'SCAN'],
      at: () => servers.alone,
      async run(/** @type {number} */ port) {
        await servers.alone.query('SET', `${PREFIX}1`, 'x');
        return removeLeftovers({ url: `redis://127.0.0.1:${port}`, prefix: PREFIX }, { stateFolder: null });
      },
    },
    counters: {
      commands: ['PING', 'INFO', 'CONFIG', 'DEL'],
      at: () => servers.alone,
      async run(/** @type {number} */ port) {
        const target = /** @type {any} */ (externalTarget({ url: `redis://127.0.0.1:${port}` }));
        await topologyOf(target);
        const server = await openServer(target);
        try {
          const before = await server.snapshot();
          await server.replicated();
          await server.confirm();
          const after = await server.snapshot();
          const { memory, freeConnections, facts, runIds, pids, warnings } = server;
          return [difference(before, after), memory, freeConnections, facts, runIds, pids, warnings];
        } finally {
          await server.close();
        }
      },
    },
    cluster: {
      commands: ['CLUSTER', 'INFO', 'SCAN', 'PING', 'DEL'],
      at: () => servers.node,
      async run(/** @type {number} */ port) {
        const target = /** @type {any} */ (externalTarget({ url: `redis://127.0.0.1:${port}` }));
        const addressMap = { [`127.0.0.1:${servers.node.port}`]: { host: '127.0.0.1', port } };
        const server = await openServer(target, { topology: 'cluster', addressMap });
        try {
          return [await server.snapshot(), [...(await server.findPrefixes())]];
        } finally {
          await server.close();
        }
      },
    },
    sentinel: {
      commands: ['SENTINEL'],
      at: () => sentinel,
      async run(/** @type {number} */ port) {
        const place = { host: '127.0.0.1', port };
        const target = sentinelTarget({ transport: 'tcp', ...place }, [place], 'main');
        const server = await openServer(target, { topology: 'sentinel' });
        await server.close();
        return server.targets;
      },
    },
    command: {
      commands: ['COMMAND'],
      at: () => servers.alone,
      async run(/** @type {number} */ port) {
        const target = /** @type {any} */ (externalTarget({ url: `redis://127.0.0.1:${port}` }));
        const server = await openServer(target);
        try {
          const ask = (/** @type {string[]} */ ...words) =>
            server.onKey(.../** @type {[string, string]} */ (words));
          // Not in our list, so the server is asked about it.
          await askAboutKeys(['odd.get', '{key}'], (...words) =>
            ask(...words.map((word) => (word === 'odd.get' ? 'get' : word))),
          ).catch((error) => {
            if (error instanceof BenchError) throw error;
            assert.doesNotMatch(error.message, CONFUSED);
          });
        } finally {
          await server.close();
        }
        return null;
      },
    },
  };
  const names = /** @type {(keyof typeof INVOCATIONS)[]} */ (Object.keys(INVOCATIONS));

  const lie = fc.record({
    invocation: fc.constantFrom(...names),
    which: fc.nat(),
    /** From which reply to that command on. */
    from: fc.constantFrom(0, 0, 0, 1, 2),
    isOnce: fc.boolean(),
    change,
  });
  /** @typedef {typeof lie extends fc.Arbitrary<infer T> ? T : never} Lie */

  /** @param {import('../helpers/lying-proxy.js').Lie} tell @param {number} port @param {(port: number) => Promise<unknown>} run */
  async function through(tell, port, run) {
    const proxy = await startLyingProxy({ port });
    proxy.tell(tell);
    try {
      return await run(proxy.port);
    } finally {
      await proxy.stop();
    }
  }

  /** @param {{from: number, isOnce: boolean, change: Change}} of @param {string} command */
  function liar({ from, isOnce, change }, command) {
    let seen = 0;
    return (/** @type {string[]} */ [name], /** @type {Buffer} */ reply) => {
      if (name !== command) return undefined;
      const number = seen++;
      return number < from || (isOnce && number > from) ? undefined : change(reply);
    };
  }

  /** @param {unknown} value */
  function assertKnown(value) {
    if (typeof value === 'number') assert.ok(Number.isFinite(value) && value >= 0, `${value}`);
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(assertKnown);
  }

  /** @param {Lie} each @returns {Promise<string>} how it ended */
  async function attempt(each) {
    const { commands, at, run } = INVOCATIONS[each.invocation];
    const startedMs = performance.now();
    const command = commands[each.which % commands.length];
    const outcome = await through(liar(each, command), at().port, run).then(
      (value) => {
        assertKnown(value);
        return 'unharmed';
      },
      (error) => {
        if (!(error instanceof BenchError)) throw error;
        assert.ok([2, 3, 4].includes(error.exitCode), error.stack);
        assert.doesNotMatch(error.message, CONFUSED);
        return `exit ${error.exitCode}`;
      },
    );
    const tookMs = performance.now() - startedMs;
    assert.ok(tookMs < ENDS_WITHIN_MS, `${each.invocation}, ${command}: took ${tookMs} ms`);
    return outcome;
  }

  /** Our own may stay where the server lies about what it has or removed. */
  const foreign = async (/** @type {Redis} */ server) =>
    Object.fromEntries(Object.entries(await server.contents()).filter(([key]) => prefixOf(key) === null));

  it('is refused with one clear sentence, and no key of others is touched', async function () {
    const before = await Promise.all([servers.alone, servers.node].map(foreign));
    /** @type {Record<string, number>} */
    const counts = {};
    /** @type {string[]} */
    const broken = [];
    const all = fc.sample(lie, { numRuns: TRIES, seed: SEED });
    let next = 0;
    async function work() {
      for (let index = next++; index < all.length; index = next++) {
        const outcome = await attempt(all[index]).catch((error) => {
          const { invocation, which } = all[index];
          const { commands } = INVOCATIONS[invocation];
          broken.push(
            `${index}: ${invocation} ${commands[which % commands.length]}: ${error.message.slice(0, 600)}`,
          );
          return 'broken';
        });
        counts[outcome] = (counts[outcome] ?? 0) + 1;
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    assert.deepEqual(broken.slice(0, 20), []);
    assert.deepEqual(await Promise.all([servers.alone, servers.node].map(foreign)), before);
    assert.ok(counts['exit 3'] > TRIES / 10 && counts.unharmed > TRIES / 10, JSON.stringify(counts));
    /** @type {Mocha.Runnable} */ (this.test).title += ` (${JSON.stringify(counts)})`;
  });

  const TIMED_OUT = ['--run-timeout', '5s'];
  const ONCE = ['--duration', '50ms', '--runs', '1', '--depth', '1', '--connections', '1'];

  /**
   * What the workers read, too. `raw` is given what it can read; what another client makes of a lie is said in its words.
   * @typedef {{args: string[], at?: () => {port: number}, place?: (port: number) => string[], byClient?: boolean}} Whole
   * @type {Record<string, Whole>}
   */
  const OF_COMMANDS = {
    benchmark: { args: [...QUICK, ...TIMED_OUT] },
    own: {
      args: [...QUICK, ...TIMED_OUT, '--command', 'GETEX {key}', '--prepare', 'SET {key} {value}'],
    },
    scan: { args: [...QUICK, ...TIMED_OUT, '--workload', 'scan'] },
    calibrate: { args: ['calibrate', '--transport', 'tcp', ...ONCE] },
    clean: { args: ['clean', '--prefix', PREFIX] },
  };
  /** @type {Record<string, Whole>} */
  const AT_NIGHT = {
    doctor: { args: ['doctor'] },
    record: { args: ['record', '--for', '300ms', '--output', join(folder, 'traffic.ndjson')] },
    messages: {
      args: ['messages', ...QUICK.filter((arg) => arg !== '--no-profile')]
        .concat('--workload', 'queue,stream')
        .concat(TIMED_OUT),
    },
    cluster: {
      args: [...QUICK, ...TIMED_OUT, '--topology', 'cluster', '--clients', 'ioredis'],
      at: () => servers.node,
      byClient: true,
      place(port) {
        const config = join(folder, 'config.json');
        const natMap = { [`127.0.0.1:${servers.node.port}`]: { host: '127.0.0.1', port } };
        writeFileSync(config, JSON.stringify({ ioredis: { natMap } }));
        return ['--url', `redis://127.0.0.1:${port}`, '--config', config];
      },
    },
    sentinel: {
      args: [
        ...QUICK,
        ...TIMED_OUT,
        '--topology',
        'sentinel',
        '--clients',
        'ioredis',
        '--master-name',
        'main',
      ],
      at: () => sentinel,
      byClient: true,
      place: (port) => ['--sentinel', `127.0.0.1:${port}`],
    },
  };
  const ASKED = [
    'PING',
    'INFO',
    'CONFIG',
    'DEL',
    'SCAN',
    'COMMAND',
    'SET',
    'GET',
    'ECHO',
    'MEMORY',
    'PEXPIRE',
  ];

  it('ends no command by a bug, nor writes control characters', async function () {
    const before = await foreign(servers.alone);
    /** @type {Record<string, number>} */
    const codes = {};
    /** @type {string[]} */
    const broken = [];
    const all = NIGHTLY ? { ...OF_COMMANDS, ...AT_NIGHT } : OF_COMMANDS;
    const own = fc.record({
      which: fc.nat(),
      name: fc.constantFrom(...Object.keys(all)),
      command: fc.constantFrom(...ASKED),
      from: fc.constantFrom(0, 0, 1, 2, 5),
      isOnce: fc.boolean(),
      change,
    });
    for (const { name, ...each } of fc.sample(own, { numRuns: COMMANDS, seed: SEED })) {
      const { args: given, at = () => servers.alone, place, byClient = false } = all[name];
      const command =
        { cluster: each.which % 2 ? each.command : 'CLUSTER', sentinel: 'SENTINEL' }[name] ?? each.command;
      await through(liar(each, command), at().port, async (port) => {
        const args = [...given, ...(place?.(port) ?? ['--url', `redis://127.0.0.1:${port}`])];
        const { code, stdout, stderr } = await runCli(args);
        const how = `${args.join(' ')}, ${command}: exit ${code}\n${stdout}\n${stderr}`;
        if (![0, 2, 3, 4].includes(Number(code))) broken.push(how);
        else if (!byClient && CONFUSED.test(`${stdout}\n${stderr}`)) broken.push(how);
        else if (CONTROLS.test(`${stdout}\n${stderr}`)) broken.push(how);
        const outcome = `${name} exit ${code}`;
        codes[outcome] = (codes[outcome] ?? 0) + 1;
      });
    }
    assert.deepEqual(broken.slice(0, 10), []);
    assert.deepEqual(await foreign(servers.alone), before);
    /** @type {Mocha.Runnable} */ (this.test).title += ` (${JSON.stringify(codes)})`;
  });
});
