import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

/** @type {Record<string, any>} */
export const SCHEMA = JSON.parse(readFileSync(new URL('./report.schema.json', import.meta.url), 'utf8'));

const validate = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(SCHEMA);

/** @param {unknown} report @returns {string[]} what is wrong with it */
export function schemaErrors(report) {
  validate(report);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
