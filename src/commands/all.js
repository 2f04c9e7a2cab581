/** @import { CommandData, CommandName, Measuring } from './types.js' */

/**
 * Every command that measures, by its name. Each is loaded when it is asked for.
 * @type {{[Name in Measuring['name']]: () => Promise<{default: Name extends CommandName ? CommandData : Measuring}>}}
 */
const DOORS = {
  benchmark: () => import('./benchmark/index.js'),
  break: () => import('./break/index.js'),
  cold: () => import('./cold/index.js'),
  messages: () => import('./messages/index.js'),
};

/** Those that measure something else than a benchmark does. @type {CommandName[]} */
export const COMMANDS = ['break', 'cold', 'messages'];

/** @template {Measuring['name']} Name @param {Name} name */
export const loadCommand = async (name) => (await DOORS[name]()).default;

const ofWhy = () => import('./why/profiler.js');
const ofBreakdown = () => import('./breakdown/worker.js');

/** What a worker is asked besides its runs, and the command's part that answers it there. */
export const ASKED_OF_WORKERS = {
  'start-profile': ofWhy,
  'test-profile': ofWhy,
  'tested-profile': ofWhy,
  'begin-profile': ofWhy,
  'stop-profile': ofWhy,
  'watch-sockets': ofBreakdown,
  'follow-operations': ofBreakdown,
  'begin-breakdown': ofBreakdown,
  'take-breakdown': ofBreakdown,
};

/**
 * The workloads of another command than a benchmark.
 * @type {Record<string, CommandName>}
 */
export const COMMAND_OF = {
  append: 'break',
  'cold-start': 'cold',
  queue: 'messages',
  stream: 'messages',
  publish: 'messages',
};
