import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchmark, measure } from '../../src/index.js';
import { startRedis } from '../helpers/redis-server.js';
import { schemaErrors } from '../helpers/report-shapes.js';
import { layTracing } from '../helpers/tracing.js';

/** @import { Report } from '../../src/store/types.js' */

const require = createRequire(import.meta.url);
const GETS = 200;

/** Counts spans that end, and sends GETs by a client. */
const COUNT = `
  const { BatchSpanProcessor } = require('@opentelemetry/sdk-trace-base');
  const spans = { request: 0, get: 0, alone: 0 };
  BatchSpanProcessor.prototype.onEnd = ({ name, parentSpanContext }) => {
    if (/^(redis-)?get$/i.test(name)) spans.get++;
    if (name === 'request') spans.request++;
    else if (!parentSpanContext) spans.alone++;
  };
  module.exports = spans;
`;
const SEND = `
  const [, client, library, port] = process.argv;
  const { Redis, createClient } = require(library);
  const redis = client === 'ioredis' ? new Redis(port, { lazyConnect: true }) : createClient({ url: 'redis://127.0.0.1:' + port });
  (async () => {
    await redis.connect();
    for (let sent = 0; sent < ${GETS}; sent++) await redis.get('x');
    console.log(JSON.stringify(require('./count.cjs')));
    process.exit(0);
  })();
`;

/** @param {Report} report */
const instrumentedIn = ({ cells }) =>
  cells.map(({ client, imported, runs }) => [
    client,
    imported?.name,
    Number(imported?.instruments?.length) > 0,
    runs.every(({ failed }) => failed === null),
  ]);

describe('the instrumentations of OpenTelemetry', function () {
  this.timeout(300_000);
  /** @type {string} */
  let folder;
  /** @type {string} */
  let otel;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-e2e-'));
    layTracing(folder);
    otel = join(folder, 'otel.mjs');
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const client of ['redis', 'ioredis']) {
    it(`the examples make a span of each command of ${client}, below that of a request, or of a tenth`, async () => {
      writeFileSync(join(folder, 'count.cjs'), COUNT);
      const server = await startRedis();
      /** @param {string} file */
      const spansWith = (file) =>
        JSON.parse(
          execFileSync(
            process.execPath,
            [
              '--require',
              './count.cjs',
              '--import',
              `./${file}`,
              '-e',
              SEND,
              client,
              require.resolve(client),
              `${server.port}`,
            ],
            { cwd: folder, encoding: 'utf8' },
          ),
        );
      try {
        const all = spansWith('otel.mjs');
        assert.deepEqual([all.get, all.alone], [GETS, 0]);
        assert.ok(
          all.request >= 0.8 * (GETS / 20) && all.request <= 1.5 * (GETS / 20),
          `${all.request} requests`,
        );
        const tenths = [1, 2, 3, 4, 5].map(() => spansWith('otel-tenth.mjs').get);
        assert.ok(Math.max(...tenths) < 0.6 * GETS && tenths.some((gets) => gets > 0), tenths.join());
      } finally {
        await server.stop();
      }
    });
  }

  it('are found in three clients, and cost CPU time in each', async () => {
    const clients = ['ioredis', 'redis:tuned', 'redis'];
    const report = await benchmark({
      clients,
      scenarios: 'shared-connection',
      import: ['none', otel],
      profile: false,
    });
    assert.deepEqual(schemaErrors(report), []);
    const names = ['ioredis', 'redis', 'redis'];
    assert.deepEqual(instrumentedIn(report), [
      ...names.map((client) => [client, undefined, false, true]),
      ...names.map((client) => [client, 'otel.mjs', true, true]),
    ]);
    const cpu = report.cells.map(({ summary }) => Number(summary?.client.cpuUsPerOp));
    for (const [index, plain] of cpu.slice(0, 3).entries())
      assert.ok(cpu[index + 3] > 1.15 * plain, `${clients[index]}: ${plain} and ${cpu[index + 3]} µs`);
  });

  it('one that is for another client is not taken for free', async () => {
    writeFileSync(
      join(folder, 'only-ioredis.mjs'),
      `import { registerInstrumentations } from '@opentelemetry/instrumentation';
       import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
       registerInstrumentations({ instrumentations: [new IORedisInstrumentation()] });`,
    );
    const options = /** @type {const} */ ({ scenarios: 'shared-connection', smoke: true });
    const report = await benchmark({
      ...options,
      clients: 'redis,ioredis',
      import: join(folder, 'only-ioredis.mjs'),
    });
    assert.deepEqual(
      report.cells.map(({ imported }) => imported?.instruments),
      [[], ['Redis.connect', 'Redis.sendCommand']],
    );
  });

  it('are a choice of cold starts, messages, faults and rates too', async () => {
    const options = /** @type {const} */ ({ clients: 'redis,ioredis', import: ['none', otel], seed: 1 });
    const reports = [
      await measure('cold', { ...options, runs: 2, iterations: 1 }),
      await measure('messages', { ...options, workload: 'publish', smoke: true }),
      await measure('break', { ...options, fault: 'cut', smoke: true }),
      await benchmark({ ...options, scenarios: 'shared-connection', rate: 2000, duration: '300ms', runs: 2 }),
    ];
    for (const report of reports) {
      assert.deepEqual(schemaErrors(report), []);
      for (const [client, name, isFound, isSound] of instrumentedIn(report))
        assert.deepEqual([isFound, isSound], [name === 'otel.mjs', true], `${client} ${name}`);
    }
    const [cold] = reports;
    const startOf = (/** @type {string | undefined} */ name) =>
      cold.cells.flatMap(({ imported, runs }) =>
        imported?.name === name ? runs.map((run) => Number(run.cold?.startMs)) : [],
      );
    assert.ok(
      Math.min(...startOf('otel.mjs')) > Math.max(...startOf(undefined)),
      'the module is part of the start',
    );
  });
});
