import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { startRedis } from '../helpers/redis-server.js';
import { assertSound } from '../helpers/sound.js';

/** @import { Report } from '../../src/store/types.js' */

const CLIENT = `export default {
  package: 'redis',
  variants: { fast: { commandOptions: { timeout: undefined } } },
  capabilities: ['pipeline', 'prompt-close'],
  async connect({ host, port }, options, { createClient }) {
    const client = createClient({ socket: { host, port }, ...options });
    client.on('error', () => {});
    await client.connect();
    return { command: (args) => client.sendCommand(args), close: () => client.close() };
  },
};`;
const POOL = `export default {
  connections: () => 2,
  async open({ connectMany }) {
    const all = await connectMany(2);
    return {
      forTask: (index) => all[index % 2],
      close: async () => { await Promise.all(all.map((each) => each.close())); },
    };
  },
};`;
const CHECKOUT = `export default {
  store: (redis, { key, value }) => redis.hset(\`\${key}:cart\`, 'item', value),
  async iterate(redis, { key, value }) {
    const cart = await redis.command(['HGETALL', \`\${key}:cart\`]);
    if (!JSON.stringify(cart).includes(value)) return false;
    await Promise.all([redis.set(\`\${key}:order\`, value), redis.get(key)]);
    if (redis.client !== undefined) await redis.client.command(['STRLEN', \`\${key}:order\`]);
    redis.declare('strlen');
  },
};`;

describe("a client, a scenario and a workload of the user's own, by their paths", () => {
  /** @type {string} */
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-own-client-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const failures = (/** @type {Report} */ { cells }) => [
    ...new Set(cells.flatMap(({ runs }) => runs.map(({ failed }) => failed))),
  ];

  it('stand beside ours, and the server counts exactly what they claim', async () => {
    const client = write('our-redis.js', CLIENT);
    const options = {
      clients: 'raw',
      scenarios: write('our-pool.js', POOL),
      workload: `${write('checkout.js', CHECKOUT)},get`,
      smoke: true,
      pin: 'off',
    };
    const beside = await benchmark(options);
    const ofOurs = {
      clients: `${client},${client}:fast`,
      workload: join(folder, 'checkout.js'),
    };
    const all = [beside, await benchmark({ ...options, ...ofOurs })];
    const cells = all.flatMap((report) => report.cells);
    assertSound({ cells });
    assert.deepEqual(
      cells.map((cell) => `${cell.client}:${cell.variant} ${cell.workload}`),
      ['raw:default checkout', 'raw:default get', 'our-redis:default checkout', 'our-redis:fast checkout'],
    );
    const [checkout] = cells;
    assert.equal(checkout.runs[0].commands, 4 * checkout.runs[0].operations);
  });

  it('leave no key behind, and touch nobody else’s', async () => {
    const server = await startRedis();
    try {
      const url = `redis://127.0.0.1:${server.port}`;
      const options = { clients: 'raw', scenarios: 'shared-connection', smoke: true, pin: 'off', url };
      const hooks = { stateFolder: null };
      const checkout = write('checkout.js', CHECKOUT);
      assert.deepEqual(failures(await benchmark({ ...options, workload: checkout }, hooks)), [null]);
      const thief = write('thief.js', "export default { iterate: (redis) => redis.set('cart', '1') };");
      assert.match(
        String(failures(await benchmark({ ...options, workload: thief }, hooks))),
        /SET of the key 'cart', which is not this tool's/,
      );
      assert.doesNotMatch(String((await server.info()).db0), /keys/);
    } finally {
      await server.stop();
    }
  });
});
