import assert from 'node:assert/strict';
import { Command } from 'commander';
import { addOptions } from '../../src/cli/options.js';
import { resolveOptions } from '../../src/commands/benchmark/settings.js';
import { OPTIONS } from '../../src/options/option-table.js';
import suites from '../../src/plugins/suites.js';

/** @param {string[]} args @returns {Promise<string | undefined>} which cells are profiled */
async function profiledBy(...args) {
  const command = addOptions(new Command(), OPTIONS);
  await command.parseAsync(args, { from: 'user' });
  return resolveOptions(command.opts(), suites[0]).profile?.cells;
}

describe('cli/options', () => {
  it('profile the cells that the report explains, all with --profile, none with --no-profile', async () => {
    assert.equal(await profiledBy(), 'explained');
    assert.equal(await profiledBy('--profile'), 'all');
    assert.equal(await profiledBy('--profile', 'heap,./profiles'), 'all');
    assert.equal(await profiledBy('--no-profile'), undefined);
  });

  it('profile nothing by default where the report explains nothing', async () => {
    assert.equal(await profiledBy('--smoke'), undefined);
    assert.equal(await profiledBy('--rate', '100'), undefined);
    assert.equal(await profiledBy('--rate-search', '100-200'), undefined);
    assert.equal(await profiledBy('--smoke', '--profile'), 'all');
  });
});
