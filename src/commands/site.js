import { sitePages } from '../report/site/pages.js';
import { trend } from './trend.js';

/** @import * as api from '../api.js' */

/** @type {typeof api.site} */
export async function site(folder) {
  return sitePages(await trend(folder));
}
