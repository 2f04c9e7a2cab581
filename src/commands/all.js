/** @import { CommandData, CommandName, Measuring } from './types.js' */

/** Every command that measures: data, and doors to what it does. Whoever is given the name of one finds it here. */
const DOORS = {
  benchmark: () => import('./benchmark/index.js'),
  break: () => import('./break/index.js'),
  cold: () => import('./cold/index.js'),
  messages: () => import('./messages/index.js'),
};

/** Those that measure something else than a benchmark does. */
export const COMMANDS = /** @type {const} */ (['break', 'cold', 'messages']);

/** @template {Measuring['name']} Name @param {Name} name @returns {Promise<Name extends CommandData['name'] ? CommandData : Measuring>} */
export const loadCommand = async (name) => /** @type {any} */ ((await DOORS[name]()).default);

const ofWhy = () => import('./why/profiler.js');

/** What a worker is asked besides its runs, and the command's part that answers it there. */
export const ASKED_OF_WORKERS = {
  'start-profile': ofWhy,
  'test-profile': ofWhy,
  'tested-profile': ofWhy,
  'begin-profile': ofWhy,
  'stop-profile': ofWhy,
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
