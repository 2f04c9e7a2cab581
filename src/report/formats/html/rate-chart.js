import { rateCurves } from '../../../analysis/findings/sustained.js';
import { logDomain, logTicks } from '../../charts/scales.js';
import { duration, whole } from '../../words/figures.js';
import { lineChart } from './line-chart.js';
import { inBothWidths, MOST_LINES } from './svg.js';

/** @import { Markup } from './markup.js' */
/** @import { Group } from './page.js' */

/** Pixels of the axis of latencies. */
const HEIGHT = 240;
/** Pixels of a rate's text. */
const TICK = 60;

/** The p99 latency over the rate: a search's steps. @param {Group} group @returns {Markup | null} null where no rate was searched for */
export function rateChart({ cells }) {
  if (!cells[0].openLoop?.search) return null;
  const lines = rateCurves(cells)
    .slice(0, MOST_LINES)
    .map(({ name, points }, style) => ({
      name,
      style,
      points: points.map(({ rate, us, held }) => ({ x: rate, y: us, hollow: !held, title: name })),
    }));
  if (lines.length === 0) return null;
  const { sloMs } = cells[0].openLoop;
  const domain = logDomain(lines.flatMap(({ points }) => points.map(({ x }) => x)));
  const axis = (/** @type {number} */ inner) => ({ ticks: logTicks(domain, inner / TICK), text: whole });
  const chart = {
    lines,
    hasDots: true,
    limits: sloMs === null ? [] : [sloMs * 1000],
    height: HEIGHT,
    x: { type: /** @type {const} */ ('log'), domain, axis },
    y: { text: duration },
  };
  return inBothWidths((width) => lineChart('p99 latency over the rate', chart, width));
}
