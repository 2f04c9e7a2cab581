import { UsageError } from '../errors.js';
import { choicesOf } from '../options/plugin-names.js';

/**
 * @import { Settings } from '../options/types.js'
 * @import { Catalogue } from '../plugins/types.js'
 */

/**
 * A task with fewer iterations than a batch would send smaller batches than the cell's name says.
 *
 * @param {Settings} settings
 * @param {Catalogue} catalogue
 * @throws {UsageError}
 */
export function checkBatches(settings, catalogue) {
  const { iterations, smoke } = settings;
  if (typeof iterations !== 'number' || smoke) return;
  for (const [name, { id, parameter }] of choicesOf(settings, catalogue).pipelining) {
    const size = catalogue.pipelining.get(id)?.batchSize?.(parameter) ?? 1;
    if (size > iterations) {
      throw new UsageError(
        `--iterations ${iterations} never fills a batch of ${name}; expected at least ${size} iterations, or smaller batches`,
      );
    }
  }
}
