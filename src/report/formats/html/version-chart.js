import { dot, line, ruleX } from '@observablehq/plot';
import { metricsIn } from '../../../metrics/metric-values.js';
import { textOf } from '../../../metrics/text.js';
import { logDomain } from '../../charts/scales.js';
import { lineChart } from './line-chart.js';
import { inFacets, lineStyle } from './svg.js';
import { pointsOf, versionFacets } from './version-lines.js';

/** @import { Metric } from '../../../metrics/types.js' */
/** @import { Markup } from './markup.js' */
/** @import { Group } from './page.js' */
/** @import { VersionFacet } from './version-lines.js' */

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
  const drawn = lines.flatMap((each, index) => {
    const points = pointsOf(each, metric).map((point) => ({
      ...point,
      // Beside the other lines, so that intervals do not cover each other.
      x: labels.indexOf(point.label) + (index - (lines.length - 1) / 2) * BESIDE,
    }));
    const last = points.at(-1);
    if (last === undefined) return [];
    const sample = metric.in === 'counted' ? 'start' : 'run';
    return { ...lineStyle(index), name: each.name, points, sample, end: { x: last.x, y: last.median } };
  });
  if (drawn.length === 0) return null;
  const subject = drawn.length === 1 ? drawn[0].name : title;
  const figures = drawn
    .flatMap(({ points }) => points)
    .flatMap(({ median, interval, runs }) => [
      median,
      ...(interval ? [interval.low, interval.high] : []),
      ...runs.map(({ value }) => value),
    ]);
  return {
    title: `${what}, ${subject}`,
    labels,
    lines: drawn,
    domain: logDomain(figures),
    text,
    label: `${what} by version, ${subject}: ${labels[0]} to ${labels[labels.length - 1]}`,
  };
}

/** @param {NonNullable<ReturnType<typeof chartOf>>} chart @param {number} width */
function draw({ label, labels, lines, domain, text }, width) {
  const edge = labels.length - 0.5;
  const axis = (/** @type {number} */ inner) => versionAxis(labels, inner);
  const chart = {
    // A single line is named by the title.
    named: lines.length === 1 ? [] : lines,
    height: HEIGHT,
    marginLeft: 56,
    x: { scale: { domain: [-0.5, edge] }, edge, axis },
    y: { domain, text },
    marks: lines.flatMap((each) => lineMarks(each, text)),
  };
  return lineChart(label, chart, width);
}

/** @typedef {NonNullable<ReturnType<typeof chartOf>>['lines'][number]} Line */

/**
 * The versions below the chart, at an angle if they do not fit side by side.
 * @param {string[]} labels @param {number} width pixels for all of them
 */
export function versionAxis(labels, width) {
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

/** @param {Line} line @param {(value: number) => string} text */
function lineMarks({ name, points, color, dash, sample }, text) {
  const runs = points.flatMap(({ label, x, runs: each }) =>
    each.map(({ value, round }, index) => ({
      value,
      x: x + (each.length === 1 ? 0 : (index / (each.length - 1) - 0.5) * SPREAD),
      title: `${label}, ${sample} ${round}: ${text(value)}`,
    })),
  );
  const spans = points.flatMap(({ x, interval }) => (interval ? [{ ...interval, x }] : []));
  return [
    line(points, { x: 'x', y: 'median', stroke: color, strokeWidth: 1.4, strokeDasharray: dash }),
    dot(runs, { x: 'x', y: 'value', r: 1.8, fill: color, fillOpacity: 0.45, title: 'title' }),
    ruleX(spans, { x: 'x', y1: 'low', y2: 'high', stroke: color, strokeOpacity: 0.35, strokeWidth: 7 }),
    dot(points, {
      x: 'x',
      y: 'median',
      r: 3.5,
      fill: color,
      stroke: 'var(--page)',
      strokeWidth: 1,
      title: ({ label, median }) => `${name}, ${label}: ${text(median)}`,
    }),
  ];
}
