/** @import * as api from './api.js' */
/** @import { Report } from './store/types.js' */

/** The API for programs. What a call needs loads with it. @module redis-pipe-bench */

/** @type {(...asked: Parameters<typeof api.benchmark>) => Promise<Report>} */
export const benchmark = async (options, hooks) =>
  (await import('./commands/benchmark/benchmark.js')).benchmark(options, hooks);

/** @type {(...asked: Parameters<typeof api.measure>) => Promise<Report>} */
export async function measure(name, options, hooks) {
  const { COMMANDS, loadCommand } = await import('./commands/all.js');
  if (!COMMANDS.includes(name)) {
    const { UsageError } = await import('./errors.js');
    throw new UsageError(`expected one of the commands ${COMMANDS.join(', ')}, got '${name}'`);
  }
  const command = await loadCommand(name);
  return (await import('./run/measure.js')).measure(command, options, hooks);
}

/** @type {(base: Report, next: Report, options?: {metric?: string}) => ReturnType<typeof api.compare>} */
export const compare = async (base, next, options) =>
  (await import('./commands/benchmark/compare-reports.js')).compareReports(base, next, options?.metric);

/** @type {(...asked: Parameters<typeof api.readResult>) => Promise<Report>} */
export const readResult = async (file) => (await import('./cli/render.js')).readReport(file);
