import { areaY, axisX, ruleX, ruleY, text } from '@observablehq/plot';
import { faultRows } from '../../charts/fault-strips.js';
import { whole } from '../../words/figures.js';
import { fitLines } from '../../words/wrap.js';
import { drawSvg, inBothWidths, linearAxis } from './svg.js';

/** @import { FaultRun } from '../../../results/types.js' */
/** @import { Group } from './page.js' */

/** Pixels of a cell: its name, what was answered, above a line, and who waits, below it. */
const [NAME, ANSWERED, WAITING, GAP] = [16, 40, 22, 10];
const ROW = NAME + ANSWERED + WAITING + GAP;
/** A backlog that is cleared at once would make all else invisible. */
const MOST_TIMES_USUAL = 2;
/** Pixels of a letter of a name, about. */
const LETTER = 6.5;

/** @param {Pick<Group, 'cells' | 'comparison'>} group @returns null where nothing was measured */
export function faultChart({ cells, comparison }) {
  const rows = faultRows(cells, comparison.ranking);
  return rows.length === 0 ? null : inBothWidths((width) => draw(rows, width));
}

/** @param {{name: string, run: FaultRun}[]} rows @param {number} width */
function draw(rows, width) {
  const runs = rows.map(({ run }) => run);
  const usual = Math.max(...runs.map(({ timeline }) => medianOf(timeline.due)));
  // A few are always in flight; to scale, they would look like an outage.
  const mostWaiting = Math.max(usual, ...runs.flatMap(({ timeline }) => timeline.waiting));
  const points = rows.flatMap(({ run }, index) => pointsOf(run, index * ROW, { usual, mostWaiting }));
  const seconds = Math.max(...points.map(({ from }) => from));
  const struck = runs.find(({ struckAtMs }) => struckAtMs !== null);
  const moments = struck ? [struck.struckAtMs, struck.overAtMs].map((ms) => Number(ms) / 1000) : [];
  const labels = rows.map(({ name, run }, index) => {
    const waiting = `${whole(Math.max(...run.timeline.waiting))} waiting`;
    const room = Math.floor((width - 30) / LETTER) - waiting.length;
    const [fitting, ...cut] = fitLines(name, room);
    return { name: cut.length > 0 ? `${fitting} …` : fitting, waiting, y: index * ROW + NAME / 2 };
  });
  // Readable where a line passes through it.
  const label = { stroke: 'var(--page)', strokeWidth: 4, y: 'y' };
  const area = (/** @type {string} */ low, /** @type {string} */ high, /** @type {string} */ fill) =>
    areaY(points, { x: 'from', y1: low, y2: high, z: 'base', fill, curve: 'step-after' });
  return drawSvg('Operations done, failed and waiting in steps of 100 ms, a row for each cell', {
    marginTop: 4,
    marginBottom: 24,
    marginLeft: 10,
    marginRight: 14,
    width,
    height: 4 + rows.length * ROW + 24,
    x: { domain: [0, seconds] },
    y: { domain: [rows.length * ROW, 0], axis: null },
    marks: [
      area('base', 'done', 'var(--accent)'),
      area('done', 'failed', 'var(--bad)'),
      area('base', 'waiting', 'var(--mark)'),
      ruleY(
        rows.map((_, index) => index * ROW + NAME + ANSWERED),
        { stroke: 'var(--muted)', strokeWidth: 0.6 },
      ),
      ruleX(
        moments.filter((at) => at <= seconds),
        { stroke: 'var(--ink)', strokeDasharray: '2 2' },
      ),
      text(labels, { ...label, x: 0, text: 'name', textAnchor: 'start', fill: 'var(--ink)' }),
      text(labels, { ...label, x: seconds, text: 'waiting', textAnchor: 'end', fill: 'var(--muted)' }),
      linearAxis(axisX, 6, 's'),
    ],
  });
}

/** @param {FaultRun} run @param {number} top pixels @param {{usual: number, mostWaiting: number}} scale */
function pointsOf({ timeline }, top, { usual, mostWaiting }) {
  const base = top + NAME + ANSWERED;
  const most = usual * MOST_TIMES_USUAL;
  const up = (/** @type {number} */ count) => base - (Math.min(count, most) / most) * ANSWERED;
  const { bucketMs, acknowledged, failed, waiting } = timeline;
  const points = acknowledged.map((done, bucket) => ({
    base,
    from: (bucket * bucketMs) / 1000,
    done: up(done),
    failed: up(done + failed[bucket]),
    waiting: base + (waiting[bucket] / mostWaiting) * WAITING,
  }));
  // A step ends where the next begins, and the last one has none.
  return [...points, ...points.slice(-1).map((last) => ({ ...last, from: last.from + bucketMs / 1000 }))];
}

/** @param {number[]} values @returns {number} the median of those above 0 */
function medianOf(values) {
  const sorted = values.filter((value) => value > 0).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 1;
}
