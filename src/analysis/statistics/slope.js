import { median } from 'simple-statistics';

/** @import { Trend } from '../types.js' */

/** So many that an interval of 99 % has an end on either side, and so few that each is long. */
const BLOCKS = 10;
/** The coverage of the interval, and how many standard deviations of a normal distribution that is to either side. */
export const TREND = { level: 0.99, deviations: 2.576 };
/** With fewer, blocks are too short for that. */
export const FEWEST_POINTS = 18;

/**
 * How fast a figure grows: the median of the slopes between any two points (Theil 1950), which single outliers do not
 * move, with the interval that Kendall's rank statistic gives it (Sen, "Estimates of the regression coefficient based on
 * Kendall's tau", JASA 63, 1968).
 *
 * Both expect points that are independent, and what a process holds in one minute is like what it held the minute
 * before: of series without a trend, the test would then find one in far more than it should (Hamed and Rao, "A modified
 * Mann-Kendall trend test for autocorrelated data", J. Hydrology 204, 1998). So it is made of the medians of ten blocks.
 * test/analysis/statistics/slope.test.js holds it to its level.
 * @param {{x: number, y: number}[]} points in their order, FEWEST_POINTS or more @returns {Trend} per unit of x
 */
export function trendOf(points) {
  const blocks = Array.from({ length: BLOCKS }, (_, index) => {
    const [from, to] = [index, index + 1].map((edge) => Math.round((edge * points.length) / BLOCKS));
    const own = points.slice(from, to);
    return { x: median(own.map(({ x }) => x)), y: median(own.map(({ y }) => y)) };
  });
  const slopes = slopesBetween(blocks);
  const deviation = Math.sqrt((BLOCKS * (BLOCKS - 1) * (2 * BLOCKS + 5)) / 18);
  const outside = Math.floor((slopes.length - TREND.deviations * deviation) / 2);
  return {
    from: blocks[0].y,
    slope: median(slopes),
    low: slopes[outside - 1],
    high: slopes[slopes.length - outside],
    late: median(slopesBetween(blocks.slice(BLOCKS / 2))),
  };
}

/** @param {{x: number, y: number}[]} points @returns {number[]} the least first */
const slopesBetween = (points) =>
  points
    .flatMap((to, index) => points.slice(0, index).map((from) => (to.y - from.y) / (to.x - from.x)))
    .sort((a, b) => a - b);
