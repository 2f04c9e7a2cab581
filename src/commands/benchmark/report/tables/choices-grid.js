import { axisNamed } from '../../../../axes/all-axes.js';
import { clientName, conditionsOf, nameCells, variantNote } from '../../../../axes/cell-names.js';
import { groupBy, mustGet, present } from '../../../../collections.js';
import { sum } from '../../../../descriptive-statistics.js';
import { joined, ratioText, saysNothing, spanOf, times } from '../../../../report/figures.js';
import { titled } from '../../../../report/grid.js';
import { isTie } from '../../../../statistics/contrasts.js';

/** @import { ChoiceRow } from '../types.js' */
/** @import { Finding } from '../../findings/types.js' */
/** @import { Grid } from '../../../../report/types.js' */
/** @import { Contrast } from '../../../../statistics/contrasts.js' */
/** @import { CellResult, ReportData } from '../../../../store/types.js' */

/** @typedef {Extract<Finding, {kind: 'choice'}>} Decision */
/** @typedef {Pick<Contrast, 'ratio' | 'low' | 'high'>} Interval */

const MOST_PLACES = 2;

/** @type {(report: Pick<ReportData, 'cells' | 'comparisons' | 'findings'>) => ChoiceRow[]} */
export function choiceRows({ cells, comparisons, findings }) {
  const decisions = findings.filter((finding) => finding.kind === 'choice');
  const groups = comparisons.filter(({ ranking }) => ranking.length > 0).length;
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const cellOf = (/** @type {string} */ id) => mustGet(byId, id);
  const measured = cells.filter(({ summary }) => summary !== null);
  const adviceOn = (/** @type {string} */ axis) => present(axisNamed(axis, measured).advice);

  /** @param {CellResult} cell @returns {boolean} whether it has the best of each choice of its group */
  const follows = (cell) =>
    decisions
      .filter(
        ({ group, client, best }) =>
          group === cell.group && best.length > 0 && [null, cell.client].includes(client),
      )
      .every(({ axis, best }) => best.some(({ value }) => value === adviceOn(axis).value(cell, measured)));

  /** @param {Decision[]} same that have the same best */
  function rowOf(same) {
    const [{ axis, client, best, group }] = same;
    const { noun, ofClient } = adviceOn(axis);
    // The others are compared with the client's best variant, if one was found.
    const [variant] = decisions.filter(
      (each) => each.axis === 'variant' && each.client === client && each.group === group,
    );
    const whose = variant?.best.length === 1 ? variant.best[0].value : client;
    const places = same.map(({ cells: [id] }) => conditionsOf(cellOf(id), measured));
    const some = same.length > MOST_PLACES ? `${same.length} of ${groups} conditions` : places.join('; ');
    const behind = best.length === 0 ? [] : behindIn(same);
    const names = nameCells(
      measured.filter((cell) => same.some((each) => each.group === cell.group)),
      [axis],
    );
    return {
      axis,
      client,
      groups: same.map((each) => String(each.group)),
      choose: client === null ? noun : ofClient ? `${client} ${noun}` : `${noun} of ${whose}`,
      where: same.length === groups ? '' : some,
      best: best.map(({ value }) => value),
      behind: behind.map(({ value, low, high, shown, pairs }) => ({ value, low, high, shown, pairs })),
      texts: textsOf(same, behind, names),
    };
  }

  /** @param {Decision[]} same @returns the nearest first, what was not shown to be behind last */
  const behindIn = (same) =>
    groupBy(
      same.flatMap(({ behind }) => behind),
      ({ value }) => value,
    )
      .map((ofValue) => {
        const [{ value }] = ofValue;
        const gains = same.flatMap((each) => each.gains.filter(({ loser }) => loser === value));
        const advised = gains.filter(({ better }) => follows(cellOf(better)));
        const ratios = (advised.length > 0 ? advised : gains).map(({ ratio }) => ratio);
        const [low, high] = ratios.length > 0 ? [Math.min(...ratios), Math.max(...ratios)] : [null, null];
        const pairs = sum(ofValue.map((each) => each.pairs));
        return {
          value,
          low,
          high,
          shown: gains.length,
          pairs,
          gains,
          open: ofValue.flatMap(({ open }) => open),
        };
      })
      .sort((a, b) => (a.low ?? Number.MAX_VALUE) - (b.low ?? Number.MAX_VALUE));

  return groupBy(decisions, ({ axis, client }) => `${axis} ${client}`).flatMap((asked) =>
    groupBy(asked, ({ best }) => JSON.stringify(best.map(({ value }) => value).sort())).map(rowOf),
  );
}

/** @typedef {{value: string, shown: number, pairs: number, gains: Decision['gains'], open: string[]} & Record<'low' | 'high', number | null>} Behind */

