/** @import { Report } from '../../results/types.js' */

export default {
  id: 'json',
  summary: 'everything that was measured, for programs (schemaVersion 1)',
  /** @param {Report} report */
  render: (report) => `${JSON.stringify(report, null, 2)}\n`,
};
