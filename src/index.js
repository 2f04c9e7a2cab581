/** @import * as api from './api.js' */

/** The API for programs. What a call needs loads with it. @module redis-pipe-bench */

/** @type {typeof api.benchmark} */
export const benchmark = async (options, hooks) =>
  (await import('./benchmark/benchmark.js')).benchmark(options, hooks);

const COMMANDS = {
  break: () => import('./break/index.js'),
  cold: () => import('./cold/index.js'),
  messages: () => import('./messages/index.js'),
};

/** @type {typeof api.measure} */
export async function measure(name, options, hooks) {
  if (!Object.hasOwn(COMMANDS, name)) {
    const { UsageError } = await import('./core/errors.js');
    throw new UsageError(`expected one of the commands ${Object.keys(COMMANDS).join(', ')}, got '${name}'`);
  }
  const { default: command } = await COMMANDS[name]();
  return (await import('./benchmark/benchmark.js')).benchmark(options, { ...hooks, command });
}

/** @type {typeof api.compare} */
export const compare = async (base, next, options) =>
  (await import('./benchmark/compare-reports.js')).compareReports(base, next, options);

/** @type {typeof api.readResult} */
export const readResult = async (file) => (await import('./cli/render.js')).readReport(file);
