/** @import { Summary } from '../types.js' */

/**
 * The figures of a cell that an assertion can name: medians over its runs, and percentiles of all its
 * operations.
 *
 * @type {Record<string, (summary: Summary) => number | null | undefined>}
 */
export const METRICS = {
  opsPerSecond: (summary) => summary.opsPerSecond,
  averageMs: (summary) => summary.averageMs,
  spreadMs: (summary) => summary.spreadMs,
  p50Us: ({ latency }) => latency?.p50Us,
  p90Us: ({ latency }) => latency?.p90Us,
  p99Us: ({ latency }) => latency?.p99Us,
  p999Us: ({ latency }) => latency?.p999Us,
  cpuUsPerOp: ({ client }) => client.cpuUsPerOp,
  allocatedBytesPerOp: ({ client }) => client.allocatedBytesPerOp,
  peakRssBytes: ({ client }) => client.peakRssBytes,
  serverCpuUsPerCommand: ({ server }) => server.cpuUsPerCommand,
  commandsPerRead: ({ server }) => server.commandsPerRead,
};

/** Those whose summary has an interval. */
export const WITH_INTERVAL = /** @type {const} */ (['opsPerSecond', 'averageMs', 'p99Us', 'cpuUsPerOp']);
