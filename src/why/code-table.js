import { count } from '../core/numbers.js';
import { said } from '../core/report/figures.js';
import { paperLines, titled } from '../core/report/grid.js';
import { costText, mainPartText, PARTS, placeText, profiledText, unsampledText } from './code-words.js';

/** @import { CodeChange, CodeCosts, CodeDifference } from '../benchmark/judge/types.js' */
/** @import { GridRow } from '../core/report/types.js' */

const MOST_FUNCTIONS = 20;

/**
 * Where an operation of one cell costs more than one of another: in a sentence, by whose code it is, by function.
 * @param {{difference: CodeDifference, costs: [CodeCosts, CodeCosts]}} explained
 * @param {{names: [string, string], width: number, conditions: string[]}} view
 */
export function codeTable({ difference, costs }, { names, width, conditions }) {
  const { functions, unit } = difference;
  const shown = functions.slice(0, MOST_FUNCTIONS);
  const hidden = functions.length - shown.length;
  const parts = {
    columns: titled([...names, 'more']),
    rows: [...partRows(costs), { name: 'all', texts: amounts(costs[0].perOp, costs[1].perOp, unit) }],
  };
  const columns = titled([...names, 'more', '±']);
  const byFunction = {
    names: { title: 'per operation, by function' },
    columns,
    rows: functionRows(shown, unit, width - FIGURES),
  };
  const paper = {
    lead: [summaryText(difference, names), confidenceText(costs), ...conditions],
    grids: shown.length === 0 ? [parts] : [parts, byFunction],
    notes: said([
      shown.length === 0 && 'No function differs by more than the errors of sampling and of the timed runs.',
      hidden > 0 && `More: --format json (${count(hidden, 'smaller function')})`,
    ]),
  };
  return `${paperLines(paper, width).join('\n')}\n`;
}

/** @param {CodeDifference} difference @param {[string, string]} names */
function summaryText(difference, [cell, than]) {
  const { perOp, againstPerOp, unit } = difference;
  const more = perOp - againstPerOp;
  const main = mainPartText(difference);
  const what = `"${cell}" ${unit === 'bytes' ? 'allocates' : 'spends'} ${costText(Math.abs(more), unit)} ${more > 0 ? 'more' : 'less'} per operation than "${than}" (${costText(perOp, unit)} instead of ${costText(againstPerOp, unit)})`;
  return main === null ? `${what}.` : `${what}: ${main}.`;
}

/** @param {number} here @param {number} there @param {CodeDifference['unit']} unit @returns {string[]} and how much more the first is */
const amounts = (here, there, unit) => [
  costText(here, unit),
  costText(there, unit),
  `${here < there ? '-' : '+'}${costText(Math.abs(here - there), unit)}`,
];

/** @param {[CodeCosts, CodeCosts]} costs @returns {GridRow[]} of every part that one of them has */
function partRows([own, other]) {
  const keyOf = (/** @type {{part: string, package: string | null}} */ each) =>
    `${each.part} ${each.package}`;
  const [ofOwn, ofOther] = [own, other].map(({ parts }) => new Map(parts.map((each) => [keyOf(each), each])));
  return [...new Map([...ofOwn, ...ofOther])].map(([key, each]) => ({
    name: each.package ?? PARTS[each.part],
    texts: amounts(ofOwn.get(key)?.perOp ?? 0, ofOther.get(key)?.perOp ?? 0, own.unit),
  }));
}

/** Columns of figures beside locations; and enough of those to find one that is cut. */
const [FIGURES, LEAST_PLACE] = [44, 40];

/** @param {CodeChange[]} functions @param {CodeDifference['unit']} unit @param {number} room */
function functionRows(functions, unit, room) {
  const texts = functions.map(({ perOp, againstPerOp, error }) => [
    ...amounts(perOp, againstPerOp, unit),
    costText(1.96 * error, unit),
  ]);
  const most = Math.max(LEAST_PLACE, room);
  return functions.map((each, index) => {
    const place = placeText(each);
    // Its end says most.
    return {
      name: place.length > most ? `…${place.slice(1 - most)}` : place,
      texts: texts[index],
    };
  });
}

/** @param {[CodeCosts, CodeCosts]} costs */
function confidenceText(costs) {
  const samples = costs.map((each) => each.samples).join(' and ');
  const off = costs.flatMap(({ offBy }) => offBy ?? []);
  return said([
    `Confidence: ${samples} samples; differences within their error, or that of the timed runs, are left out.`,
    off.length > 0 && profiledText(off),
    unsampledText(costs),
  ]).join(' ');
}
