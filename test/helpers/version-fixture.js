import { createFixture, goodRun } from './report-fixture.js';

/** @import { Cell } from '../../src/run/plan/types.js' */

/** Client CPU in µs, by client and version. */
const CPU = {
  redis: { '4.7.1': 2, '5.12.1': 2, '6.3.1': 12 },
  'redis:tuned': { '5.12.1': 2, '6.3.1': 2 },
};

/**
 * A report with invented figures of releases and Node versions, 6 runs each.
 *
 * @param {string} clients
 * @param {{runtimes?: string[], cpu?: (cell: Cell) => number}} [options]
 */
export function versionReport(clients, { runtimes = [], cpu = cpuOf } = {}) {
  const asked = [...clients.matchAll(/(\w+)@([^:,]+)/g)];
  const releases = new Map(
    asked.map(([key, name, version]) => [
      key,
      { package: name, version, path: null, entry: 'file:///x.js', commit: null },
    ]),
  );
  return createFixture({
    given: { clients, scenarios: 'shared-connection', runs: 6, tasks: 64 },
    sources: {
      releases,
      runtimes: runtimes.map((version) => ({ name: version, version, v8: '1', path: `/node-${version}` })),
    },
    measured: (cell) => ({
      iterations: 100,
      runs: Array.from({ length: 6 }, (_, index) => {
        const averageMs = cpu(cell) * 50 * (1 + ((index * 5 + cell.id.length) % 6) / 100);
        const run = goodRun(index + 1, { tasks: 64, iterations: 100, averageMs });
        return { ...run, client: { .../** @type {any} */ (run.client), cpuUsPerOp: averageMs / 50 } };
      }),
    }),
  });
}

/** @param {Cell} cell */
function cpuOf({ client, variant, release }) {
  const figures = CPU[/** @type {'redis'} */ (variant === 'default' ? client : `${client}:${variant}`)];
  return figures?.[/** @type {'6.3.1'} */ (release?.version)] ?? 5;
}
