import { UsageError } from '../../errors.js';
import { count } from '../../numbers.js';
import { said, whole } from '../../report/figures.js';
import { titled } from '../../report/grid.js';
import { cellsNamed, findCell } from '../benchmark/assertions.js';
import {
  costText,
  mainPartText,
  PARTS,
  placeText,
  profiledText,
  unsampledText,
} from '../benchmark/findings/code-words.js';
import { codeCosts, codeDifference } from '../benchmark/judge/code-costs.js';

/** @import { CodeCosts } from '../benchmark/judge/code-costs.js' */
/** @import { CodeDifference } from '../benchmark/judge/types.js' */
/** @import { GridRow, Report } from '../../report/types.js' */
/** @import { Report as Result } from '../../store/types.js' */
/** @import { ProfileKind } from '../../worker/types.js' */

/**
 * Attributes a difference in cost per operation to code.
 * @param {Result} result @param {string} cell named as in assertions @param {string} than @param {ProfileKind} [kind]
 * @returns {{difference: CodeDifference, costs: [CodeCosts, CodeCosts]}} @throws {UsageError} if a cell is unknown or was not profiled
 */
export function explainDifference({ cells }, cell, than, kind = 'cpu') {
  const [first, second] = [cell, than].map((name) => {
    const profiled = cellsNamed(name, cells).filter(({ profiles }) => profiles?.[kind] !== undefined);
    return findCell(name, profiled.length > 0 ? profiled : cells);
  });
  const without = [first, second].find(({ profiles }) => profiles?.[kind] === undefined);
  if (without !== undefined) {
    const taken = kind === 'cpu' ? '--profile' : '--profile heap';
    throw new UsageError(
      `expected a profile of ${without.id}, and this result has none; measure it with ${taken}`,
    );
  }
  const difference = codeDifference(first, second, kind);
  const [costs, other] = [codeCosts(first, kind), codeCosts(second, kind)];
  if (difference === null || costs === null || other === null) {
    throw new UsageError(`'${cell}' or '${than}' has no result that its profile could belong to`);
  }
  return { difference, costs: [costs, other] };
}

const MOST_FUNCTIONS = 10;

/**
 * Where an operation of one cell costs more than one of another: in a sentence, by whose code it is, by function.
 * @param {{difference: CodeDifference, costs: [CodeCosts, CodeCosts]}} explained
 * @param {{names: [string, string], conditions: string[]}} view @returns {Report}
 */
export function codeReport({ difference, costs }, { names, conditions }) {
  const { functions, unit } = difference;
  const parts = {
    columns: titled([...names, 'more']),
    rows: [...partRows(costs), { name: 'all', texts: amounts(costs[0].perOp, costs[1].perOp, unit) }],
  };
  const byFunction = {
    names: { title: 'per operation, by function' },
    columns: titled([...names, 'more', '±']),
    rows: functions.slice(0, MOST_FUNCTIONS).map((each) => ({
      name: shortened(placeText(each)),
      texts: [...amounts(each.perOp, each.againstPerOp, unit), costText(1.96 * each.error, unit)],
    })),
  };
  const hidden = functions.length - MOST_FUNCTIONS;
  const notes = said([
    functions.length === 0 &&
      'No function differs by more than the errors of sampling and of the timed runs.',
    hidden > 0 && `More: --format json (${count(hidden, 'smaller function')})`,
    confidenceText(costs),
    ...conditions,
  ]);
  return {
    title: summaryText(difference, names),
    facts: [],
    sections: [
      { place: 'first', grid: parts },
      { place: 'first', ...(functions.length > 0 && { grid: byFunction }), notes },
    ],
    remarks: [],
    verdicts: [],
  };
}

/** What a screen of 100 columns has beside the figures. */
const LONGEST_PLACE = 56;

/** @param {string} place */
const shortened = (place) => (place.length > LONGEST_PLACE ? `…${place.slice(1 - LONGEST_PLACE)}` : place);

/** @param {CodeDifference} difference @param {[string, string]} names */
function summaryText(difference, [cell, than]) {
  const { perOp, againstPerOp, unit } = difference;
  const more = perOp - againstPerOp;
  const main = mainPartText(difference);
  const what = `"${cell}" ${unit === 'bytes' ? 'allocates' : 'uses'} ${costText(Math.abs(more), unit)} ${more > 0 ? 'more' : 'less'}${unit === 'bytes' ? '' : ' CPU'} per operation than "${than}" (${costText(perOp, unit)} instead of ${costText(againstPerOp, unit)})`;
  return main === null ? `${what}.` : `${what}: ${main}.`;
}

/** @param {number} here @param {number} there @param {CodeDifference['unit']} unit @returns {string[]} and how much more the first is */
const amounts = (here, there, unit) => [
  costText(here, unit),
  costText(there, unit),
  `${here < there ? '-' : '+'}${costText(Math.abs(here - there), unit)}`,
];

/** @param {[CodeCosts, CodeCosts]} costs @returns {GridRow[]} by whose code it is, what differs most first; all packages are one row */
function partRows(costs) {
  const keyOf = (/** @type {CodeCosts['kinds'][number]} */ each) => `${each.part} ${each.file}`;
  const [first, second] = costs.map(({ kinds }) => new Map(kinds.map((each) => [keyOf(each), each])));
  return [...new Map([...first, ...second])]
    .map(([key, each]) => ({
      name: each.part === 'package' ? packagesText(costs) : (each.file ?? PARTS[each.part]),
      perOp: [first, second].map((costsBy) => costsBy.get(key)?.perOp ?? 0),
    }))
    .sort((a, b) => Math.abs(b.perOp[0] - b.perOp[1]) - Math.abs(a.perOp[0] - a.perOp[1]))
    .map(({ name, perOp: [here, there] }) => ({ name, texts: amounts(here, there, costs[0].unit) }));
}

const MOST_PACKAGES = 2;

/** @param {CodeCosts[]} costs @returns {string} clients and what they depend on, the most expensive first */
function packagesText(costs) {
  const packages = costs.flatMap(({ parts }) => parts.filter(({ package: name }) => name !== null));
  packages.sort((a, b) => b.perOp - a.perOp);
  const names = [...new Set(packages.map(({ package: name }) => name))];
  const more = names.length > MOST_PACKAGES ? [count(names.length - MOST_PACKAGES, 'other')] : [];
  return `packages: ${[...names.slice(0, MOST_PACKAGES), ...more].join(', ')}`;
}

/** @param {[CodeCosts, CodeCosts]} costs */
function confidenceText(costs) {
  const samples = costs.map((each) => whole(each.samples)).join(' and ');
  const off = costs.flatMap(({ offBy }) => offBy ?? []);
  return said([
    `Confidence: ${samples} samples; differences within their error, or that of the timed runs, are left out.`,
    off.length > 0 && profiledText(off),
    unsampledText(costs),
  ]).join(' ');
}
