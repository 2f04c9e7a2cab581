import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readReport } from '../../src/index.js';
import { endStarted, startHere } from '../helpers/cli.js';
import { schemaErrors } from '../helpers/report-schema.js';

/** A client that keeps 20 kB per operation, so that it shows within a second. */
const LEAKING = `const kept = [];
export default {
  package: 'ioredis',
  capabilities: ['prompt-close'],
  async connect({ host, port }, options, { Redis }) {
    const redis = new Redis({ host, port, retryStrategy: null });
    const call = (args) => {
      kept.push(new Array(2500).fill(kept.length));
      return redis.call(...args);
    };
    return { command: call, close: async () => redis.disconnect() };
  },
};`;

describe('a run of hours', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rpb-hours-'));
  after(() => rmSync(folder, { recursive: true }));
  afterEach(endStarted);

  it('prints each run, can be read meanwhile, and ends at any time with what grew', async () => {
    const [client, file] = ['leaking.js', 'hours.ndjson'].map((name) => join(folder, name));
    writeFileSync(client, LEAKING);
    const cell = ['--clients', client, '--scenarios', 'shared-connection', '--tasks', '1', '--pin', 'off'];
    const load = ['--rate', '500', '--duration', '40ms', '--runs', '1000', '--warmup-runs', '0'];
    const cli = startHere([...cell, ...load, '--save', file]);
    await cli.says(/run 25 of 1000: \d+ operations, p99 .*, [\d.]+ MB after garbage collection/);

    const meanwhile = await readReport(file);
    assert.equal(meanwhile.partial, true);
    assert.deepEqual(schemaErrors(meanwhile), []);
    assert.ok(meanwhile.cells[0].runs.length >= 24);
    assert.match(meanwhile.advice.join('\n'), /memory after garbage collection grows by/);

    cli.signal('SIGINT');
    const { code, stdout, stderr } = await cli.result;
    assert.equal(code, 130, stderr);
    assert.match(stdout.replace(/\s+/g, ' '), /grows by .* per hour .* bytes per operation/);
    // Of these many runs, seconds are not told.
    assert.doesNotMatch(stderr, /intended/);
  });
});
