import { LEFT_OUT } from '../../analysis/findings/map-findings.js';
import { axesOf } from '../../axes/all-axes.js';
import { nameOriginals } from '../../axes/cell-names.js';
import { capital, said, spanIn, times, whole } from './figures.js';
import { regionText } from './region-words.js';

/** @import { Finding, MapFinding, MapPoint, MapValue } from '../../analysis/types.js' */
/** @import { Context, Words } from './findings.js' */

/** @typedef {Finding & MapFinding} MapOf */

/** Under which conditions which choice wins. @satisfies {Words} */
export const MAP_WORDS = {
  map: {
    advice: { all: adviceTexts },
    details: valuesText,
    sure: {
      all: (maps) => [sureText(maps.flatMap(({ points }) => points)), ...maps.flatMap(leftOutText)],
    },
  },
};

/** @param {MapOf[]} maps @param {Context} context */
function adviceTexts(maps, context) {
  const toDo = maps.map((map) => leadOf(map, context) + adviceText(map, context));
  return [toDo.join(' '), ...maps.flatMap((map) => [...littleText(map, context), ...costText(map, context)])];
}

/** @param {MapOf} map @param {Context} context @returns {(choice: number) => string} `"ioredis, pool of 3" (B)`; of copies all letters */
function namerOf({ cells, choices }, { cell }) {
  const names = nameOriginals(cells.map(cell));
  return (choice) => {
    const name = names.get(choices[choice].cell);
    const letters = choices.flatMap((each) => (names.get(each.cell) === name ? each.letter : []));
    return `"${name}" (${letters.join(', ')})`;
  };
}

/** @param {MapOf} map @param {Context} context @returns {string} what tells it from the other maps */
function leadOf({ third }, { cell }) {
  if (third === null) return '';
  const example = cell(third.example);
  const axis = axesOf([example]).find(({ id }) => id === third.axis);
  return `With ${axis?.row(example)}: `;
}

/** More choices than these by place make no advice. */
const MOST_TAKEN = 3;

/** @param {MapOf} map @param {Context} context */
function adviceText(map, context) {
  const { advice, cells, points } = map;
  const known = points.filter(({ winners }) => winners.length > 0);
  const name = namerOf(map, context);
  if (new Set(nameOriginals(cells.map(context.cell)).values()).size === 1)
    return `All choices are copies of ${name(0)}: there is nothing to recommend.`;
  if (isEarly(map)) return earlyText(map, name);
  const allText =
    known.length === points.length
      ? pointsText(points.length)
      : `the ${pointsText(known.length)} with a known best`;
  const [first, ...others] = advice;
  const isBest = `${name(first.choice)}: best or tied at`;
  if (others.length === 0) return `Use ${isBest} ${shareText(first.points, known.length, allText)}.`;
  const exceptions = others.slice(0, MOST_TAKEN).map(({ choice, region, points: count }) => {
    const where = regionText(region, map, context.cell) ?? `at ${pointsText(count)} (see the map)`;
    return `${where} ${name(choice)}`;
  });
  const more = others.length > MOST_TAKEN ? '; for the rest see the map' : '';
  return `Use ${isBest} ${first.points} of ${allText}. Elsewhere: ${exceptions.join('; ')}${more}.`;
}

/** @param {MapOf} map @returns {boolean} whether too few points are known to recommend anything */
const isEarly = ({ points }) => points.filter(({ winners }) => winners.length > 0).length * 2 < points.length;

/** @param {MapOf} map @param {(choice: number) => string} name */
function earlyText({ ahead, points }, name) {
  const known = points.filter(({ winners }) => winners.length > 0).length;
  const measured = points.filter(({ state }) => state !== 'not-measured').length;
  const start = `Too early to recommend anything: the best choice is known at ${known === 0 ? 'none' : known} of ${pointsText(points.length)}.`;
  if (ahead === null || ahead.points * 2 <= measured) return `${start} No choice is ahead yet.`;
  return `${start} Ahead, but not proven: ${name(ahead.choice)}, fastest at ${ahead.points} of the ${pointsText(measured)} measured.`;
}

/** @param {number} good @param {number} known @param {string} allText */
const shareText = (good, known, allText) =>
  good < known ? `${good} of ${allText}` : `${known > 1 ? 'all ' : ''}${allText}`;

