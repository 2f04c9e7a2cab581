import { harmText, rangeText } from '../benchmark/report/tables/rated-grid.js';
import { unmeasured } from '../benchmark/report/tables/result-rows.js';
import { said } from '../core/report/figures.js';
import { titled } from '../core/report/grid.js';
import { metricNamed } from '../core/store/metrics/metric-values.js';
import { byChoice } from './fault-ranking.js';
import { choiceNames, faultsOf } from './fault-ranking-words.js';
import { outcomeOf } from './outcome.js';

/** @import { CellResult } from '../core/store/types.js' */
/** @import { Grid, State } from '../core/report/types.js' */

const [LONGEST_WAIT, FAILED] = ['longestWaitMs', 'operationsFailed'].map(metricNamed);

/**
 * Who lost, repeated or hung, and for how long: a row for each choice, a column for each fault.
 * @param {CellResult[]} cells of all groups @returns {Grid | null} null where there are no two faults to compare
 */
export function faultMatrix(cells) {
  const broken = cells.filter(({ fault }) => fault !== undefined);
  const names = choiceNames(broken);
  const faults = namedFaults(broken);
  const columns = [...new Set(faults.values())];
  if (columns.length < 2) return null;
  const rows = byChoice(broken).map((own) => {
    const byFault = new Map(own.map((cell) => [faults.get(cell.id), cell]));
    const fields = columns.map((fault) => fieldOf(byFault.get(fault)));
    const [texts, state] = [fields.map(({ text }) => text), fields.map((field) => field.state)];
    return { name: `${names.get(own[0].id)}`, texts, state };
  });
  return { note: NOTE, columns: titled(columns), rows };
}

/** @param {CellResult[]} cells @returns {Map<string, string>} the fault of each, by its id */
function namedFaults(cells) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const context = {
    measured: cells,
    cell: (/** @type {string} */ id) => /** @type {CellResult} */ (byId.get(id)),
  };
  return new Map(cells.map(({ id }) => [id, faultsOf([id], context)[0]]));
}

const NOTE =
  'The longest wait of a caller under each fault (>: still waiting at the end), and what went wrong';

/** @param {CellResult | undefined} cell @returns {{text: string, state: State}} */
function fieldOf(cell) {
  if (cell === undefined) return { text: '', state: 'not run' };
  const outcome = outcomeOf(cell);
  if (outcome === null) return { text: unmeasured(cell), state: 'not run' };
  const { heldAgainMs, struck, failed, harmed } = outcome;
  const text = said([
    rangeText(LONGEST_WAIT, cell),
    struck && heldAgainMs.never && 'did not recover',
    failed.high !== 0 && `${rangeText(FAILED, cell)} failed`,
    harmText(cell),
  ]).join(', ');
  return { text, state: harmed ? 'failed' : 'close' };
}
