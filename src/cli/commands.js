/** @import { CommandPart } from './types.js' */

/** If no command is named. */
export const DEFAULT = 'run';

/** The file of each in commands/, and what it does. Loading all would take a tenth of the time of `--help`. @type {Record<string, [file: string, summary: string]>} */
export const COMMANDS = {
  agent: ['agents', 'send load from this machine, for a benchmark that runs on another'],
  agents: ['agents', 'show the agents that wait for work at a control Redis, their versions and clocks'],
  bisect: ['versions', 'find the release of a client that changed a figure'],
  break: ['measure', 'what breaks under load: recovery, waits, errors, harm to data'],
  calibrate: ['calibrate', 'measure how fast this machine can go, with a bare loop instead of a client'],
  check: ['own', 'check a client, scenario or workload of your own'],
  clean: ['clean', 'remove the keys that killed benchmarks left on an external server'],
  cold: ['measure', 'what a fresh process takes to its first reply: import, connect, reply'],
  compare: ['results', 'compare two results cell by cell: what differs, and how certain that is'],
  completion: ['completion', 'print what lets bash, zsh or fish complete options and their values'],
  doctor: ['doctor', 'check what makes figures unreliable on this machine, and what to do'],
  history: ['results', 'list saved results, newest first'],
  init: ['own', 'write a template for a client, scenario or workload of your own'],
  list: ['list', 'list all there is to choose from: clients, workloads, faults, metrics, …'],
  messages: ['measure', 'from sender to receiver by queue, stream, publish: rate, latency, losses'],
  profile: ['traffic', 'describe recorded traffic: commands, sizes, keys, rates'],
  record: ['traffic', 'record what a service sends to Redis: shapes and times, never contents'],
  releases: ['versions', 'measure the releases of clients that a folder of results does not have yet'],
  report: ['results', 'render a saved result again, without measuring'],
  run: ['measure', 'measure; what is done if no command is named'],
  trend: ['versions', 'find what changed for good over many saved results'],
  why: ['results', 'show which code makes one cell cost more than another, after --profile'],
};

/** @param {string} name @returns {Promise<CommandPart>} */
export const loadCommand = async (name) => (await import(`./commands/${COMMANDS[name][0]}.js`))[name];
