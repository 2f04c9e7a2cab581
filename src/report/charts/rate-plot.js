import { rateCurves } from '../../analysis/findings/sustained.js';
import { whole } from '../words/figures.js';
import { wrap } from '../words/wrap.js';
import { drawPlane, planeColumns } from './plane.js';
import { letterOf, MOST_CURVES } from './plot.js';
import { logDomain, logPosition, logTicks } from './scales.js';

/** @import { CellResult } from '../../results/types.js' */
/** @import { Pen } from './plot.js' */

/** Columns that a tick's text takes. */
const TICK = 10;

/**
 * The p99 latency over the rate, both logarithmic, a letter for each rate that was tried.
 * @param {CellResult[]} cells the steps of a search @param {Pen} pen
 * @returns {string[]} lines; none where no rate was run
 */
export function ratePlot(cells, { width, unicode, colors }) {
  const curves = rateCurves(cells)
    .slice(0, MOST_CURVES)
    .map((curve, index) => ({ ...curve, ...letterOf(index, { colors }) }));
  if (curves.length === 0) return [];
  const rates = curves.flatMap(({ points }) => points.map(({ rate }) => rate));
  const columns = planeColumns(width);
  const domain = logDomain(rates);
  const columnOf = (/** @type {number} */ rate) => Math.round(logPosition(rate, domain) * (columns - 1));
  const limitMs = cells[0].openLoop?.sloMs ?? null;
  const title = `p99 from the scheduled start by operations per second, both logarithmic: ${curves
    .map(({ letter, name }) => `${letter} ${name}`)
    .join('; ')}${limitMs === null ? '' : '; the line is the SLO'}`;
  return [
    ...wrap(title, width),
    ...drawPlane(
      curves.map(({ letter, paint, points }) => ({
        mark: paint(letter),
        points: points.map(({ rate, us }) => [columnOf(rate), us]),
      })),
      {
        columns,
        unicode,
        ticks: logTicks(domain, columns / TICK).map((rate) => [columnOf(rate), whole(rate)]),
        limitUs: limitMs === null ? null : limitMs * 1000,
      },
    ),
  ];
}
