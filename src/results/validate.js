import { readFileSync } from 'node:fs';
import { AXES } from '../axes/all-axes.js';
import { METRICS } from '../metrics/all-metrics.js';
import { createChecks } from '../schemas.js';

/** The definitions whose figures are those of METRICS, by where these stand in a run. */
const PARTS = /** @type {Record<string, string>} */ ({
  run: 'Run',
  latency: 'Latency',
  batching: 'Batching',
  openLoop: 'OpenLoopRun',
  fault: 'FaultRun',
  cold: 'ColdRun',
  counted: 'InstructionCounts',
  client: 'ClientCost',
  server: 'ServerCost',
});

const FIGURE = { $ref: '#/definitions/figure' };

/** @returns {Record<string, any>} of what is stored: what reading computes again needs none */
export function createSchema() {
  const schema = JSON.parse(readFileSync(new URL('./schema.json', import.meta.url), 'utf8'));
  for (const { id, in: part = 'run', name = id, of, fromRuns, stored = FIGURE } of METRICS) {
    if (of === undefined && fromRuns !== null) schema.definitions[PARTS[part]].properties[name] = stored;
  }
  for (const axis of AXES) Object.assign(schema.definitions.Cell.properties, 'stored' in axis && axis.stored);
  return schema;
}

// A field that came with a later release has a default: what it means where it is missing. It is filled in here.
const check = createChecks({ options: { useDefaults: true }, known: () => ({ results: createSchema() }) });

/** @param {'Report' | 'ResultHeader' | 'PlannedRecord' | 'DistanceRecord' | 'CellRecord' | 'RunRecord' | 'ResultEnd'} name */
const validator = (name) => check({ $ref: `results#/definitions/${name}` });

export const reportError = validator('Report');
const LINES = {
  header: validator('ResultHeader'),
  planned: validator('PlannedRecord'),
  distance: validator('DistanceRecord'),
  cell: validator('CellRecord'),
  run: validator('RunRecord'),
  end: validator('ResultEnd'),
};

/** @param {any} line @returns {string | null} what is wrong with a line of a saved result; null if nothing is */
export function lineError(line) {
  if (typeof line?.type !== 'string' || !Object.hasOwn(LINES, line.type)) {
    return `expected a type out of ${Object.keys(LINES).join(', ')}`;
  }
  return LINES[/** @type {keyof typeof LINES} */ (line.type)](line);
}
