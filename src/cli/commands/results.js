import { EXIT, UsageError } from '../../core/errors.js';
import { printableDeep } from '../../core/report/escaped.js';
import { userStateFolder } from '../../core/store/result-store.js';
import { OPTIONS } from '../../options/option-table.js';
import { addOptions, addOutputOptions, formatOption, metricOption, outputOption } from '../options.js';
import {
  checkForTable,
  checkWritable,
  printData,
  printReport,
  takeFormatOptions,
  tellAssertions,
} from '../output.js';
import { detailsOf, findResult } from '../saved.js';

/** @import { CommandPart } from '../types.js' */

const { assert, assertStrict } = OPTIONS;

/** @type {CommandPart} */
export const report = {
  define(command, context) {
    command.argument('[result]', 'a saved result, or a report in JSON', 'last');
    addOutputOptions(addOptions(command, { assert, assertStrict }), context);
  },

  async run({ format, output, details, ...all }, { say, ...context }, name) {
    const { withAssertions } = await import('../../benchmark/judge/create-report.js');
    const { readReport } = await import('../render.js');
    checkForTable({ format, details });
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
    await printReport(report, { format, output, details, detailsCommand: detailsOf(name), own }, context);
    for (const warning of report.warnings) say(`warning: ${warning}`);
    return tellAssertions(report, say);
  },
};

/** @type {CommandPart} */
export const history = {
  define: (command) => void command.addOption(formatOption(['table', 'json'], 'how they are listed')),

  async run({ format }, { stdout, env, say }) {
    const { listSaved } = await import('../../history/saved-results.js');
    const { historyTable, savedSummary } = await import('../../history/history-table.js');
    const folder = userStateFolder(env);
    const saved = (folder === null ? [] : await listSaved(folder)).map(savedSummary);
    if (format === 'table' && saved.length === 0)
      say(`nothing is saved in ${folder ?? 'a state folder: this user has no home'}`);
    else await printData(saved, { format }, stdout, (_, width) => historyTable(saved, folder ?? '', width));
  },
};

/** @type {CommandPart} */
export const compare = {
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

  async run({ metric, format, output, failOn }, { stdout, env, say }, base, next) {
    const { readReport } = await import('../render.js');
    const { findRegressions } = await import('../../benchmark/findings/compare-reports.js');
    const { compareReports } = await import('../../benchmark/compare-reports.js');
    const { changeText, COMPARISON_FORMATS } = await import(
      '../../benchmark/report/tables/report-comparison.js'
    );
    const [before, after] = [await findResult(base, env), await findResult(next, env)];
    if (output !== undefined) checkWritable(output, { reads: [before, after] });
    const comparison = printableDeep(
      await compareReports(await readReport(before), await readReport(after), { metric }),
    );
    const render = COMPARISON_FORMATS[/** @type {keyof typeof COMPARISON_FORMATS} */ (format)];
    await printData(comparison, { format, output }, stdout, (all, width) => render(all, { width }));
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
