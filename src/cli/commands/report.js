import { readReport, withAssertions } from '../../index.js';
import { checkWritable, printReport, sayOn } from '../output.js';
import { findResult } from '../saved.js';
import { tellAssertions } from '../verdict.js';
import { checkPlot } from '../view.js';

/** @import { World } from '../types.js' */

/**
 * Renders a saved result again, and decides its assertions or others.
 *
 * @param {string} name of a file, or `last`
 * @param {Record<string, any>} options
 * @param {World} world
 * @returns {Promise<number>} the exit code
 */
export async function reportCommand(name, { format, output, plot, assert, assertStrict }, world) {
  const say = sayOn(world.stderr);
  checkPlot({ format, plot });
  if (output !== undefined) checkWritable(output);
  const saved = await readReport(await findResult(name, world.env));
  const report =
    assert === undefined && assertStrict === undefined
      ? saved
      : await withAssertions(saved, {
          assert: assert ?? saved.settings.assert,
          assertStrict: assertStrict ?? saved.settings.assertStrict,
        });
  await printReport(report, { format, output, plot }, world);
  for (const warning of report.warnings) say(`warning: ${warning}`);
  return tellAssertions(report, say);
}
