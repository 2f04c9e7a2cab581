/**
 * Whether a client that keeps 100 bytes per operation is found, and ioredis beside it is not accused.
 * Run by hand: node test/performance/leak.js [minutes]
 *
 * Target: found in 5 minutes (issue 30). Both clients run in turn, so it takes twice as long.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchmark } from '../../src/index.js';

/** An array of four numbers takes 80 bytes, and its place in the list 8 to 16. */
const LEAKING = `const kept = [];
export default {
  package: 'ioredis',
  capabilities: ['prompt-close'],
  async connect({ host, port }, options, { Redis }) {
    const redis = new Redis({ host, port, retryStrategy: null });
    const call = (args) => {
      const each = [1, 2, 3, 4];
      each[0] = kept.length;
      kept.push(each);
      return redis.call(...args);
    };
    return { command: call, close: async () => redis.disconnect() };
  },
};`;

const folder = mkdtempSync(join(tmpdir(), 'rpb-leak-'));
try {
  const leaking = join(folder, 'leaking.js');
  writeFileSync(leaking, LEAKING);
  const { advice, details } = await benchmark({
    ...{ clients: [leaking, 'ioredis'], scenarios: 'shared-connection', workload: 'get' },
    ...{ rate: 200, duration: `${Number(process.argv[2] ?? 5)}m` },
  });
  for (const line of [...advice, ...details].filter((text) => /memory/.test(text))) console.log(line);
} finally {
  rmSync(folder, { recursive: true });
}
