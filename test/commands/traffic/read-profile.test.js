import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { commandOf } from '../../../src/commands/traffic/format.js';
import { readProfile } from '../../../src/commands/traffic/read-profile.js';
import { startRecording } from '../../../src/commands/traffic/recording.js';
import { encodeCommand } from '../../../src/relay/resp.js';
import {
  PROFILE_END,
  PROFILE_HEADER,
  profileText,
  SAMPLE_COMMANDS,
  SAMPLE_LINES,
} from '../../helpers/sample-profile.js';

/** @import { ProfileLine } from '../../../src/commands/traffic/types.js' */

describe('traffic/read-profile', () => {
  /** @type {string} */
  let folder;
  /** @type {string} */
  let file;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rpb-profile-'));
    file = join(folder, 'traffic.ndjson');
  });
  after(() => rm(folder, { recursive: true }));

  /** @param {string | Buffer} content */
  async function read(content) {
    await writeFile(file, content);
    /** @type {ProfileLine[]} */
    const lines = [];
    return { ...(await readProfile(file, (line) => lines.push(line))), lines };
  }

  /** @param {string | Buffer} content @param {RegExp} message */
  async function refused(content, message) {
    await assert.rejects(read(content), (/** @type {Error} */ error) => {
      assert.equal(error.name, 'UsageError', error.stack);
      assert.ok(error.message.includes(file), 'names the file');
      assert.match(error.message, message);
      return true;
    });
  }

  const whole = profileText(SAMPLE_LINES);

  it('is refused where a small file holds too many lines, or reading them takes too long', async () => {
    const lines = SAMPLE_LINES.slice(0, -1);
    const bomb = gzipSync(profileText([lines[0], ...Array(20_000).fill(lines[2])]));
    assert.ok(bomb.length < 20_000);
    await writeFile(file, bomb);
    for (const [bounds, message] of /** @type {const} */ ([
      [{ mostBytes: 1e5 }, / holds more than 0\.1 MB when it is not compressed; record for a shorter time$/],
      [{ mostMinutes: 0 }, / takes more than 0 minutes to read; record for a shorter time$/],
    ]))
      await assert.rejects(
        readProfile(file, () => {}, bounds),
        { name: 'UsageError', message },
      );
    await readProfile(file, () => {});
  });

  it('is never so long that it cannot be read: the recording ends before', async () => {
    const recorded = startRecording({ file, header: PROFILE_HEADER, mostBytes: 5000 });
    const connection = /** @type {any} */ (recorded.converse());
    for (let left = 1000; left > 0; left--) {
      connection.fromService(encodeCommand(['GET', 'k']));
      connection.fromServer(Buffer.from('$-1\r\n'));
    }
    await recorded.end('time');
    const { end } = await readProfile(file, () => {}, { mostBytes: 6000 });
    assert.equal(end?.reason, 'most');
    assert.ok(end.commands > 50 && end.commands < 1000);
  });

  it('gives every line, gzipped or not, with a byte order mark or without', async () => {
    const { header, end, torn, lines } = await read(whole);
    assert.deepEqual({ header, end, torn }, { header: PROFILE_HEADER, end: PROFILE_END, torn: false });
    const commands = lines.flatMap((line) => (line.type === 'command' ? [line] : []));
    assert.deepEqual(commands, SAMPLE_COMMANDS.map(commandOf));
    assert.deepEqual(
      commands.map(({ type, rest, ...told }) => [
        ...Object.values(told),
        ...(rest.count > 0 ? [[rest.count, rest.bytes]] : []),
      ]),
      SAMPLE_COMMANDS,
    );
    assert.equal(lines.length, SAMPLE_LINES.length - 1);
    for (const same of [gzipSync(whole), `\uFEFF${whole}`]) assert.deepEqual((await read(same)).lines, lines);
  });

  it('keeps what is said of arguments beyond the first', async () => {
    const many = [5, 1, 'RPUSH', [[0, 3], ...Array(127).fill(7)], [':', 3], 90, 1, 1, [872, 6104]];
    const { lines } = await read(profileText([PROFILE_HEADER, many]));
    assert.deepEqual(/** @type {any} */ (lines[0]).rest, { count: 872, bytes: 6104 });
  });

  it('reads one that was cut off up to its last whole line', async () => {
    const cut = whole.slice(0, whole.indexOf('"BRPOP"'));
    const { end, torn, lines } = await read(cut);
    assert.deepEqual([end, torn], [null, true]);
    assert.equal(lines.length, cut.split('\n').length - 2);
    const compressed = gzipSync(Buffer.from(whole.repeat(1)), { level: 0 });
    assert.ok((await read(compressed.subarray(0, compressed.length - 300))).lines.length > 3);
  });

  it('refuses what is not a profile, and says in which line', async () => {
    const [header, ...rest] = whole.trimEnd().split('\n');
    await refused('', /is empty/);
    await refused('{"type":"header"}\n', /does not begin with a profile's header/);
    await refused(gzipSync('nothing'), /does not begin/);
    await refused(whole.replace('"profileVersion":2', '"profileVersion":3'), /this release knows 2; update/);
    await refused(
      whole.replace('"profileVersion":2', '"profileVersion":1'),
      /this release knows 2; record again/,
    );
    await refused([header, 'x', ...rest].join('\n'), /line 2: it is not JSON/);
    await refused([header, header, ...rest].join('\n'), /second header in line 2/);
    await refused(`${whole}${rest[0]}\n`, /goes on after its end/);
    await refused(`${header}\n${'['.repeat(20_000)}\n`, /line of more than/);
    await assert.rejects(
      readProfile(folder, () => {}),
      /not a regular file/,
    );
    await assert.rejects(
      readProfile(`${file}.none`, () => {}),
      /does not exist/,
    );
  });

  const GOOD = SAMPLE_COMMANDS[1];
  /** @type {[number, unknown][]} place in a command, and what must not stand there */
  const wrong = [
    [0, -1],
    [0, 1e300],
    [1, 0],
    [1, 1e9],
    [2, '__proto__'],
    [2, 'get'],
    [2, 'GET\u001b[2J'],
    [3, [[4194304, 1]]],
    [3, [[1]]],
    [3, [1e12]],
    [3, ['secret']],
    [3, ['<SCRIPT>']],
    [3, Array(129).fill(1)],
    [3, { length: 1 }],
    [4, ['$', 'OK']],
    [4, ['-', 5]],
    [4, ['*', 5]],
    [4, ['$', 5, 1, 1]],
    [4, ['-', 'a secret']],
    [4, ['?', 5]],
    [5, -5],
    [6, 0],
    [7, 1.5],
    [8, [1, -1]],
  ];
  it('refuses a command with anything else in its places', async () => {
    for (const [place, value] of wrong) {
      const line = GOOD.slice();
      line[place] = /** @type {any} */ (value);
      await refused(profileText([PROFILE_HEADER, line]), /is damaged: line 2/);
    }
  });
});
