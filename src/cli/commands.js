/** @import { CommandPart } from './types.js' */

/** If no command is named. */
export const DEFAULT = 'run';

/** The commands of each file in commands/: loading all would take a tenth of the time of `--help`. @type {Record<string, Record<string, string>>} */
const BY_FILE = {
  agents: {
    agent: 'send load from this machine, for a benchmark that runs on another',
    agents: 'show the agents that wait for work at a control Redis, their versions and clocks',
  },
  clean: { clean: 'remove the keys that killed benchmarks left on an external server' },
  doctor: { doctor: 'check what makes figures unreliable on this machine, and what to do' },
  list: { list: 'list all there is to choose from: clients, workloads, faults, metrics, …' },
  measure: {
    break: 'what breaks under load: recovery, waits, errors, harm to data',
    cold: 'what a fresh process takes to its first reply: import, connect, reply',
    messages: 'from sender to receiver by queue, stream, publish: rate, latency, losses',
    run: 'measure; what is done if no command is named',
  },
  own: {
    check: 'check a client, scenario, workload, pipelining mode or way of your own',
    init: 'write a template for a client, scenario, workload, pipelining mode or way of your own',
  },
  results: {
    compare: 'compare two results cell by cell: what differs, and how certain that is',
    history: 'list saved results, newest first',
    report: 'render a saved result again, without measuring',
    why: 'show which code makes one cell cost more than another, after --profile',
  },
  traffic: {
    profile: 'describe recorded traffic: commands, sizes, keys, rates',
    record: 'record what a service sends to Redis: shapes and times, never contents',
  },
  versions: {
    bisect: 'find the release of a client that changed a figure',
    releases: 'measure the releases of clients that a folder of results does not have yet',
    trend: 'find what changed for good over many saved results',
  },
};

/** By name. @type {Record<string, {summary: string, file: string}>} */
export const COMMANDS = Object.fromEntries(
  Object.entries(BY_FILE)
    .flatMap(([file, commands]) =>
      Object.entries(commands).map(([name, summary]) => /** @type {const} */ ([name, { summary, file }])),
    )
    .sort(([one], [other]) => (one < other ? -1 : 1)),
);

/** @param {string} name @returns {Promise<CommandPart>} */
export const loadCommand = async (name) => (await import(`./commands/${COMMANDS[name].file}.js`))[name];
