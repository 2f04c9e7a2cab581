/** @import { CliCommand } from './types.js' */

/** If no command is named. */
export const DEFAULT = 'run';

/** Every command, with the file that has it: loading all would take a tenth of the time of `--help`. @type {Record<string, {summary: string, file: string}>} */
export const COMMANDS = {
  agent: { summary: 'send load from this machine, for a benchmark that runs on another', file: 'agents' },
  agents: {
    summary: 'show the agents that wait for work at a control Redis, their versions and clocks',
    file: 'agents',
  },
  bisect: { summary: 'find the release of a client that changed a figure', file: 'versions' },
  break: {
    summary: 'what breaks under load: recovery, waits, errors, harm to data',
    file: 'measure',
  },
  calibrate: {
    summary: 'measure how fast this machine can go, with a bare loop instead of a client',
    file: 'machine',
  },
  check: { summary: 'check a client, scenario, workload, pipelining mode or way of your own', file: 'own' },
  clean: { summary: 'remove the keys that killed benchmarks left on an external server', file: 'machine' },
  cold: { summary: 'what a fresh process takes to its first reply: import, connect, reply', file: 'measure' },
  compare: {
    summary: 'compare two results cell by cell: what differs, and how certain that is',
    file: 'results',
  },
  doctor: { summary: 'check what makes figures unreliable on this machine, and what to do', file: 'machine' },
  history: { summary: 'list saved results, newest first', file: 'results' },
  init: {
    summary: 'write a template for a client, scenario, workload, pipelining mode or way of your own',
    file: 'own',
  },
  list: {
    summary: 'list all there is to choose from: clients, workloads, faults, metrics, …',
    file: 'list',
  },
  messages: {
    summary: 'from sender to receiver by queue, stream, publish: rate, latency, losses',
    file: 'measure',
  },
  profile: { summary: 'describe recorded traffic: commands, sizes, keys, rates', file: 'traffic' },
  record: {
    summary: 'record what a service sends to Redis: shapes and times, never contents',
    file: 'traffic',
  },
  releases: {
    summary: 'measure the releases of clients that a folder of results does not have yet',
    file: 'versions',
  },
  report: { summary: 'render a saved result again, without measuring', file: 'results' },
  run: { summary: 'measure; what is done if no command is named', file: 'run' },
  trend: { summary: 'find what changed for good over many saved results', file: 'trend' },
  why: { summary: 'show which code makes one cell cost more than another, after --profile', file: 'why' },
};

/** @param {string} name @returns {Promise<CliCommand>} */
export async function loadCommand(name) {
  const { summary, file } = COMMANDS[name];
  return { name, summary, ...(await import(`./commands/${file}.js`))[name] };
}
