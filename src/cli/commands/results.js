import { compareReports, findRegressions } from '../../commands/benchmark/compare-reports.js';
import { withAssertions } from '../../commands/benchmark/conclude.js';
import {
  changeText,
  comparisonCsv,
  comparisonReport,
} from '../../commands/benchmark/report/tables/report-comparison.js';
import { sentencesAt } from '../../commands/benchmark/report/words/findings.js';
import { historyTable, listSaved, savedSummary } from '../../commands/history/saved-results.js';
import { codeReport, explainDifference } from '../../commands/why/code-report.js';
import { EXIT, UsageError } from '../../errors.js';
import { count } from '../../numbers.js';
import { OPTIONS } from '../../options/option-table.js';
import { readOnly } from '../../options/read.js';
import { userStateFolder } from '../../store/result-store.js';
import {
  addOptions,
  addOutputOptions,
  addPrinting,
  formatOption,
  metricOption,
  Option,
  undecidedOption,
} from '../options.js';
import {
  checkForTable,
  checkWritable,
  detailsOf,
  findResult,
  printAssertions,
  printFound,
  printReport,
} from '../output.js';
import { readReport } from '../render.js';

/** @import { CommandPart } from '../types.js' */

const { assert, assertStrict } = OPTIONS;
const ASSERTIONS = { assert, assertStrict };

/** @type {CommandPart} */
export const report = {
  define(command, context) {
    command.argument('[result]', 'a saved result, or a report in JSON', 'last');
    addOutputOptions(addOptions(command, ASSERTIONS), context).addOption(undecidedOption());
  },

  async run({ format, output, details, allowUndecided, ...given }, { say, ...context }, name) {
    const asserted = readOnly(ASSERTIONS, given);
    checkForTable({ format, details });
    const file = await findResult(name, context.env);
    checkWritable(output, { reads: [file] });
    const saved = await readReport(file);
    const { assert, assertStrict } = saved.settings;
    const isAsserted = (asserted.assert ?? asserted.assertStrict) !== undefined;
    const report = isAsserted ? await withAssertions(saved, { assert, assertStrict, ...asserted }) : saved;
    await printReport(report, { format, output, details, detailsCommand: detailsOf(name) }, context);
    // With --details the report has them.
    if (!details || output) for (const warning of report.warnings) say(`warning: ${warning}`);
    return printAssertions(report, say, allowUndecided);
  },
};

/** @type {CommandPart} */
export const history = {
  define: (command) => void command.addOption(formatOption(['table', 'json'])),

  async run({ format }, { say, ...context }) {
    const folder = userStateFolder(context.env);
    const saved = (folder === null ? [] : await listSaved(folder)).map(savedSummary);
    if (format === 'table' && saved.length === 0)
      say(`nothing is saved in ${folder ?? 'a state folder: this user has no home'}`);
    else await printFound(saved, { format }, context, (all, width) => historyTable(all, folder ?? '', width));
  },
};

/** @type {CommandPart} */
export const compare = {
  define(command) {
    const formats = ['table', 'json', 'markdown', 'html', 'csv'];
    addPrinting(command, { formats, details: 'the test, its p, and ratios as measured' })
      .argument('<base>', "a result, a name that 'history' lists, or 'last': what was before")
      .argument('<new>', 'the same: what is now')
      .addOption(metricOption('what is compared', 'opsPerSecond'))
      .option(
        '--fail-on <regression:percent>',
        'exit 5 when a cell became worse by more than that, 6 when it is not decided: regression:5%',
        regressionLimit,
      )
      .addOption(undecidedOption());
  },

  async run({ metric, format, output, details, failOn, allowUndecided }, { say, ...context }, base, next) {
    if (allowUndecided && failOn === undefined)
      throw new UsageError('--allow-undecided needs --fail-on; add it, or leave --allow-undecided out');
    const [before, after] = [await findResult(base, context.env), await findResult(next, context.env)];
    checkWritable(output, { reads: [before, after] });
    const comparison = compareReports(await readReport(before), await readReport(after), metric);
    const reportOf = format === 'csv' ? comparisonCsv : comparisonReport;
    await printFound(comparison, { format, output, details }, context, reportOf);
    if (failOn === undefined) return EXIT.done;

    const { certain, undecided, disturbed, notCompared } = findRegressions(comparison, failOn);
    for (const cell of certain) say(`regression: ${changeText(cell, comparison.unit)}`);
    for (const cell of undecided)
      say(`not decided, more or less than ${failOn} %: ${changeText(cell, comparison.unit)}`);
    for (const { name, group } of disturbed) say(`not judged, because it waited for CPU: ${name} (${group})`);
    for (const { name, group } of notCompared)
      say(`not judged, because one of the results has too few runs or starts of it: ${name} (${group})`);
    const all = count(comparison.cells.length, 'cell');
    if (certain.length > 0) {
      say(`redis-pipe-bench: worse by more than ${failOn} %: ${certain.length} of ${all}`);
      return EXIT.assertion;
    }
    const open = Object.entries({
      'not decided': [undecided, 'measure both again with more --starts'],
      'not judged': [disturbed, 'measure again on a quiet machine, or with a higher CPU limit'],
      'not compared': [notCompared, 'measure both with more --starts or --runs'],
    }).filter(([, [own]]) => own.length > 0);
    if (open.length === 0) return EXIT.done;
    for (const [what, [own, how]] of open) say(`redis-pipe-bench: ${what}: ${own.length} of ${all}; ${how}`);
    return allowUndecided ? EXIT.done : EXIT.undecided;
  },
};

/** @type {CommandPart} */
export const why = {
  define(command) {
    addPrinting(command)
      .argument('<result>', "a result, a name that 'history' lists, or 'last'")
      .argument('<cell>', 'a cell, named as in assertions: redis, redis:tuned/pool')
      .argument('<than>', 'the cell to compare it with')
      .addOption(
        new Option('--kind <kind>', 'cpu: CPU time, heap: memory').choices(['cpu', 'heap']).default('cpu'),
      );
  },

  async run({ kind, format, output }, context, result, cell, than) {
    const file = await findResult(result, context.env);
    checkWritable(output, { reads: [file] });
    const report = await readReport(file);
    const explained = explainDifference(report, cell, than, kind);
    const conditions = sentencesAt(report, 'condition');
    await printFound(explained, { format, output }, context, (found) =>
      codeReport(found, { names: [cell, than], conditions }),
    );
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
