/**
 * What pipelining brings. Run by hand on a quiet machine: node test/performance/pipelining.js
 *
 * Targets (issue 4): explicit:10 does at least 3 times the operations of none, for each client, with one
 * task over TCP; with 64 tasks, window:150 costs the server at most a quarter of the CPU per command of
 * ioredis' implicit and at most 1.5 times that of its auto; unix over TCP is above 1 for raw with none.
 */
import { benchmark } from '../../src/index.js';

/**
 * @import { Summary } from '../../src/analysis/types.js'
 * @import { BenchmarkOptions } from '../../src/commands/types.js'
 */

const ONE = { scenarios: 'shared-connection', size: 10, tasks: 1 };

for (const clients of ['redis', 'redis:tuned', 'ioredis', 'raw']) {
  const [none, ten] = await summaries({ ...ONE, clients, pipelining: 'none,explicit:10' });
  console.log(
    `${clients}: explicit:10 does ${ratio(ten.opsPerSecond, none.opsPerSecond)} of none, ` +
      `${perRead(none)} and ${perRead(ten)} commands a read`,
  );
}

const modes = ['implicit', 'auto', 'window:150', 'window:0'];
const parallel = await summaries({ ...ONE, tasks: 64, clients: 'ioredis', pipelining: modes.join() });
const [implicit, auto] = parallel;
for (const [index, summary] of parallel.entries()) {
  const { server, client, batching, opsPerSecond } = summary;
  console.log(
    `ioredis, 64 tasks, ${modes[index]}: ${Math.round(opsPerSecond)} ops/s; server ${server.cpuUsPerCommand?.toFixed(2)} µs a command, ` +
      `${ratio(server.cpuUsPerCommand, implicit.server.cpuUsPerCommand)} of implicit, ${ratio(server.cpuUsPerCommand, auto.server.cpuUsPerCommand)} of auto; ` +
      `client ${client.cpuUsPerOp?.toFixed(2)} µs an operation` +
      (batching
        ? `, ${batching.waitingUsPerOp.toFixed(2)} of it waiting for the clock; batches of ${batching.commandsPerBatch.toFixed(1)}, open for ${Math.round(batching.heldUs)} µs`
        : ''),
  );
}

const [serialImplicit, serialWindow] = await summaries({
  ...ONE,
  clients: 'ioredis',
  pipelining: 'implicit,window:150',
});
console.log(
  `ioredis, 1 task: p50 ${serialImplicit.latency?.p50Us.toFixed(0)} µs, with window:150 ${serialWindow.latency?.p50Us.toFixed(0)} µs`,
);

const [tcp, unix] = await summaries({ ...ONE, clients: 'raw', pipelining: 'none', transport: 'tcp,unix' });
console.log(`raw, none: unix does ${ratio(unix.opsPerSecond, tcp.opsPerSecond)} of tcp`);

/**
 * @param {BenchmarkOptions} options
 * @returns {Promise<Summary[]>} in the order of the cells
 */
async function summaries(options) {
  const { cells } = await benchmark(options);
  return cells.map(({ id, summary }) => {
    if (summary === null) throw new Error(`${id} gave no result`);
    return summary;
  });
}

/** @param {number | null} value @param {number | null} of */
function ratio(value, of) {
  return `${(Number(value) / Number(of)).toFixed(2)}x`;
}

/** @param {Summary} summary */
function perRead({ server }) {
  return server.commandsPerRead?.toFixed(1);
}
