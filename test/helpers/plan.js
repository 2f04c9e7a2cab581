import { createCells } from '../../src/run/plan/cells.js';
import { createPlan } from '../../src/run/plan/plan.js';

/**
 * The plan of a benchmark that no limit of a machine or a server bounds.
 * @param {Parameters<typeof createCells>[0]} settings @param {Parameters<typeof createCells>[1]} catalogue
 * @param {Parameters<typeof createCells>[2]} transports @param {Parameters<typeof createCells>[3]} [sources]
 */
export const planOf = (settings, catalogue, transports, sources) =>
  createPlan(createCells(settings, catalogue, transports, sources), settings, catalogue, sources?.command);
