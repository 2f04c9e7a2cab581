import { nameSubjects } from '../../axes/names.js';
import { duration, percent, whole } from '../words/figures.js';

/**
 * @import { Comparison, OpenLoopSummary, Summary } from '../../analysis/types.js'
 * @import { CellResult } from '../../results/types.js'
 */

/**
 * What tells whether a rate was held, the most telling first: medians over the runs, latencies from the
 * scheduled start.
 *
 * @typedef {[title: string, text: (summary: Summary, openLoop: OpenLoopSummary) => string]} Column
 * @type {Column[]}
 */
const COLUMNS = [
  ['ops/s', (_, openLoop) => whole(openLoop.achievedPerSecond)],
  ['held', heldText],
  ['EXISTS true/false', ({ answers }) => (answers ? `${whole(answers.true)}/${whole(answers.false)}` : '')],
  ['p50', ({ latency }) => time(latency?.p50Us)],
  ['p99', ({ latency }) => time(latency?.p99Us)],
  ['max', ({ latency }) => time(latency?.maxUs)],
  ['p99 sent', (_, { latencyFromSend }) => time(latencyFromSend?.p99Us)],
  ['late p99', (_, { latenessP99Us }) => time(latenessP99Us)],
  ['waited', (_, { waited }) => whole(waited)],
  ['dropped', (_, { dropped }) => whole(dropped)],
  ['in flight', (_, { inFlightMax }) => whole(inFlightMax)],
  ['client', ({ bottleneck }) => percent(bottleneck.clientBusy)],
  ['server', ({ bottleneck }) => percent(bottleneck.serverBusy)],
  ['MB', ({ client }) => whole(client.peakRssBytes / 1e6)],
];

/** In a search the rate is what tells the cells apart. @type {Column} */
const RATE = ['rate', (_, { intendedPerSecond }) => whole(intendedPerSecond)];

export const OPEN_LOOP_NOTE =
  'p50, p99, max: from the scheduled start; p99 sent: from sending; late: from the scheduled start to sending; client, server: busy';

/**
 * @param {CellResult[]} cells of one group
 * @param {Comparison} comparison
 * @returns {{titles: string[], rows: {cell: CellResult, name: string, texts: string[]}[]}}
 */
export function openLoopRows(cells, { ranking }) {
  const names = nameSubjects(cells);
  const columns = cells.some(({ openLoop }) => openLoop?.search) ? [RATE, ...COLUMNS] : COLUMNS;
  const ranked = ranking.flatMap((place) => cells.filter(({ id }) => id === place.cell));
  const ordered = [...ranked, ...cells.filter((cell) => !ranked.includes(cell))];
  const texts = ordered.map((cell) =>
    columns.map(([, text], column) => {
      if (cell.summary?.openLoop) return text(cell.summary, cell.summary.openLoop);
      return column === 0 ? stateOf(cell) : '';
    }),
  );
  // Without EXISTS there are no answers: what no cell has is left out.
  const said = columns.map((_, column) => texts.some((row) => row[column] !== ''));
  return {
    titles: columns.map(([title]) => title).filter((_, column) => said[column]),
    rows: ordered.map((cell, row) => ({
      cell,
      name: names.get(cell.id) ?? cell.id,
      texts: texts[row].filter((_, column) => said[column]),
    })),
  };
}

/** @type {Column[1]} */
function heldText({ runs }, { heldRuns }) {
  if (heldRuns === runs || heldRuns === 0) return heldRuns > 0 ? 'yes' : 'no';
  return `${heldRuns} of ${runs}`;
}

/** @param {CellResult} cell */
const stateOf = ({ skipped, runs }) =>
  skipped !== null ? 'skipped' : runs.length > 0 ? 'failed' : 'not run';

/** @param {number | null | undefined} microseconds */
const time = (microseconds) => (microseconds == null ? '' : duration(microseconds));
