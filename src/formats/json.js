/** @import { FormatPlugin } from '../core/plugins/types.js' */

/** @satisfies {FormatPlugin} */
export default {
  id: 'json',
  summary: 'everything that was measured, for programs (schemaVersion 2)',
  render: (report) => `${JSON.stringify(report, null, 2)}\n`,
};
