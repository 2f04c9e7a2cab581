import { axesOf } from '../../axes/all-axes.js';
import { isRelayed } from '../../axes/fault.js';
import { duration } from './figures.js';

/**
 * @import { CoverageFinding, Finding } from '../../analysis/types.js'
 * @import { Context, Words } from './findings.js'
 */

/** What the advice holds under, and what it does not cover. @satisfies {Record<string, Words>} */
export const NOT_MEASURED_WORDS = {
  'not-measured': {
    conditions: (/** @type {(Finding & CoverageFinding)[]} */ [finding], context) => [
      conditionsText(finding, context),
    ],
    details: (/** @type {(Finding & CoverageFinding)[]} */ [finding], context) => [
      othersText(finding, context),
    ],
  },
};

/** @param {Finding & CoverageFinding} finding @param {Context} context */
function conditionsText(finding, context) {
  const { cell, settings } = context;
  const { cells, planned, skipped, failed, partial } = finding;
  const held = constantAxes(finding, context)
    .map(({ held }) => held(cell(cells[0]), settings))
    .filter(Boolean);
  const gaps = [
    ...(skipped > 0 ? [`${skipped} of ${planned} cells ${skipped === 1 ? 'was' : 'were'} skipped`] : []),
    ...(failed > 0 ? [`${failed} of ${planned} gave no result`] : []),
    ...(partial ? ['the benchmark ended early'] : []),
  ];
  const conditions = `Measured ${placeText(context)} only${held.length > 0 ? `: ${held.join(', ')}` : ''}`;
  return `${[conditions, gaps.join(', ')].filter(Boolean).join('; ')}.`;
}

/** @param {Context} context */
function placeText({ servers, measured }) {
  if (servers.some(({ kind }) => kind === 'external')) return externalText(servers);
  const near = measured.some((each) => !isRelayed(each));
  const far = measured.some(isRelayed);
  if (!far) return "on this machine's loopback";
  return near ? "on this machine's loopback and through a relay" : 'through a relay on this machine';
}

/** @param {Context['servers']} servers @returns {string} `with these external servers (round trips: near 60 µs, far 10 ms)` */
function externalText(servers) {
  const trips = servers.flatMap(({ name, roundTripUs }) =>
    roundTripUs === undefined ? [] : [name, duration(roundTripUs)].filter(Boolean).join(' '),
  );
  const one = servers.flatMap(({ name, sameAs }) =>
    sameAs ? `${name} is the same process as ${sameAs}` : [],
  );
  const told = [...(trips.length > 0 ? [`round trip ${trips.join(', ')}`] : []), ...one].join('; ');
  const which = servers.length === 1 ? 'this external server' : 'these external servers';
  return `with ${which}${told === '' ? '' : ` (${told})`}`;
}

/** @param {Finding & CoverageFinding} finding @param {Context} context */
function othersText(finding, context) {
  const { cell, settings } = context;
  const others = constantAxes(finding, context).flatMap(({ what, other }) => {
    const found = other(cell(finding.cells[0]), settings);
    return found === '' ? [] : `${what} other than ${found}`;
  });
  return `Not measured: ${[...others, 'other machines'].join(', ')}.`;
}

/** @param {Finding & CoverageFinding} finding @param {Context} context */
function constantAxes({ cells, constant }, { cell }) {
  const ids = constant.map(({ axis }) => axis);
  const axes = cells.length === 0 ? [] : axesOf([cell(cells[0])]);
  return axes.flatMap(({ id, notMeasured }) => (notMeasured && ids.includes(id) ? [notMeasured] : []));
}
