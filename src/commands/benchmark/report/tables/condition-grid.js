import { dimensionsOf, placeIn } from '../../../../axes/all-axes.js';
import { nameChoices } from '../../../../axes/cell-names.js';
import { mean } from '../../../../descriptive-statistics.js';
import { MEASURING } from '../../../../method.js';
import { count, ratioShort, said } from '../../../../report/figures.js';
import { titled, widthNeeded } from '../../../../report/grid.js';
import { inverse } from '../../../../statistics/contrasts.js';
import { coldIn, isBestKnown, isBusy, isClosed } from './rows.js';

/** @import { GroupComparison } from '../../judge/types.js' */
/** @import { CellResult, ReportData } from '../../../../store/types.js' */
/** @import { Grid, State } from '../../../../report/types.js' */

/**
 * @typedef {'best' | 'tied' | 'not decided' | 'slower' | 'failed'} Standing
 * @typedef {{text: string, standing: Standing, ratio: number}} Field what a choice came to under a condition
 * @typedef {{name: string, fields: Map<string, Field>}} Line a condition with its fields by choice, or the other way round
 * @typedef {{text: string, isVerdict: boolean}} Headline in one line; no verdict where nothing was decided
 */

/** The first screen has so many columns, and rows if there is no room for all. */
const [WIDTH, MOST_ROWS] = [100, 16];

/**
 * How each choice does under each condition, if conditions vary, by the comparisons of the groups. Choices that are never best and
 * never close, and those for which there is no room, are counted; `all` has them too, and is null where there are none.
 * @param {Pick<ReportData, 'cells' | 'comparisons' | 'settings' | 'findings'>} report
 * @returns {{verdict: Headline, grid: Grid, notes: string[], all: Grid | null} | null}
 */
export function conditionGrid({ cells, comparisons, settings, findings }) {
  const planned = cells.filter(({ skipped }) => skipped === null);
  const dimensions = dimensionsOf(planned).sort((a, b) => b.examples.length - a.examples.length);
  if (dimensions.length === 0 || settings.smoke || !isClosed({ cells })) return null;
  const names = nameChoices(cells);
  const conditions = comparisons
    .flatMap(({ group, ranking }) => {
      const members = planned.filter((cell) => cell.group === group);
      if (members.length === 0) return [];
      const name = said(dimensions.map(({ axis }) => axis.row(members[0]))).join(', ');
      const key = dimensions.reduce((sum, dimension) => sum * 1000 + placeIn(dimension, members[0]), 0);
      const fields = fieldsOf(ranking, members, isBusy({ findings }));
      return { name, key, fields: new Map([...fields].map(([id, field]) => [names.get(id) ?? id, field])) };
    })
    .sort((a, b) => a.key - b.key);
  const choices = turned(conditions).sort(byStanding);
  if (choices.length < 2) return null;
  const shown = choices.filter((choice, place) => place < 2 || isEverClose(choice));
  // Choices are columns unless they are more than the conditions.
  const shape = () =>
    shown.length > conditions.length ? gridOf(shown, conditions) : gridOf(conditions, shown);
  while (shown.length > 2 && widthNeeded(shape()) > WIDTH) shown.pop();
  const hidden = choices.length - shown.length;
  return {
    verdict: verdictOn(choices[0], conditions),
    grid: { ...shape(), most: MOST_ROWS },
    notes: said([
      hidden > 0 && `… ${count(hidden, 'more choice')}: --details`,
      signsIn(shape().rows.flatMap(({ texts }) => texts)),
    ]),
    all: hidden > 0 ? withCounts(choices, conditions) : null,
  };
}

/**
 * @param {GroupComparison['ranking']} ranking @param {CellResult[]} cells of its group
 * @param {boolean} isBusy @returns {Map<string, Field>} by cell id
 */
function fieldsOf(ranking, cells, isBusy) {
  const [first, ...others] = ranking;
  const cold = coldIn(cells);
  const speeds = cold.map(({ summary }) => Number(summary?.opsPerSecond));
  const fastest = first?.opsPerSecond ?? Math.max(...speeds);
  const isKnown = !isBusy && isBestKnown({ ranking }, cells);
  /** @type {Map<string, Field>} */
  const fields = new Map();
  for (const { id, runs, floor, summary } of cells) {
    if (runs.length === 0 || floor) continue;
    const ratio = Number.POSITIVE_INFINITY;
    if (summary === null) fields.set(id, { text: 'failed', standing: 'failed', ratio });
    if (summary?.tooShort) fields.set(id, { text: '?', standing: 'not decided', ratio });
  }
  for (const [place, { id }] of cold.entries()) fields.set(id, openField(fastest / speeds[place], isBusy));
  for (const { cell, verdict, timesSlower, againstFastest } of others) {
    const ratio = timesSlower ?? Number.POSITIVE_INFINITY;
    const isClaim = !isBusy && (verdict === 'slower' || verdict === 'tied');
    fields.set(
      cell,
      isClaim
        ? { text: ratioShort({ ratio, verdict }), standing: verdict, ratio }
        : openField(ratio, isBusy, againstFastest && inverse(againstFastest)),
    );
  }
  if (first !== undefined)
    fields.set(
      first.cell,
      isKnown
        ? { text: 'best', standing: 'best', ratio: 1 }
        : { text: fields.size === 0 ? '?' : 'best?', standing: 'not decided', ratio: 1 },
    );
  return fields;
}

