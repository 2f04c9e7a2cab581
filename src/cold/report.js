import { conditionsIn, conditionsOf, nameCells, sharedConditions } from '../axes/cell-names.js';
import { alike } from '../core/alike.js';
import { behindText, duration, said, spreadText } from '../core/report/figures.js';
import { behindBest } from '../core/statistics/enough-runs.js';
import { cellText, metricNamed, metricsIn, samplesIn } from '../core/store/metrics.js';

/** @import { CommonReport, Grid, GridRow, Report, Section, State } from '../core/report/types.js' */
/** @import { CellResult, Report as Result } from '../core/store/types.js' */

const [FIRST, DETAILS] = /** @type {const} */ (['first', 'details']);
const FIRST_REPLY = metricNamed('firstReplyMs');
/** The parts of the first reply, and what was loaded for it. */
const PARTS = ['processStartMs', 'importMs', 'connectMs', 'replyMs', 'coldRssBytes', 'installedBytes'].map(
  metricNamed,
);
const MOST_ROWS = 16;

/**
 * What a fresh process took to its first reply.
 * @param {Result} result @param {CommonReport} common
 * @returns {Report}
 */
export function reportOf({ cells, settings }, { facts, remarks, environment, ended }) {
  const rows = alike(cells, ({ group }) => group).flatMap((own) => groupRows(own, cells));
  const runs = Math.max(0, ...cells.map((cell) => samplesIn(cell, FIRST_REPLY).length));
  const parts = [{ title: 'first reply' }, { title: '±' }, { title: 'behind' }].concat(
    PARTS.map(({ tables, title }) => ({ title: String(tables?.cold ?? title) })),
  );
  /** @type {Section[]} */
  const sections = [
    { place: FIRST, notes: said([ended]) },
    {
      place: FIRST,
      grid: { columns: parts, rows, most: MOST_ROWS },
      notes: said([
        rows.some(({ texts }) => String(texts[2]).startsWith('maybe')) &&
          `maybe: ${runs} runs are too few to be sure; use --runs ${runs < ENOUGH ? ENOUGH : 2 * runs}.`,
        'Files are in the memory of the machine: right after a deploy, import also waits for the disk.',
        'It depends on the distance (--rtt 20ms), on TLS, and on whether the client is bundled (--bundle none,esbuild).',
      ]),
    },
    { place: DETAILS, heading: 'All runs', grid: runsGrid(cells) },
    { place: DETAILS, heading: 'All figures', grid: allGrid(cells) },
    { place: DETAILS, heading: 'Environment', grid: environment },
  ];
  const title = [
    'Cold start: a fresh process until its first reply',
    ...sharedConditions(cells, settings, ['workload', 'tasks']),
  ];
  return { title: title.join(' · '), facts, sections, remarks, verdicts: [] };
}

/** So many runs decide between a few cells. */
const ENOUGH = 5;

/** @param {CellResult[]} cells */
const namesOf = (cells) => nameCells(cells, [...conditionsIn(cells), 'scenario']);

/** @param {CellResult[]} own of a group @param {CellResult[]} all @returns {GridRow<string>[]} the soonest first */
function groupRows(own, all) {
  const names = namesOf(all);
  const samples = own.map((cell) => samplesIn(cell, FIRST_REPLY).map(({ value }) => value));
  const behind = behindBest(samples);
  return own
    .map((cell, index) => {
      const { summary } = cell;
      const figures = summary === null ? null : PARTS.map((metric) => cellText(metric, summary));
      return {
        ratio: behind[index].ratio,
        row: {
          name: `${names.get(cell.id)}`,
          texts:
            summary === null || figures === null
              ? [cell.skipped === null ? 'failed' : 'skipped', ...Array(PARTS.length + 2).fill('')]
              : [
                  cellText(FIRST_REPLY, summary),
                  spreadText(samples[index]),
                  own.length > 1 ? behindText(behind[index]) : '',
                  ...figures,
                ],
          state: /** @type {State} */ (
            behind[index].isBest ? 'fastest' : summary === null ? 'failed' : 'close'
          ),
        },
      };
    })
    .toSorted((a, b) => a.ratio - b.ratio)
    .map(({ row }, index) => (index === 0 ? { ...row, heading: conditionsOf(own[0], all) } : row));
}

/** @param {CellResult[]} cells @returns {Grid} */
function runsGrid(cells) {
  const names = namesOf(cells);
  const rows = cells.map((cell) => ({
    name: said([names.get(cell.id) ?? '', conditionsOf(cell, cells)]).join(', '),
    texts: [
      samplesIn(cell, FIRST_REPLY)
        .map(({ value }) => duration(value * 1000))
        .join(', '),
    ],
  }));
  return {
    columns: [{ title: 'first reply of each run, the median of its processes', align: 'left' }],
    rows,
  };
}

/** @param {CellResult[]} cells @returns {Grid} */
function allGrid(cells) {
  const names = namesOf(cells);
  const metrics = metricsIn('cold');
  const rows = cells.flatMap(({ summary, ...cell }) =>
    summary === null
      ? []
      : {
          name: said([names.get(cell.id) ?? '', conditionsOf(cell, cells)]).join(', '),
          texts: metrics.map((metric) => cellText(metric, summary)),
        },
  );
  return { columns: metrics.map(({ tables }) => ({ title: String(tables?.cold) })), rows };
}
