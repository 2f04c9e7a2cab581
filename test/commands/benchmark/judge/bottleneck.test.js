import assert from 'node:assert/strict';
import { findBottleneck } from '../../../../src/store/summary.js';

/**
 * @param {{loop?: number, cpu?: number, server?: number | null, node?: number | null, sharedCore?: boolean,
 *   serverCpus?: number | null}} busy `server`: all nodes together; `node`: the busiest
 */
const limitOf = ({ loop = 0, cpu = loop, server = 0, node = server, sharedCore = false, serverCpus }) =>
  findBottleneck(
    /** @type {any} */ ({ eventLoopUtilization: loop, cpuUtilization: cpu }),
    /** @type {any} */ ({ cpuUtilization: server, busiestNodeUtilization: node }),
    { sharedCore, serverCpus },
  ).limit;

describe('commands/benchmark/judge/bottleneck', () => {
  it('is the client when its event loop is busy', () => {
    assert.equal(limitOf({ loop: 0.97, server: 0.4 }), 'client');
  });

  it('is the client when it burns its processor outside of the event loop', () => {
    assert.equal(limitOf({ loop: 0.4, cpu: 0.99 }), 'client');
  });

  it('is the server when its main thread is busy', () => {
    assert.equal(limitOf({ loop: 0.5, server: 0.96 }), 'server');
  });

  it('is the busier one of two that are busy', () => {
    assert.equal(limitOf({ loop: 0.8, server: 0.95 }), 'server');
    assert.equal(limitOf({ loop: 0.95, server: 0.8 }), 'client');
  });

  it('are the round trips when neither is', () => {
    assert.equal(limitOf({ loop: 0.5, server: 0.3 }), 'round-trips');
  });

  it('is the processor that several processes share, unless they hardly use it', () => {
    const shared = (/** @type {number} */ loop) =>
      findBottleneck(
        /** @type {any} */ ({ eventLoopUtilization: loop, cpuUtilization: loop }),
        /** @type {any} */ ({ cpuUtilization: 0.11, busiestNodeUtilization: 0.11 }),
        { sharedCore: false, clientCpus: 1, crowded: true },
      ).limit;
    assert.deepEqual([shared(0.64), shared(0.97), shared(0.05)], ['processor', 'client', 'round-trips']);
  });

  it('is not known when the client has time and the server does not tell', () => {
    assert.equal(limitOf({ loop: 0.5, server: null }), null);
    assert.equal(limitOf({ loop: 0.9, server: null }), 'client');
  });

  it('on a shared processor is the one that takes more of it', () => {
    assert.equal(limitOf({ loop: 0.99, cpu: 0.6, server: 0.38, sharedCore: true }), 'client');
    assert.equal(limitOf({ loop: 0.99, cpu: 0.3, server: 0.68, sharedCore: true }), 'server');
    assert.equal(limitOf({ loop: 0.4, cpu: 0.3, server: 0.3, sharedCore: true }), 'round-trips');
  });

  it('is no cluster of which no node is busy, however much its nodes do together', () => {
    assert.equal(limitOf({ loop: 0.5, server: 1.2, node: 0.4 }), 'round-trips');
    assert.equal(limitOf({ loop: 0.5, server: 1.2, node: 0.8 }), 'server');
    assert.equal(limitOf({ loop: 0.8, server: 1.2, node: 0.4 }), 'client');
  });

  it('is a cluster whose nodes share a processor that is busy', () => {
    assert.equal(limitOf({ loop: 0.5, server: 0.96, node: 0.4, serverCpus: 1 }), 'server');
    assert.equal(limitOf({ loop: 0.5, server: 0.96, node: 0.4, serverCpus: 2 }), 'round-trips');
    assert.equal(limitOf({ loop: 0.9, cpu: 0.3, server: 0.66, node: 0.3, sharedCore: true }), 'server');
  });

  it('are no round trips where the other threads of a server are at work', () => {
    const client = { eventLoopUtilization: 0.1, cpuUtilization: 0.1 };
    const main = { cpuUtilization: 0.25, busiestNodeUtilization: 0.25, cpuUsPerCommand: 10 };
    const found = (/** @type {number | null} */ allThreadsCpuUsPerCommand) =>
      findBottleneck(
        /** @type {any} */ (client),
        /** @type {any} */ ({ ...main, allThreadsCpuUsPerCommand }),
        {
          sharedCore: false,
        },
      );
    assert.deepEqual([found(40).limit, found(40).serverThreads], [null, 1]);
    assert.deepEqual([found(11).limit, found(11).serverThreads], ['round-trips', undefined]);
    assert.equal(found(null).limit, 'round-trips');
  });

  it('is not known when a node does not tell', () => {
    assert.equal(limitOf({ loop: 0.5, server: 0.2, node: null }), null);
  });

  it('is the work of the application where that is most of what the event loop does', () => {
    const limit = (/** @type {number} */ appWorkUsPerOp, sharedCore = false) =>
      findBottleneck(
        /** @type {any} */ ({ eventLoopUtilization: 0.95, cpuUtilization: 0.2, appWorkUsPerOp }),
        /** @type {any} */ ({ cpuUtilization: 0.1, busiestNodeUtilization: 0.1 }),
        { sharedCore, opsPerSecond: 1000 },
      );
    assert.equal(limit(700).limit, 'application');
    assert.equal(limit(700, true).limit, 'application');
    assert.equal(limit(300).limit, 'client');
    assert.equal(limit(700).appBusy, 0.7);
    assert.ok(Math.abs(limit(700).clientBusy - 0.25) < 1e-9);
  });

  it('leaves a client busy that others kept from its processor while it looked at the clock', () => {
    const { limit, clientBusy } = findBottleneck(
      /** @type {any} */ ({ eventLoopUtilization: 1, cpuUtilization: 0.3 }),
      /** @type {any} */ ({ cpuUtilization: 0.02, busiestNodeUtilization: 0.02 }),
      { sharedCore: false, waitingShare: 0.8, disturbed: true },
    );
    assert.equal(limit, 'processor');
    assert.ok(Math.abs(clientBusy - 0.06) < 1e-9, `${clientBusy}`);
  });

  it('keeps the figures that say so', () => {
    const { clientBusy, serverBusy } = findBottleneck(
      /** @type {any} */ ({ eventLoopUtilization: 0.5, cpuUtilization: 1.2 }),
      /** @type {any} */ ({ cpuUtilization: 0.25, busiestNodeUtilization: 0.25 }),
      { sharedCore: false },
    );
    assert.deepEqual({ clientBusy, serverBusy }, { clientBusy: 1, serverBusy: 0.25 });
  });
});
