import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeProfile } from '../../../src/commands/traffic/describe-profile.js';
import { endStarted, runCli } from '../../helpers/cli.js';
import { profileText, SAMPLE_COMMANDS, SAMPLE_LINES } from '../../helpers/sample-profile.js';

describe('traffic/describe-profile', () => {
  /** @type {string} */
  let folder;
  /** @type {string} */
  let file;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rpb-describe-'));
    file = join(folder, 'traffic.ndjson');
    await writeFile(file, profileText(SAMPLE_LINES));
  });
  afterEach(endStarted);
  after(() => rm(folder, { recursive: true }));

  it('tells shares, sizes, keys, hits, errors and connections', async () => {
    const summary = await describeProfile(file);
    assert.equal(summary.commands, SAMPLE_COMMANDS.length);
    assert.deepEqual([summary.hits, summary.misses], [4, 2]);
    const get = summary.names.find(({ name }) => name === 'GET');
    assert.deepEqual([get?.count, get?.share, get?.hitRate], [3, 3 / 20, 2 / 3]);
    assert.deepEqual(
      summary.names.slice(0, 1).map(({ name }) => name),
      ['GET'],
    );
    assert.deepEqual(summary.errors, [{ word: 'WRONGTYPE', count: 1 }]);
    assert.deepEqual([summary.keys.distinct, summary.keys.once], [8, 2]);
    assert.deepEqual(summary.keys.top, [{ keys: 1, share: 5 / 19 }]);
    assert.deepEqual([summary.connections.opened, summary.connections.most], [3, 3]);
    assert.deepEqual([summary.transactions, summary.together], [1, 4]);
    assert.deepEqual([summary.durationUs, summary.cutOff], [6000, 'no']);
    assert.deepEqual([summary.inFlight.max, summary.underWayInAll.max], [4, 6]);
  });

  it('is printed as text, as a page and as JSON; a cut-off one says so', async () => {
    const text = await runCli(['profile', file]);
    assert.deepEqual([text.code, text.stderr], [0, '']);
    assert.match(text.stdout, /^20 commands of 3 connections in 6 ms/);
    assert.match(text.stdout, /^ GET +3 +15 %/m);
    assert.match(text.stdout, /LPUSH \(1 error\)/);
    const page = join(folder, 'page.html');
    assert.equal((await runCli(['profile', file, '--format', 'html', '--output', page])).code, 0);
    const json = await runCli(['profile', file, '--format', 'json']);
    assert.equal(JSON.parse(json.stdout).commands, 20);
    const torn = join(folder, 'torn.ndjson');
    await writeFile(torn, profileText(SAMPLE_LINES).slice(0, -20));
    assert.match((await runCli(['profile', torn])).stdout, /ends in the middle of a line/);
    const none = await runCli(['profile', page]);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /expected a profile of this tool, but '.*' does not begin/);
  });
});
