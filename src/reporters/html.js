import { renderPage } from '../html/page.js';

/**
 * One file that needs no network: conclusions, tables and charts.
 */
export default {
  id: 'html',
  summary: 'a page with charts, in one file: --format html --output report.html',

  /** @param {import('../types.js').Report} report */
  render: renderPage,
};
