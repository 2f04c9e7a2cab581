import { median } from 'simple-statistics';

/** @import { Trend } from '../types.js' */

/** An interval of 99 % has both ends with so many, and each is still long. */
const BLOCKS = 10;
/** The coverage of the interval, in standard deviations too. */
export const TREND = { level: 0.99, deviations: 2.576 };
/** With fewer, blocks are too short. */
export const FEWEST_POINTS = 18;

/**
 * The median of the slopes between any two points (Theil 1950), with the interval of Kendall's rank statistic (Sen,
 * JASA 63, 1968). Both assume independent points, but what a process holds in one minute is like that of the minute
 * before, and the test would find trends far too often (Hamed and Rao, J. Hydrology 204, 1998). So it takes the medians
 * of ten blocks; test/analysis/statistics/slope.test.js checks the level.
 * @param {{x: number, y: number}[]} points in order, FEWEST_POINTS or more @returns {Trend} per unit of x
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

/** @param {{x: number, y: number}[]} points @returns {number[]} ascending */
const slopesBetween = (points) =>
  points
    .flatMap((to, index) => points.slice(0, index).map((from) => (to.y - from.y) / (to.x - from.x)))
    .sort((a, b) => a - b);
