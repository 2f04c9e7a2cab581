import { createRequire } from 'node:module';

/** @import { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv' */

/** Loaded late: ajv takes 35 ms to load and longer to compile a schema, and a benchmark checks nothing. */
const require = createRequire(import.meta.url);

/**
 * @param {object} how @param {Options} [how.options] @param {() => Record<string, object>} [how.known] for `$ref`
 * @param {(path: string) => string} [how.place] how to show the place of an error
 * @returns {(schema: object) => (data: unknown) => string | null} the first error and its place
 */
export function createChecks({ options, known = () => ({}), place = String }) {
  /** @type {Ajv | undefined} */
  let ajv;
  const compile = (/** @type {object} */ schema) => {
    ajv ??= createAjv(options, known());
    return ajv.compile(schema);
  };
  return (schema) => {
    /** @type {ValidateFunction | undefined} */
    let validate;
    return (data) => {
      validate ??= compile(schema);
      if (validate(data)) return null;
      const [{ instancePath, message }] = /** @type {ErrorObject[]} */ (validate.errors);
      return `${place(instancePath.slice(1)) || 'it'} ${message}`;
    };
  };
}

/** @param {Options | undefined} options @param {Record<string, object>} known @returns {Ajv} */
function createAjv(options, known) {
  const { Ajv } = require('ajv');
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, ...options });
  for (const [name, schema] of Object.entries(known)) ajv.addSchema(schema, name);
  return ajv;
}

/** @template T @param {string} names separated by spaces @param {T} value @returns {Record<string, T>} */
export const each = (names, value) => Object.fromEntries(names.split(' ').map((name) => [name, value]));

/** @param {number} maximum @param {number} [minimum] */
export const integer = (maximum, minimum = 0) => ({ type: 'integer', minimum, maximum });

/** @param {Record<string, object>} required @param {Record<string, object>} [optional] */
export const exactly = (required, optional = {}) => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
});
