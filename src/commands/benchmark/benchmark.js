import { measure } from '../../run/measure.js';
import command from './index.js';

/** @import { SuitePlugin } from '../../plugins/types.js' */
/** @import { Report } from '../../store/types.js' */
/** @import { BenchmarkHooks, BenchmarkOptions } from './types.js' */

/**
 * @param {BenchmarkOptions} [given] @param {BenchmarkHooks} [hooks] @param {SuitePlugin} [suite] instead of the one that is named
 * @returns {Promise<Report>}
 */
export const benchmark = (given, hooks, suite) => measure(command, given, hooks, suite);
