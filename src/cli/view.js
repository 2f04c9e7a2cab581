import { UsageError } from '../index.js';
import { formatOptions } from './options.js';
import { colorsWanted, unicodeWanted } from './terminal.js';

/**
 * @import { OptionTable } from '../options/types.js'
 * @import { View } from '../plugins/types.js'
 * @import { World } from './types.js'
 */

/** Columns if the terminal does not say. */
const WIDTH = 100;

/**
 * Describes what a report is displayed on.
 *
 * @param {{output?: string, plot?: boolean, own?: Record<string, unknown>}} options `own` are the format's
 * @param {Pick<World, 'stdout' | 'env'>} world
 * @returns {View}
 */
export function viewOf({ output, plot = false, own = {} }, { stdout, env }) {
  if (output !== undefined) return { color: false, width: WIDTH, unicode: true, plot, options: own };
  return {
    color: colorsWanted(stdout, env),
    width: stdout.columns || WIDTH,
    unicode: unicodeWanted(env),
    plot,
    options: own,
  };
}

/**
 * @param {{format?: string, plot?: boolean}} options
 * @throws {UsageError} before anything is measured
 */
export function checkPlot({ format, plot }) {
  if (plot && format !== undefined && format !== 'table') {
    throw new UsageError(
      format === 'html'
        ? '--plot draws below the table, but --format is html, a page that has its own charts; leave --plot out'
        : `--plot draws below the table, but --format is ${format}; leave one of them out, or use --format html for a page with charts`,
    );
  }
}

/**
 * Separates the options of the format from the others.
 *
 * @param {Record<string, unknown>} all
 * @param {string | undefined} format
 * @param {OptionTable} options
 * @returns {{own: Record<string, unknown>, given: Record<string, any>}}
 * @throws {UsageError} for an option of another format, before anything is measured
 */
export function takeFormatOptions(all, format, options) {
  /** @type {Record<string, unknown>} */
  const own = {};
  const given = { ...all };
  for (const [name, { flag, owners = [], default: fallback }] of Object.entries(formatOptions(options))) {
    const isOwn = owners.some(({ id }) => id === format);
    if (given[name] !== undefined && !isOwn) {
      throw new UsageError(
        `${flag.split(' ')[0]} is for the format ${owners.map(({ id }) => id).join(' or ')}; add --format ${owners[0].id}`,
      );
    }
    if (isOwn) own[name] = given[name] ?? fallback;
    delete given[name];
  }
  return { own, given };
}
