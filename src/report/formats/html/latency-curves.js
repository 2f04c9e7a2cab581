import { latencyCurve } from '../../../analysis/statistics/latency.js';
import { clientName } from '../../../axes/cell-names.js';
import { MOST_LINES } from './line-style.js';

/**
 * @import { CurvePoint } from '../../../analysis/statistics/latency.js'
 * @import { Row } from '../../tables/types.js'
 */

/** With more cells than this, a chart shows only its own. */
const MOST_CONTEXT = 12;

/**
 * @typedef {object} Curve
 * @property {string} name
 * @property {string} label the name without the part
 * @property {string} part the client
 * @property {number} style from 0 to the number of lines in a chart
 * @property {CurvePoint[]} points
 */

/**
 * The latencies of every cell that has them.
 *
 * @param {Row[]} results
 * @returns {Curve[]}
 */
export function curvesOf(results) {
  const cells = results.map(({ cell }) => cell);
  const curves = results.flatMap(({ name, cell }) => {
    const points = cell.summary?.latency ? latencyCurve(cell.summary.latency.hdr) : [];
    if (points.length < 2) return [];
    const part = clientName(cell, cells);
    return [
      {
        name,
        part,
        label: name.startsWith(`${part}, `) ? name.slice(part.length + 2) : name,
        points,
      },
    ];
  });
  return curves.map((curve, index) => ({ ...curve, style: index % MOST_LINES }));
}

/**
 * @typedef {object} Facet a chart among several
 * @property {string} [title]
 * @property {Curve[]} own
 * @property {Curve[]} others drawn behind, to compare with
 */

/**
 * All curves in one chart would be a tangle, so each client has a chart, or several if it has many cells.
 *
 * @param {Curve[]} curves
 * @returns {Facet[]}
 */
export function facetsOf(curves) {
  const labels = [...new Set(curves.map(({ label }) => label))].sort();
  // Curves of the same name look the same in all charts, as long as there are enough colours.
  const styleOf = (/** @type {Curve} */ { label }, /** @type {number} */ place) =>
    labels.length <= MOST_LINES ? labels.indexOf(label) : place;
  return [...new Set(curves.map(({ part }) => part))].flatMap((part) => {
    const all = curves.filter((curve) => curve.part === part);
    const charts = Math.ceil(all.length / MOST_LINES);
    return Array.from({ length: charts }, (_, index) => {
      const own = all.slice(index * MOST_LINES, (index + 1) * MOST_LINES);
      return {
        title: charts === 1 ? part : `${part}, ${index + 1} of ${charts}`,
        own: own.map((curve, place) => ({ ...curve, name: curve.label, style: styleOf(curve, place) })),
        others: curves.length > MOST_CONTEXT ? [] : curves.filter((curve) => !own.includes(curve)),
      };
    });
  });
}