/** @param {Decision[]} same @param {Behind[]} behind @param {Map<string, string>} names of cells, without this choice */
function textsOf(same, behind, names) {
  const [{ best }] = same;
  const farBehind = behind.map((each, place) => behindText(each, place, names)).join(' · ');
  if (best.length === 0) {
    const may = same.some(({ depends }) => depends) ? 'may depend' : 'depends';
    return { best: `${may} on the other choices`, behind: farBehind };
  }
  const values = best.map(({ value }) => value);
  const among = same.flatMap((each) => each.among ?? []);
  if (values.length === 1) return { best: values[0], behind: farBehind };
  if (among.every((verdict) => verdict === 'tied'))
    return { best: `${joined(values, 'or')}: tied`, behind: farBehind };
  if (among.every((verdict) => verdict === 'not measured'))
    return { best: 'not compared', behind: farBehind };
  const near = nearTexts(same.flatMap((each) => each.best.slice(1)));
  // What is ahead in one place is not in another.
  const isOneAhead = new Set(same.map((each) => each.best[0].value)).size === 1;
  if (!isOneAhead || near.every((text) => UNKNOWN.test(text))) {
    const avoid = behind.flatMap(({ value, low }) => (low === null ? [] : `${value} (${times(low)})`));
    const rest = avoid.length > 0 ? `avoid ${joined(avoid.toReversed())}; the rest is ` : '';
    return { best: `${rest}not decided`, behind: '' };
  }
  return {
    best: `not decided; ahead: ${values[0]}`,
    behind: [...near, farBehind].filter(Boolean).join(' · '),
  };
}

const UNKNOWN = /: not (decided|compared)$/;

/** Those that may be behind the first, the nearest first. @param {Decision['best']} best of all groups @returns {string[]} */
const nearTexts = (best) =>
  groupBy(
    best.filter(({ asked }) => asked),
    ({ value }) => value,
  ).map((same) => {
    const known = same.flatMap(({ ahead }) => ahead ?? []);
    const [{ value }] = same;
    if (known.length === 0) return `${value}: not compared`;
    if (known.every(isTie)) return `${value}: ${known.length === 1 ? tieText(known[0]) : '≈'}`;
    // One pair of cells may lean the other way.
    if (known.some((each) => saysNothing(each) || each.ratio < 1)) return `${value}: not decided`;
    if (known.length === 1) return `${value}: ${ratioText({ ...known[0], verdict: 'not decided' })}`;
    return `${value}: up to ${times(Math.max(...known.map(({ ratio }) => ratio)))}?`;
  });

/** @param {Interval} interval */
const tieText = (interval) => ratioText({ ...interval, verdict: 'tied' });

/**
 * @param {Behind} behind @param {number} place @param {Map<string, string>} names
 * @returns {string} `pool of 3: 2.0x`, `connection per task: 1.4x with ioredis; not shown with redis:tuned`
 */
function behindText({ value, low, high, pairs, gains, open }, place, names) {
  if (pairs === 0) return `${value}: not compared`;
  if (low === null || high === null) return `${value}: not decided`;
  const text =
    place === 0 && gains.length === 1
      ? ratioText({ ...gains[0], verdict: 'faster' })
      : spanOf(times, [low, high]);
  return `${value}: ${text}${whereText(
    gains.map(({ better }) => better),
    open,
    names,
  )}`;
}

const MOST_NAMES = 2;

/**
 * With what the difference shows, and with what it does not.
 * @param {string[]} shown the better cells of these pairs @param {string[]} open of the others @param {Map<string, string>} names
 */
function whereText(shown, open, names) {
  if (open.length === 0) return '';
  const [showing, others] = [shown, open].map((ids) => [...new Set(ids.map((id) => `${names.get(id)}`))]);
  const isFew = showing.length <= MOST_NAMES;
  // Two of the best may differ in that.
  const areNames = others.every((name) => !showing.includes(name));
  if (areNames && others.length <= MOST_NAMES)
    return `${isFew ? ` with ${joined(showing)};` : ','} not shown with ${joined(others, 'or')}`;
  return areNames && isFew
    ? ` with ${joined(showing)} only`
    : ` in ${shown.length} of ${shown.length + open.length} pairs`;
}

/** @type {(rows: ChoiceRow[]) => Grid} */
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
    const variants = cells.filter((cell) => clientName({ ...cell, copy: 1 }) === name);
    // Where the scenario opens connections by itself, no one call does.
    const found = variants.find(({ words }) => words?.code) ?? variants[0];
    return (found && variantNote(found)) || [];
  });
  return notes.length > MOST_NOTES ? [] : notes;
}
