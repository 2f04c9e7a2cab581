import { OPTIONS, readReport, withAssertions } from '../../index.js';
import { addOptions, addOutputOptions } from '../options.js';

/** @import { CliCommand } from '../types.js' */

const { assert, assertStrict } = OPTIONS;

/** @type {CliCommand} */
export default {
  name: 'report',
  summary: 'render a saved result again, without measuring',

  define(command, context) {
    command.argument('[result]', 'a saved result, or a report in JSON', 'last');
    addOutputOptions(addOptions(command, { assert, assertStrict }), context);
  },

  async run({ format, output, plot, details, ...all }, context, name) {
    const {
      checkForTable,
      checkWritable,
      detailsOf,
      findResult,
      printReport,
      sayOn,
      takeFormatOptions,
      tellAssertions,
    } = await import('../toolbox.js');
    const say = sayOn(context.stderr);
    checkForTable({ format, plot, details });
    const { own, given } = takeFormatOptions(all, format, context.options);
    const file = await findResult(name, context.env);
    if (output !== undefined) checkWritable(output, { reads: [file] });
    const saved = await readReport(file);
    const report =
      given.assert === undefined && given.assertStrict === undefined
        ? saved
        : await withAssertions(saved, {
            assert: given.assert ?? saved.settings.assert,
            assertStrict: given.assertStrict ?? saved.settings.assertStrict,
          });
    await printReport(
      report,
      { format, output, plot, details, detailsCommand: detailsOf(name), own },
      context,
    );
    for (const warning of report.warnings) say(`warning: ${warning}`);
    return tellAssertions(report, say);
  },
};
