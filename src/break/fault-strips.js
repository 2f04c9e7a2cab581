import { sum } from 'simple-statistics';
import { nameSubjects } from '../axes/cell-names.js';
import { byRank } from '../benchmark/report/tables/result-rows.js';
import { faultRunsOf } from './outcome.js';

/** @import { Comparison } from '../benchmark/judge/types.js' */
/** @import { CellResult, FaultRun } from '../core/store/types.js' */

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
/** Shares of what was due in a column's time. */
const [NEARLY_ALL, SOME] = [0.9, 0.1];
const LEAST_COLUMNS = 8;

/**
 * @param {CellResult[]} cells of one group @param {Pick<Comparison, 'ranking'>} comparison @param {number} room
 * @returns {{mark: string, strips: Map<string, string>}} by cell; none where nothing was measured, or nothing fits
 */
export function faultStrips(cells, { ranking }, room) {
  const rows = room < LEAST_COLUMNS ? [] : faultRows(cells, ranking);
  if (rows.length === 0) return { mark: '', strips: new Map() };
  const buckets = Math.max(...rows.map(({ run }) => run.timeline.due.length));
  const inColumn = Math.ceil(buckets / room);
  const columnMs = inColumn * rows[0].run.timeline.bucketMs;
  return {
    mark: strikeLine(rows, columnMs),
    strips: new Map(rows.map(({ id, run }) => [id, stripOf(run.timeline, inColumn)])),
  };
}

/** The first run of each cell in which the fault happened. @param {CellResult[]} cells @param {Comparison['ranking']} ranking */
export function faultRows(cells, ranking) {
  const names = nameSubjects(cells);
  return byRank(cells, ranking).flatMap((cell) => {
    const [run] = faultRunsOf(cell);
    return run === undefined ? [] : { id: cell.id, name: names.get(cell.id) ?? cell.id, run };
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

/** @param {FaultRun['timeline']} timeline @param {number} inColumn */
function stripOf({ due, inTime, acknowledged, failed, waiting }, inColumn) {
  const usual = (sum(due) / due.filter((count) => count > 0).length) * inColumn;
  let strip = '';
  for (let from = 0; from < due.length; from += inColumn) {
    const counts = [due, inTime, acknowledged, failed].map((all) => sum(all.slice(from, from + inColumn)));
    const waits = waiting[Math.min(due.length, from + inColumn) - 1] > 0;
    strip += markOf(counts, usual, waits);
  }
  return strip;
}

/** @param {number[]} counts @param {number} usual @param {boolean} waits whether any caller does */
function markOf([due, inTime, acknowledged, failed], usual, waits) {
  if (failed > Math.max(acknowledged, due * SOME)) return MARKS.failed;
  if (due > 0 && inTime >= NEARLY_ALL * due) return MARKS.done;
  if (due > 0 && inTime >= SOME * due) return MARKS.some;
  if (acknowledged > SOME * usual) return MARKS.late;
  return waits ? MARKS.waiting : MARKS.nothing;
}

export const STRIPS_LEGEND = `over time: ${MARKS.done} done in time, ${MARKS.some} partly, ${MARKS.late} late, ${MARKS.failed} failed, ${MARKS.waiting} no reply; ${MARKS.strike} the fault, ${MARKS.over} its end`;