/** @param {number} count */
const pointsText = (count) => `${whole(count)} point${count === 1 ? '' : 's'}`;

/** @param {MapOf} map @param {Context} context @returns {string[]} */
function littleText(map, context) {
  const where = regionText(map.indifferent, map, context.cell);
  // Few known points say nothing of a region that others are counted to.
  if (where === null || isEarly(map)) return [];
  const lead = leadOf(map, context);
  return [`${lead}${capital(where)}, the choice hardly matters: at least half of them tie for best.`];
}

/** The choice whose values are compared one by one. */
const COST_AXIS = 'scenario';

/** @param {MapOf} map @param {Context} context @returns {string[]} what the wrong scenario costs */
function costText(map, context) {
  const isKnown = !isEarly(map);
  const costs = map.values
    .filter(
      ({ axis, slower, slowest }) => axis === COST_AXIS && (isKnown ? slower !== null : slowest > LEFT_OUT),
    )
    .map(({ value, slower, slowest }) => ({ value, most: isKnown ? Number(slower?.most) : slowest }))
    .sort((a, b) => a.most - b.most)
    .map(({ value, most }) => `${value} (${times(most)} slower)`);
  if (costs.length === 0) return [];
  const what = isKnown ? 'Worst case of each scenario' : 'Far behind';
  return [`${leadOf(map, context)}${what}, even with its best client: ${costs.join(', ')}.`];
}

/** @param {MapOf} map @param {Context} context @returns {string[]} where each value of a choice is good */
function valuesText(map, context) {
  const axes = [...new Set(map.values.map(({ axis }) => axis))];
  return axes.map((axis) => {
    const texts = map.values
      .filter((each) => each.axis === axis)
      .map((each) => valueText(each, map, context));
    return `${leadOf(map, context)}Where each ${nounOf(axis, context)} is best or tied: ${texts.join('; ')}.`;
  });
}

/** @param {string} id @param {Context} context */
const nounOf = (id, { measured }) => axesOf(measured).find((axis) => axis.id === id)?.advice?.noun ?? id;

/** @param {MapValue} value @param {MapOf} map @param {Context} context */
function valueText({ value, good, known, region, slower }, map, context) {
  const cost =
    slower === null ? '' : ` (elsewhere ${spanIn(times(slower.least), times(slower.most), 'x')} slower)`;
  if (good === 0)
    return `${value} ${known === map.points.length ? 'nowhere' : 'nowhere yet'}${cost.replace('elsewhere ', '')}`;
  if (good === map.points.length) return `${value} everywhere`;
  const where = regionText(region, map, context.cell) ?? `at ${good} of ${pointsText(known)}`;
  return `${value} ${where}${cost}`;
}

/** @param {MapOf} map @returns {string[]} */
function leftOutText({ choices }) {
  const counts = [...new Set(choices.map(({ leftOut }) => leftOut))].filter((count) => count > 0);
  const parts = counts
    .sort((a, b) => b - a)
    .map((count) => {
      const letters = choices.filter(({ leftOut }) => leftOut === count).map(({ letter }) => letter);
      return `${letters.join(', ')} at ${pointsText(count)}`;
    });
  return said([
    parts.length > 0 &&
      `Skipped, because they were over ${LEFT_OUT}x slower at every surrounding point: ${parts.join('; ')}.`,
  ]);
}

/** @param {MapPoint[]} points */
function sureText(points) {
  const count = (/** @type {MapPoint['state']} */ wanted) =>
    points.filter(({ state }) => state === wanted).length;
  const [open, tied, missing] = [count('open'), count('tied'), count('not-measured')];
  const cold = points.filter(({ isCold }) => isCold).length;
  const gaps = said([
    open > 0 && `${open} of ${pointsText(points.length)} ${open === 1 ? 'is' : 'are'} undecided`,
    tied > 0 &&
      `at ${open > 0 ? `${tied} more` : `${tied} of ${pointsText(points.length)}`} the best is known, but not its ties`,
    missing > 0 && `${missing} ${missing === 1 ? 'was' : 'were'} not measured`,
  ]);
  const rest = gaps.length === 0 ? '' : ` ${capital(gaps.join('; '))}. Use a longer --budget.`;
  const early = cold === 0 ? '' : ` At ${pointsText(cold)} some workers were not fully warm.`;
  return `Confidence: 95 % at each point.${rest}${early}`;
}
