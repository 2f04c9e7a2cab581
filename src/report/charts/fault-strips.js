import { sum } from 'simple-statistics';
import { faultRunsOf } from '../../analysis/findings/fault-outcome.js';
import { nameSubjects } from '../../axes/cell-names.js';

/** @import { Comparison } from '../../analysis/types.js' */
/** @import { CellResult, FaultRun, FaultTimeline } from '../../results/types.js' */
/** @import { Pen } from './plot.js' */

/**
 * What most operations of a piece of time came to: done in time, done late (or the backlog of an outage), failed, or
 * nothing was answered though callers waited.
 */
const MARKS = {
  done: '█',
  some: '▄',
  late: '▒',
  failed: '×',
  waiting: '∙',
  nothing: ' ',
  strike: '▼',
  over: '▽',
};
/** Of what was due in a piece of time: nearly all of it, and any part worth a mark of its own. */
const [NEARLY_ALL, SOME] = [0.9, 0.1];
/** Fewer show nothing. */
const LEAST_COLUMNS = 8;

/**
 * What became of the operations of each cell in each piece of the first run, with the fault marked.
 * @param {CellResult[]} cells of one group @param {Pick<Comparison, 'ranking'>} comparison
 * @param {Pen} pen @param {number} room columns
 * @returns {{mark: string, strips: Map<string, string>}} by cell; none where nothing was measured, or there is no room
 */
export function faultStrips(cells, { ranking }, { colors }, room) {
  const rows = room < LEAST_COLUMNS ? [] : faultRows(cells, ranking);
  if (rows.length === 0) return { mark: '', strips: new Map() };
  const buckets = Math.max(...rows.map(({ run }) => run.timeline.due.length));
  const inColumn = Math.ceil(buckets / room);
  const columnMs = inColumn * rows[0].run.timeline.bucketMs;
  const paint = (/** @type {string} */ text) =>
    text.replaceAll(new RegExp(`${MARKS.failed}+`, 'g'), (found) => colors.red(found));
  return {
    mark: strikeLine(rows, columnMs),
    strips: new Map(rows.map(({ id, run }) => [id, paint(stripOf(run.timeline, inColumn))])),
  };
}

/**
 * @param {CellResult[]} cells of one group @param {Comparison['ranking']} ranking
 * @returns {{id: string, name: string, run: FaultRun}[]} of each cell the first run in which the fault happened
 */
export function faultRows(cells, ranking) {
  const names = nameSubjects(cells);
  return ranking.flatMap(({ cell: id }) => {
    const cell = cells.find((each) => each.id === id);
    const [run] = cell === undefined ? [] : faultRunsOf(cell);
    return run === undefined ? [] : { id, name: names.get(id) ?? id, run };
  });
}

/** @param {{run: FaultRun}[]} rows @param {number} columnMs */
function strikeLine(rows, columnMs) {
  const struck = rows.find(({ run }) => run.struckAtMs !== null)?.run;
  if (struck === undefined) return '';
  const at = Math.floor(Number(struck.struckAtMs) / columnMs);
  const over = Math.floor(Number(struck.overAtMs) / columnMs);
  const isShown = over > at && over < (struck.timeline.due.length * struck.timeline.bucketMs) / columnMs;
  return `${' '.repeat(at)}${MARKS.strike}${isShown ? `${' '.repeat(over - at - 1)}${MARKS.over}` : ''}`;
}

/** @param {FaultTimeline} timeline @param {number} inColumn */
function stripOf({ due, inTime, acknowledged, failed, waiting }, inColumn) {
  const usual = (sum(due) / due.filter((count) => count > 0).length) * inColumn;
  let strip = '';
  for (let from = 0; from < due.length; from += inColumn) {
    const part = (/** @type {number[]} */ counts) => sum(counts.slice(from, from + inColumn));
    const wanted = part(due);
    const waits = waiting[Math.min(due.length, from + inColumn) - 1] > 0;
    strip += markOf({
      due: wanted,
      usual,
      inTime: part(inTime),
      acknowledged: part(acknowledged),
      failed: part(failed),
      waits,
    });
  }
  return strip;
}

/** @param {{due: number, usual: number, inTime: number, acknowledged: number, failed: number, waits: boolean}} piece */
function markOf({ due, usual, inTime, acknowledged, failed, waits }) {
  if (failed > Math.max(acknowledged, due * SOME)) return MARKS.failed;
  if (due > 0 && inTime >= NEARLY_ALL * due) return MARKS.done;
  if (due > 0 && inTime >= SOME * due) return MARKS.some;
  if (acknowledged > SOME * usual) return MARKS.late;
  return waits ? MARKS.waiting : MARKS.nothing;
}

/** What the marks mean. */
export const STRIPS_LEGEND = `over time: ${MARKS.done} done in time, ${MARKS.some} partly, ${MARKS.late} late, ${MARKS.failed} failed, ${MARKS.waiting} no reply; ${MARKS.strike} the fault, ${MARKS.over} its end`;
