import { barOf } from '../charts/bars.js';
import { duration, whole } from '../words/figures.js';
import {
  TRAFFIC_NOTE,
  TRAFFIC_TITLES,
  trafficFacts,
  trafficRows,
  trafficTitle,
  trafficWarnings,
} from '../words/traffic-words.js';
import { wrap } from '../words/wrap.js';
import { gridLines, titled } from './grid.js';

/** @import { TrafficSummary } from '../../traffic/types.js' */

/** Names that are rarer than these stand in the page and in JSON. */
const MOST_ROWS = 25;
const BAR = 30;
const MOST_RATES = 12;

/** A profile as text. @param {TrafficSummary} summary @param {{width: number, unicode: boolean}} view */
export function trafficTable(summary, { width, unicode }) {
  const rows = trafficRows(summary);
  const facts = trafficFacts(summary);
  const term = Math.max(...facts.map((fact) => fact.term.length)) + 2;
  const more =
    rows.length > MOST_ROWS
      ? [`and ${rows.length - MOST_ROWS} more names; --format html or json has all`]
      : [];
  return [
    trafficTitle(summary),
    ...trafficWarnings(summary).flatMap((text) => wrap(`! ${text}`, width)),
    '',
    ...gridLines({ columns: titled(TRAFFIC_TITLES), rows: rows.slice(0, MOST_ROWS) }),
    ...more,
    ...wrap(TRAFFIC_NOTE, width),
    '',
    ...facts.flatMap(({ term: name, text }) =>
      wrap(text, width - term).map((line, index) => `${(index === 0 ? name : '').padEnd(term)}${line}`),
    ),
    ...rateLines(summary, unicode),
    '',
  ].join('\n');
}

/** @param {TrafficSummary} summary @param {boolean} unicode */
function rateLines({ rates }, unicode) {
  if (rates.length < 2) return [];
  const each = Math.ceil(rates.length / MOST_RATES);
  const shown = rates.filter((_, index) => index % each === 0);
  const most = Math.max(1, ...shown.map(({ perSecond }) => perSecond));
  const texts = shown.map(({ perSecond }) => whole(perSecond));
  const columns = Math.max(...texts.map((text) => text.length));
  return [
    '',
    'commands per second, from the start',
    ...shown.map(
      ({ fromUs, perSecond }, index) =>
        ` ${(fromUs === 0 ? '0 s' : duration(fromUs)).padStart(7)}  ${texts[index].padStart(columns)}  ${perSecond === 0 ? '' : barOf({ value: perSecond, interval: null }, most, BAR, unicode)}`,
    ),
  ];
}
