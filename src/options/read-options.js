import { UsageError } from '../errors.js';

/** @import { OptionSpec } from './types.js' */

/**
 * Times may be named as their flags are, too: `budget` is `budgetMs`.
 * @param {Record<string, OptionSpec>} table @param {{[name: string]: any}} chosen
 * @returns {Record<string, unknown>} the same by the names of the table
 */
export const byTableNames = (table, chosen) =>
  Object.fromEntries(
    Object.entries(chosen).map(([name, value]) => [
      value !== undefined && Object.hasOwn(table, `${name}Ms`) ? `${name}Ms` : name,
      value,
    ]),
  );

/**
 * @template {string} Name
 * @param {Record<Name, OptionSpec>} table @param {{[name: string]: any}} given text or values
 * @returns {Record<Name, any>} the value of every option, the default where none was chosen
 * @throws {UsageError} for an unknown option, or a wrong value, with the option's name
 */
export function readOptions(table, given) {
  const chosen = byTableNames(table, given);
  for (const name of Object.keys(chosen)) {
    if (!Object.hasOwn(table, name)) {
      throw new UsageError(`option '${name}' is unknown; expected one of ${Object.keys(table).join(', ')}`);
    }
  }
  const entries = /** @type {[Name, OptionSpec][]} */ (Object.entries(table));
  return /** @type {Record<Name, any>} */ (
    Object.fromEntries(
      entries.map(([name, option]) => [
        name,
        chosen[name] === undefined ? option.default : readOption(option, chosen[name]),
      ]),
    )
  );
}

/** @param {OptionSpec} option @returns {string} such as `--tasks` */
export const flagOf = ({ flag }) => flag.split(' ')[0];

/** @param {OptionSpec} option @param {unknown} value */
export function readOption(option, value) {
  try {
    return option.kind(value);
  } catch (error) {
    throw new UsageError(`${flagOf(option)}: ${/** @type {Error} */ (error).message}`);
  }
}
