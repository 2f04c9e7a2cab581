import { whole } from '../words/figures.js';
import { mapGrids } from './map-grid.js';

/**
 * @import { Report } from '../../results/types.js'
 */

/**
 * @typedef {object} MapRates operations a second of each choice, in one row of a map
 * @property {string} title
 * @property {string[]} columns
 * @property {{letter: string, name: string, rates: string[]}[]} choices
 */

/** More digits differ from map to map. */
const DIGITS = 3;

/**
 * What the choices of a map did at each point, a table for each of its rows.
 *
 * @param {Report} report
 * @returns {MapRates[]}
 */
export const mapRates = (report) =>
  mapGrids(report).flatMap(({ rows, columns, legend, letterOf }) =>
    rows.map(({ where, fields }) => ({
      title: `Operations a second ${where}`,
      columns,
      choices: legend.map(({ letter, name }) => ({
        letter,
        name,
        rates: fields.map(({ point }) => {
          const own = point?.standing.find(({ cell }) => letterOf(cell) === letter);
          return own === undefined ? '-' : whole(Number(own.opsPerSecond.toPrecision(DIGITS)));
        }),
      })),
    })),
  );
