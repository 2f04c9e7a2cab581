import assert from 'node:assert/strict';
import { serverCost } from '../../src/store/run-record.js';

/**
 * @param {number | null} mainThreadCpuUs of all nodes
 * @param {(number | null)[] | null} nodes of each
 */
const costOf = (mainThreadCpuUs, nodes) =>
  serverCost(
    /** @type {any} */ ({
      ...{ commands: 100, reads: 50, mainThreadCpuUs },
      nodes:
        nodes?.map((cpuUs, index) => ({ node: `host:${index}`, commands: 10, mainThreadCpuUs: cpuUs })) ??
        null,
    }),
    // In milliseconds.
    1000,
  );

describe('cost-record, of a server', () => {
  it('is its share of a processor', () => {
    const { cpuUtilization, busiestNodeUtilization, nodes } = costOf(250_000, null);
    assert.deepEqual(
      { cpuUtilization, busiestNodeUtilization, nodes },
      {
        ...{ cpuUtilization: 0.25, busiestNodeUtilization: 0.25, nodes: null },
      },
    );
  });

  it('is, for a cluster, the share of all nodes and that of the busiest', () => {
    const cost = costOf(1_200_000, [300_000, 500_000, 400_000]);
    assert.deepEqual([cost.cpuUtilization, cost.busiestNodeUtilization], [1.2, 0.5]);
    assert.deepEqual(
      cost.nodes?.map(({ cpuUtilization }) => cpuUtilization),
      [0.3, 0.5, 0.4],
    );
  });

  it('is not known where INFO is not allowed', () => {
    const cost = serverCost(null, 1000);
    assert.deepEqual([cost.commands, cost.cpuUtilization, cost.busiestNodeUtilization], [null, null, null]);
  });

  it('is not known where a node does not tell', () => {
    const cost = costOf(null, [300_000, null]);
    assert.deepEqual([cost.cpuUtilization, cost.busiestNodeUtilization], [null, null]);
  });
});
