import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sum } from 'simple-statistics';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { burnsFile } from '../helpers/plugins/clients/burner.js';
import { timed } from '../helpers/timed.js';

const PLUGINS = { clients: [fileURLToPath(new URL('../helpers/plugins/clients', import.meta.url))] };

describe('--profile of a client that burns a known time', () => {
  timed('finds all of it where the client is busy, in the function that does', async () => {
    const profiles = [];
    for (let profile = 0; profile < 3; profile++) profiles.push(await profiledBurns(64));
    for (const { hottest } of profiles) assert.equal(hottest.name, 'burnTime', JSON.stringify(profiles));
    const share = shareFound(profiles);
    assert.ok(share > 3 / 4 && share < 4 / 3, `${share} of it: ${JSON.stringify(profiles)}`);
  });

  // The thread that takes the samples often gets a processor only while the client waits: half may be missing.
  timed(
    'finds the function, and no more than it took, where the client waits after each operation',
    async () => {
      const profile = await profiledBurns(1);
      assert.equal(profile.hottest.name, 'burnTime', JSON.stringify(profile));
      const share = shareFound([profile]);
      assert.ok(share < 4 / 3, `${share} of it: ${JSON.stringify(profile)}`);
    },
  );
});

/** @param {Awaited<ReturnType<typeof profiledBurns>>[]} profiles */
const shareFound = (profiles) =>
  sum(profiles.map(({ found }) => found.self)) / sum(profiles.map(({ burntUs }) => burntUs));

/** @param {number} tasks */
async function profiledBurns(tasks) {
  const { cells } = await benchmark(
    {
      ...{ clients: 'burner:burn', scenarios: 'shared-connection', tasks, size: 10 },
      ...{ runs: 1, starts: 1, warmupRuns: 0, iterations: Math.round(640 / tasks), profile: true },
    },
    { pluginFolders: PLUGINS },
  );
  const profile = cells[0].profiles?.cpu;
  const found = profile?.frames.find(({ name }) => name === 'burnTime');
  assert.ok(profile && found, 'the function is not in the profile');
  const burns = JSON.parse(readFileSync(burnsFile(process.pid), 'utf8')).slice(-profile.operations);
  rmSync(burnsFile(process.pid));
  assert.equal(burns.length, profile.operations);
  const [hottest] = profile.frames.filter(({ part }) => part !== 'poll').sort((a, b) => b.self - a.self);
  return { found, hottest, burntUs: sum(burns) };
}
