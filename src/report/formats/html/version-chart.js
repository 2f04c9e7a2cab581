import { metricsIn } from '../../../metrics/metric-values.js';
import { textOf } from '../../../metrics/text.js';
import { lineChart } from './line-chart.js';
import { inFacets } from './svg.js';
import { pointsOf, versionFacets } from './version-lines.js';

/** @import { Metric } from '../../../metrics/types.js' */
/** @import { Domain } from './line-chart.js' */
/** @import { Markup } from './markup.js' */
/** @import { Group } from './page.js' */
/** @import { VersionFacet, VersionPoint } from './version-lines.js' */

const HEIGHT = 190;
/** Pixels of a letter; the most letters of a version. */
const [LETTER, MOST_LETTERS] = [6.3, 18];
const ANGLE = 45;
/** Pixels from one version to the next, at an angle; of many versions only some are named. */
const LEAST_STEP = 15;
/** Offsets between lines, and between the runs of one, as parts of the distance between versions. */
const BESIDE = 0.14;
const SPREAD = 0.1;

/**
 * What an operation costs and how many there are a second, by release of a client or of Node.
 * @param {Pick<Group, 'cells' | 'comparison'>} group @returns {Markup | null} null where everything has one version
 */
export function versionChart(group) {
  const charts = versionFacets(group).flatMap((facet) =>
    metricsIn('versions').flatMap((metric) => chartOf(facet, metric) ?? []),
  );
  return charts.length === 0 ? null : inFacets(charts, draw);
}

/** @param {VersionFacet} facet @param {Metric} metric */
function chartOf({ title, labels, lines }, metric) {
  const what = metric.heading ?? metric.title;
  const text = (/** @type {number} */ value) => textOf(metric, value);
  const drawn = lines.flatMap((each, style) => {
    const points = pointsOf(each, metric).map((point) => ({
      ...point,
      // Beside the other lines, so that intervals do not cover each other.
      x: labels.indexOf(point.label) + (style - (lines.length - 1) / 2) * BESIDE,
      y: point.median,
      title: `${each.name}, ${point.label}: ${text(point.median)}`,
    }));
    const spans = points.flatMap(({ x, interval }) => (interval ? [{ ...interval, x }] : []));
    const samples = points.flatMap((point) => samplesOf(point, metric));
    return points.length === 0 ? [] : { name: each.name, style, points, spans, samples };
  });
  if (drawn.length === 0) return null;
  const [{ name }, ...others] = drawn;
  const subject = others.length === 0 ? name : title;
  return {
    title: `${what}, ${subject}`,
    labels,
    // A single line is named by the title.
    lines: others.length === 0 ? [{ ...drawn[0], name: '' }] : drawn,
    text,
    label: `${what} by version, ${subject}: ${labels[0]} to ${labels[labels.length - 1]}`,
  };
}

/** @param {VersionPoint & {x: number}} point @param {Metric} metric */
function samplesOf({ label, x, runs }, metric) {
  const sample = metric.in === 'counted' ? 'start' : 'run';
  return runs.map(({ value, round }, index) => ({
    x: x + (runs.length === 1 ? 0 : (index / (runs.length - 1) - 0.5) * SPREAD),
    y: value,
    title: `${label}, ${sample} ${round}: ${textOf(metric, value)}`,
  }));
}

/** @param {NonNullable<ReturnType<typeof chartOf>>} chart @param {number} width */
const draw = ({ label, labels, lines, text }, width) =>
  lineChart(label, { lines, hasDots: true, height: HEIGHT, x: versionsBelow(labels), y: { text } }, width);

/** @param {string[]} labels @returns the horizontal axis of a chart of versions */
export const versionsBelow = (labels) => ({
  domain: /** @type {Domain} */ ([-0.5, labels.length - 0.5]),
  axis: (/** @type {number} */ inner) => versionAxis(labels, inner),
});

/**
 * The versions below the chart, at an angle if they do not fit side by side.
 * @param {string[]} labels @param {number} width pixels for all of them
 */
function versionAxis(labels, width) {
  // A path may be long, and its end says most.
  const texts = labels.map((label) =>
    label.length <= MOST_LETTERS ? label : `…${label.slice(1 - MOST_LETTERS)}`,
  );
  const longest = Math.max(...texts.map(({ length }) => length)) * LETTER;
  const fits = longest + 6 <= width / labels.length;
  const stride = Math.ceil((labels.length * LEAST_STEP) / width);
  return {
    ticks: [...labels.keys()].filter((index) => index % stride === 0),
    text: (/** @type {number} */ index) => texts[index],
    depth: fits ? 24 : 20 + longest * Math.sin((ANGLE * Math.PI) / 180),
    ...(fits ? {} : { tickRotate: -ANGLE }),
  };
}
