import { alike } from '../core/alike.js';
import { count } from '../core/numbers.js';

/** @import { LeftOutOfSeries, SeriesConditions, SeriesOrder, SeriesPoint } from './types.js' */

/** @param {Omit<SeriesPoint, 'value'>} point @param {SeriesOrder} order @returns {string} what it is called */
export const placeText = (point, order) => (order === 'time' ? point.at.slice(0, 10) : `${point[order]}`);

/** @param {number} shown @param {number} all @returns {string} */
export const olderText = (shown, all) =>
  shown === all ? count(all, 'result') : `The newest ${shown} of ${count(all, 'result')}`;

/** What names a server; its settings are the same in all of a series, and too many to read. */
const SERVER = /\.(kind|software|version)$/;

/** @param {SeriesConditions} conditions @returns {string} what was measured with, in short */
export function conditionText({ machine = {}, versions = {}, server = {}, placement = {} }) {
  const named = Object.entries(server).filter(([name, value]) => SERVER.test(name) && value !== null);
  return [
    `${machine.processors} × ${machine.processor}, ${machine.memory}, ${machine.os}`,
    ...Object.entries(versions).map((entry) => entry.join(' ')),
    named.map(([, value]) => value).join(' '),
    ...Object.entries(placement).map((entry) => entry.join(': ')),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** @type {Record<LeftOutOfSeries['reason'], string>} */
const REASONS = {
  unreadable: 'cannot be read',
  smoke: 'of a smoke run, whose figures mean nothing',
  copy: 'a copy of another',
  'no-figures': 'without figures that can be used: failed, too short or not warm',
  'no-release': 'of a client without releases',
  'no-commit': 'of a client without a commit',
};
/** Nobody reads longer lists; JSON has all. */
const MOST_NAMED = 6;

/**
 * Cells of a client without releases, such as raw, belong to no series.
 * @param {LeftOutOfSeries[]} all @returns {string[]} one for each reason
 */
export function leftOutTexts(all) {
  const listed = all.filter(({ reason }) => reason !== 'no-release');
  return alike(listed, ({ reason }) => reason).map((own) => {
    const names = own.map(({ file, cells = [], why }) => [file, ...cells, ...(why ? [why] : [])].join(': '));
    const more = names.length > MOST_NAMED ? [`and ${names.length - MOST_NAMED} more`] : [];
    const shown = [...names.slice(0, MOST_NAMED), ...more].join('; ');
    return `${count(own.length, 'file')} left out: ${REASONS[own[0].reason]}: ${shown}.`;
  });
}
