import { sum } from 'simple-statistics';
import { conditionsIn, conditionsOf, nameCells, sharedConditions } from '../axes/cell-names.js';
import { alike } from '../core/alike.js';
import { behindText, duration, micro, said, spreadText, whole } from '../core/report/figures.js';
import { behindBest } from '../core/statistics/enough-runs.js';
import { metricNamed, samplesIn } from '../core/store/metrics.js';

/** @import { CommonReport, Grid, GridRow, Report, Section, State } from '../core/report/types.js' */
/** @import { CellResult, Report as Result } from '../core/store/types.js' */

const [FIRST, DETAILS] = /** @type {const} */ (['first', 'details']);
const RATE = metricNamed('opsPerSecond');
const MOST_ROWS = 16;
/** How the error of a message begins that did not arrive. */
const LOST = 'a message was lost';

/** @typedef {NonNullable<CellResult['summary']>} Summary */

/** @type {{title: string, of: (summary: Summary) => string}[]} */
const FIGURES = [
  { title: 'p50', of: ({ latency }) => (latency ? duration(latency.p50Us) : '') },
  { title: 'p99', of: ({ latency }) => (latency ? duration(latency.p99Us) : '') },
  { title: 'CPU each', of: ({ client }) => (client?.cpuUsPerOp == null ? '' : micro(client.cpuUsPerOp)) },
];

/**
 * How messages came from sender to receiver.
 * @param {Result} result @param {CommonReport} common
 * @returns {Report}
 */
export function reportOf({ cells, settings }, { facts, remarks, environment, ended }) {
  const rows = alike(cells, ({ group }) => group).flatMap((own) => groupRows(own, cells));
  const titles = ['received/s', '±', 'behind', ...FIGURES.map(({ title }) => title), 'lost', 'twice'];
  const isRated = cells.some(({ openLoop }) => openLoop !== null);
  /** @type {Section[]} */
  const sections = [
    { place: FIRST, notes: said([ended]) },
    {
      place: FIRST,
      grid: { columns: titles.map((title) => ({ title })), rows, most: MOST_ROWS },
      notes: said([
        'p50, p99: from sending a message until it is received; CPU each: of sender and receiver, for one message.',
        rows.some(({ texts }) => String(texts[2]).startsWith('maybe')) &&
          'maybe: these runs are too few, or vary too much, to be sure; use more --runs.',
        isRated && 'Latencies count from when a message was meant to be sent.',
        'Sender and receiver share a process, but for :apart. It depends on --tasks, --size and --rtt.',
      ]),
    },
    { place: DETAILS, heading: 'All runs', grid: runsGrid(cells) },
    { place: DETAILS, heading: 'Environment', grid: environment },
  ];
  const title = ['Messages', ...sharedConditions(cells, settings)].join(' · ');
  return { title, facts, sections, remarks, verdicts: [] };
}

/** @param {CellResult[]} cells */
function namesOf(cells) {
  const isOne = new Set(cells.map(({ scenario }) => scenario)).size === 1;
  return nameCells(cells, [...conditionsIn(cells), ...(isOne ? ['scenario'] : [])]);
}

/** @param {CellResult[]} own of a group @param {CellResult[]} all @returns {GridRow<string>[]} the fastest first */
function groupRows(own, all) {
  const names = namesOf(all);
  const samples = own.map((cell) => samplesIn(cell, RATE).map(({ value }) => value));
  const behind = behindBest(samples.map((values) => values.map((value) => 1 / value)));
  return own
    .map((cell, index) => {
      const { summary, skipped, openLoop } = cell;
      const isCompared = own.length > 1 && openLoop === null;
      const lost = sum([0, ...cell.runs.flatMap(lostIn)]);
      const twice = sum([0, ...cell.runs.map(({ wrongReplies }) => wrongReplies)]);
      const figures =
        summary === null
          ? [skipped === null ? 'failed' : 'skipped', '', '', ...FIGURES.map(() => '')]
          : [
              whole(summary.opsPerSecond),
              spreadText(samples[index]),
              isCompared ? behindText(behind[index]) : '',
              ...FIGURES.map(({ of }) => of(summary)),
            ];
      return {
        ratio: behind[index].ratio,
        row: {
          name: `${names.get(cell.id)}`,
          texts: [...figures, skipped === null ? whole(lost) : '', skipped === null ? whole(twice) : ''],
          state: /** @type {State} */ (
            lost + twice > 0 || (summary === null && skipped === null)
              ? 'failed'
              : behind[index].isBest && isCompared
                ? 'fastest'
                : 'close'
          ),
        },
      };
    })
    .toSorted((a, b) => a.ratio - b.ratio)
    .map(({ row }, index) => (index === 0 ? { ...row, heading: conditionsOf(own[0], all) } : row));
}

/** @param {CellResult['runs'][number]} run @returns {number[]} messages that did not arrive, by their error */
const lostIn = ({ errors }) =>
  Object.entries(errors).flatMap(([text, count]) => (text.startsWith(LOST) ? count : []));

/** @param {CellResult[]} cells @returns {Grid} */
function runsGrid(cells) {
  const names = namesOf(cells);
  const rows = cells.map((cell) => ({
    name: said([conditionsOf(cell, cells), names.get(cell.id) ?? '']).join(', '),
    texts: [
      samplesIn(cell, RATE)
        .map(({ value }) => whole(value))
        .join(', '),
    ],
  }));
  return { columns: [{ title: 'received per second in each run', align: 'left' }], rows };
}
