import { count } from '../axes/number-words.js';
import { barOf } from '../core/report/bars.js';
import { toAscii } from '../core/report/escaped.js';
import { duration, percent, whole } from '../core/report/figures.js';
import { gridLines, gridOf, titled } from '../core/report/grid.js';
import { wrap } from '../core/report/wrap.js';
import { bytes, TRAFFIC_NOTE, trafficFacts, trafficTitle, trafficWarnings } from './traffic-words.js';

/** @import { TrafficSummary } from './types.js' */
/** @import { Grid } from '../core/report/types.js' */

const MOST_ROWS = 25;
const BAR = 30;
const MOST_RATES = 12;

/** A profile as text. @param {TrafficSummary} summary @param {{width: number, unicode: boolean}} view */
export function trafficTable(summary, { width, unicode }) {
  const { columns, rows } = trafficGrid(summary);
  const facts = trafficFacts(summary);
  const column = Math.max(...facts.map(([term]) => term.length)) + 2;
  const hidden = rows.length - MOST_ROWS;
  const text = [
    trafficTitle(summary),
    ...trafficWarnings(summary).flatMap((text) => wrap(`! ${text}`, width)),
    '',
    ...gridLines({ columns, rows: rows.slice(0, MOST_ROWS) }, { width }),
    ...(hidden > 0 ? [`and ${hidden} more names; --format html or json has all`] : []),
    ...wrap(TRAFFIC_NOTE, width),
    '',
    ...facts.flatMap(([term, text]) =>
      wrap(text, width - column).map((line, index) => `${(index === 0 ? term : '').padEnd(column)}${line}`),
    ),
    ...rateLines(summary),
    '',
  ].join('\n');
  return unicode ? text : toAscii(text);
}

/** The commands of a profile. @param {TrafficSummary} summary @returns {Grid} the most frequent first */
export const trafficGrid = ({ names }) => ({
  note: TRAFFIC_NOTE,
  ...gridOf(
    names,
    ({ name, errors }) => ({ name: errors > 0 ? `${name} (${count(errors, 'error')})` : name }),
    [
      { title: 'commands', text: (row) => whole(row.count) },
      { title: 'share', text: ({ share }) => percent(share) },
      { title: 'sent p50', text: ({ sentBytes }) => bytes(sentBytes.p50) },
      { title: 'sent p99', text: ({ sentBytes }) => bytes(sentBytes.p99) },
      { title: 'reply p50', text: ({ replyBytes }) => (replyBytes ? bytes(replyBytes.p50) : '') },
      { title: 'reply p99', text: ({ replyBytes }) => (replyBytes ? bytes(replyBytes.p99) : '') },
      { title: 'time p50', text: ({ tookUs }) => (tookUs ? duration(tookUs.p50) : '') },
      { title: 'time p99', text: ({ tookUs }) => (tookUs ? duration(tookUs.p99) : '') },
      { title: 'found', text: ({ hitRate }) => (hitRate === null ? '' : percent(hitRate)) },
    ],
  ),
});

/** @param {TrafficSummary} summary */
function rateLines(summary) {
  const shown = shownRates(summary);
  if (shown.length === 0) return [];
  const most = Math.max(1, ...shown.map(({ perSecond }) => perSecond));
  const texts = shown.map(({ perSecond }) => whole(perSecond));
  const columns = Math.max(...texts.map((text) => text.length));
  return [
    '',
    'commands per second, from the start',
    ...shown.map(
      ({ fromUs, perSecond }, index) =>
        ` ${startText(fromUs).padStart(7)}  ${texts[index].padStart(columns)}  ${perSecond === 0 ? '' : barOf({ value: perSecond, most }, BAR)}`,
    ),
  ];
}

/** @param {TrafficSummary} summary @returns {Grid | null} null for a recording of a second or less */
export function rateGrid(summary) {
  const rows = shownRates(summary).map(({ fromUs, perSecond }) => ({
    name: startText(fromUs),
    texts: [whole(perSecond)],
  }));
  const note = 'Commands per second, from the start of the recording';
  return rows.length === 0 ? null : { note, names: { title: 'after' }, columns: titled(['/s']), rows };
}

/** @param {TrafficSummary} summary @returns {TrafficSummary['rates']} as many as are read */
function shownRates({ rates }) {
  const each = Math.ceil(rates.length / MOST_RATES);
  return rates.length < 2 ? [] : rates.filter((_, index) => index % each === 0);
}

/** @param {number} us */
const startText = (us) => (us === 0 ? '0 s' : duration(us));
