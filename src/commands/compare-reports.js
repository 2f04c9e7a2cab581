import { compareReports as compare } from '../analysis/findings/compare-reports.js';
import { comparisonWithWords } from '../report/words/comparison-words.js';

/** @import * as api from '../api.js' */

/** @type {typeof api.compareReports} */
export const compareReports = async (base, next, { metric = 'opsPerSecond' } = {}) =>
  comparisonWithWords(compare(base, next, metric), base, next);
