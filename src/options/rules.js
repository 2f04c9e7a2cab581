import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../errors.js';
import { nounOf } from '../plugins/plugin-kinds.js';
import { idOfName } from './plugin-names.js';
import { flagOf } from './read-options.js';

/** @import { PluginKind } from '../plugins/types.js' */
/** @import { OptionSpec, OptionTable, Settings } from './types.js' */

/** @typedef {NonNullable<OptionSpec['owners']>} Owners the plugins that bring an option */

/**
 * Refuses what cannot be combined and what would be ignored.
 * @param {Settings} settings @param {Record<string, unknown>} given what the user chose
 * @param {OptionTable} options @throws {UsageError}
 */
export function checkTogether(settings, given, options) {
  for (const check of [contradiction, conflict, foreignOption, missingNeed]) {
    for (const [name, option] of Object.entries(options)) {
      const why = check({ name, option, settings, given, options });
      if (why != null) throw new UsageError(why);
    }
  }
}

/**
 * What the user chose replaces the defaults that it excludes, such as those of a suite.
 * @template {Record<string, unknown>} Defaults @param {Defaults} defaults @param {Record<string, unknown>} given
 * @param {OptionTable} options @returns {Defaults} without those
 */
export function withoutExcluded(defaults, given, options) {
  const isExcluded = (/** @type {string} */ name) =>
    Object.entries(options).some(([other, { excludes = {} }]) => isGiven(given)(other) && name in excludes);
  return /** @type {Defaults} */ (
    Object.fromEntries(Object.entries(defaults).filter(([name]) => !isExcluded(name)))
  );
}

/** @typedef {{name: string, option: OptionSpec, settings: Settings, given: Record<string, unknown>, options: OptionTable}} Checked */

/** @param {Checked} checked @returns {string | undefined} */
function contradiction({ name, option, settings, given, options }) {
  if (!isInForce(name, settings, options)) return undefined;
  const { excludes = {} } = option;
  const other = Object.keys(excludes).find(isGiven(given));
  if (other === undefined) return undefined;
  const why = excludes[other];
  return typeof why === 'string' ? why : why(flagOf(options[other]));
}

/** @param {Checked} checked */
const conflict = ({ option, settings, given }) => option.conflict?.(settings, given);

/** @param {Checked} checked @returns {string | null} for an option of a plugin that is not measured */
function foreignOption({ name, option: { owners = [], shared, ...option }, settings, given, options }) {
  if (given[name] === undefined || shared || owners.length === 0) return null;
  const chooser = chooserOf(owners[0].kind, options);
  if (chooser === undefined || isTaken(owners, settings, options)) return null;
  return (
    `${flagOf(option)} is for ${ownersText(owners)}, which is not among ` +
    `${chosenIds(chooser, settings).join(', ')}; add it to ${flagOf(options[chooser])}`
  );
}

/** @param {Checked} checked @returns {string | null} */
function missingNeed({ name, option: { needs, owners = [] }, settings, given, options }) {
  if (needs === undefined) return null;
  if (!isGiven(given)(name) || needs.any.some((other) => isInForce(other, settings, options))) return null;
  if (isTaken(owners, settings, options)) return null;
  return owners.length === 0 ? needs.why : `${needs.why}, or take ${ownersText(owners)}`;
}

/** @param {Record<string, unknown>} given @returns {(name: string) => boolean} whether the user chose it */
const isGiven = (given) => (name) => given[name] !== undefined && given[name] !== false;

/** @param {string} name @param {Record<string, any>} settings @param {OptionTable} options */
const isInForce = (name, settings, options) => !isDeepStrictEqual(settings[name], options[name].default);

/** @param {Owners} owners @param {Settings} settings @param {OptionTable} options whether one of them is measured */
const isTaken = (owners, settings, options) =>
  owners.some(({ kind, id }) => chosenIds(chooserOf(kind, options), settings).includes(id));

/** @param {Owners} owners @returns {string} `the scenario pool` */
const ownersText = (owners) => `the ${nounOf(owners[0].kind)} ${owners.map(({ id }) => id).join(' or ')}`;

/** @param {PluginKind} kind @param {OptionTable} options the option that chooses such plugins, where there is one */
const chooserOf = (kind, options) => Object.keys(options).find((name) => options[name].plugins === kind);

/** @param {string | undefined} chooser @param {Record<string, any>} settings @returns {string[]} */
const chosenIds = (chooser, settings) => (chooser === undefined ? [] : settings[chooser].map(idOfName));
