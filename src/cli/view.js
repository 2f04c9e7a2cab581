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
 * How a user wants a report printed.
 *
 * @typedef {object} Printing
 * @property {string} [format] that of the suite by default
 * @property {string} [output] a file instead of stdout
 * @property {boolean} [plot]
 * @property {boolean} [details]
 * @property {string | null} [detailsCommand] prints the details of this report
 * @property {Record<string, unknown>} [own] the format's own options
 */

/**
 * Describes what a report is displayed on.
 *
 * @param {Printing} printing
 * @param {Pick<World, 'stdout' | 'env'>} world
 * @returns {View}
 */
export function viewOf(
  { output, plot = false, details = false, detailsCommand = null, own = {} },
  { stdout, env },
) {
  const toFile = output !== undefined;
  return {
    color: !toFile && colorsWanted(stdout, env),
    width: (!toFile && stdout.columns) || WIDTH,
    unicode: toFile || unicodeWanted(env),
    plot,
    details,
    detailsCommand,
    options: own,
  };
}

/** What only the table has, and what the format html has instead. */
const OF_THE_TABLE = /** @type {const} */ ([
  ['plot', 'draws below the table', 'a page with charts of its own'],
  ['details', 'adds to the table', 'a page with all details'],
]);

/**
 * @param {Pick<Printing, 'format' | 'plot' | 'details'>} printing
 * @throws {UsageError} before anything is measured
 */
export function checkForTable({ format, ...given }) {
  if (format === undefined || format === 'table') return;
  for (const [name, does, instead] of OF_THE_TABLE) {
    if (!given[name]) continue;
    throw new UsageError(
      format === 'html'
        ? `--${name} ${does}, but --format is html, ${instead}; leave --${name} out`
        : `--${name} ${does}, but --format is ${format}; leave one of them out, or use --format html for ${instead}`,
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
