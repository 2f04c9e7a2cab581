import { OPTIONS } from '../../options/option-table.js';
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

  async run({ format, output, plot, details, ...all }, { tools, say, ...context }, name) {
    const { withAssertions } = await import('../../benchmark/judge/create-report.js');
    const { readReport } = await import('../render.js');
    tools.checkForTable({ format, plot, details });
    const { own, given } = tools.takeFormatOptions(all, format, context.options);
    const file = await tools.findResult(name, context.env);
    if (output !== undefined) tools.checkWritable(output, { reads: [file] });
    const saved = await readReport(file);
    const report =
      given.assert === undefined && given.assertStrict === undefined
        ? saved
        : await withAssertions(saved, {
            assert: given.assert ?? saved.settings.assert,
            assertStrict: given.assertStrict ?? saved.settings.assertStrict,
          });
    await tools.printReport(
      report,
      { format, output, plot, details, detailsCommand: tools.detailsOf(name), own },
      context,
    );
    for (const warning of report.warnings) say(`warning: ${warning}`);
    return tools.tellAssertions(report, say);
  },
};
