import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../../../src/commands/traffic/commands.js';
import { describeProfile } from '../../../src/commands/traffic/describe-profile.js';
import { openReplay } from '../../../src/commands/traffic/open-replay.js';
import { summarizeReplay } from '../../../src/commands/traffic/plan-replay.js';
import { startRecording } from '../../../src/commands/traffic/recording.js';
import { loadCatalogue } from '../../../src/options/catalogue.js';
import { encodeCommand } from '../../../src/relay/resp.js';
import { startManaged } from '../../helpers/managed-server.js';
import { commandsOf } from '../../helpers/recorded.js';
import { PROFILE_HEADER } from '../../helpers/sample-profile.js';

/** @import { CommandRow } from '../../../src/commands/traffic/types.js' */

/** What two strings have in common. @type {CommandRow} */
const LCS = {
  syntax: 'kk|MINMATCHLEN:n LEN',
  replay: 'read',
  family: 'string',
  data: ({ keys, reply, content }) => keys.map((key) => ['SET', key, content(Number(reply[1]))]),
};

describe('a new command of Redis', () => {
  /** @type {string} */
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-command-'));
  });
  afterEach(() => {
    COMMANDS.delete('LCS');
    rmSync(folder, { recursive: true });
  });

  /** A service that sends it, recorded by a relay. */
  async function recorded() {
    const file = join(folder, 'traffic.ndjson');
    const { converse, end } = startRecording({ file, header: PROFILE_HEADER });
    const conversation = converse();
    conversation?.fromService(encodeCommand(['LCS', 'one', 'other']));
    conversation?.fromServer(Buffer.from('$5\r\nhello\r\n'));
    conversation?.fromService(encodeCommand(['lcs', 'one', 'other', 'len']));
    conversation?.fromServer(Buffer.from(':1\r\n'));
    conversation?.close();
    await end('time');
    return file;
  }

  it('is recorded with sizes alone, and not replayed', async () => {
    const file = await recorded();
    assert.deepEqual(
      (await commandsOf(file)).map(({ args }) => args),
      [
        [
          [0, 3],
          [1, 5],
        ],
        [[0, 3], [1, 5], 3],
      ],
    );
    await assert.rejects(summarizeReplay(file), /has no command that can be replayed/);
  });

  it('is recorded, described and replayed once it has a row', async () => {
    COMMANDS.set('LCS', LCS);
    const file = await recorded();
    assert.deepEqual(
      (await commandsOf(file)).map(({ args }) => args[2]),
      [undefined, 'LEN'],
    );
    const { names, hits } = await describeProfile(file);
    assert.deepEqual([names.map(({ name, count }) => [name, count]), hits], [[['LCS', 2]], 1]);
    const { commands, leftOut } = await summarizeReplay(file);
    assert.deepEqual([commands, leftOut], [2, []]);

    const server = await startManaged();
    try {
      const { clients } = await loadCatalogue();
      const connection = await /** @type {any} */ (clients.get('raw')).connect(server.targets.tcp);
      const replay = await openReplay(file, {
        keyPrefix: 'rpb:test',
        slots: 'none',
        part: { index: 0, count: 1 },
        removal: ['DEL'],
      });
      assert.deepEqual(await replay.store(connection), []);
      const [step] = replay.steps;
      const item = replay.items.next();
      const reply = await step.send(connection, item);
      assert.equal(String(reply).length, 5);
      assert.ok(step.accept(reply, item));
      connection.destroy();
    } finally {
      await server.stop();
    }
  });
});
