import os from 'node:os';
import { benchmark } from '../../commands/benchmark/benchmark.js';
import { messageOf } from '../../errors.js';
import { cpuLimit } from '../../machine/cpu-limit.js';
import { describeTool } from '../../machine/environment.js';
import { loadedByEnvironment } from '../../machine/imports.js';
import { allowedCpus, canPin } from '../../machine/processors.js';
import { OPTIONS, SERVER_OPTIONS } from '../../options/option-table.js';
import { withEnvironment } from '../../options/read.js';
import { textOf } from '../../process/read-file.js';
import { run } from '../../process/spawn.js';
import { succeeds } from '../../process/wait.js';
import { count, cpusText, percent } from '../../report/figures.js';
import { wrap } from '../../report/wrap.js';
import { explainsWaits } from '../../store/slices.js';
import { addOptions } from '../options.js';

/** @import { ReachSettings } from '../../options/types.js' */
/** @import { CpuLimited } from '../../machine/types.js' */
/** @import { CellResult } from '../../store/types.js' */
/** @import { BenchmarkHooks, BenchmarkOptions } from '../../commands/benchmark/types.js' */
/** @import { CommandPart } from '../types.js' */

/** @typedef {[found: string, advice?: string | false | null]} Found the advice where it is not fine */

/** @type {CommandPart} */
export const doctor = {
  define: (command) => void addOptions(command, { ...SERVER_OPTIONS, serverBin: OPTIONS.serverBin }),

  async run(given, { stdout, env }) {
    const { options, urlOrigin } = withEnvironment(given, env);
    const findings = await examine(options, { urlOrigin });
    const width = Math.max(...findings.map(({ title }) => title.length));
    const room = (stdout.columns ?? 100) - width - 8;
    for (const { title, found, advice } of findings) {
      stdout.marked(advice ? ['yellow', 'warn'] : ['green', 'ok  '], `  ${title.padEnd(width)}  ${found}`);
      if (advice) stdout.lines(wrap(`→ ${advice}`, room).map((line) => `${' '.repeat(width + 8)}${line}`));
    }
    const warnings = findings.filter(({ advice }) => advice).length;
    stdout.lines([
      '',
      warnings === 0
        ? 'No problem found.'
        : `${warnings} of ${count(findings.length, 'check')} found a problem: benchmarks here are less sure until it is solved.`,
    ]);
  },
};

/** Enough runs to estimate noise within a few seconds. */
const NOISE_RUN = {
  clients: ['redis:tuned', 'redis:tuned'],
  scenarios: ['shared-connection'],
  runs: 10,
  starts: 2,
  runTimeMs: 100,
  profile: false,
};

/**
 * Checks, in a few seconds, the machine and the server for what would spoil a benchmark.
 * @param {Pick<BenchmarkOptions, keyof ReachSettings | 'serverBin'>} [given]
 * @param {Pick<BenchmarkHooks, 'urlOrigin'>} [hooks]
 */
export async function examine(given = {}, { urlOrigin } = {}) {
  /** @type {Record<string, Found | null>} */
  const findings = {};
  for (const [title, check] of Object.entries(MACHINE)) findings[title] = await check();
  Object.assign(findings, await measured(given, urlOrigin));
  return Object.entries(findings).flatMap(([title, finding]) =>
    finding ? { title, found: finding[0], advice: finding[1] || null } : [],
  );
}

/** @param {object} given @param {string | undefined} urlOrigin @returns {Promise<Record<string, Found | null>>} */
async function measured(given, urlOrigin) {
  try {
    const { server, cells, warningFacts } = await benchmark({ ...NOISE_RUN, ...given }, { urlOrigin });
    const limited = warningFacts?.find((fact) => fact.kind === 'cpu-limited') ?? null;
    return {
      server: [`${server.kind} ${server.software} ${server.version ?? 'of unknown version'}`],
      'other programs': waits(cells, limited),
      'noise (A/A)': noiseFloor(cells),
    };
  } catch (error) {
    return { server: ['none', messageOf(error)] };
  }
}

