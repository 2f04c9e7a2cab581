import { sum } from 'simple-statistics';
import { axisNamed } from '../../../axes/all-axes.js';
import { clientName, conditionsOf, nameCells, variantNote } from '../../../axes/cell-names.js';
import { alike } from '../../../core/alike.js';
import { joined, ratioText, saysNothing, spanOf, times } from '../../../core/report/figures.js';
import { titled } from '../../../core/report/grid.js';

/** @import { AxisAdvice } from '../../../axes/types.js' */
/** @import { ChoiceRow } from '../types.js' */
/** @import { Finding } from '../../findings/types.js' */
/** @import { Grid } from '../../../core/report/types.js' */
/** @import { Contrast, Verdict } from '../../../core/statistics/contrasts.js' */
/** @import { CellResult, ReportData } from '../../../core/store/types.js' */

/** @typedef {Extract<Finding, {kind: 'choice'}>} Decision */
/** @typedef {Pick<Contrast, 'ratio' | 'low' | 'high'>} Interval */

/** More conditions are counted. */
const MOST_PLACES = 2;

/**
 * What to choose, as rows: what is best, and how far the others are behind it. A row is about the groups in which the same is best.
 * `client`: null for all; `where`: these groups in words, empty for all; `best`: several where no difference is shown, none where it
 * depends on the other choices; `behind`: how many times faster the best are, at least and at most, and in how many of the pairs of
 * cells that shows, null in none; without pairs it was not compared.
 * @param {Pick<ReportData, 'cells' | 'comparisons' | 'findings'>} report
 */
export function choiceRows({ cells, comparisons, findings }) {
  const decisions = findings.filter((finding) => finding.kind === 'choice');
  const groups = comparisons.length;
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const cellOf = (/** @type {string} */ id) => /** @type {CellResult} */ (byId.get(id));
  const measured = cells.filter(({ summary }) => summary !== null);
  const adviceOn = (/** @type {string} */ axis) =>
    /** @type {AxisAdvice} */ (axisNamed(axis, measured).advice);

  /** @param {CellResult} cell @returns {boolean} whether it has the best of each choice of its group */
  const follows = (cell) =>
    decisions
      .filter(
        ({ group, client, best }) =>
          group === cell.group && best.length > 0 && [null, cell.client].includes(client),
      )
      .every(({ axis, best }) => best.some(({ value }) => value === adviceOn(axis).value(cell, measured)));

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
    const some = own.length > MOST_PLACES ? `${own.length} of ${groups} conditions` : places.join('; ');
    const behind = best.length === 0 ? [] : behindIn(own);
    const isUndecided = isOpen(own.flatMap(({ among }) => among ?? []));
    const isOneAhead = new Set(own.map((each) => each.best[0]?.value)).size === 1;
    const maybe = isUndecided && isOneAhead ? maybeTexts(own.flatMap((each) => each.best.slice(1))) : [];
    return {
      axis,
      client,
      groups: own.map((each) => String(each.group)),
      choose: client === null ? noun : ofClient ? `${client} ${noun}` : `${noun} of ${whose}`,
      where: own.length === groups ? '' : some,
      best: best.map(({ value }) => value),
      behind: behind.map(({ gains: _, ...figures }) => figures),
      texts: { best: bestText(own), behind: [...maybe, ...behind.map(behindText)].join(' · ') },
    };
  }

  /** @param {Decision[]} own @returns the nearest first, what was not shown to be behind last */
  const behindIn = (own) =>
    alike(
      own.flatMap(({ behind }) => behind),
      ({ value }) => value,
    )
      .map((all) => {
        const [{ value }] = all;
        const gains = own.flatMap((each) => each.gains.filter(({ loser }) => loser === value));
        const advised = gains.filter(({ better }) => follows(cellOf(better)));
        const ratios = (advised.length > 0 ? advised : gains).map(({ ratio }) => ratio);
        const [low, high] = ratios.length > 0 ? [Math.min(...ratios), Math.max(...ratios)] : [null, null];
        return { value, low, high, shown: gains.length, pairs: sum(all.map(({ pairs }) => pairs)), gains };
      })
      .sort((a, b) => (a.low ?? Number.MAX_VALUE) - (b.low ?? Number.MAX_VALUE));

  const rows = alike(decisions, ({ axis, client }) => `${axis} ${client}`).flatMap((own) =>
    alike(own, ({ best }) => JSON.stringify(best.map(({ value }) => value).sort())).map(rowOf),
  );
  return [...rows, ...awakeRows(findings, comparisons.length, measured)];
}

