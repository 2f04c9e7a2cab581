import { present } from '../collections.js';
import { loadCommand } from '../commands/all.js';
import { reportOf } from '../commands/benchmark/report/report.js';
import { assertKnownName } from '../options/plugin-names.js';
import { loadPlugin, pluginIds } from '../plugins/registry.js';
import { printableDeep } from '../report/escaped.js';
import { environmentGrid, originFacts } from '../report/origin-facts.js';
import { partialText, remarksOf } from '../report/run-remarks.js';
import { reportFrom } from '../run/conclude.js';

/** @import { PluginFolders, View } from '../plugins/types.js' */
/** @import { Report as Printed } from '../report/types.js' */
/** @import { Report } from '../store/types.js' */

/** If the caller does not describe the terminal. */
const VIEW = { color: false, width: 100, details: false, detailsCommand: null };

/**
 * @param {Report} report @param {string} format @param {Partial<View>} [view] @param {{pluginFolders?: PluginFolders}} [sources]
 * @returns {Promise<Iterable<string>>} parts, to save memory; can be iterated again
 */
export async function renderParts(report, format, view = {}, { pluginFolders = {} } = {}) {
  const id = assertKnownName('format', format, pluginIds('formats', pluginFolders));
  const reporter = await loadPlugin('formats', id, pluginFolders);
  const whole = { ...VIEW, ...view };
  const rendered = await (reporter.print
    ? reporter.print(printableDeep(await reportFor(report)), whole)
    : present(reporter.render)(reporter.keepsTexts ? report : printableDeep(report), whole));
  return typeof rendered === 'string' ? [rendered] : rendered;
}

/** The command that measured says what is shown. @param {Report} result @returns {Promise<Printed>} */
async function reportFor(result) {
  if (result.command === undefined) return reportOf(result);
  const { report } = await loadCommand(result.command);
  const common = {
    facts: originFacts(result),
    remarks: [...remarksOf(result.cells), ...result.warnings.map((text) => ({ text }))],
    environment: environmentGrid(result),
    ended: result.partial ? partialText(result) : '',
  };
  return (await report()).reportOf(result, common);
}

/** @param {Printed} report of any command @param {string} format for people @param {Partial<View>} view @returns {Promise<string>} */
export async function printed(report, format, view) {
  const { print } = await loadPlugin('formats', format);
  return present(print)(printableDeep(report), { ...VIEW, ...view });
}

/**
 * @param {Report} report @param {string} format such as `table`, `lines` or `json` @param {Partial<View>} [view]
 * @param {{pluginFolders?: PluginFolders}} [sources] @returns {Promise<string>}
 */
export async function renderReport(report, format, view, sources) {
  return [...(await renderParts(report, format, view, sources))].join('');
}

/**
 * Findings are always computed again, from the runs.
 * @param {string} file a saved result
 * @returns {Promise<Report>} @throws {UsageError} if it cannot be read as one
 */
export async function readReport(file) {
  const { readRecords, refusedResult } = await import('../store/read.js');
  const { header, records, ending } = await readRecords(file);
  try {
    return await reportFrom(header, records, ending);
  } catch (error) {
    // A histogram cannot be read.
    throw refusedResult(error, file);
  }
}