/** The checks with their titles; null where the system does not say. @type {Record<string, () => Found | null | Promise<Found | null>>} */
const MACHINE = {
  versions: () => [`redis-pipe-bench ${describeTool().version}, Node ${process.versions.node}`],

  NODE_OPTIONS() {
    const loaded = loadedByEnvironment();
    const advice =
      'it is measured with every cell, and runs in this tool too; unset it, and use --import to compare with and without it';
    return loaded === null ? null : [`loads modules: ${loaded}`, advice];
  },

  async processors() {
    const cpus = allowedCpus();
    const allowed = cpus?.length ?? os.cpus().length;
    const pins = await canPin(cpus);
    const unpinned =
      !pins && 'without taskset (Linux, util-linux) nothing is pinned and results vary more; use more --runs';
    return [
      `${allowed} available, ${pins ? 'pinning works' : 'no pinning'}`,
      allowed < 2 ? 'one processor is shared by client and server; use a machine with two or more' : unpinned,
    ];
  },

  'CPU limit'() {
    const limit = cpuLimit();
    return (
      limit && [
        `${cpusText(limit.cpus)} (${limit.setting} of this container or service)`,
        limit.cpus < 2 &&
          'client and server need a CPU each; raise it (docker run --cpus 2), or take figures for those of the limit',
      ]
    );
  },

  'load average'() {
    const [lastMinute] = os.loadavg();
    // Even half a busy CPU out of two disturbs a benchmark.
    const busy = lastMinute > 0.25 * os.cpus().length;
    return [
      `${lastMinute.toFixed(2)} over the last minute on ${count(os.cpus().length, 'processor')}`,
      busy && 'other programs are busy; close them or wait until they have finished',
    ];
  },

  'CPU frequency'() {
    const governor = textOf('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor').trim();
    const advice = 'the clock rate follows the load; sudo cpupower frequency-set -g performance';
    return governor === '' ? null : [`governor '${governor}'`, governor !== 'performance' && advice];
  },

  'transparent huge pages'() {
    const setting = /\[(\w+)\]/.exec(textOf('/sys/kernel/mm/transparent_hugepage/enabled'))?.[1];
    const advice =
      'they delay a Redis that saves or grows; echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled';
    return setting === undefined ? null : [setting, setting === 'always' && advice];
  },

  // Only ss shows the kernel's keepalive probes (relay/idle-lines.js).
  'keep-alive probes': async () =>
    (await succeeds(run('ss', ['-V'])))
      ? null
      : [
          "not seen: there is no 'ss'",
          'without it, break idle-drop takes a connection that only its keep-alive probes pass for an idle one',
        ],
};

/** How far two measurements of the same cell differ. @param {CellResult[]} twins interleaved @returns {Found} */
function noiseFloor(twins) {
  const [a, b] = twins.map((cell) => cell.summary);
  if (!a || !b) return ['could not be measured', 'run a benchmark to see why'];
  const apart = Math.abs(a.opsPerSecond / b.opsPerSecond - 1);
  const spread = Math.max(...[a, b].map((each) => each.opsPerSecondHigh / each.opsPerSecondLow - 1));
  return [
    `the same cell measured twice differs by ${percent(apart)}, its runs by up to ${percent(spread)}`,
    (apart > 0.05 || spread > 0.25) &&
      'smaller differences mean nothing here; use more --runs, or a quieter machine',
  ];
}

/** On a quiet machine, worker and server wait for CPU less than this share of the time. */
const QUIET = 0.05;

/** @param {CellResult[]} cells @param {CpuLimited | null} limited @returns {Found | null} null where the limit explains it, too */
function waits(cells, limited) {
  const all = cells.flatMap(({ summary }) => summary?.waits ?? []);
  const share = Math.max(0, ...all.map(({ waitedShare, stolenShare }) => waitedShare + Number(stolenShare)));
  if (all.length === 0 || (limited && explainsWaits(limited, share))) return null;
  return [
    `worker and server waited for CPU ${percent(share)} of the time`,
    share > QUIET && 'close other programs, or take figures for those of a busy machine',
  ];
}
