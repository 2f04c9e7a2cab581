import semver from 'semver';
import { nameCells } from '../../../axes/cell-names.js';
import { figureOfCell, metricsIn, samplesIn } from '../../../metrics/metric-values.js';
import { textOf } from '../../../metrics/text.js';
import { lineChart } from './line-chart.js';
import { inCharts, inFacets } from './svg.js';

/** @import { VersionSeries } from '../../../analysis/types.js' */
/** @import { CellResult } from '../../../results/types.js' */
/** @import { Metric } from '../../../metrics/types.js' */
/** @import { LineChart } from './line-chart.js' */
/** @import { Group } from './page.js' */

const HEIGHT = 190;
/** Pixels of a letter; the most letters of a version. */
const [LETTER, MOST_LETTERS] = [6.3, 18];
const ANGLE = 45;
/** Pixels from one version to the next, at an angle; of many versions only some are named. */
const LEAST_STEP = 15;
/** Offsets between lines, and between the runs of one, as parts of the distance between versions. */
const [BETWEEN_LINES, SPREAD] = [0.14, 0.1];

/** By release of a client or of Node. @param {Pick<Group, 'cells' | 'comparison'>} group @returns null where everything has one version */
export function versionChart({ cells, comparison }) {
  const lines = comparison.versions.map((series) => lineOf(series, cells));
  const charts = [...new Set(lines.map(({ subject }) => subject))].flatMap((subject) => {
    const all = lines.filter((line) => line.subject === subject);
    const labels = labelsOf(all);
    return inCharts(subject, all).flatMap((facet) => chartsOf({ ...facet, labels }));
  });
  return charts.length === 0 ? null : inFacets(charts, lineChart);
}

/** @param {Parameters<typeof chartOf>[0]} facet */
const chartsOf = (facet) => metricsIn('versions').flatMap((metric) => chartOf(facet, metric) ?? []);

/** @param {VersionSeries} series @param {CellResult[]} cells of the group */
function lineOf({ axis, entries }, cells) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  // Without the axis along which the line runs, its cells have one name.
  const names = nameCells(cells, [axis]);
  const members = entries.map(({ cell: id, version }) => {
    const cell = /** @type {CellResult} */ (byId.get(id));
    return { cell, version, label: axis === 'release' ? releaseText(cell, version) : `Node ${cell.node}` };
  });
  return {
    subject: axis === 'release' ? members[0].cell.client : 'Node',
    name: String(names.get(entries[0].cell)),
    members,
  };
}

/** @param {CellResult} cell @param {string} installed @returns {string} `redis@4.7.1`; `redis 6.3.1` of the installed one */
const releaseText = ({ client, version }, installed) =>
  version === null ? `${client} ${installed}` : `${client}@${version}`;

/** @param {ReturnType<typeof lineOf>[]} lines @returns {string[]} each version once, the oldest first */
function labelsOf(lines) {
  const versions = new Map(
    lines.flatMap(({ members }) => members.map(({ label, version }) => [label, version])),
  );
  return [...versions].sort(([, a], [, b]) => semver.compare(a, b)).map(([label]) => label);
}

/**
 * @param {{title: string, labels: string[], lines: ReturnType<typeof lineOf>[]}} facet @param {Metric} metric
 * @returns {(LineChart & {title: string}) | null}
 */
function chartOf({ title, labels, lines }, metric) {
  const what = metric.heading ?? metric.title;
  const drawn = lines.flatMap(({ name, members }, style) => {
    const points = members.flatMap(({ label, cell }) => {
      const { summary } = cell;
      const y = summary && figureOfCell(metric, summary);
      // A logarithmic axis has no place for 0.
      if (!y || y <= 0) return [];
      // Next to the other lines, so that intervals do not cover each other.
      const x = labels.indexOf(label) + (style - (lines.length - 1) / 2) * BETWEEN_LINES;
      const interval = summary?.intervals[metric.id];
      const span = interval && interval.low > 0 ? [{ ...interval, x }] : [];
      const samples = samplesOf(cell, metric, { label, x });
      return { x, y, title: `${name}, ${label}: ${textOf(metric, y)}`, span, samples };
    });
    const spans = points.flatMap(({ span }) => span);
    const samples = points.flatMap((point) => point.samples);
    return points.length === 0 ? [] : { name, style, points, spans, samples };
  });
  if (drawn.length === 0) return null;
  const [single, ...others] = drawn;
  const subject = others.length === 0 ? single.name : title;
  return {
    title: `${what}, ${subject}`,
    label: `${what} by version, ${subject}: ${labels[0]} to ${labels[labels.length - 1]}`,
    // A single line is named by the title.
    lines: others.length === 0 ? [{ ...single, name: '' }] : drawn,
    hasDots: true,
    height: HEIGHT,
    x: versionsBelow(labels),
    y: { text: (value) => textOf(metric, value) },
  };
}

/** @param {CellResult} cell @param {Metric} metric @param {{label: string, x: number}} at its version, and where their median stands */
function samplesOf(cell, metric, { label, x }) {
  const values = samplesIn(cell, metric).filter(({ value }) => value > 0);
  return values.map(({ value, round }, index) => ({
    x: x + (values.length === 1 ? 0 : (index / (values.length - 1) - 0.5) * SPREAD),
    y: value,
    title: `${label}, run ${round}: ${textOf(metric, value)}`,
  }));
}

/** @param {string[]} labels @returns {LineChart['x']} */
export const versionsBelow = (labels) => ({
  domain: [-0.5, labels.length - 0.5],
  axis: (inner) => versionAxis(labels, inner),
});

/** The versions below a chart, at an angle if they do not fit side by side. @param {string[]} labels @param {number} width */
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
