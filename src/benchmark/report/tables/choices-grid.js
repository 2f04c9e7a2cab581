import { axisNamed } from '../../../axes/all-axes.js';
import { clientName, conditionsOf, nameCells, variantNote } from '../../../axes/cell-names.js';
import { alike } from '../../../core/alike.js';
import { intervalText, ratioText, spanOf, times } from '../../../core/report/figures.js';

/** @import { AxisAdvice } from '../../../axes/types.js' */
/** @import { ChoiceRow, Finding } from '../../judge/types.js' */
/** @import { Grid } from '../../../core/report/types.js' */
/** @import { CellResult, ReportData } from '../../../core/store/types.js' */

/** @typedef {Extract<Finding, {kind: 'choice'}>} Decision */

/** More conditions are counted. */
const MOST_PLACES = 2;

/**
 * What to choose, as rows: what is best, and how far the others are behind it. A row is about the groups in which the same is best.
 * `client`: null for all; `where`: these groups in words, empty for all; `best`: several where no difference is shown, none where it
 * depends on the other choices; `behind`: how many times faster the best are, at least and at most, and in how many of the pairs of
 * cells that shows, null in none.
 * @param {Pick<ReportData, 'cells' | 'comparisons' | 'findings'>} report
 */
export function choiceRows({ cells, comparisons, findings }) {
  const decisions = findings.filter((finding) => finding.kind === 'choice');
  const groups = new Set(decisions.map(({ group }) => group)).size;
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const cellOf = (/** @type {string} */ id) => /** @type {CellResult} */ (byId.get(id));
  const measured = cells.filter(({ summary }) => summary !== null);
  const adviceOn = (/** @type {string} */ axis) =>
    /** @type {AxisAdvice} */ (axisNamed(axis, measured).advice);

  /** @param {CellResult} cell @returns {boolean} whether it has the best of each choice of its group */
  const follows = (cell) =>
    decisions.every(
      ({ group, axis, client, best }) =>
        group !== cell.group ||
        best.length === 0 ||
        (client !== null && client !== cell.client) ||
        best.some(({ value }) => value === adviceOn(axis).value(cell, measured)),
    );

  /** @param {Decision[]} own that have the same best */
  function rowOf(own) {
    const [{ axis, client, best, group }] = own;
    const { noun, ofClient } = adviceOn(axis);
    // The others are compared with the client's best variant, if one was found.
    const [variant] = decisions.filter(
      (each) => each.axis === 'variant' && each.client === client && each.group === group,
    );
    const whose = variant?.best.length === 1 ? variant.best[0].value : client;
    const places = own.map(({ cells: [id] }) => conditionsOf(cellOf(id), measured));
    const behind = best.length === 0 ? [] : behindIn(own);
    return {
      axis,
      client,
      groups: own.map((each) => String(each.group)),
      choose: client === null ? noun : ofClient ? `${client} ${noun}` : `${noun} of ${whose}`,
      where:
        own.length === groups
          ? ''
          : own.length > MOST_PLACES
            ? `${own.length} of ${groups} conditions`
            : places.join('; '),
      best: best.map(({ value }) => value),
      behind: behind.map(({ gains: _, ...figures }) => figures),
      texts: { best: bestText(own), behind: behind.map(behindText).join(' · ') },
    };
  }

  /** @param {Decision[]} own @returns the nearest first, what was not shown to be behind last */
  const behindIn = (own) =>
    alike(
      own.flatMap(({ behind, gains }) =>
        behind.map(({ value, pairs }) => ({
          value,
          pairs,
          gains: gains.filter(({ loser }) => loser === value),
        })),
      ),
      ({ value }) => value,
    )
      .map((all) => {
        const gains = all.flatMap((each) => each.gains);
        const advised = gains.filter(({ better }) => follows(cellOf(better)));
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
      .sort((a, b) => (a.low ?? Number.MAX_VALUE) - (b.low ?? Number.MAX_VALUE));

  const rows = alike(decisions, ({ axis, client }) => `${axis} ${client}`).flatMap((own) =>
    alike(own, ({ best }) => JSON.stringify(best.map(({ value }) => value).sort())).map(rowOf),
  );
  return [...rows, ...awakeRows(findings, comparisons.length, measured)];
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

/**
 * @param {{value: string, shown: number, pairs: number, gains: Decision['gains']} & Record<'low' | 'high', number | null>} behind
 * @param {number} place
 * @returns {string} `pool of 3: 2.0x`, `open and close: 37x in 1 of 4 pairs`
 */
function behindText({ value, low, high, shown, pairs, gains }, place) {
  if (low === null || high === null) return `${value}: not decided`;
  const interval = place === 0 && gains.length === 1 ? ` (${intervalText(gains[0])})` : '';
  return `${value}: ${spanOf(times, [low, high])}${interval}${shown < pairs ? ` in ${shown} of ${pairs} pairs` : ''}`;
}

/**
 * What is fastest while processors are kept awake, where that is something else.
 * @param {Finding[]} findings @param {number} groups @param {CellResult[]} measured
 */
const awakeRows = (findings, groups, measured) =>
  findings.flatMap((finding) => {
    if (finding.kind !== 'kept-awake' || !finding.turned) return [];
    const cells = measured.filter(({ id }) => finding.awake.some(({ cell }) => cell === id));
    const names = nameCells(cells);
    const nameOf = (/** @type {{cell: string}} */ { cell }) => String(names.get(cell));
    const [first, ...others] = finding.awake;
    const best = [first, ...others.filter(({ differs }) => !differs)].map(nameOf);
    const behind = others.flatMap((each) =>
      each.differs
        ? { value: nameOf(each), low: each.timesSlower, high: each.timesSlower, shown: 1, pairs: 1 }
        : [],
    );
    return {
      axis: 'awake',
      client: null,
      groups: [String(finding.group)],
      choose: 'kept awake',
      where: groups > 1 ? conditionsOf(cells[0], measured) : '',
      best,
      behind,
      texts: {
        best: best.join(' or '),
        behind: behind.map(({ value, low }) => `${value}: ${times(low)}`).join(' · '),
      },
    };
  });

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
  const found = [...new Set(best)].map((name) => {
    const own = cells.filter((cell) => clientName({ ...cell, copy: 1 }) === name);
    // Where the scenario opens connections by itself, no one call does.
    return own.find(({ words }) => words?.code) ?? own[0];
  });
  const notes = found.flatMap((cell) => (cell && variantNote(cell)) || []);
  return notes.length > MOST_NOTES ? [] : notes;
}
