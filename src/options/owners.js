import { UsageError } from '../errors.js';
import { nounOf } from '../plugins/registry.js';
import { idOfName } from './plugin-names.js';
import { flagOf } from './read-options.js';

/**
 * @import { OwnOptions, PluginKind } from '../plugins/types.js'
 * @import { OptionSpec, OptionTable, Settings } from './types.js'
 */

/** @typedef {NonNullable<OptionSpec['owners']>} Owners the plugins that bring an option */

/**
 * Refuses options of plugins that are not measured, which would be silently ignored.
 *
 * @param {Settings} settings
 * @param {Record<string, unknown>} given what the user chose
 * @param {OptionTable} options
 * @throws {UsageError} that names the option and the plugins that have it
 */
export function checkOwners(settings, given, options) {
  for (const [name, { owners = [], shared, ...option }] of Object.entries(options)) {
    if (given[name] === undefined || shared || owners.length === 0) continue;
    const [{ kind }] = owners;
    const chooser = chooserOf(kind, options);
    if (chooser === undefined || isTaken(owners, settings, options)) continue;
    throw new UsageError(
      `${flagOf(option)} is for ${ownersText(owners)}, which is not among ` +
        `${chosenIds(kind, settings, options).join(', ')}; add it to ${flagOf(options[chooser])}`,
    );
  }
}

/**
 * @param {Owners} owners
 * @param {Settings} settings
 * @param {OptionTable} options
 * @returns {boolean} whether one of them is measured
 */
export const isTaken = (owners, settings, options) =>
  owners.some(({ kind, id }) => chosenIds(kind, settings, options).includes(id));

/** @param {Owners} owners @returns {string} `the scenario pool` */
export const ownersText = (owners) =>
  `the ${nounOf(owners[0].kind)} ${owners.map(({ id }) => id).join(' or ')}`;

/**
 * @param {OwnOptions | undefined} ownOptions a plugin's
 * @param {Record<string, any>} settings
 * @returns {Record<string, any>} the values of its own options
 */
export const ownValues = (ownOptions = {}, settings) =>
  Object.fromEntries(Object.keys(ownOptions).map((name) => [name, settings[name]]));

/**
 * @param {PluginKind} kind
 * @param {OptionTable} options
 * @returns {string | undefined} the option that chooses plugins of a kind, where a benchmark has one
 */
const chooserOf = (kind, options) => Object.keys(options).find((name) => options[name].plugins === kind);

/**
 * @param {PluginKind} kind
 * @param {Settings} settings
 * @param {OptionTable} options
 * @returns {string[]} the names without arguments, releases and variants
 */
function chosenIds(kind, settings, options) {
  const chooser = chooserOf(kind, options);
  /** @type {string[]} */
  const names = chooser === undefined ? [] : /** @type {Record<string, any>} */ (settings)[chooser];
  return names.map(idOfName);
}
