import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { METRICS } from '../metrics/all-metrics.js';

/** @import { ErrorObject, ValidateFunction } from 'ajv' */

/** Where the figures stand that metrics make of what a worker measured. */
const PARTS = { client: 'ClientCost', batching: 'Batching' };

/** @returns {Record<string, any>} of what is stored: what reading computes again needs none */
export function createSchema() {
  const schema = JSON.parse(readFileSync(new URL('./schema.json', import.meta.url), 'utf8'));
  for (const { id, in: part, name = id, meaning, from, stored } of METRICS) {
    if (from === undefined) continue;
    const { properties } = schema.definitions[PARTS[/** @type {keyof typeof PARTS} */ (part)]];
    properties[name] = { description: meaning, ...(stored ?? { $ref: '#/definitions/figure' }) };
  }
  return schema;
}

export const SCHEMA = createSchema();

/** @type {Ajv | undefined} */
let ajv;

/** @param {string} name @returns {ValidateFunction} */
function compile(name) {
  // A field that came with a later release has a default: what it means where it is missing. It is filled in here.
  ajv ??= new Ajv({ strict: true, allowUnionTypes: true, useDefaults: true }).addSchema(SCHEMA, 'results');
  return ajv.compile({ $ref: `results#/definitions/${name}` });
}

/**
 * @param {'Report' | 'ResultHeader' | 'PlannedRecord' | 'DistanceRecord' | 'CellRecord' | 'RunRecord' | 'ResultEnd'} name
 * @returns {(data: unknown) => string | null} the first error and its place; null if there is none
 */
function validator(name) {
  /** A benchmark reads nothing, and to compile takes a quarter of a second. @type {ValidateFunction | undefined} */
  let validate;
  return (data) => {
    validate ??= compile(name);
    if (validate(data)) return null;
    const [{ instancePath, message }] = /** @type {ErrorObject[]} */ (validate.errors);
    return `${instancePath === '' ? 'it' : instancePath.slice(1)} ${message}`;
  };
}

export const reportError = validator('Report');
const LINES = {
  header: validator('ResultHeader'),
  planned: validator('PlannedRecord'),
  distance: validator('DistanceRecord'),
  cell: validator('CellRecord'),
  run: validator('RunRecord'),
  end: validator('ResultEnd'),
};

/**
 * @param {any} line @returns {string | null} what is wrong with a line of a saved result; null if nothing is
 */
export function lineError(line) {
  if (typeof line?.type !== 'string' || !Object.hasOwn(LINES, line.type)) {
    return `expected a type out of ${Object.keys(LINES).join(', ')}`;
  }
  return LINES[/** @type {keyof typeof LINES} */ (line.type)](line);
}
