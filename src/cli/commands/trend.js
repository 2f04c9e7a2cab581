import { join } from 'node:path';
import { printableDeep } from '../../core/report/escaped.js';
import { FLAGS } from '../flags.js';
import { formatOption, Option, outputOption } from '../options.js';
import { checkWritable, printData } from '../output.js';

/** @import { SeriesSet } from '../../history/types.js' */
/** @import { CommandPart } from '../types.js' */

/** @type {CommandPart} */
export const trend = {
  define: (command) =>
    void command
      .argument('<folder>', 'with saved results (--save), or reports in JSON')
      .addOption(
        new Option(
          '--by <order>',
          'how results follow each other (default: by release or commit where cells name any, else by time)',
        ).choices(['time', 'release', 'commit']),
      )
      .option(
        '--metric <names>',
        "what is followed: metrics that 'redis-pipe-bench list' names, separated by commas (default: the usual ones)",
        (names) => names.split(','),
      )
      .addOption(formatOption(['table', 'json', 'markdown', 'html'], 'how it is printed'))
      .addOption(outputOption())
      .option(FLAGS.details.flag, 'each changed cell, result by result'),

  async run({ by: order, metric: metrics, format, output, details }, { stdout }, folder) {
    const { trend } = await import('../../history/trend.js');
    if (output !== undefined) checkWritable(output);
    const found = await trend(folder, { order, metrics });
    if (output !== undefined)
      checkWritable(output, { reads: filesIn(found).map((file) => join(folder, file)) });
    const { printed } = await import('../render.js');
    const { trendReport } = await import('../../history/trend-table.js');
    await printData(printableDeep(found), { format, output }, stdout, (all, width) =>
      printed(trendReport(all), format, { width, details, detailsCommand: null }),
    );
  },
};

/** @param {SeriesSet} found @returns {string[]} */
const filesIn = ({ series, leftOut }) => [
  ...series.flatMap(({ points }) => points.map(({ file }) => file)),
  ...leftOut.map(({ file }) => file),
];
