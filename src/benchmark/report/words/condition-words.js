import { axesOf } from '../../../axes/all-axes.js';
import { isRelayed } from '../../../break/fault.js';
import { duration, percent, said, spanText, whole } from '../../../core/report/figures.js';

/** @import { CoverageFinding, Finding } from '../../judge/types.js' */
/** @import { Context, Of, Words } from './findings.js' */

/** What advice holds under. @satisfies {Words} */
export const CONDITION_WORDS = {
  'not-measured': { conditions: conditionsText, details: othersText },
  untried: {
    conditions: (each) =>
      each.what === 'writes'
        ? `Nothing wrote to these keys during the runs, so the cache answered ${percent(each.hitRate)}. A write elsewhere would invalidate a key, and its next read would go to the server.`
        : [],
    next: (each, { servers }) =>
      each.what === 'distance' && servers.every(({ kind }) => kind === 'managed')
        ? distanceText(each.limits)
        : [],
  },
};

/** @param {(Of<'untried'> & {what: 'distance'})['limits']} limits of the winners */
function distanceText(limits) {
  const now = limits.includes('client') ? 'client overhead decides' : 'short round trips decide';
  return `On a local server, ${now}; over a network, concurrency does. Add --tasks 1,8,64 --rtt 0,1ms to see where the answer changes.`;
}

/** @param {Finding & CoverageFinding} finding @param {Context} context */
function conditionsText(finding, context) {
  const { planned, skipped, failed, partial, replyBytes } = finding;
  const constants = constantsOf(finding, context).map(({ constant }) => constant);
  if (replyBytes)
    constants.push(`replies of ${spanText(whole(replyBytes.low), whole(replyBytes.high))} bytes`);
  const gaps = said([
    skipped > 0 && `${skipped} of ${planned} cells ${skipped === 1 ? 'was' : 'were'} skipped`,
    failed > 0 && `${failed} of ${planned} gave no result`,
    partial && 'the benchmark ended early',
  ]);
  const conditions = `Conditions: ${said([placeText(context), ...constants]).join(', ')}`;
  return `${[conditions, gaps.join(', ')].filter(Boolean).join('; ')}.`;
}

/** @param {Context} context */
function placeText({ servers, measured }) {
  if (servers.some(({ kind }) => kind === 'external')) return externalText(servers);
  if (measured.some(({ distance }) => Number(distance?.rttMs) > 0)) return 'local server with added distance';
  // Where only some are relayed, their fault says so.
  return measured.every(isRelayed) ? 'local server only, through a relay' : 'local server only';
}

/** @param {Context['servers']} servers @returns {string} `these external servers only (round trip near 60 µs, far 10 ms)` */
function externalText(servers) {
  const trips = servers.flatMap(({ name, roundTripUs }) =>
    roundTripUs === undefined ? [] : [name, duration(roundTripUs)].filter(Boolean).join(' '),
  );
  const details = said([
    trips.length > 0 && `round trip ${trips.join(', ')}`,
    ...servers.map(({ name, sameAs }) => sameAs !== undefined && `${name} is the same process as ${sameAs}`),
  ]).join('; ');
  const which = servers.length === 1 ? 'this external server only' : 'these external servers only';
  return `${which}${details && ` (${details})`}`;
}

/** @param {Finding & CoverageFinding} finding @param {Context} context */
function othersText(finding, context) {
  const others = constantsOf(finding, context).map(
    ({ what, other }) => other !== '' && `${what} other than ${other}`,
  );
  return `Not measured: ${said([...others, 'other machines']).join(', ')}.`;
}

/** What has one value in all cells, and how that is put. @param {Finding & CoverageFinding} finding @param {Context} context */
function constantsOf({ cells, constant: constants }, { cell, settings }) {
  const ids = constants.map(({ axis }) => axis);
  return cells.slice(0, 1).flatMap((id) =>
    axesOf([cell(id)]).flatMap((axis) => {
      if (!axis.notMeasured || !ids.includes(axis.id)) return [];
      const { what, constant, other } = axis.notMeasured;
      return { what, constant: constant(cell(id), settings), other: other(cell(id), settings) };
    }),
  );
}
