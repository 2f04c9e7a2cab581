/** @import { FormatPlugin } from '../core/plugins/types.js' */

/** @satisfies {FormatPlugin} */
export default {
  summary: 'everything that was measured, for programs (schemaVersion 2)',
  render: (report) => `${JSON.stringify(report, null, 2)}\n`,
};
