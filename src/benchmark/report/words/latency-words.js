import { sum } from 'simple-statistics';
import { namesApart } from '../../../axes/cell-names.js';
import { capital, duration, inShort, joined, said, spanOf } from '../../../core/report/figures.js';
import { alike } from '../../judge/alike.js';
import { conditionsText } from './where-words.js';

/** @import { LowestP99 } from '../../judge/types.js' */
/** @import { Context, Words } from './findings.js' */

const [MOST_SENTENCES, MOST_PLACES] = [3, 2];

/** Which choices have the lowest p99 at a rate that all of them sustained, and where. @satisfies {Words} */
export const P99_WORDS = {
  'lowest-p99': { advice: { all: (all, context) => [p99Text(all, context)] } },
};

/** @param {LowestP99[]} all one for each group @param {Context} context */
function p99Text(all, context) {
  const located = all.map((finding) => ({
    finding,
    where: conditionsText(context.cell(finding.figures[0].cell), context.measured),
    key: outcomeOf(finding, context),
  }));
  const differing = located.filter(({ finding }) => finding.by !== null);
  const equal = located.filter(({ finding }) => finding.by === null);
  const outcomes = alike(differing, ({ key }) => key);
  const more = outcomes.slice(MOST_SENTENCES).flat();
  const sentences = said([
    ...outcomes.slice(0, MOST_SENTENCES).map((own) => differingText(own, context)),
    equal.length > 0 && alikeText(equal, all.length),
    more.length > 0 && 'the tables show where else it differs',
  ]);
  return sentences.map((text) => `${text.startsWith('p99') ? text : capital(text)}.`).join(' ');
}

/** @typedef {{finding: LowestP99, where: string}} Located */

/** @param {LowestP99} finding @param {Context} context @returns {string} the same for findings that one sentence tells */
const outcomeOf = (finding, context) => JSON.stringify([finding.by, ...sidesOf(finding, context)]);

/** @param {LowestP99} finding @param {Context} context @returns {string[]} names of the lower and of the higher ones */
function sidesOf({ figures, lower, higher }, { cell }) {
  const nameOf = (/** @type {string[]} */ ids) => {
    const others = figures.filter((each) => !ids.includes(each.cell)).map((each) => cell(each.cell));
    return inShort(namesApart(ids.map(cell), others));
  };
  return [nameOf(lower), nameOf(higher)];
}

/** @param {Located[]} located with one outcome @param {Context} context */
function differingText(located, context) {
  const findings = located.map(({ finding }) => finding);
  const [{ by }] = findings;
  const [lower, higher] = sidesOf(findings[0], context);
  const verb = by === 'test' ? 'is significantly lower' : 'was lower in every run';
  const sides =
    `${verb} with ${lower} (${rangeOf(findings, ({ lower: ids }) => ids)}) ` +
    `than with ${higher} (${rangeOf(findings, ({ higher: ids }) => ids)})`;
  return `${[placesText(located), `p99 ${sides}`].filter(Boolean).join(' ')}${by === 'test' ? '' : doubtText(findings)}`;
}

/** @param {LowestP99[]} findings of what was so in every run */
function doubtText(findings) {
  const [{ runs }] = findings;
  const pairs = sum(findings.map((each) => each.pairs));
  const shown = sum(findings.map((each) => each.shownPairs));
  const known = findings.flatMap((each) => (each.runs === runs ? (each.enoughRuns ?? []) : []));
  const enough = known.length === findings.length ? Math.max(...known) : null;
  if (shown > 0) {
    const others = enough === null ? '' : `, and the others need about ${enough} runs`;
    return `; significant for ${shown} of these ${pairs} pairs${others}`;
  }
  return enough === null ? ', but not significantly' : `; ${tooFewText(runs, enough)}`;
}

/** @param {Located[]} located @param {number} groups that there are */
function alikeText(located, groups) {
  const findings = located.map(({ finding }) => finding);
  const range = rangeOf(findings, ({ figures }) => figures.map(({ cell }) => cell));
  const isTested = findings.every(({ tested }) => tested);
  if (isTested && located.length === groups && groups > 1)
    return `no significant difference in p99 under any of these conditions (${range})`;
  const text = isTested ? 'no significant difference in p99' : 'too few runs to compare p99';
  return `${[placesText(located), text].filter(Boolean).join(' ')} (${range})`;
}

/** @param {number} runs that were made @param {number} enough about how many would be enough */
const tooFewText = (runs, enough) =>
  `${runs} runs are too few to rule out chance, about ${enough} are needed`;

/** @param {Located[]} located */
function placesText(located) {
  const places = located.flatMap(({ where }) => (where === '' ? [] : [where]));
  return places.length > MOST_PLACES ? `under ${places.length} of the conditions` : joined(places);
}

/** @param {LowestP99[]} findings @param {(finding: LowestP99) => string[]} cellsOf */
const rangeOf = (findings, cellsOf) =>
  spanOf(
    duration,
    findings.flatMap((finding) =>
      finding.figures.filter(({ cell }) => cellsOf(finding).includes(cell)).map(({ p99Us }) => p99Us),
    ),
  );
