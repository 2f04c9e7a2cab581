import { UsageError } from '../index.js';
import { colorsWanted, unicodeWanted } from './terminal.js';

/**
 * @import { View } from '../plugins/types.js'
 * @import { World } from './types.js'
 */

/** Columns where nobody says how many there are. */
const WIDTH = 100;

/**
 * What a report is read on.
 *
 * @param {{output?: string, plot?: boolean}} options
 * @param {Pick<World, 'stdout' | 'env'>} world
 * @returns {View}
 */
export function viewOf({ output, plot = false }, { stdout, env }) {
  if (output !== undefined) return { color: false, width: WIDTH, unicode: true, plot };
  return {
    color: colorsWanted(stdout, env),
    width: stdout.columns || WIDTH,
    unicode: unicodeWanted(env),
    plot,
  };
}

/**
 * @param {{format?: string, plot?: boolean}} options
 * @throws {UsageError} before anything is measured
 */
export function checkPlot({ format, plot }) {
  if (plot && format !== undefined && format !== 'table') {
    throw new UsageError(
      `--plot draws below the table, but --format is ${format}; leave one of them out, or use --format html for a page with charts`,
    );
  }
}
