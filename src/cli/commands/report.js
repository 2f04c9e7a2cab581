import { OPTIONS, readReport, withAssertions } from '../../index.js';
import { addOptions, addOutputOptions } from '../options.js';
import { checkWritable, printReport, sayOn } from '../output.js';
import { findResult } from '../saved.js';
import { tellAssertions } from '../verdict.js';
import { checkPlot } from '../view.js';

/** @import { CliCommand } from '../types.js' */

const { assert, assertStrict } = OPTIONS;

/** @type {CliCommand} */
export default {
  name: 'report',
  summary: 'render a saved result again: a file, a name that history lists, or last',

  define(command) {
    command.argument('[result]', 'a saved result, or a report in JSON', 'last');
    addOutputOptions(addOptions(command, { assert, assertStrict }));
  },

  async run({ format, output, plot, ...given }, world, name) {
    const say = sayOn(world.stderr);
    checkPlot({ format, plot });
    if (output !== undefined) checkWritable(output);
    const saved = await readReport(await findResult(name, world.env));
    const report =
      given.assert === undefined && given.assertStrict === undefined
        ? saved
        : await withAssertions(saved, {
            assert: given.assert ?? saved.settings.assert,
            assertStrict: given.assertStrict ?? saved.settings.assertStrict,
          });
    await printReport(report, { format, output, plot }, world);
    for (const warning of report.warnings) say(`warning: ${warning}`);
    return tellAssertions(report, say);
  },
};
