import { parseAssertion } from '../analysis/assertions/parse.js';
import { UsageError } from '../errors.js';
import { OPTIONS } from './option-table.js';
import { idOfName, knownName } from './plugin-names.js';
import { byTableNames, flagOf, readOption } from './read-options.js';
import { isObject } from './values.js';

/** @import { PluginKind, SuitePlugin } from '../plugins/types.js' */
/** @import { OptionTable } from './types.js' */

const FIELDS = ['id', 'title', 'summary', 'options', 'assertions'];
const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * Checks a user's suite, and reports everything that is wrong with it at once.
 * @param {unknown} given @param {{name: string, id: string}} source its name in messages, and its id if it has none
 * @param {(kind: PluginKind) => string[]} idsOf the known ids @param {OptionTable} [table] every option
 * @returns {SuitePlugin} @throws {UsageError}
 */
export function readSuite(given, source, idsOf, table = OPTIONS) {
  if (!isObject(given)) {
    throw new UsageError(`${source.name}: expected a suite, an object with options, got ${typeOf(given)}`);
  }
  const {
    id = source.id,
    title = id,
    summary = typeof title === 'string' ? title : id,
    options: written = {},
    assertions = [],
  } = /** @type {any} */ (given);
  const options = isObject(written) ? byTableNames(table, written) : written;
  const errors = [
    ...Object.keys(given).flatMap((name) => complaints(() => knownName('field', name, FIELDS))),
    ...(typeof id === 'string' && ID.test(id)
      ? []
      : [
          `id: expected lower-case words joined by hyphens, got ${typeof id === 'string' ? `'${id}'` : typeOf(id)}`,
        ]),
    ...Object.entries({ title, summary })
      .filter(([, value]) => typeof value !== 'string' || value.trim() === '')
      .map(([field, value]) => `${field}: expected a text, got ${typeOf(value)}`),
    ...(isObject(options)
      ? optionErrors(options, idsOf, table)
      : [`options: expected an object, got ${typeOf(options)}`]),
    ...assertionErrors(assertions),
  ];
  if (errors.length > 0) throw new UsageError(`${source.name}: ${listed(errors)}`);
  return { id, title, summary, options, assertions };
}

/** @param {string[]} errors */
const listed = (errors) =>
  errors.length === 1
    ? errors[0]
    : `${errors.length} errors\n${errors.map((text) => `- ${text}`).join('\n')}`;

/** @param {unknown} value */
const typeOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value);

/** @param {() => unknown} check @returns {string[]} */
function complaints(check) {
  try {
    check();
    return [];
  } catch (error) {
    return [/** @type {Error} */ (error).message];
  }
}

/** @param {Record<string, unknown>} options @param {(kind: PluginKind) => string[]} idsOf @param {OptionTable} table */
function optionErrors(options, idsOf, table) {
  return Object.entries(options).flatMap(([name, value]) =>
    complaints(() => {
      const spec = table[knownName('option', name, Object.keys(table))];
      const values = readOption(spec, value);
      const { plugins } = spec;
      if (plugins === undefined) return;
      for (const each of values) knownName(`${flagOf(spec)} value`, idOfName(each), idsOf(plugins));
    }),
  );
}

/** @param {unknown} assertions */
function assertionErrors(assertions) {
  if (!Array.isArray(assertions)) return [`assertions: expected a list of texts, got ${typeOf(assertions)}`];
  return assertions.flatMap((text) =>
    complaints(() => OPTIONS.assert.kind(text).map(parseAssertion)).map((why) => `assertions: ${why}`),
  );
}
