import { clientName } from '../../axes/cell-names.js';
import { alike } from '../../benchmark/judge/alike.js';
import { isSearch } from '../../benchmark/judge/open-loop.js';
import { logDomain, ninesText, ninesTicks } from '../../benchmark/report/charts/scales.js';
import { mainGrid } from '../../benchmark/report/tables/main-grid.js';
import { isClosed } from '../../benchmark/report/tables/result-rows.js';
import { haveFault } from '../../break/fault-ranking.js';
import { startedCold } from '../../cold/first-replies.js';
import { coverageText, duration } from '../../core/report/figures.js';
import { titled } from '../../core/report/grid.js';
import { FIRST_NINES, latencyCurve } from '../../core/statistics/latency.js';
import { codeCosts } from '../../why/code-costs.js';
import { costText, placeText, unsampledText } from '../../why/code-words.js';
import { lineChart } from './line-chart.js';
import { html } from './markup.js';
import { costTable, gridTable, latencyTable, otherTables, runsTable } from './page-tables.js';
import { runsChart } from './runs-chart.js';
import { inBothWidths, inCharts, inFacets, MOST_LINES } from './svg.js';

/** @import { Markup } from './markup.js' */
/** @import { Group } from './page.js' */
/** @import { CodeCosts } from '../../benchmark/judge/types.js' */
/** @import { CodePart, ProfileKind } from '../../core/worker/types.js' */
/** @import { Row } from '../../core/report/types.js' */
/** @import { ChartLine, LineChart } from './line-chart.js' */

/** @param {Group} group */
export function groupSection(group) {
  const { id, title, cells, rows, comparison } = group;
  const isBrief = haveFault(cells) || startedCold(cells);
  const [main, coverage] = [mainGrid(group), coverageText(rows)];
  return html`<section id="${id}"><h2>${title}</h2>
${main && gridTable(main)}
${
  isClosed(group) &&
  html`${figure(
    'Every run',
    html`Operations per second, on a logarithmic scale: equal distances are equal ratios. Each point is a run, from the first
(top) to the last (bottom); the line is their median${coverage && `, the band its ${coverage}`}.${
      comparison.ranking.length > 1 && ' The fastest cell and those that tie with it stand out.'
    }`,
    runsChart(rows),
  )}
${runsTable(group)}`
}
${isBrief ? null : measuredParts(group)}</section>`;
}

/** @param {Group} group */
function measuredParts(group) {
  const { rows } = group;
  // The table of a search has the latency of each rate.
  return html`${
    !isSearch(group.cells) &&
    html`${figure(
      'Latency',
      html`From the ${!isClosed(group) && 'scheduled '}start of an operation to its reply, all runs together, by percentile: each step to the
right leaves a tenth of the operations. A line ends at the slowest operation.`,
      latencyChart(rows),
    )}
${latencyTable(group)}`
  }
${otherTables(group)}
${costTable(group)}
${codeSection(group)}`;
}

/** @param {string} title @param {Markup} caption @param {Markup | null} chart */
const figure = (title, caption, chart) =>
  chart && html`<h3>${title}</h3><figure><figcaption>${caption}</figcaption>${chart}</figure>`;

/** In the order of their columns, with narrow titles. @type {Record<CodePart, string>} */
const TITLES = {
  package: 'client',
  node: 'Node',
  native: 'native, system',
  poll: 'polling',
  garbage: 'garbage',
  application: 'app work',
  tool: 'tool',
  other: 'plugins',
};

/** @typedef {{name: string, costs: CodeCosts}} Profiled */

/** Whose code costs what, of the cells that were profiled. @param {Group} group */
function codeSection({ rows }) {
  const parts = KINDS.flatMap((kind) => {
    const profiled = rows.flatMap(({ name, cell }) => {
      const costs = codeCosts(cell, kind);
      return costs === null ? [] : [{ name, costs }];
    });
    return profiled.length === 0 ? [] : [partOf(profiled, WORDS[kind])];
  });
  return parts.length === 0 ? null : html`${parts}`;
}

/** @typedef {Record<'heading' | 'what' | 'caption', string>} SectionWords */

/** @type {Record<ProfileKind, SectionWords>} */
const WORDS = {
  cpu: {
    heading: 'Where the CPU time goes',
    what: 'CPU time per operation, by whose code spends it',
    caption: "From a separate run under V8's sampling profiler, scaled to the CPU time of the timed runs.",
  },
  heap: {
    heading: 'What allocates memory',
    what: 'Bytes allocated per operation, by whose code allocates them',
    caption: "From a separate run under V8's sampling heap profiler.",
  },
};