/** @param {Decision[]} own @returns {string} */
function bestText(own) {
  const [{ best }] = own;
  if (best.length === 0)
    return own.some(({ depends }) => depends)
      ? 'may depend on the other choices'
      : 'depends on the other choices';
  const among = own.flatMap((each) => each.among ?? []);
  // What is ahead in one place is not in another.
  if (isOpen(among) && new Set(own.map((each) => each.best[0].value)).size > 1) return 'not decided';
  return frontText(
    best.map(({ value }) => value),
    among,
  );
}

/**
 * @param {string[]} values that none was shown to beat, the fastest first @param {Verdict[]} among what is known of them, in each group
 * @returns {string} `a`, `a or b: tied`, `a or b: not compared`, `not decided; ahead: a`
 */
function frontText(values, among) {
  const text = joined(values, 'or');
  if (values.length < 2) return text;
  if (among.includes('not measured')) return `${text}: not ${values.length > 2 ? 'all ' : ''}compared`;
  if (among.every((verdict) => verdict === 'tied')) return `${text}: tied`;
  return `not decided; ahead: ${values[0]}`;
}

/** @param {Verdict[]} among @returns {boolean} whether the front is undecided, so that what may be behind is listed */
const isOpen = (among) => among.includes('not decided') && !among.includes('not measured');

/** Those that may be behind the first, the nearest first. @param {{value: string, ahead: Interval | null}[]} best of all groups @returns {string[]} */
const maybeTexts = (best) =>
  alike(best, ({ value }) => value).map((own) => {
    const known = own.flatMap(({ ahead }) => ahead ?? []);
    const [{ value }] = own;
    if (known.length === 0) return `${value}: not compared`;
    // One pair of cells may lean the other way.
    if (known.some((each) => saysNothing(each) || each.ratio < 1)) return `${value}: not decided`;
    const farthest = Math.max(...known.map(({ ratio }) => ratio));
    return `${value}: ${known.length === 1 ? ratioText({ ...known[0], verdict: 'not decided' }) : `up to ${times(farthest)}?`}`;
  });

/**
 * @param {{value: string, shown: number, pairs: number, gains: Decision['gains']} & Record<'low' | 'high', number | null>} behind
 * @param {number} place
 * @returns {string} `pool of 3: 2.0x`, `open and close: 37x in 1 of 4 pairs`
 */
function behindText({ value, low, high, shown, pairs, gains }, place) {
  if (pairs === 0) return `${value}: not compared`;
  if (low === null || high === null) return `${value}: not decided`;
  const text =
    place === 0 && gains.length === 1
      ? ratioText({ ...gains[0], verdict: 'faster' })
      : spanOf(times, [low, high]);
  return `${value}: ${text}${shown < pairs ? ` in ${shown} of ${pairs} pairs` : ''}`;
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
    const named = finding.awake.map((each) => ({ ...each, value: String(names.get(each.cell)) }));
    const isBehind = (/** @type {Verdict | null} */ verdict) =>
      verdict === 'slower' || verdict === 'not measured';
    const front = named.filter(({ verdict }) => !isBehind(verdict));
    const best = front.map(({ value }) => value);
    const among = front.flatMap(({ verdict }) => verdict ?? []);
    const maybe = isOpen(among)
      ? maybeTexts(
          front.slice(1).map(({ value, timesSlower: ratio, low, high }) => ({
            value,
            ahead: low === null || high === null ? null : { ratio, low, high },
          })),
        )
      : [];
    const behind = named
      .filter(({ verdict }) => isBehind(verdict))
      .map(({ value, verdict, timesSlower }) =>
        verdict === 'slower'
          ? { value, low: timesSlower, high: timesSlower, shown: 1, pairs: 1 }
          : { value, low: null, high: null, shown: 0, pairs: 0 },
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
        best: frontText(best, among),
        behind: [...maybe, ...behind.map((each, place) => behindText({ ...each, gains: [] }, place))].join(
          ' · ',
        ),
      },
    };
  });

/** @param {ChoiceRow[]} rows @returns {Grid} */
export function choicesGrid(rows) {
  const hasPlaces = rows.some(({ where }) => where !== '');
  return {
    names: { title: 'choose' },
    columns: titled([...(hasPlaces ? ['at'] : []), 'best', 'behind it'], 'left'),
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
  const notes = [...new Set(best)].flatMap((name) => {
    const own = cells.filter((cell) => clientName({ ...cell, copy: 1 }) === name);
    // Where the scenario opens connections by itself, no one call does.
    const found = own.find(({ words }) => words?.code) ?? own[0];
    return (found && variantNote(found)) || [];
  });
  return notes.length > MOST_NOTES ? [] : notes;
}
