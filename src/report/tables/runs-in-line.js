import { medianSorted } from 'simple-statistics';

/** @import { Run } from '../../results/types.js' */

/** More runs would fill the screen, and nobody would read them; csv has all. */
const RUNS_SHOWN = 1000;

/**
 * @param {Run[]} runs
 * @returns {string[]} `330 (2)` for each: average elapsed time of its tasks in ms, and the spread
 */
export function runTexts(runs) {
  const shown = runs.slice(0, RUNS_SHOWN).map(runText);
  return runs.length > RUNS_SHOWN
    ? [...shown, `+ ${(runs.length - RUNS_SHOWN).toLocaleString('en-US')}`]
    : shown;
}

/** @param {Run} run */
function runText({ failed, averageMs, spreadMs }) {
  if (failed !== null || averageMs === null || spreadMs === null) return 'failed';
  const digits = digitsOf(averageMs);
  return `${averageMs.toFixed(digits)} (${spreadMs.toFixed(digits)})`;
}

/** @param {number} averageMs @returns {number} whole milliseconds, as in the original; a decimal if rounding would hide a tenth of the figure */
const digitsOf = (averageMs) => (averageMs < 10 ? 1 : 0);

/**
 * The runs of a cell in one line, however many there are.
 *
 * @param {Run[]} runs
 * @returns {string[]} the longest first: each run; least, median and most of the averages, and of the
 *   spreads; least and most. Empty texts where no run succeeded.
 */
export function runsInLine(runs) {
  const good = runs.filter(({ failed }) => failed === null);
  const failed = runs.length - good.length;
  const note = failed === 0 ? '' : `, ${failed} failed`;
  const all = runTexts(runs).join(' ');
  if (good.length === 0) return [all, '', ''];
  const averages = good.map(({ averageMs }) => Number(averageMs)).sort((a, b) => a - b);
  const spreads = good.map(({ spreadMs }) => Number(spreadMs)).sort((a, b) => a - b);
  const digits = digitsOf(averages[0]);
  const write = (/** @type {number[]} */ values) => {
    const texts = values.map((value) => value.toFixed(digits));
    return texts.every((text) => text === texts[0]) ? texts[0] : texts.join('–');
  };
  const ends = (/** @type {number[]} */ sorted) => [sorted[0], sorted[sorted.length - 1]];
  const three = (/** @type {number[]} */ sorted) => [
    sorted[0],
    medianSorted(sorted),
    sorted[sorted.length - 1],
  ];
  return [
    all,
    `${write(three(averages))} (${write(three(spreads))})${note}`,
    `${write(ends(averages))} (${write(ends(spreads))})${note}`,
  ];
}
