import { nameSubjects } from '../stats/names.js';
import { duration, percent, whole } from './figures.js';
import { ruledTable } from './ruled-table.js';

/**
 * What tells whether a rate was held: medians over the runs, latencies from the scheduled start. The
 * columns that do not fit are left out, from the right.
 *
 * @typedef {[title: string, text: (summary: import('../types.js').Summary, openLoop: import('../types.js').OpenLoopSummary) => string]} Column
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
 * @param {import('../types.js').CellResult[]} cells of one group
 * @param {import('../types.js').Comparison} comparison
 * @param {number} width
 * @returns {string}
 */
export function openLoopTable(cells, { ranking }, width) {
  const searched = cells.some(({ openLoop }) => openLoop?.search);
  const names = nameSubjects(cells);
  const columns = searched ? [RATE, ...COLUMNS] : COLUMNS;
  const ranked = ranking.flatMap((place) => cells.filter(({ id }) => id === place.cell));
  const ordered = [...ranked, ...cells.filter((cell) => !ranked.includes(cell))];
  const rows = ordered.map((cell, index) => ({
    name: nameBelow(names.get(cell.id) ?? cell.id, index > 0 ? names.get(ordered[index - 1].id) : undefined),
    texts: columns.map(([, text], column) =>
      cell.summary?.openLoop ? text(cell.summary, cell.summary.openLoop) : column === 0 ? stateOf(cell) : '',
    ),
  }));
  let used = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const fitting = columns
    .map(([title], index) => ({ title, texts: rows.map(({ texts }) => texts[index]) }))
    .filter(({ title, texts }) => {
      // None of them has it: without EXISTS there are no answers.
      if (texts.every((text) => text === '')) return false;
      used += Math.max(title.length, ...texts.map((text) => text.length)) + 2;
      return used <= width;
    });
  return ruledTable(
    ['', ...fitting.map(({ title }) => title)],
    ['left', ...fitting.map(() => /** @type {const} */ ('right'))],
    rows.map(({ name }, row) => [name, ...fitting.map(({ texts }) => texts[row])]),
  );
}

/** @param {string} name @param {string} [above] @returns {string} empty where the row above has the same */
const nameBelow = (name, above) => (name === above ? '' : name);

/** @type {Column[1]} */
function heldText({ runs }, { heldRuns }) {
  if (heldRuns === runs || heldRuns === 0) return heldRuns > 0 ? 'yes' : 'no';
  return `${heldRuns} of ${runs}`;
}

/** @param {import('../types.js').CellResult} cell */
const stateOf = ({ skipped, runs }) =>
  skipped !== null ? 'skipped' : runs.length > 0 ? 'failed' : 'not run';

/** @param {number | null | undefined} microseconds */
const time = (microseconds) => (microseconds == null ? '' : duration(microseconds));
