import assert from 'node:assert/strict';
import { resolveOptions } from '../../../src/commands/benchmark/settings.js';
import { loadCatalogue } from '../../../src/options/catalogue.js';
import { loadPlugin } from '../../../src/plugins/registry.js';
import { readNames } from '../../../src/run/plan/cells.js';

describe('run/plan/refusals', () => {
  /** @param {Record<string, unknown>} given */
  const check = async (given) =>
    readNames(resolveOptions(given, await loadPlugin('suites', 'default')), await loadCatalogue());

  it('refuses batches that no task could fill', async () => {
    await assert.rejects(check({ pipelining: 'none,explicit:10', iterations: 3 }), {
      name: 'UsageError',
      message: /^--iterations 3 never fills a batch of explicit:10; expected at least 10/,
    });
  });

  it('takes those that a task fills, and leaves a size that the tool finds to the tool', async () => {
    await check({ pipelining: 'none,explicit:10', iterations: 10 });
    await check({ pipelining: 'none,explicit:10' });
    await check({ pipelining: 'window:150', iterations: 3 });
  });
});
