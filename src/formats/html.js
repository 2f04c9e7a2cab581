/** @import { FormatPlugin } from '../plugins/types.js' */

/** @satisfies {FormatPlugin} */
export default {
  summary: 'a page with charts, in one file: --format html --output report.html',

  /** The code that draws charts is loaded only here: it takes as long as everything else together. */
  print: (report) => import('./html/page.js').then(({ renderPage }) => renderPage(report)),
};
