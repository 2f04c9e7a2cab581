import { formatOption, Option, outputOption } from '../options.js';

/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'why',
  summary: 'show which code makes one cell cost more than another, after --profile',

  define(command) {
    command
      .argument('<result>', "a result, a name that 'history' lists, or 'last'")
      .argument('<cell>', 'a cell, named as in assertions: redis, redis:tuned/pool')
      .argument('<than>', 'the cell to compare it with')
      .addOption(
        new Option('--kind <kind>', 'cpu: CPU time, heap: memory').choices(['cpu', 'heap']).default('cpu'),
      )
      .addOption(formatOption(['table', 'json'], 'how it is printed'))
      .addOption(outputOption());
  },

  async run({ kind, format, output }, { stdout, env, tools }, result, cell, than) {
    const { readReport } = await import('../render.js');
    const { explainDifference } = await import('../../benchmark/compare-reports.js');
    const { codeTable } = await import('../../why/code-table.js');
    const { sentencesAt } = await import('../../benchmark/report/words/findings.js');
    const file = await tools.findResult(result, env);
    if (output !== undefined) tools.checkWritable(output, { reads: [file] });
    const report = await readReport(file);
    const explained = tools.printableDeep(await explainDifference(report, cell, than, { kind }));
    await tools.printData(explained, { format, output }, stdout, (_, width) => {
      const conditions = tools.printableDeep(sentencesAt(report, 'condition'));
      return codeTable(explained, { names: [cell, than], width, conditions });
    });
  },
};
