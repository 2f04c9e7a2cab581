import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { describeProfile } from '../../src/commands/traffic/describe-profile.js';
import { record } from '../../src/commands/traffic/record.js';
import { freePort } from '../helpers/free-port.js';
import { startRedis } from '../helpers/redis-server.js';
import { assertSound, runsOf } from '../helpers/sound.js';
import { until } from '../helpers/until.js';

const SHOP = fileURLToPath(new URL('../../examples/shop/', import.meta.url));
const run = promisify(execFile);

describe('end-to-end/example-shop', () => {
  it('is recorded and replayed, as docs/your-service.md says', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rpb-shop-'));
    const output = join(folder, 'traffic.ndjson');
    const redis = await startRedis();
    const [listen, port] = [await freePort(), await freePort()];
    const ending = new AbortController();
    let listening = false;
    const recording = record(
      { url: `redis://127.0.0.1:${redis.port}`, listen, output },
      { signal: ending.signal, onEvent: () => (listening = true) },
    );
    await until('the recorder to listen', () => listening);
    const service = spawn(process.execPath, [join(SHOP, 'service.js')], {
      env: { ...process.env, REDIS_URL: `redis://127.0.0.1:${listen}`, PORT: String(port) },
    });
    try {
      await once(service.stdout, 'data');
      const { stdout } = await run(process.execPath, [
        join(SHOP, 'visitors.js'),
        `http://127.0.0.1:${port}`,
        '1',
      ]);
      assert.match(stdout, /^\d+ requests\n$/);
      // On a busy machine no visitor may have come twice.
      const product = `http://127.0.0.1:${port}/product?id=product-1`;
      const cookie = String((await fetch(product)).headers.get('set-cookie'));
      await fetch(product, { headers: { cookie } });
      service.kill();
      await once(service, 'exit');
      ending.abort();
      await recording;
      const { names } = await describeProfile(output);
      const recorded = names.map(({ name }) => name);
      for (const name of ['GET', 'SETEX', 'EXPIRE']) assert.ok(recorded.includes(name), name);
      const report = await benchmark({
        workload: `profile:${output}`,
        clients: 'ioredis',
        scenarios: 'shared-connection',
        smoke: true,
      });
      assert.ok(runsOf(report).length > 0);
      assertSound(report);
    } finally {
      ending.abort();
      service.kill('SIGKILL');
      await recording.catch(() => {});
      await redis.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
