import assert from 'node:assert/strict';
import { endStarted, QUICK, runCli } from '../helpers/cli.js';
import { assertTame, HOSTILE } from '../helpers/hostile.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { bulk, startFakeRedis } from '../helpers/tcp-server.js';

/** As the bytes on the wire; a status or an error ends at the first line break. @param {string} text */
const wire = (text) => Buffer.from(text).toString('latin1');
const TEXTS = NIGHTLY ? HOSTILE : [];
/** All together too, with the line breaks that no status can hold. */
const ALL = HOSTILE.join('');

describe('a server that says what would act on a terminal', () => {
  /** @type {string} */
  let said;
  /** @type {string[]} commands that it refuses with that text */
  let refused;
  /** @type {Awaited<ReturnType<typeof startFakeRedis>>} */
  let server;
  before(async () => {
    server = await startFakeRedis((command, args) => {
      const text = wire(said);
      if (refused.includes(command)) return `-ERR no ${text.replaceAll(/[\r\n]/g, '')}\r\n`;
      if (command === 'INFO')
        return bulk(
          wire(
            `# Server\r\nredis_version:7.${said}\r\nrun_id:${said}\r\nredis_mode:${said}\r\nused_memory:1${said}\r\n`,
          ),
        );
      if (command === 'CONFIG') return `*2\r\n${bulk(args[1] ?? 'save')}${bulk(text)}`;
      if (command === 'SCAN') return `*2\r\n${bulk('0')}*1\r\n${bulk(`rpb:1a2b:${text}`)}`;
      if (command === 'CLIENT' && args[0].toLowerCase() === 'list')
        return bulk(`id=1 name=${text} addr=${text}`);
      if (command === 'HELLO') return `-NOPROTO ${text.replaceAll(/[\r\n]/g, '')}\r\n`;
      return undefined;
    });
  });
  after(() => server.stop());
  afterEach(endStarted);

  /** @param {string[]} args @returns {Promise<string>} */
  async function assertQuiet(args) {
    const { stdout, stderr } = await runCli(args);
    assertTame(stdout);
    assertTame(stderr);
    assert.ok(
      !/^ *(?:warning: |redis-pipe-bench: )?forged|^overwritten/m.test(stdout + stderr),
      stdout + stderr,
    );
    return stdout + stderr;
  }

  for (const no of [
    [],
    ['SCAN'],
    ['INFO'],
    ['DEL', 'UNLINK', 'PEXPIRE'],
    ['SET'],
    ['PING'],
    ['CONFIG', 'CLIENT'],
  ])
    it(`in its facts, and in errors of ${no.join(', ') || 'nothing'}`, async () => {
      refused = no;
      for (const text of [...TEXTS, ALL]) {
        said = text;
        const cleaned = await assertQuiet(['clean', '--url', server.url]);
        if (text === ALL && ['SCAN', 'PING'].includes(no[0])) assert.match(cleaned, /\\x1b\[2J.*\\u202e/);
        await assertQuiet(['clean', '--url', server.url, '--prefix', 'rpb:1a2b']);
        if (no.length === 0 || NIGHTLY) await assertQuiet([...QUICK, '--smoke', '--url', server.url]);
      }
    });
});
