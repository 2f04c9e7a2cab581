import assert from 'node:assert/strict';
import { resultName, stateFolder } from '../../src/store/result-store.js';

describe('state-folder', () => {
  for (const [
    platform,
    env,
    home,
    expected,
  ] of /** @type {[NodeJS.Platform, NodeJS.ProcessEnv, string, string | null][]} */ ([
    ['linux', {}, '/home/ann', '/home/ann/.local/state/redis-pipe-bench'],
    ['linux', { XDG_STATE_HOME: '/state' }, '/home/ann', '/state/redis-pipe-bench'],
    ['linux', { XDG_STATE_HOME: 'state' }, '/home/ann', '/home/ann/.local/state/redis-pipe-bench'],
    ['linux', { XDG_STATE_HOME: '' }, '/home/ann', '/home/ann/.local/state/redis-pipe-bench'],
    ['linux', { XDG_STATE_HOME: '/state' }, '', '/state/redis-pipe-bench'],
    ['linux', {}, '', null],
    ['linux', {}, 'ann', null],
    ['darwin', {}, '/Users/ann', '/Users/ann/Library/Application Support/redis-pipe-bench'],
    [
      'win32',
      { LOCALAPPDATA: 'C:\\Users\\ann\\AppData\\Local' },
      'C:\\Users\\ann',
      'C:\\Users\\ann\\AppData\\Local\\redis-pipe-bench',
    ],
    ['win32', {}, 'C:\\Users\\ann', null],
  ])) {
    it(`${platform} ${JSON.stringify(env)} '${home}': ${expected}`, () =>
      assert.equal(stateFolder({ platform, env, home }), expected));
  }

  it('names sort by time and suit every file system', () => {
    const names = ['2026-01-02T03:04:05.006Z', '2026-01-02T03:04:05.017Z', '2026-11-02T03:04:05.000Z'].map(
      (time) => resultName(new Date(time), 42),
    );
    assert.deepEqual([...names].sort(), names);
    for (const name of names) assert.match(name, /^[\w-]+\.ndjson$/);
  });
});
