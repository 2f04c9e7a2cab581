import { createSchema } from '../results/validate.js';
import { createChecks } from '../schemas.js';

/** The limit of files that a user may name: certificates and configurations. */
export const LONGEST_TEXT = 1024 * 1024;

/** @param {number} maximum */
export const number = (maximum) => ({ type: 'number', minimum: 0, maximum });
/** @param {number} maxLength @param {string} [pattern] */
export const text = (maxLength, pattern = '') => ({ type: 'string', maxLength, pattern });
/** @param {object} items @param {number} maxItems */
export const list = (items, maxItems) => ({ type: 'array', items, maxItems });
/** @param {{type: string}} schema */
export const orNull = (schema) => ({ ...schema, type: [schema.type, 'null'] });

export const name = text(300, '^[\\w.-]+$');
/** Of a file: never a URL. */
export const path = text(4096, '^(/|[A-Za-z]:[\\\\/])');
export const yes = { type: 'boolean' };
export const amount = number(Number.MAX_SAFE_INTEGER);

/** Options of plugins and clients, except TLS engines, which load native code, and `fd`, which is an open file. */
const PLAIN = {
  type: ['null', 'boolean', 'number', 'string', 'array', 'object'],
  maxLength: LONGEST_TEXT,
  items: { $ref: 'plain' },
  maxItems: 10_000,
  propertyNames: text(300, '^(?!(__proto__|fd|.*[eE]ngine)$)'),
  additionalProperties: { $ref: 'plain' },
  maxProperties: 1000,
};
export const plain = { $ref: 'plain' };

const check = createChecks({
  known: () => ({ plain: PLAIN, results: createSchema() }),
  // Safe for a terminal.
  place: (path) => path.slice(0, 200).replaceAll(/[^\w/.-]/g, '?'),
});

/** With what a cell's workers are asked. @param {string} method @param {any} data @returns {string} */
export const fullName = (method, data) => (data.method === undefined ? method : `${method} ${data.method}`);

/** @param {Record<string, object>} schemas @returns {Map<string, (data: unknown) => string | null>} */
export const checksOf = (schemas) =>
  new Map(Object.entries(schemas).map(([method, schema]) => [method, check(schema)]));
