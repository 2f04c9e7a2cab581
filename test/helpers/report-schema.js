import { Ajv } from 'ajv';
import { SCHEMA } from '../../src/results/validate.js';

export { SCHEMA };

const validate = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(SCHEMA);

/** @param {unknown} report @returns {string[]} what is wrong with it */
export function schemaErrors(report) {
  validate(report);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
