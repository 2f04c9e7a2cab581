import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchmark } from '../../../src/commands/benchmark/benchmark.js';
import { startRedis } from '../../helpers/redis-server.js';

/** @import { Parts } from '../../../src/commands/breakdown/types.js' */
/** @import { CellResult } from '../../../src/store/types.js' */

const CLIENT = `
import { setTimeout as wait } from 'node:timers/promises';
export default {
  package: 'redis',
  variants: { before: { plant: 'before' }, after: { plant: 'after' }, busy: { plant: 'busy' } },
  capabilities: ['pipeline', 'prompt-close'],
  async connect({ host, port }, { plant, ...options }, { createClient }) {
    const client = createClient({ socket: { host, port }, commandOptions: { timeout: undefined }, ...options });
    client.on('error', () => {});
    await client.connect();
    const busy = plant === 'busy' && setInterval(() => {
      for (const end = performance.now() + 3; performance.now() < end; );
    }, 1);
    return {
      async command(args) {
        if (plant === 'before') await wait(1);
        const reply = await client.sendCommand(args);
        if (plant === 'after') await wait(1);
        return reply;
      },
      async close() {
        clearInterval(busy);
        await client.close();
      },
    };
  },
};`;

/** @type {(keyof Parts)[]} */
const PARTS = ['clientWaitUs', 'roundTripUs', 'unreadUs', 'handledUs'];

/**
 * The least of all slices: what disturbs a machine comes and goes, what was planted stays.
 * @param {CellResult} cell @param {'p50' | 'p99'} at @param {keyof Parts} part
 */
function leastOf({ summary, id }, at, part) {
  assert.ok(summary?.breakdown, `${id}: ${notes.join('; ')}`);
  return Math.min(...summary.breakdown.slices.map((slice) => Number(slice[at][part])));
}

/** @param {CellResult} planted @param {CellResult} plain @param {{at: 'p50' | 'p99', part: keyof Parts, us: number}} delay */
function assertGrown(planted, plain, { at, part: grown, us }) {
  const growth = PARTS.map((part) => [
    part,
    Math.round(leastOf(planted, at, part) - leastOf(plain, at, part)),
  ]);
  const text = `${planted.id}, ${at}: ${growth.join(' ')}`;
  for (const [part, more] of growth) {
    if (part === grown) assert.ok(Number(more) > (2 / 3) * us && Number(more) < 3 * us, text);
    else assert.ok(Number(more) < us / 2, text);
  }
}

/** What was said meanwhile. @type {string[]} */
const notes = [];

/** @param {Record<string, unknown>} options */
const measure = (options) =>
  benchmark(
    { smoke: true, tasks: 1, size: 10, scenarios: 'shared-connection', breakdown: true, ...options },
    { stateFolder: null, onEvent: (event) => notes.push(...(event.type === 'note' ? [event.message] : [])) },
  );

describe('planted delays are found where they were planted, and only there', function () {
  this.timeout(120_000);
  /** @type {string} */
  let folder;
  /** @type {string} */
  let client;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-planted-'));
    client = join(folder, 'planted.js');
    writeFileSync(client, CLIENT);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('before a client writes, after its reply, and in a loop that keeps the process busy', async () => {
    const { cells } = await measure({
      clients: ['', ':before', ':after', ':busy'].map((of) => `${client}${of}`),
    });
    const [plain, early, late, busy] = cells;
    for (const cell of cells) {
      const { p50, p99, operations, relayUs } = cell.summary?.breakdown ?? assert.fail(cell.id);
      for (const parts of [p50, p99]) {
        const sum = PARTS.reduce((all, part) => all + Number(parts[part]), 0);
        assert.ok(Math.abs(sum / parts.wholeUs - 1) < 0.01);
        assert.ok(PARTS.every((part) => Number(parts[part]) >= 0));
      }
      assert.ok(operations > 100 && Number(relayUs) > 0);
    }
    assertGrown(early, plain, { at: 'p50', part: 'clientWaitUs', us: 1000 });
    assertGrown(late, plain, { at: 'p50', part: 'handledUs', us: 1000 });
    assertGrown(busy, plain, { at: 'p99', part: 'unreadUs', us: 3000 });
  });

  it('in a relay', async () => {
    const { cells } = await measure({ clients: 'redis:tuned', rtt: 'relay,1ms' });
    assertGrown(cells[1], cells[0], { at: 'p50', part: 'roundTripUs', us: 1000 });
  });

  it('in a server that is stopped for a while, again and again', async () => {
    const server = await startRedis();
    try {
      const options = { clients: 'redis:tuned', url: server.url };
      const { cells: plain } = await measure(options);
      const stop = 'while kill -STOP $0; do sleep 0.005; kill -CONT $0; sleep 0.001; done';
      const stopping = spawn('sh', ['-c', stop, String(server.pid)], { stdio: 'ignore' });
      try {
        const { cells } = await measure(options);
        assertGrown(cells[0], plain[0], { at: 'p99', part: 'roundTripUs', us: 5000 });
      } finally {
        stopping.kill('SIGKILL');
        await once(stopping, 'close');
        process.kill(server.pid, 'SIGCONT');
      }
    } finally {
      await server.stop();
    }
  });
});
