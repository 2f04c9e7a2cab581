import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { benchmark } from '../benchmark/benchmark.js';
import { explainsWaits } from '../benchmark/judge/slices.js';
import { listed } from '../benchmark/report/words/origin-facts.js';
import { messageOf } from '../core/errors.js';
import { cpuLimit } from '../core/machine/cpu-limit.js';
import { describeTool } from '../core/machine/environment.js';
import { localPorts, openFilesLimit, TIME_WAIT_MS } from '../core/machine/files-and-ports.js';
import { allowedCpus, canPin } from '../core/machine/processors.js';
import { installedPackages } from '../core/packages.js';
import { loadPlugins } from '../core/plugins/registry.js';
import { run } from '../core/process/spawn.js';
import { succeeds } from '../core/process/wait.js';
import { cpusText, percent, whole } from '../core/report/figures.js';

/** @import { ReachSettings } from '../options/types.js' */
/** @import { CpuLimited } from '../core/machine/types.js' */
/** @import { CellResult } from '../core/store/types.js' */
/** @import { BenchmarkHooks, BenchmarkOptions, Check } from '../benchmark/types.js' */

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
 * @param {Pick<BenchmarkHooks, 'urlOrigin'>} [hooks] @returns {Promise<Check[]>}
 */
export async function doctor(given = {}, { urlOrigin } = {}) {
  const findings = [node(), await packages(), ...(await checkSystem())];
  try {
    const { server, cells, warningFacts } = await benchmark({ ...NOISE_RUN, ...given }, { urlOrigin });
    const named = `${server.kind} ${server.software} ${server.version ?? 'of unknown version'}`;
    const limited = warningFacts?.find((fact) => fact.kind === 'cpu-limited');
    return [...findings, finding('server', named, null), ...waits(cells, limited), noiseFloor(cells)];
  } catch (error) {
    return [...findings, finding('server', 'none', messageOf(error))];
  }
}

const RAISE = 'raise it (docker run --cpus 2), or take figures for those of the limit';

const node = () =>
  finding('versions', `redis-pipe-bench ${describeTool().version}, Node ${process.versions.node}`, null);

async function packages() {
  const names = [...(await loadPlugins('clients')).values()].flatMap((client) => client.package ?? []);
  const installed = installedPackages(names);
  const missing = names.filter((name) => !(name in installed));
  return finding(
    'clients',
    listed(Object.entries(installed)),
    missing.length === 0 ? null : `to measure more of them: npm install ${missing.join(' ')}`,
  );
}

/** Omits what the system does not report. @returns {Promise<Check[]>} */
async function checkSystem() {
  const findings = await Promise.all([
    processors(),
    ofContainer(),
    loadAverage(),
    frequencyScaling(),
    fileDescriptors(),
    ephemeralPorts(),
    hugePages(),
    keepAliveProbes(),
  ]);
  return findings.filter((finding) => finding !== null);
}

/** @param {string} path @returns {Promise<string | null>} */
const read = (path) =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );

/** @param {string} title @param {string} found @param {string | null} advice null if all is fine @returns {Check} */
const finding = (title, found, advice) => ({ title, found, ok: advice === null, advice });

async function processors() {
  const cpus = await allowedCpus();
  const allowed = cpus?.length ?? os.cpus().length;
  const pinning = await canPin(cpus);
  const advice =
    allowed < 2
      ? 'one processor is shared by client and server; use a machine with two or more'
      : pinning
        ? null
        : 'without taskset (Linux, util-linux) nothing is pinned and results vary more; use more --runs';
  return finding('processors', `${allowed} available, ${pinning ? 'pinning works' : 'no pinning'}`, advice);
}

async function ofContainer() {
  const limit = cpuLimit();
  if (limit === null) return null;
  return finding(
    'CPU limit',
    `${cpusText(limit.cpus)} (${limit.setting} of this container or service)`,
    limit.cpus < 2 ? `client and server need a CPU each; ${RAISE}` : null,
  );
}

