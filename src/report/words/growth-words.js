import { TREND } from '../../analysis/statistics/slope.js';
import { coverage, joined } from './figures.js';

/** @import { Growth } from '../../analysis/types.js' */
/** @import { Of, Words } from './findings.js' */

/** What grew over hours, and what did not. @satisfies {Words} */
export const GROWTH_WORDS = {
  growth: {
    advice: (finding, { name }) => verdicts(finding).map((text) => `${name(finding.cell)}: ${text}.`),
    details: ({ cell, figures }, { name }) =>
      figures.map(
        (each) =>
          `${name(cell)}: ${FIGURES[each.figure].what}: ${slopeText(each)}, ${coverage(TREND.level)} interval.`,
      ),
  },
};

/** `size`: of what it is counted in. @type {Record<Growth['figure'], {what: string, unit: string, size: number}>} */
const FIGURES = {
  heapBytes: { what: 'memory after garbage collection', unit: ' MB', size: 1e6 },
  sockets: { what: 'the number of connections', unit: '', size: 1 },
  cpuUsPerOp: { what: 'CPU per operation', unit: ' µs', size: 1 },
};
const MINUTE_MS = 60_000;

/** @param {Of<'growth'>} finding @returns {string[]} */
function verdicts({ ms, missing, perHour, figures }) {
  if (figures.length === 0)
    return [`too short to say whether memory grows; ${missing} more runs would show it`];
  const growing = figures.filter(({ grows }) => grows);
  const names = figures.map(({ figure }) => FIGURES[figure].what);
  if (growing.length === 0)
    return [`no growth in ${Math.max(1, Math.round(ms / MINUTE_MS))} min: ${joined(names)}`];
  return growing.map((growth) => {
    const perOp = `, ${digits(growth.slope / perHour)} bytes per operation`;
    return `${FIGURES[growth.figure].what} grows by ${slopeText(growth)}${growth.figure === 'heapBytes' ? perOp : ''}`;
  });
}

/** @param {Growth} growth @returns {string} `1.2 MB per hour (0.9 to 1.5) from 16 MB` */
function slopeText({ figure, from, slope, low, high }) {
  const { unit, size } = FIGURES[figure];
  const [start, middle, least, most] = [from, slope, low, high].map((value) => digits(value / size));
  return `${middle}${unit} per hour (${least} to ${most}) from ${start}${unit}`;
}

/** @param {number} value @returns {string} two digits, or all of a large number; 0 where there is hardly any */
const digits = (value) =>
  Math.abs(value) < 0.005
    ? '0'
    : `${Math.abs(value) < 100 ? Number(value.toPrecision(2)) : Math.round(value)}`;
