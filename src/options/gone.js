/** @import { CommandData } from './types.js' */

const OF_MONITOR = "MONITOR is not recorded; point the service at the port that 'record --url …' listens on";
const OF_CLUSTERS = 'use failover or stall with --topology cluster';
const OF_SENTINELS = 'use failover, stall or switchover with --topology sentinel';

/** @param {string} command @returns {(value: unknown) => string} */
const became = (command) => (value) =>
  `type redis-pipe-bench ${command}${typeof value === 'string' && /^[\w:,.-]+$/.test(value) ? value : '…'}`;

/** The workloads of another command than a benchmark. @type {Record<string, CommandData['name']>} */
export const COMMAND_OF = {
  append: 'break',
  'cold-start': 'cold',
  queue: 'messages',
  stream: 'messages',
  publish: 'messages',
};

/** What is gone, as users wrote it, and what to use instead. This file goes with the first release. */
export const GONE = {
  /** @type {Record<string, string | ((value: unknown) => string)>} by flag, of any command */
  options: {
    '--fault': became('break '),
    '--fault-at': became('break cut --fault-at '),
    '--idle': became('break cut --idle '),
    '--until-stable': 'use --budget 3m, which starts what is near the best until it is decided',
    '--max-runs': 'use --runs',
    '--keys-at': 'the server says which arguments are keys (COMMAND GETKEYS)',
    '--bundle': became('cold --bundle '),
    '--monitor': OF_MONITOR,
    '--from': OF_MONITOR,
    '--profile-server': 'use --profile for the client, and perf itself for the server',
    '--beside': 'use --workload mix:get=95,get@100kb=5 for other commands, --app-work for CPU time',
    '--replica-rtt': 'use --rtt, the distance of primaries and replicas alike',
    '--count': "use CPU per operation ('cpuUsPerOp'), which every result has",
    '--allow-server-changes': 'leave out --url, --socket or --sentinel: the tool breaks servers of its own',
    '--plot': 'charts stand on a page: --format html --output report.html',
    '--full': 'give the size: --suite transport-pipe-size --keys 1000000 --iterations 1000000',
    '--quick': 'give the time that it may take instead, as in --budget 10s',
  },
  /** @type {Record<string, string>} */
  commands: {
    map: 'give the conditions to a benchmark: redis-pipe-bench --tasks 1,8,64 --rtt 0,1ms --budget 3m',
    cache: 'releases are kept in ~/.cache/redis-pipe-bench/clients; that folder may be removed',
    site: "'redis-pipe-bench trend FOLDER --format html --output FILE' writes a page of what changed",
  },
  /** @type {Record<string, string>} by name, of --suite */
  suites: {
    resilience: 'type redis-pipe-bench break cut,half-open,stall:2s,restart,failover',
    'resilience-sentinel': 'type redis-pipe-bench break failover,stall:5s,switchover --topology sentinel',
  },
  /** @type {Record<string, string>} by kind, as in `break KIND:2s` */
  faultKinds: {
    slots: OF_CLUSTERS,
    join: OF_CLUSTERS,
    leave: OF_CLUSTERS,
    promote: OF_CLUSTERS,
    'dead-seed': OF_CLUSTERS,
    reload: OF_CLUSTERS,
    split: OF_SENTINELS,
    isolate: OF_SENTINELS,
  },
};

export const OWN_SUITE_GONE =
  '--suite: a suite of your own is gone: write its options into a script, or give them to benchmark()';

/**
 * @param {keyof typeof GONE} what @param {string} name @param {unknown} [value] that it was given
 * @returns {string | undefined} one sentence
 */
export function goneText(what, name, value) {
  if (!Object.hasOwn(GONE[what], name)) return undefined;
  const instead = GONE[what][name];
  return `${name} is gone: ${typeof instead === 'function' ? instead(value) : instead}`;
}

/** @param {string} name in the API, such as `appWork` or `rttMs` @returns {string} its flag */
export const flagOfName = (name) =>
  `--${name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