function loadAverage() {
  const [lastMinute] = os.loadavg();
  // Even half a busy CPU out of two disturbs a benchmark.
  const busy = lastMinute > 0.25 * os.cpus().length;
  return finding(
    'load average',
    `${lastMinute.toFixed(2)} over the last minute on ${os.cpus().length} processors`,
    busy ? 'other programs are busy; close them or wait until they have finished' : null,
  );
}

async function frequencyScaling() {
  const governor = await read('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor');
  if (governor === null) return null;
  const fine = governor === 'performance';
  return finding(
    'CPU frequency',
    `governor '${governor}'`,
    fine ? null : 'the clock rate follows the load; sudo cpupower frequency-set -g performance',
  );
}

async function fileDescriptors() {
  const limit = await openFilesLimit();
  if (limit === null) return null;
  return finding(
    'file descriptors',
    `${limit} per process`,
    limit < 4096 ? 'a connection per task needs one for each task; raise it with: ulimit -n 65536' : null,
  );
}

async function ephemeralPorts() {
  const ports = await localPorts();
  if (ports === null) return null;
  const { all, waiting } = ports;
  return finding(
    'local ports',
    `${whole(all)}, ${whole(waiting)} of them still in TIME_WAIT`,
    waiting > all / 2
      ? `open-and-close may have to wait for free ports; wait ${TIME_WAIT_MS / 1000} s, or use --transport unix`
      : null,
  );
}

async function hugePages() {
  const setting = /\[(\w+)\]/.exec((await read('/sys/kernel/mm/transparent_hugepage/enabled')) ?? '')?.[1];
  if (setting === undefined) return null;
  return finding(
    'transparent huge pages',
    setting,
    setting === 'always'
      ? 'they delay a Redis that saves or grows; echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled'
      : null,
  );
}

/** Only ss shows the kernel's keepalive probes (relay/idle-lines.js). */
async function keepAliveProbes() {
  if (await succeeds(run('ss', ['-V']))) return null;
  return finding(
    'keep-alive probes',
    "not seen: there is no 'ss'",
    'without it, break idle-drop takes a connection that only its keep-alive probes pass for an idle one',
  );
}

/** How far two measurements of the same cell differ. @param {CellResult[]} twins interleaved @returns {Check} */
function noiseFloor(twins) {
  const [a, b] = twins.map((cell) => cell.summary);
  if (!a || !b) return finding('noise', 'could not be measured', 'run a benchmark to see why');
  const apart = Math.abs(a.opsPerSecond / b.opsPerSecond - 1);
  const spread = Math.max(...[a, b].map((each) => each.opsPerSecondHigh / each.opsPerSecondLow - 1));
  const noisy = apart > 0.05 || spread > 0.25;
  return finding(
    'noise (A/A)',
    `the same cell measured twice differs by ${percent(apart)}, its runs by up to ${percent(spread)}`,
    noisy ? 'smaller differences mean nothing here; use more --runs, or a quieter machine' : null,
  );
}

/** @param {CpuLimited} limited */
const limitReached = ({ throttled, periods }) =>
  finding(
    'CPU limit reached',
    `it stopped worker and server in ${whole(throttled)} of ${whole(periods)} periods`,
    RAISE,
  );

/** On a quiet machine, worker and server wait for CPU less than this share of the time. */
const QUIET = 0.05;

/**
 * @param {CellResult[]} cells @param {CpuLimited} [limited] @returns {Check[]} empty where the system does not report waits for CPU
 */
function waits(cells, limited) {
  const all = cells.flatMap(({ summary }) => summary?.waits ?? []);
  const share = Math.max(0, ...all.map(({ waitedShare, stolenShare }) => waitedShare + Number(stolenShare)));
  const reached = limited ? [limitReached(limited)] : [];
  if (all.length === 0 || (limited && explainsWaits(limited, share))) return reached;
  return [
    ...reached,
    finding(
      'other programs',
      `worker and server waited for CPU ${percent(share)} of the time`,
      share > QUIET ? 'close other programs, or take figures for those of a busy machine' : null,
    ),
  ];
}
