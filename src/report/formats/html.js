/** @import { Report } from '../../results/types.js' */

/**
 * One file that needs no network: conclusions, tables and charts.
 */
export default {
  id: 'html',
  summary: 'a page with charts, in one file: --format html --output report.html',

  /**
   * What draws charts is loaded for those who want them: it takes as long as all else together.
   *
   * @param {Report} report
   */
  render: (report) => import('./html/page.js').then(({ renderPage }) => renderPage(report)),
};
