import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endStarted, QUICK, runCli } from '../helpers/cli.js';
import { assertTame, HOSTILE } from '../helpers/hostile.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { startRedis } from '../helpers/redis-server.js';
import { bulk, startFakeRedis } from '../helpers/tcp-server.js';

/** Names that others choose, and errors of the user's own code, all of what acts on a terminal at once. */
const ALL = HOSTILE.join('');
const IN_CODE = JSON.stringify(ALL);
/** Of what was there in the beginning, and is to be seen. */
const SHOWN = /\\x1b\[2J/;

/** @param {string[]} words @returns {string} in RESP2 */
const list = (...words) =>
  `*${words.length}\r\n${words.map((word) => bulk(Buffer.from(word).toString('latin1'))).join('')}`;

describe('names and errors that would act on a terminal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rpb-names-'));
  after(() => rmSync(folder, { recursive: true }));
  afterEach(endStarted);
  /** @param {string} name @param {string} text */
  const write = (name, text) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  /** @param {string[]} args @param {number} expected @returns {Promise<string>} all that was printed */
  async function assertQuiet(args, expected) {
    const { code, stdout, stderr } = await runCli(args);
    assertTame(stdout);
    assertTame(stderr);
    const all = stdout + stderr;
    assert.equal(code, expected, all);
    assert.doesNotMatch(all, /^ *(?:warning: |redis-pipe-bench: )?forged|^overwritten/m);
    return all;
  }

  it('of the primaries that a Sentinel watches, and that is asked for', async () => {
    for (const [name, shown] of /** @type {[string, RegExp][]} */ ([
      [ALL, /SENTINEL MASTERS: 0\.name: expected the name of a primary/],
      ['main\u202e\u2028x', /expected one of 'main\\u202e\\u2028x'/],
    ])) {
      const sentinel = await startFakeRedis((command, [what]) => {
        if (command !== 'SENTINEL') return undefined;
        return what === 'CKQUORUM' ? '-ERR No such master with that name\r\n' : `*1\r\n${list('name', name)}`;
      });
      try {
        const of = ['--topology', 'sentinel', '--sentinel', `127.0.0.1:${sentinel.port}`];
        const asked = [...QUICK, ...of, '--clients', 'ioredis', '--master-name'];
        assert.match(await assertQuiet([...asked, 'other'], name === ALL ? 3 : 2), shown);
        await assertQuiet([...asked, ALL.replaceAll('\0', '')], 2);
      } finally {
        await sentinel.stop();
      }
    }
  });

  it('of agents, as the control Redis has them', async () => {
    const control = await startRedis();
    try {
      for (const name of ['agent.', ''].map((start) => start + ALL.replaceAll(':', '')))
        await control.query('HSET', `rpb-agents:${name}:meta`, 'x', '1');
      // Each waits for agents that do not reply.
      for (const [args, code] of /** @type {[string[], number][]} */ ([
        [['agents', '--queue', control.url], 3],
        [[...QUICK, '--agents', control.url, '--url', control.url], 3],
        [['agents', 'clean', '--queue', control.url], 0],
      ]).slice(0, NIGHTLY ? 3 : 1))
        assert.match(await assertQuiet(args, code), SHOWN);
    } finally {
      await control.stop();
    }
  });

  it("of a plugin's summary, choices and what it throws", async () => {
    const scenario = write(
      'odd-scenario.js',
      `export default {
        summary: ${IN_CODE}, title: ${IN_CODE}, connections: () => 1,
        async open() { throw new Error(${IN_CODE}); },
      };`,
    );
    const client = write('odd-client.js', `export default { connect() { throw new Error(${IN_CODE}); } };`);
    const broken = write('odd-import.js', `throw new Error(${IN_CODE});`);
    const workload = write(
      'odd-workload.js',
      `export default { summary: ${IN_CODE}, async iterate() { throw new Error(${IN_CODE}); } };`,
    );
    for (const [args, code] of /** @type {[string[], number][]} */ ([
      [
        [
          '--clients',
          `raw,${client}`,
          '--scenarios',
          `${scenario},shared-connection`,
          '--workload',
          workload,
        ],
        4,
      ],
      [['--clients', broken], 2],
      [['check', client], 4],
      [['check', broken], 2],
    ]))
      await assertQuiet(args[0] === 'check' ? args : [...QUICK, ...args], code);
  });
});
