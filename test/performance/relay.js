/**
 * How exact the relay is on this machine, what it carries, what it costs and how much memory it takes. By hand, on
 * a quiet machine:
 *
 *   node test/performance/relay.js          all of it, about a minute
 *   node test/performance/relay.js exact    one part: exact, carries or memory
 *
 * What the machine itself does to a PING stands beside: while a hypervisor takes processors away for milliseconds,
 * no relay is more exact than that.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { benchmark } from '../../src/commands/benchmark.js';

/** @import { Report } from '../../src/results/types.js' */

const SHARED = { scenarios: ['shared-connection'], size: [10], runs: 1 };

/**
 * @param {Record<string, any>} options
 * @returns {Promise<{report: Report, relayMb: number}>} with the largest RSS of its relays
 */
async function measure(options) {
  let largestKb = 0;
  const timer = setInterval(() => {
    largestKb = Math.max(largestKb, ...relaySizesKb());
  }, 100);
  const report = await benchmark({ ...SHARED, ...options }).finally(() => clearInterval(timer));
  return { report, relayMb: Math.round(largestKb / 1024) };
}

/** @returns {number[]} the largest RSS so far of each relay that this process has started */
const relaySizesKb = () =>
  readdirSync('/proc').flatMap((name) => {
    try {
      if (!readFileSync(`/proc/${name}/cmdline`, 'latin1').includes('relay-entry')) return [];
      const status = readFileSync(`/proc/${name}/status`, 'latin1');
      const isOurs = new RegExp(`^PPid:\\s*${process.pid}$`, 'm').test(status);
      return isOurs ? Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1]) : [];
    } catch {
      return [];
    }
  });

const parts = {
  /** With 1,000 operations a second: within 50 µs at p50 and 300 µs at p99; without delay at most 100 µs. */
  async exact() {
    const { report, relayMb } = await measure({
      ...{ clients: ['raw'], rtt: ['relay', 2, 20], rate: [1000], durationMs: 5000, tasks: [1] },
    });
    console.table(
      (report.distances ?? []).map(({ group, direct, undelayed, distant }) => {
        const cell = report.cells.find((each) => each.group === group);
        const rttUs = (cell?.distance?.rttMs ?? 0) * 1000;
        const run = cell?.runs[0];
        const fromSend = run?.openLoop?.latencyFromSend;
        return {
          'rtt ms': rttUs / 1000,
          'direct p50 µs': round(direct.p50Us),
          'direct p99': round(direct.p99Us),
          'without delay p50': round(undelayed.p50Us - direct.p50Us),
          'PING off p50': round(distant.p50Us - direct.p50Us - rttUs),
          'PING off p99': round(distant.p99Us - direct.p50Us - rttUs),
          'runs off p50': round(Number(fromSend?.p50Us) - direct.p50Us - rttUs),
          'runs off p99': round(Number(fromSend?.p99Us) - direct.p50Us - rttUs),
          'relay late p50': run?.relay?.lateP50Us,
          'relay late p99': run?.relay?.lateP99Us,
          'RSS MB': relayMb,
        };
      }),
    );
  },

  /** 50,000 operations a second at 2 ms, 64 tasks on one connection. */
  async carries() {
    const { report, relayMb } = await measure({
      ...{
        clients: ['raw', 'redis:tuned'],
        rtt: [2],
        rate: [10_000, 50_000, 100_000],
        durationMs: 3000,
        tasks: [64],
      },
    });
    console.table(
      report.cells.map(({ client, openLoop, runs: [run], summary }) => ({
        client,
        rate: openLoop?.ratePerSecond,
        'achieved /s': round(Number(run.openLoop?.achievedPerSecond)),
        held: run.openLoop?.held,
        'p50 µs': run.openLoop?.latencyFromSend?.p50Us,
        'p99 µs': run.openLoop?.latencyFromSend?.p99Us,
        'relay late p50': run.relay?.lateP50Us,
        'relay late p99': run.relay?.lateP99Us,
        'server %': round(Number(summary?.bottleneck.serverBusy) * 100),
        'RSS MB': relayMb,
      })),
    );
  },

  /** Below 200 MB, whatever waits: large values, small ones of many tasks, many connections. */
  async memory() {
    const loads = [
      { size: undefined, keySize: [16], valueSize: '1000000', tasks: [64], keys: 64 },
      { rate: [100_000], durationMs: 2000, rtt: [200] },
      { scenarios: ['connection-per-task'], tasks: [1000] },
    ];
    for (const load of loads) {
      const { report, relayMb } = await measure({ clients: ['raw'], rtt: [20], durationMs: 2000, ...load });
      const [{ runs }] = report.cells;
      console.log(
        JSON.stringify(load),
        `RSS ${relayMb} MB, ${runs[0].relay?.pauses} pauses, ${runs[0].failed ?? 'done'}`,
      );
    }
  },
};

/** @param {number} value */
const round = (value) => Math.round(value);

const [asked] = process.argv.slice(2);
for (const [name, part] of Object.entries(parts)) if (asked === undefined || asked === name) await part();
