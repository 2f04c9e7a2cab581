import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endStarted, QUICK, runCli } from '../helpers/cli.js';

describe('--config', () => {
  /** @type {string} */
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rpb-config-'));
  });
  after(() => rm(folder, { recursive: true }));
  afterEach(endStarted);

  /** @param {string} text @param {string[]} [args] */
  async function runWith(text, args = []) {
    const file = join(folder, 'config.json');
    await writeFile(file, text);
    return runCli([
      ...QUICK,
      '--clients',
      'ioredis',
      ...args,
      '--config',
      file,
      '--format',
      'json',
      '--no-save',
    ]);
  }

  it('sets the options of the client, as the results show', async () => {
    const { code, stdout } = await runWith('{"ioredis": {"connectionName": "measured", "noDelay": false}}');
    assert.equal(code, 0);
    const { effectiveOptions } = JSON.parse(stdout).cells[0];
    assert.equal(effectiveOptions.connectionName, 'measured');
    assert.equal(effectiveOptions.noDelay, false);
  });

  it('sets those of a cluster too', async () => {
    const asked = {
      natMap: { '10.0.0.1:1': { host: '127.0.0.1', port: 1 } },
      retryDelayOnFailover: 7,
      retryDelayOnMoved: 8,
      shardedSubscribers: true,
      showFriendlyErrorStack: true,
      useSRVRecords: true,
    };
    const { code, stdout } = await runWith(JSON.stringify({ ioredis: asked }), ['--topology', 'cluster']);
    assert.equal(code, 0);
    const { effectiveOptions } = JSON.parse(stdout).cells[0];
    for (const [name, value] of Object.entries(asked)) assert.deepEqual(effectiveOptions[name], value, name);
  });

  it('reports an option that one of the clients does not know', async () => {
    const { code, stderr } = await runWith('{"noDelay": false}', ['--clients', 'redis,ioredis']);
    assert.equal(code, 0);
    assert.match(stderr, /warning: --config .*: 'noDelay' is not known to redis/);
  });

  for (const [what, text, message] of /** @type {const} */ ([
    [
      'no JSON',
      '{noDelay}',
      /--config .*config\.json: expected JSON, but there is an error in line 1, column 2/,
    ],
    ['no object', '[]', /--config .*config\.json: expected a JSON object/],
    ['nothing that a client knows', '{"nodelay": true}', /'nodelay' \(did you mean 'noDelay'\?\)/],
    ['a password', '{"password": "hunter2"}', /'password' is set by this tool/],
    ['a prototype', '{"ioredis": {"tls": {"__proto__": {"a": 1}}}}', /'__proto__' is no option/],
  ])) {
    it(`refuses a file that holds ${what}`, async () => {
      const { code, stderr } = await runWith(text);
      assert.equal(code, 2);
      assert.match(stderr, /^redis-pipe-bench: [^\n]+\n$/);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /hunter2/);
    });
  }
});
