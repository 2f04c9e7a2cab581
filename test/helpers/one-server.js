import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { startRedis } from './redis-server.js';

/** @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js' */

/**
 * A server for the tests of one `describe`, and short benchmarks of it.
 * @param {BenchmarkOptions} defaults of its benchmarks
 */
export function useServer(defaults) {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    server = await startRedis();
  });
  after(() => server.stop());
  return {
    server: () => server,

    /** @param {BenchmarkOptions} [options] */
    run: (options) =>
      benchmark({
        ...{ clients: 'raw', scenarios: 'shared-connection', url: server.url },
        ...{ size: 10, warmupRuns: 0, pin: 'off', profile: false },
        ...defaults,
        ...options,
      }),
  };
}
