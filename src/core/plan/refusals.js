import { choicesOf } from '../../options/plugin-names.js';
import { UsageError } from '../errors.js';
import { batchSizeOf } from './loads.js';

/** @import { Settings } from '../../options/types.js' */
/** @import { Catalogue } from '../plugins/types.js' */

/** Smaller batches than the cell's name says are refused. @param {Settings} settings @param {Catalogue} catalogue */
export function checkBatches(settings, catalogue) {
  const { iterations, smoke } = settings;
  if (typeof iterations !== 'number' || smoke) return;
  for (const [name, mode] of choicesOf(settings, catalogue).pipelining) {
    const size = batchSizeOf(mode, catalogue) ?? 1;
    if (size > iterations) {
      throw new UsageError(
        `--iterations ${iterations} never fills a batch of ${name}; expected at least ${size} iterations, or smaller batches`,
      );
    }
  }
}
