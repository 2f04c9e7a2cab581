import { axisX, ruleY } from '@observablehq/plot';
import { rankOf, slowestIn, slowOperations } from '../../../analysis/findings/slow-operations.js';
import { nameCells } from '../../../axes/cell-names.js';
import { duration } from '../../words/figures.js';
import { whatText } from '../../words/slowest-words.js';
import { html, swatch } from './markup.js';
import { drawSvg, inFacets, linearAxis } from './svg.js';

/** @import { CellResult, Slowest } from '../../../results/types.js' */

/** Pixels of an operation. */
const ROW = 18;

/** @param {string} what */
const colorOf = (what) => `var(--line-${rankOf(what) + 1})`;

/** What happened during the slowest operations of those cells in which this explains them. @param {CellResult[]} cells of one group */
export function slowestChart(cells) {
  const names = nameCells(cells);
  const found = slowOperations(cells).map((finding) => finding.cells[0]);
  const facets = cells
    .filter(({ id }) => found.includes(id))
    .map((cell) => ({ title: names.get(cell.id) ?? cell.id, ...slowestIn(cell) }));
  return facets.length === 0 ? null : html`${legend(facets)}${inFacets(facets, draw)}`;
}

/** @param {Slowest[]} all */
function legend(all) {
  const during = all.flatMap(({ operations }) => operations.flatMap((operation) => operation.during));
  return html`<p class="small">${[...new Set(during.map(({ what }) => what))]
    .sort((a, b) => rankOf(a) - rankOf(b))
    .map((what) => html`<span class="key">${swatch(colorOf(what))} ${whatText(what)}</span> `)}</p>`;
}

/** @param {Slowest} slowest @param {number} width */
function draw({ operations }, width) {
  const rows = operations.map(({ ms }, index) => ({ ms, y: (index + 0.5) * ROW }));
  // What is more specific lies above the rest, and is narrower.
  const parts = operations.flatMap(({ during }, index) =>
    during
      .toSorted((a, b) => rankOf(b.what) - rankOf(a.what))
      .map(({ what, fromMs, ms }) => ({
        fromMs,
        toMs: fromMs + ms,
        y: rows[index].y,
        color: colorOf(what),
        width: 4 + 2 * rankOf(what),
        title: `${whatText(what)}: ${duration(ms * 1000)}`,
      })),
  );
  const [{ ms: most }] = operations;
  const height = rows.length * ROW;
  return drawSvg('The slowest operations, and what happened during each', {
    marginTop: 4,
    marginBottom: 24,
    marginLeft: 10,
    marginRight: 18,
    width,
    height: 4 + height + 24,
    x: { domain: [0, most] },
    y: { domain: [height, 0], axis: null },
    marks: [
      ruleY(rows, { x1: 0, x2: 'ms', y: 'y', stroke: 'var(--rule)', strokeWidth: ROW - 4 }),
      ruleY(parts, {
        x1: 'fromMs',
        x2: 'toMs',
        y: 'y',
        stroke: 'color',
        strokeWidth: 'width',
        title: 'title',
      }),
      linearAxis(axisX, 5, 'ms'),
    ],
  });
}
