import assert from 'node:assert/strict';
import { explainGroup } from '../../../src/analysis/findings/explanation.js';

/**
 * A measured cell of which only the figures matter that an explanation is made of.
 *
 * @param {string} scenario
 * @param {Record<string, any>} figures
 */
function cell(
  scenario,
  { limit = 'client', pin = 'apart', gcPauseMs = 0, connections = 0, topology = 'standalone', ...figures },
) {
  const {
    busiest,
    clientCpu = 10,
    serverCpu = 1,
    perRead = 8,
    clientBusy = 0.95,
    serverBusy = 0.3,
  } = figures;
  return /** @type {any} */ ({
    ...{ id: `${scenario}/${pin}`, client: 'redis', variant: 'default', copy: 1, scenario, pin, tasks: 8 },
    ...{ pipelining: 'implicit', transport: 'tcp', scenarioOptions: {}, topology },
    runs: [{ elapsedMs: 1000, client: { gcPauseMs } }],
    summary: {
      client: { cpuUsPerOp: clientCpu },
      server: {
        commands: 1000,
        connections,
        commandsPerRead: perRead,
        cpuUsPerCommand: serverCpu,
        busiestNodeUtilization: busiest,
      },
      latency: { p50Us: 120 },
      bottleneck: { limit, clientBusy, serverBusy, sharedCore: false },
    },
  });
}

/**
 * @param {any} slow
 * @param {number} timesSlower
 * @param {{differs?: boolean, fast?: any, others?: any[]}} [options]
 */
function explain(
  slow,
  timesSlower,
  { differs = true, fast = cell('shared-connection', {}), others = [] } = {},
) {
  const ranking = [
    { cell: fast.id, timesSlower: 1, againstFastest: null },
    ...others.map((other) => ({
      ...{ cell: other.id, timesSlower: other.timesSlower, againstFastest: { differs: true } },
    })),
    { cell: slow.id, timesSlower, againstFastest: { differs } },
  ];
  return explainGroup([fast, slow, ...others], /** @type {any} */ ({ ranking }));
}

describe('stats/explanation', () => {
  it('says what limits the fastest, with the figures', () => {
    const [client] = explain(cell('pool', {}), 2);
    assert.equal(
      client,
      '"redis, shared connection" is limited by the client: 95 % busy, 10 µs of CPU an operation.',
    );
    const [server] = explain(cell('pool', {}), 2, {
      fast: cell('shared-connection', { limit: 'server', serverBusy: 0.97, serverCpu: 0.43 }),
    });
    assert.match(server, /limited by the server: its main thread 97 % busy, 0\.43 µs of CPU a command/);
    const [waiting] = explain(cell('pool', {}), 2, {
      fast: cell('shared-connection', { limit: 'round-trips', clientBusy: 0.4, serverBusy: 0.2 }),
    });
    assert.match(waiting, /limited by round trips \(the client 40 % busy, the server 20 %, 8 under way/);
  });

  it('says which part of a cluster is busy', () => {
    const [node] = explain(cell('pool', {}), 2, {
      fast: cell('shared-connection', {
        ...{ topology: 'cluster', limit: 'server', serverBusy: 0.97, busiest: 0.97 },
      }),
    });
    assert.match(node, /limited by the server: its busiest node 97 % busy/);
    const [processor] = explain(cell('pool', {}), 2, {
      fast: cell('shared-connection', {
        ...{ topology: 'cluster', limit: 'server', serverBusy: 0.97, busiest: 0.4 },
      }),
    });
    assert.match(processor, /limited by the server: the processor that its nodes share 97 % busy/);
  });

  it('answers seed 004: why reuse beats the pool', () => {
    const pool = cell('pool', { clientCpu: 40, serverCpu: 17, perRead: 1 });
    const [, why] = explain(pool, 4);
    assert.match(
      why,
      /"redis, pool" is 4\.0x slower: each read of the server brought 1\.0 commands instead of 8\.0/,
    );
    assert.match(why, /the client used 4\.0x the CPU an operation \(40 µs against 10 µs\)/);
    assert.match(why, /the server used 17x the CPU a command \(17 µs against 1 µs\)/);
  });

  it('names connections that are opened for each operation', () => {
    const [, why] = explain(cell('open-and-close', { clientCpu: 500, connections: 1000, perRead: 0.7 }), 50);
    assert.match(why, /it opens a connection for each operation; the client used 50x/);
    assert.doesNotMatch(why, /brought/);
  });

  it('names garbage collection', () => {
    const [, why] = explain(cell('pool', { clientCpu: 20, gcPauseMs: 180 }), 2);
    assert.match(why, /garbage collection took 18 % of the time/);
  });

  it('names waiting where both sides were idle', () => {
    const [, why] = explain(cell('pool', { limit: 'round-trips', clientBusy: 0.4, serverBusy: 0.2 }), 2.3);
    assert.match(why, /it waits: the client was 40 % busy and the server 20 %/);
    assert.doesNotMatch(why, /only in part|do not explain/);
  });

  it('names the placement where that decides', () => {
    const same = cell('shared-connection', { pin: 'same' });
    const apart = cell('shared-connection', { limit: 'round-trips', clientBusy: 0.5, clientCpu: 30 });
    const [, why] = explain(apart, 4, { fast: same });
    assert.match(why, /with --pin same instead of apart the same cell is 4\.0x as fast/);
  });

  it('admits that the figures do not explain it', () => {
    const [, why] = explain(cell('pool', {}), 3);
    assert.equal(why, '"redis, pool" is 3.0x slower, and the figures do not explain it.');
  });

  it('admits that they explain it only in part', () => {
    const [, why] = explain(cell('pool', { clientCpu: 13 }), 9);
    assert.match(why, /which the figures explain only in part: the client used 1\.3x/);
  });

  it('says nothing of a cell that may be as fast', () => {
    assert.equal(explain(cell('pool', { clientCpu: 20 }), 1.1, { differs: false }).length, 1);
  });

  it('lives with a server that tells nothing', () => {
    const silent = cell('pool', {
      limit: null,
      serverBusy: null,
      serverCpu: null,
      perRead: null,
      connections: null,
    });
    const sentences = explain(silent, 2, {
      fast: silent === null ? silent : cell('shared-connection', { limit: null, serverBusy: null }),
    });
    assert.match(sentences[0], /has no limit that the figures show/);
    assert.equal(sentences.join(' ').includes('null'), false);
    assert.equal(sentences.join(' ').includes('NaN'), false);
  });

  it('has nothing to say of nothing', () => {
    assert.deepEqual(explainGroup([], { ranking: [] }), []);
  });
});