/**
 * @param {number} ratio @param {boolean} isBusy @param {{low: number, high: number} | null} [interval] null where there was no test
 * @returns {Field}
 */
function openField(ratio, isBusy, interval = null) {
  const verdict = 'not decided';
  return { text: isBusy ? '?' : ratioShort({ ...interval, ratio, verdict }), standing: verdict, ratio };
}

/** @param {Line[]} lines @returns {Line[]} what they have fields of */
const turned = (lines) =>
  [...new Set(lines.flatMap(({ fields }) => [...fields.keys()]))].map((name) => ({
    name,
    fields: new Map(
      lines.flatMap((line) => {
        const field = line.fields.get(name);
        return field ? [[line.name, field]] : [];
      }),
    ),
  }));

/** @param {Line} line @param {string} standing */
const countOf = ({ fields }, standing) =>
  [...fields.values()].filter((field) => field.standing === standing).length;

/** @type {(Standing | undefined)[]} */
const GOOD = ['best', 'tied'];

/** @param {Line} choice the first of all @param {Line[]} conditions @returns {Headline} */
function verdictOn(choice, conditions) {
  const ofAll = `of ${count(conditions.length, 'condition')}`;
  // A tie with what is ahead is none with the best while that is not known.
  const decided = conditions.filter((condition) => countOf(condition, 'best') > 0);
  const open = conditions.length - decided.length;
  if (2 * open > conditions.length) return { text: `Not decided in ${open} ${ofAll}`, isVerdict: false };
  const good = decided.filter(({ fields }) => GOOD.includes(fields.get(choice.name)?.standing)).length;
  const rest = open > 0 ? `; ${open} not decided` : '';
  return { text: `${choice.name} is best, or tied, in ${good} ${ofAll}${rest}`, isVerdict: true };
}

/** Best where most are, then least behind. @param {Line} a @param {Line} b */
const byStanding = (a, b) =>
  countOf(b, 'best') - countOf(a, 'best') ||
  countOf(a, 'slower') + countOf(a, 'failed') - countOf(b, 'slower') - countOf(b, 'failed') ||
  behindOf(a) - behindOf(b);

/** @param {Line} line */
const behindOf = ({ fields }) => mean([...fields.values()].map(({ ratio }) => Math.log(ratio)));

/** No start was ever so lucky that what is farther behind could be the best. @param {Line} line */
const isEverClose = ({ fields }) =>
  [...fields.values()].some(({ standing, ratio, text }) => {
    if (standing === 'not decided') return ratio < MEASURING.farBehind || text === '?';
    return ratio <= MEASURING.tie;
  });

/** @type {Record<Standing, State>} */
const STATES = {
  best: 'fastest',
  tied: 'close',
  'not decided': 'unsure',
  slower: 'slower',
  failed: 'failed',
};

/** @param {Line[]} lines @param {Line[]} heads @returns {Grid<string>} blank where nothing was measured */
const gridOf = (lines, heads) => ({
  columns: heads.map(({ name }) => ({ title: name, narrow: true })),
  rows: lines.map(({ name, fields }) => {
    const shown = heads.map((head) => fields.get(head.name));
    return {
      name,
      texts: shown.map((field) => field?.text ?? ''),
      state: shown.map((field) => (field ? STATES[field.standing] : 'not run')),
    };
  }),
});

/** A row for each choice, and in how many conditions it was what. @type {(choices: Line[], conditions: Line[]) => Grid} */
function withCounts(choices, conditions) {
  const { columns, rows } = gridOf(choices, conditions);
  const counts = choices.map((choice) =>
    Object.keys(STATES)
      .flatMap((standing) => {
        const number = countOf(choice, standing);
        return number > 0 ? `${standing} ${number}` : [];
      })
      .join(', '),
  );
  return {
    columns: [...columns, ...titled([`of ${count(conditions.length, 'condition')}`], 'left')],
    rows: rows.map((row, place) => ({ ...row, texts: [...row.texts, counts[place]] })),
  };
}

/** @param {string[]} texts @returns {string} what the signs mean that are used */
function signsIn(texts) {
  const has = (/** @type {RegExp} */ sign) => texts.some((text) => sign.test(text));
  return said([
    has(/\dx$/) && '1.2x: times slower than the best',
    has(/≈/) && '≈: tied, within 10 %',
    has(/\?/) && '?: not decided',
    has(/^$/) && 'blank: not measured',
  ]).join(' · ');
}
