import { withWords } from '../report/words/findings.js';
import { readResult } from '../results/read.js';

/** @import * as api from '../api.js' */

/** @type {typeof api.readReport} */
export const readReport = async (file) => withWords(await readResult(file));
