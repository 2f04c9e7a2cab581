import { compareReports, EXIT, findRegressions, readReport } from '../../index.js';
import { COMPARISON_FORMATS, figureText } from '../../report/tables/report-comparison.js';
import { printableDeep } from '../../report/words/printable.js';
import { checkWritable, sayOn, writeResults } from '../output.js';
import { findResult } from '../saved.js';

/**
 * @import { ComparedCell } from '../../analysis/types.js'
 * @import { World } from '../types.js'
 */

/**
 * Holds two results against each other and prints what differs.
 *
 * @param {string} base a file, or `last`
 * @param {string} next a file, or `last`
 * @param {{metric: string, format: keyof typeof COMPARISON_FORMATS, output?: string, failOn?: number}} options
 *   `failOn` in percent
 * @param {World} world
 * @returns {Promise<number>} the exit code
 */
export async function compareCommand(
  base,
  next,
  { metric, format, output, failOn },
  { stdout, stderr, env },
) {
  const say = sayOn(stderr);
  if (output !== undefined) checkWritable(output);
  const [before, after] = [await findResult(base, env), await findResult(next, env)];
  const comparison = printableDeep(
    await compareReports(await readReport(before), await readReport(after), { metric }),
  );
  const width = (output === undefined && stdout.columns) || 100;
  await writeResults(output, COMPARISON_FORMATS[format](comparison, { width }), stdout);
  if (failOn === undefined) return EXIT.done;

  const { certain, unsure } = await findRegressions(comparison, failOn);
  for (const cell of certain) say(`regression: ${changeText(cell, comparison.unit)}`);
  for (const cell of unsure) {
    say(
      `not counted as a regression, for no difference can be claimed with these runs: ${changeText(cell, comparison.unit)}`,
    );
  }
  if (certain.length === 0) return EXIT.done;
  say(
    `redis-pipe-bench: ${certain.length} of ${comparison.cells.length} cells are worse by ${failOn} % or more`,
  );
  return EXIT.assertion;
}

/**
 * @param {ComparedCell & {worseBy: number}} cell
 * @param {string} unit
 */
const changeText = ({ name, group, base, new: after, worseBy, contrast }, unit) =>
  `${name} (${group}): ${figureText(base)} → ${figureText(after)} ${unit}, ${worseBy.toFixed(1)} % worse${contrast ? ` (p = ${contrast.pAdjusted.toFixed(4)})` : ''}`;
