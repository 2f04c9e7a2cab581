import { readFile } from 'node:fs/promises';
import { messageOf, UsageError } from '../errors.js';
import { SCHEMA_VERSION } from './report.js';

/**
 * Reads a report that was written with --format json.
 *
 * @param {string} file
 * @returns {Promise<import('../types.js').Report>}
 * @throws {UsageError} for a file that cannot be read, or is no report of a version that is known
 */
export async function readReport(file) {
  try {
    const report = JSON.parse(await readFile(file, 'utf8'));
    if (report?.tool?.name === 'redis-pipe-bench' && report.schemaVersion === SCHEMA_VERSION) return report;
  } catch (error) {
    throw new UsageError(`expected a result of this tool, but '${file}' cannot be read: ${messageOf(error)}`);
  }
  throw new UsageError(`expected a result of this tool, but '${file}' is something else`);
}
