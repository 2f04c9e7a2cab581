import { Ajv } from 'ajv';
import { SCHEMA } from '../results/validate.js';

/** @import { ErrorObject, ValidateFunction } from 'ajv' */

/** As long as the files that a user may name: certificates and configurations. */
export const LONGEST_TEXT = 1024 * 1024;

/** @param {number} maximum @param {number} [minimum] */
export const integer = (maximum, minimum = 0) => ({ type: 'integer', minimum, maximum });
/** @param {number} maximum */
export const number = (maximum) => ({ type: 'number', minimum: 0, maximum });
/** @param {number} maxLength @param {string} [pattern] */
export const text = (maxLength, pattern = '') => ({ type: 'string', maxLength, pattern });
/** @param {object} items @param {number} maxItems */
export const list = (items, maxItems) => ({ type: 'array', items, maxItems });
/** @param {{type: string}} schema */
export const orNull = (schema) => ({ ...schema, type: [schema.type, 'null'] });
/** @param {Record<string, object>} required @param {Record<string, object>} [optional] and nothing else */
export const exactly = (required, optional = {}) => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
});

/** @param {string} names @param {object} schema that all of them have */
export const each = (names, schema) => Object.fromEntries(names.split(' ').map((own) => [own, schema]));

export const name = text(300, '^[\\w.-]+$');
/** Of a file: never a URL. */
export const path = text(4096, '^(/|[A-Za-z]:[\\\\/])');
export const yes = { type: 'boolean' };
export const amount = number(Number.MAX_SAFE_INTEGER);

/**
 * What plugins and clients read. Two kinds of option would open more than connections: engines of TLS are native code
 * in a file, and `fd` is a file that is open already.
 */
const PLAIN = {
  $id: 'plain',
  type: ['null', 'boolean', 'number', 'string', 'array', 'object'],
  maxLength: LONGEST_TEXT,
  items: { $ref: 'plain' },
  maxItems: 10_000,
  propertyNames: text(300, '^(?!(__proto__|fd|.*[eE]ngine)$)'),
  additionalProperties: { $ref: 'plain' },
  maxProperties: 1000,
};
export const plain = { $ref: 'plain' };

/** @type {Ajv | undefined} */
let ajv;
/** @param {object} schema @returns {ValidateFunction} compiled once: that takes long, and most benchmarks have no agents */
function compile(schema) {
  ajv ??= new Ajv({ strict: true, allowUnionTypes: true }).addSchema(PLAIN).addSchema(SCHEMA, 'results');
  return ajv.compile(schema);
}

/** @param {Record<string, object>} schemas */
export const validatorsOf = (schemas) => ({
  /** @param {string} method */
  get: (method) => (Object.hasOwn(schemas, method) ? compile(schemas[method]) : undefined),
});

/** @param {ValidateFunction} validate that has refused @returns {string} the first reason, safe for a terminal */
export function reasonOf({ errors }) {
  const [{ instancePath, message }] = /** @type {ErrorObject[]} */ (errors);
  return `${instancePath.slice(1, 200).replaceAll(/[^\w/.-]/g, '?') || 'it'} ${message}`;
}
