import { inJson } from '../report/escaped.js';

/** @import { FormatPlugin } from '../plugins/types.js' */

/** @satisfies {FormatPlugin} */
export default {
  summary: 'everything that was measured, for programs (schemaVersion 2)',
  keepsTexts: true,
  render: inJson,
};
