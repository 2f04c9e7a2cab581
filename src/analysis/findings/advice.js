import { median } from 'simple-statistics';
import { nameCells } from '../../axes/names.js';
import { percent, ratioText, times } from '../../report/words/figures.js';
import { decide } from './choices.js';
import { limitsText } from './not-measured.js';

/**
 * @import { CellResult, Report } from '../../results/types.js'
 * @import { Comparison } from '../types.js'
 * @import { Decision, Gain } from './choices.js'
 * @import { CellContrasts, MeasuredCell } from './compare-group.js'
 */

const SMOKE =
  'A smoke run shows that everything works; it is too short to conclude anything from its figures.';
const NOTHING = 'No cell gave a result, so there is nothing to conclude.';
const ALONE = 'There is nothing to choose between: each group has one cell.';
const ONE_RUN = 'With a single run of a cell no difference can be claimed; use --runs 5 or more.';

/**
 * @typedef {object} Group
 * @property {CellResult[]} cells
 * @property {CellContrasts} contrasts
 * @property {Comparison} comparison
 *
 */

/**
 * The first lines of a report: what to do, how much it brings, how sure that is, why, and what was not
 * measured. Every sentence is built from differences that the statistics carry.
 *
 * @param {Group[]} groups
 * @param {Pick<Report['settings'], 'smoke' | 'value'>} settings
 * @param {boolean} partial
 * @returns {string[]}
 */
export function adviseOn(groups, settings, partial) {
  if (settings.smoke) return [SMOKE];
  const candidates = groups.flatMap(({ contrasts: { compared, between } }) =>
    compared.map((cell) => ({ cell, between })),
  );
  if (candidates.length === 0) return [NOTHING];
  const limits = limitsText(
    groups.flatMap(({ cells }) => cells),
    settings,
    partial,
  );
  if (groups.every(({ contrasts }) => contrasts.compared.length < 2)) return [ALONE, limits];
  if (groups.every(({ comparison }) => comparison.ranking.every(({ againstFirst }) => againstFirst === null)))
    return [ONE_RUN, limits];
  const { decisions, open } = decide(candidates);
  if (decisions.length === 0) {
    return [open.length > 0 ? dependsText(groups) : sameText(candidates.map(({ cell }) => cell)), limits];
  }
  return [
    whatToDo(decisions, open),
    `Operations a second: ${decisions.map(gainText).join('; ')}.`,
    confidenceText(decisions, groups),
    ...whyText(decisions, groups),
    limits,
  ];
}

/**
 * @param {Decision[]} decisions
 * @param {string[]} open
 */
function whatToDo(decisions, open) {
  const parts = decisions.map(({ client, best, imperatives }) => {
    const todo = imperatives.join(' or ');
    const tie = best.length > 1 ? ' (no difference between these that this machine can show)' : '';
    return `${client === null ? '' : `with ${client}, `}${todo}${tie}`;
  });
  const rest = open.map((noun) => `which ${noun} is fastest depends on the rest, see below`);
  const text = [...parts, ...rest].join('; ');
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/**
 * @param {Decision} decision
 * @returns {string} the smallest and the largest gain over what was not chosen
 */
function gainText({ best, gains, compared }) {
  const losers = [...new Set(gains.map(({ loser }) => loser))]
    .map((loser) => ({ loser, gains: gains.filter((gain) => gain.loser === loser) }))
    .sort((a, b) => smallest(a.gains) - smallest(b.gains));
  const shown = losers.length > 2 ? [losers[0], losers[losers.length - 1]] : losers;
  const amounts = shown.map((each) => `${amountText(each.gains)} those of ${plain(each.loser)}`);
  const part = gains.length < compared ? ` (shown in ${gains.length} of ${compared} comparisons)` : '';
  return `${best.map(plain).join(' or ')} ${amounts.join(' and ')}${part}`;
}

/** @param {Gain[]} gains of one choice over one other */
function amountText(gains) {
  if (gains.length === 1) return ratioText(gains[0].contrast);
  const ratios = gains.map(({ contrast }) => contrast.ratio);
  return `${times(Math.min(...ratios))} to ${times(Math.max(...ratios))}`;
}

/** @param {Gain[]} gains */
const smallest = (gains) => Math.min(...gains.map(({ contrast }) => contrast.ratio));

/** @param {string} value of an axis */
const plain = (value) => value.replaceAll('-', ' ');

/**
 * @param {Decision[]} decisions
 * @param {Group[]} groups
 */
function confidenceText(decisions, groups) {
  const measured = groups.flatMap(({ contrasts }) => contrasts.compared);
  const worst = Math.max(
    ...decisions.flatMap(({ gains }) => gains.map(({ contrast }) => contrast.pAdjusted)),
  );
  const tests = new Set(
    groups.flatMap(({ contrasts: { compared }, comparison: { test } }) => (compared.length > 1 ? test : [])),
  );
  return `How sure: p ${pText(worst)} at worst (${[...tests].join('; or ')}${groups.length > 1 ? ', in each group by itself' : ''}). ${variationText(measured)}`;
}

/** @param {MeasuredCell[]} cells */
function variationText(cells) {
  const counts = cells.map(({ summary }) => summary.runs);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const variations = cells.flatMap(({ summary }) => summary.variation ?? []);
  return `Half of the cells vary by less than ${percent(median(variations))} over their ${fewest === most ? most : `${fewest} to ${most}`} runs.`;
}

/** @param {number} p */
const pText = (p) => (p < 0.001 ? '< 0.001' : `= ${p.toFixed(p < 0.01 ? 4 : 3)}`);

/**
 * @param {Decision[]} decisions
 * @param {Group[]} groups
 * @returns {string[]} why what was not chosen is slower; none where the fastest of its group is not in it
 */
function whyText(decisions, groups) {
  for (const { better, worse } of decisions.flatMap(({ gains }) => gains)) {
    const group = groups.find(({ contrasts }) => contrasts.compared.some(({ id }) => id === worse.id));
    if (group?.comparison.ranking[0].cell !== better.id) continue;
    const name = `"${nameCells(group.cells).get(worse.id)}" is`;
    const reason = group.comparison.explanation.find((sentence) => sentence.startsWith(name));
    if (reason) return [`Why: ${reason}`];
  }
  return [];
}

/** @param {Group[]} groups in which different cells are best */
function dependsText(groups) {
  const fastest = groups.flatMap(({ cells, comparison: { ranking } }) =>
    ranking.length === 0 ? [] : [`"${nameCells(cells).get(ranking[0].cell)}"`],
  );
  return `There is no choice that is best everywhere: fastest are ${[...new Set(fastest)].join(', ')}, each somewhere else; see the tables.`;
}

/** @param {MeasuredCell[]} cells */
const sameText = (cells) =>
  `No difference that this machine can show: choose by other reasons. ${variationText(cells)} Smaller differences show with more --runs, or --until-stable 2.`;
