import { printableDeep } from '../../core/report/escaped.js';
import { formatOption, Option, outputOption } from '../options.js';
import { checkWritable, printData } from '../output.js';
import { findResult } from '../saved.js';

/** @import { CommandPart } from '../types.js' */

/** @type {CommandPart} */
export const why = {
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

  async run({ kind, format, output }, { stdout, env }, result, cell, than) {
    const { readReport } = await import('../render.js');
    const { explainDifference } = await import('../../benchmark/compare-reports.js');
    const { codeTable } = await import('../../why/code-table.js');
    const { sentencesAt } = await import('../../benchmark/report/words/findings.js');
    const file = await findResult(result, env);
    if (output !== undefined) checkWritable(output, { reads: [file] });
    const report = await readReport(file);
    const explained = printableDeep(await explainDifference(report, cell, than, { kind }));
    await printData(explained, { format, output }, stdout, (_, width) => {
      const conditions = printableDeep(sentencesAt(report, 'condition'));
      return codeTable(explained, { names: [cell, than], width, conditions });
    });
  },
};
