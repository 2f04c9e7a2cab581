import { readFileSync } from 'node:fs';
import { AXES } from '../../axes/all-axes.js';
import { createChecks } from '../schemas.js';
import { METRICS } from './metrics/all-metrics.js';

/** The definitions that get their figures from METRICS, by the metric's `in`. */
const PARTS = /** @type {Record<string, string>} */ ({
  run: 'Run',
  latency: 'Latency',
  batching: 'Batching',
  openLoop: 'OpenLoopRun',
  fault: 'FaultRun',
  cold: 'ColdRun',
  client: 'ClientCost',
  server: 'ServerCost',
});

const FIGURE = { $ref: '#/definitions/figure' };

/** Covers only what is stored, not what reading recomputes. @returns {Record<string, any>} */
export function createSchema() {
  const schema = JSON.parse(readFileSync(new URL('./schema.json', import.meta.url), 'utf8'));
  for (const { id, in: part = 'run', name = id, of, fromRuns, stored = FIGURE } of METRICS) {
    if (of === undefined && fromRuns !== null) schema.definitions[PARTS[part]].properties[name] = stored;
  }
  for (const axis of AXES) Object.assign(schema.definitions.Cell.properties, 'stored' in axis && axis.stored);
  return schema;
}

const check = createChecks({ known: () => ({ results: createSchema() }) });

/**
 * @param {'Report' | 'ResultHeader' | 'PlannedRecord' | 'DistanceRecord' | 'CellRecord' | 'RunRecord' |
 *   'ResultEnd'} name
 */
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

/** @param {any} line of a saved result @returns {string | null} what is wrong with it */
export function lineError(line) {
  if (typeof line?.type !== 'string' || !Object.hasOwn(LINES, line.type)) {
    return `expected a type out of ${Object.keys(LINES).join(', ')}`;
  }
  return LINES[/** @type {keyof typeof LINES} */ (line.type)](line);
}
