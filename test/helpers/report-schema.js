import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { createSchema } from '../../src/core/store/validate.js';

/** What reading computes again has no schema in src/: a file with a wrong summary is read all the same. */
const COMPUTED = JSON.parse(readFileSync(new URL('./report-schema.json', import.meta.url), 'utf8'));

/** Of whole reports. */
export const SCHEMA = createSchema();
for (const [name, { properties, required, ...more }] of Object.entries(COMPUTED.definitions)) {
  const stored = SCHEMA.definitions[name];
  SCHEMA.definitions[name] = {
    ...stored,
    ...more,
    properties: { ...stored?.properties, ...properties },
    required: [...(stored?.required ?? []), ...(required ?? [])],
  };
}

const validate = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(SCHEMA);

/** @param {unknown} report @returns {string[]} what is wrong with it */
export function schemaErrors(report) {
  validate(report);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
