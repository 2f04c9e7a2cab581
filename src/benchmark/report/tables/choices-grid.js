import { axisNamed } from '../../../axes/all-axes.js';
import { clientName, conditionsOf, nameCells, variantNote } from '../../../axes/cell-names.js';
import { alike } from '../../../core/alike.js';
import { intervalText, ratioText, spanOf, times } from '../../../core/report/figures.js';

/** @import { AxisAdvice } from '../../../axes/types.js' */
/** @import { ChoiceRow, Finding, Gain } from '../../judge/types.js' */
/** @import { Grid } from '../../../core/report/types.js' */
/** @import { CellResult, ReportData } from '../../../core/store/types.js' */

/** @typedef {Extract<Finding, {kind: 'choice'}>} Decision */

/**
 * What to choose, as rows: what is best, and how far the others are behind it. A row is about the groups in which the same is best.
 * @param {Pick<ReportData, 'cells' | 'comparisons' | 'findings'>} report @returns {ChoiceRow[]}
 */
export function choiceRows({ cells, comparisons, findings }) {
  const decisions = findings.filter((finding) => finding.kind === 'choice');
  const groups = new Set(decisions.map(({ group }) => group)).size;
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const measured = cells.filter(({ summary }) => summary !== null);
  const ofChoice = alike(decisions, ({ axis, client }) => `${axis} ${client}`);
  const rows = ofChoice.flatMap((own) =>
    alike(own, ({ best }) => JSON.stringify(best.map(({ value }) => value).sort())).map((same) =>
      rowOf(same, groups, { decisions, measured, cell: (id) => /** @type {CellResult} */ (byId.get(id)) }),
    ),
  );
  return [...rows, ...awakeRows(findings, comparisons.length, measured)];
}

/** @typedef {{decisions: Decision[], measured: CellResult[], cell: (id: string) => CellResult}} Context */

/** @param {Decision[]} own that have the same best @param {number} groups in which anything was decided @param {Context} context @returns {ChoiceRow} */
function rowOf(own, groups, context) {
  const [{ axis, client, best }] = own;
  const { noun, ofClient } = adviceOn(axis, context);
  return {
    axis,
    client,
    groups: own.map(({ group }) => String(group)),
    choose: client === null ? noun : ofClient ? `${client} ${noun}` : `${noun} of ${variantOf(own, context)}`,
    where: own.length === groups ? '' : whereText(own, context),
    best: best.map(({ value }) => value),
    behind: behindIn(own, context),
    texts: { best: bestText(own), behind: behindText(own, context) },
  };
}

/** @param {Decision[]} own @param {Context} context @returns {string} the client's best variant, if one was found: the others are compared with it */
function variantOf([{ client, group }], { decisions }) {
  const variant = decisions.find(
    (each) => each.axis === 'variant' && each.client === client && each.group === group,
  );
  return variant?.best.length === 1 ? variant.best[0].value : String(client);
}

/** @param {string} axis @param {Context} context */
const adviceOn = (axis, { measured }) => /** @type {AxisAdvice} */ (axisNamed(axis, measured).advice);

/** More conditions are counted. */
const MOST_PLACES = 2;

/** @param {Decision[]} own @param {Context} context */
function whereText(own, { decisions, measured, cell }) {
  const all = new Set(decisions.map(({ group }) => group)).size;
  if (own.length > MOST_PLACES) return `${own.length} of ${all} conditions`;
  return own.map(({ cells: [id] }) => conditionsOf(cell(id), measured)).join('; ');
}

/** @param {Decision[]} own */
function bestText(own) {
  const [{ best }] = own;
  if (best.length === 0) return 'depends on the other choices';
  const values = best.map(({ value }) => value).join(' or ');
  const [widest] = own.flatMap(({ tie }) => tie ?? []).sort((a, b) => b.ratio - a.ratio);
  if (widest === undefined) return values;
  const isOne = best.length === 2 && own.length === 1;
  // An interval of one comparison alone may exclude 1, where the corrected test shows nothing.
  const ratio = widest.low > 1 ? times(widest.ratio) : ratioText(widest);
  return `${values}: ${isOne ? 'maybe' : 'maybe up to'} ${ratio}`;
}

/** @typedef {ChoiceRow['behind'][number] & {gains: Gain[]}} Behind */