const KINDS = /** @type {ProfileKind[]} */ (Object.keys(WORDS));

/** @param {Profiled[]} profiled @param {SectionWords} words */
function partOf(profiled, { heading, what, caption }) {
  const spent = profiled.flatMap(({ costs }) => costs.kinds).filter(({ share }) => share > 0);
  const parts = /** @type {CodePart[]} */ (Object.keys(TITLES)).filter((part) =>
    spent.some((kind) => kind.part === part),
  );
  const costs = gridTable({
    note: what,
    columns: titled([...parts.map((part) => TITLES[part]), 'all']),
    rows: profiled.map((each) => costRow(each, parts)),
  });
  return html`<h3>${heading}</h3><p class="small">${caption} ${unsampledText(profiled.map((each) => each.costs))}</p>
${costs}
${functionLists(profiled)}`;
}

const MOST_FUNCTIONS = 15;

/** @param {Profiled[]} profiled */
const functionLists = (profiled) => html`<details><summary>The most expensive functions</summary>
<div class="facets">${profiled.map(
  ({ name, costs }) =>
    html`<div>${gridTable({
      note: name,
      names: { title: 'function' },
      columns: titled(['per operation']),
      rows: costs.functions
        .slice(0, MOST_FUNCTIONS)
        .map((each) => ({ name: placeText(each), texts: [costText(each.perOp, costs.unit)] })),
    })}</div>`,
)}</div></details>`;

/** @param {Profiled} row @param {CodePart[]} parts */
function costRow({ name, costs: { kinds, perOp, unit } }, parts) {
  const costs = parts.map((part) => kinds.find((each) => each.part === part)?.perOp);
  return { name, texts: [...costs, perOp].map((cost) => (cost === undefined ? '' : costText(cost, unit))) };
}

/** Pixels of the text of a percentile. */
const TICK = 42;
/** The room beyond the last operation is for leaders from lines to their names. */
const BEYOND = 1.04;

/** Each further nine takes the same room. @param {Row[]} results of one group @returns null where no latency was recorded */
function latencyChart(results) {
  const curves = curvesOf(results);
  if (curves.length === 0) return null;
  const points = curves.flatMap((curve) => curve.points);
  const last = Math.max(1, ...points.map(({ x }) => x));
  /** @type {LineChart} */
  const chart = {
    label: 'Latency by percentile',
    lines: curves,
    x: {
      domain: [FIRST_NINES, last * BEYOND],
      axis: (inner) => ({ ticks: ninesTicks(last, inner / TICK), text: ninesText }),
    },
    y: { domain: logDomain(points.map(({ y }) => y)), text: duration },
  };
  if (curves.length <= MOST_LINES) return inBothWidths((width) => lineChart(chart, width));
  const facets = facetsOf(curves).map((facet) => ({
    ...chart,
    ...facet,
    label: `${chart.label}, ${facet.title}`,
  }));
  return inFacets(facets, lineChart);
}

/** With more cells than this, a chart shows only its own. */
const MOST_CONTEXT = 12;

/** @typedef {ChartLine & {client: string, label: string}} Curve `label`: the name without the client */

/** @param {Row[]} results @returns {Curve[]} of every cell that has latencies */
function curvesOf(results) {
  const cells = results.map(({ cell }) => cell);
  const curves = results.flatMap(({ name, cell }) => {
    const points = cell.summary?.latency ? latencyCurve(cell.summary.latency.hdr) : [];
    if (points.length < 2) return [];
    const client = clientName(cell, cells);
    const label = name.startsWith(`${client}, `) ? name.slice(client.length + 2) : name;
    return { name, client, label, points: points.map(({ nines, us }) => ({ x: nines, y: us })) };
  });
  return curves.map((curve, index) => ({ ...curve, style: index % MOST_LINES }));
}

/** All curves in one chart would be a tangle: each client has a chart, or several if it has many cells. @param {Curve[]} curves */
function facetsOf(curves) {
  const labels = [...new Set(curves.map(({ label }) => label))].sort();
  // Curves of the same name look the same in all charts, as long as there are enough colours.
  const styleOf = (/** @type {Curve} */ { label }, /** @type {number} */ index) =>
    labels.length <= MOST_LINES ? labels.indexOf(label) : index;
  return alike(curves, ({ client }) => client)
    .flatMap((all) => inCharts(all[0].client, all))
    .map(({ title, lines: own }) => ({
      title,
      lines: own.map((curve, index) => ({ ...curve, name: curve.label, style: styleOf(curve, index) })),
      behind: curves.length > MOST_CONTEXT ? [] : curves.filter((curve) => !own.includes(curve)),
    }));
}
