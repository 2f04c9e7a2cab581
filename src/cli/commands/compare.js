import { EXIT, UsageError } from '../../core/errors.js';
import { formatOption, metricOption, outputOption } from '../options.js';

/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'compare',
  summary: 'compare two results cell by cell: what differs, and how certain that is',

  define(command) {
    command
      .argument('<base>', "a result, a name that 'history' lists, or 'last': what was before")
      .argument('<new>', 'the same: what is now')
      .addOption(metricOption('what is compared', 'opsPerSecond'))
      .addOption(formatOption(['table', 'json', 'markdown', 'csv'], 'how it is printed'))
      .addOption(outputOption())
      .option(
        '--fail-on <regression:percent>',
        'exit 5 when a cell is significantly worse by that much; 6 when it had too little CPU to judge: regression:5%',
        regressionLimit,
      );
  },

  async run({ metric, format, output, failOn }, { stdout, env, tools, say }, base, next) {
    const { readReport } = await import('../render.js');
    const { findRegressions } = await import('../../benchmark/findings/compare-reports.js');
    const { compareReports } = await import('../../benchmark/compare-reports.js');
    const { changeText, COMPARISON_FORMATS } = await import(
      '../../benchmark/report/tables/report-comparison.js'
    );
    const [before, after] = [await tools.findResult(base, env), await tools.findResult(next, env)];
    if (output !== undefined) tools.checkWritable(output, { reads: [before, after] });
    const comparison = tools.printableDeep(
      await compareReports(await readReport(before), await readReport(after), { metric }),
    );
    const render = COMPARISON_FORMATS[/** @type {keyof typeof COMPARISON_FORMATS} */ (format)];
    await tools.printData(comparison, { format, output }, stdout, (all, width) => render(all, { width }));
    if (failOn === undefined) return EXIT.done;

    const { certain, unsure, disturbed, limitedTo } = await findRegressions(comparison, failOn);
    const [taker, remedy] =
      limitedTo === null
        ? ['other programs', 'on a quiet machine']
        : [`a limit of ${limitedTo} CPUs`, 'with a higher CPU limit'];
    for (const cell of certain) say(`regression: ${changeText(cell, comparison.unit)}`);
    for (const cell of unsure) {
      say(
        `not counted as a regression, because these runs show no significant difference: ${changeText(cell, comparison.unit)}`,
      );
    }
    for (const { name, group } of disturbed)
      say(`not judged, because ${taker} kept it waiting for CPU: ${name} (${group})`);
    const all = comparison.cells.length;
    if (certain.length > 0) {
      say(`redis-pipe-bench: ${certain.length} of ${all} cells are worse by ${failOn} % or more`);
      return EXIT.assertion;
    }
    if (disturbed.length === 0) return EXIT.done;
    say(`redis-pipe-bench: ${disturbed.length} of ${all} cells cannot be judged; measure again ${remedy}`);
    return EXIT.undecided;
  },
};

/** @param {string} value such as `regression:5%` @returns {number} a percentage @throws {UsageError} */
function regressionLimit(value) {
  const [, percent] = /^regression:(\d*\.?\d+)%$/.exec(value) ?? [];
  if (percent === undefined) {
    throw new UsageError(`--fail-on: expected something like regression:5%, got '${value}'`);
  }
  return Number(percent);
}
