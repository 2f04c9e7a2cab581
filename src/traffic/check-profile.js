import { Ajv } from 'ajv';
import { COMMAND_SCHEMA, LINE_SCHEMAS } from './profile-schema.js';

/** @import { ErrorObject } from 'ajv' */

// The last places of a command and of a reply may be missing.
const ajv = new Ajv({ strict: true, strictTuples: false, allowUnionTypes: true });

/**
 * @param {object} schema
 * @returns {(data: unknown) => string | null} the first error and its place; null if there is none
 */
function validator(schema) {
  const validate = ajv.compile(schema);
  return (data) => {
    if (validate(data)) return null;
    const [{ instancePath, message }] = /** @type {ErrorObject[]} */ (validate.errors);
    return `${instancePath === '' ? 'it' : instancePath.slice(1)} ${message}`;
  };
}

const validCommand = validator(COMMAND_SCHEMA);
const validLines = new Map(Object.entries(LINE_SCHEMAS).map(([type, schema]) => [type, validator(schema)]));

/**
 * @param {any} line of a profile
 * @returns {string | null} what is wrong with it; null if nothing is
 */
export function profileLineError(line) {
  if (Array.isArray(line)) return validCommand(line) ?? replyError(line[4]);
  const valid = validLines.get(line?.type);
  return valid ? valid(line) : `expected a type out of ${[...validLines.keys()].join(', ')}, or a command`;
}

/**
 * An error has a word where others have their size; only aggregates have members.
 *
 * @param {any} reply that the schema knows
 */
function replyError(reply) {
  if (reply === null) return null;
  const [type, size] = reply;
  if ((type === '-') !== (typeof size === 'string')) return `4/1 does not go with a reply of type '${type}'`;
  if (reply.length !== ('*%~'.includes(type) ? 4 : 2)) {
    return `4 has ${reply.length} values, which a reply of type '${type}' has not`;
  }
  return null;
}
