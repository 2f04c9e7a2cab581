import { concludeGroup } from './conclusion.js';
import { explainGroup } from './explanation.js';
import { scenarioKey } from './names.js';

const ONE_RUN = 'With a single run of a cell no difference can be claimed; use --runs 5 or more.';

/**
 * The cells of one group against its fastest. The floor takes no part where there are clients to
 * compare: it is what they are held against.
 *
 * @param {string} group
 * @param {import('../types.js').CellResult[]} cells of that group
 * @returns {import('../types.js').Comparison} with the cells in order, the fastest first
 */
export function compareGroup(group, cells) {
  const measured = cells.flatMap((cell) => (cell.summary ? [{ ...cell, summary: cell.summary }] : []));
  const clients = measured.filter((cell) => !cell.floor);
  const compared = (clients.length > 0 ? clients : measured).sort(
    (a, b) => b.summary.opsPerSecond - a.summary.opsPerSecond,
  );
  const fastest = compared[0]?.summary;
  const repeated = compared.length < 2 || fastest.runs > 1;
  const ranking = compared.map((cell) => ({
    cell: cell.id,
    opsPerSecond: cell.summary.opsPerSecond,
    timesSlower: fastest.opsPerSecond / cell.summary.opsPerSecond,
    // A cell whose best run is no slower than the fastest cell's worst one may well be as fast.
    overlapsFastest: !repeated || cell.summary.opsPerSecondHigh >= fastest.opsPerSecondLow,
    ofCeiling: ofCeiling(cell, measured),
  }));
  return {
    group,
    ranking,
    conclusion: repeated ? concludeGroup(cells, { ranking }) : ONE_RUN,
    explanation: repeated ? explainGroup(cells, { ranking }) : [],
  };
}

/**
 * @template {import('../types.js').CellResult & {summary: import('../types.js').Summary}} Measured
 * @param {Measured} cell
 * @param {Measured[]} all
 * @returns {number | null} how much of the floor's operations a second it reaches in the same place
 */
function ofCeiling(cell, all) {
  const floor = all.find(
    (other) =>
      other.floor &&
      scenarioKey(other) === scenarioKey(cell) &&
      ['pipelining', 'transport', 'pin'].every(
        (axis) => other[/** @type {'pipelining'} */ (axis)] === cell[/** @type {'pipelining'} */ (axis)],
      ),
  );
  return floor === undefined || cell.floor ? null : cell.summary.opsPerSecond / floor.summary.opsPerSecond;
}