/** @param {Decision[]} own @param {Context} context @returns {Behind[]} the nearest first, what was not shown to be behind last */
function behindIn(own, context) {
  if (own[0].best.length === 0) return [];
  return alike(
    own.flatMap(({ behind, gains, group }) =>
      behind.map(({ value, pairs }) => ({
        value,
        pairs,
        group,
        gains: gains.filter(({ loser }) => loser === value),
      })),
    ),
    ({ value }) => value,
  )
    .map((all) => {
      const gains = all.flatMap((each) => each.gains);
      const advised = all.flatMap((each) =>
        each.gains.filter(({ better }) => follows(better, each.group, context)),
      );
      const ratios = (advised.length > 0 ? advised : gains).map(({ ratio }) => ratio);
      return {
        value: all[0].value,
        low: ratios.length > 0 ? Math.min(...ratios) : null,
        high: ratios.length > 0 ? Math.max(...ratios) : null,
        shown: gains.length,
        pairs: all.reduce((sum, { pairs }) => sum + pairs, 0),
        gains,
      };
    })
    .sort((a, b) => (a.low ?? Number.POSITIVE_INFINITY) - (b.low ?? Number.POSITIVE_INFINITY));
}

/** Whether a cell has the best of each choice of its group. @param {string} id @param {string | null} group @param {Context} context */
function follows(id, group, context) {
  const cell = context.cell(id);
  return context.decisions.every((decision) => {
    if (decision.group !== group || decision.best.length === 0) return true;
    if (decision.client !== null && decision.client !== cell.client) return true;
    const value = adviceOn(decision.axis, context).value(cell, context.measured);
    return decision.best.some((each) => each.value === value);
  });
}

/** @param {Decision[]} own @param {Context} context @returns {string} `pool of 3: 2.0x · open and close: 37x (1 of 4 pairs)` */
const behindText = (own, context) =>
  behindIn(own, context)
    .map(({ value, low, high, shown, pairs, gains }, place) => {
      if (low === null || high === null) return `${value}: not decided`;
      const ratio = spanOf(times, [low, high]);
      const interval = place === 0 && gains.length === 1 ? ` (${intervalText(gains[0])})` : '';
      return `${value}: ${ratio}${interval}${shown < pairs ? ` in ${shown} of ${pairs} pairs` : ''}`;
    })
    .join(' · ');

/**
 * What is fastest while processors are kept awake, where that is something else.
 * @param {Finding[]} findings @param {number} groups @param {CellResult[]} measured @returns {ChoiceRow[]}
 */
function awakeRows(findings, groups, measured) {
  return findings.flatMap((finding) => {
    if (finding.kind !== 'kept-awake' || !finding.turned) return [];
    const cells = measured.filter(({ id }) => finding.awake.some(({ cell }) => cell === id));
    const names = nameCells(cells);
    const nameOf = (/** @type {{cell: string}} */ { cell }) => String(names.get(cell));
    const [first, ...others] = finding.awake;
    const best = [first, ...others.filter(({ differs }) => !differs)];
    const behind = others.filter(({ differs }) => differs);
    return {
      axis: 'awake',
      client: null,
      groups: [String(finding.group)],
      choose: 'kept awake',
      where: groups > 1 ? conditionsOf(cells[0], measured) : '',
      best: best.map(nameOf),
      behind: behind.map((each) => ({
        ...{ value: nameOf(each), low: each.timesSlower, high: each.timesSlower },
        ...{ shown: 1, pairs: 1 },
      })),
      texts: {
        best: best.map(nameOf).join(' or '),
        behind: behind.map((each) => `${nameOf(each)}: ${times(each.timesSlower)}`).join(' · '),
      },
    };
  });
}

/** @param {ChoiceRow[]} rows @returns {Grid} */
export function choicesGrid(rows) {
  const hasPlaces = rows.some(({ where }) => where !== '');
  return {
    names: { title: 'choose' },
    columns: [
      ...(hasPlaces ? [{ title: 'at', align: /** @type {const} */ ('left') }] : []),
      { title: 'best', align: 'left' },
      { title: 'behind it', align: 'left' },
    ],
    rows: rows.map(({ choose, where, texts }, index) => ({
      name: choose === rows[index - 1]?.choose ? '' : choose,
      texts: [...(hasPlaces ? [where || 'everywhere'] : []), texts.best, texts.behind],
    })),
  };
}

const MOST_NOTES = 2;

/** How to get the variants that are best. @param {ChoiceRow[]} rows @param {CellResult[]} cells @returns {string[]} none for many */
export function codeNotes(rows, cells) {
  const best = rows.flatMap((row) => (['client', 'variant'].includes(row.axis) ? row.best : []));
  const found = [...new Set(best)].map((name) =>
    cells.find((cell) => clientName({ ...cell, copy: 1 }) === name),
  );
  const notes = found.flatMap((cell) => (cell && variantNote(cell)) || []);
  return notes.length > MOST_NOTES ? [] : notes;
}
