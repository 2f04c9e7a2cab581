import { alike } from '../../analysis/alike.js';
import { LEFT_OUT } from '../../analysis/findings/map-findings.js';
import { axisNamed } from '../../axes/all-axes.js';
import { nameOriginals } from '../../axes/cell-names.js';
import { count } from '../../axes/number-words.js';
import { capital, said, spanText, times } from './figures.js';
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

/** @param {MapOf} map @param {Context} context @returns {string} what distinguishes it from the other maps */
function leadOf({ third }, { cell }) {
  if (third === null) return '';
  const example = cell(third.example);
  return `With ${axisNamed(third.axis, [example]).row(example)}: `;
}

const MOST_TAKEN = 3;

/** @param {MapOf} map @param {Context} context */
function adviceText(map, context) {
  const { advice, cells, points } = map;
  const known = knownIn(map);
  const name = namerOf(map, context);
  if (new Set(nameOriginals(cells.map(context.cell)).values()).size === 1)
    return `All choices are copies of ${name(0)}: there is nothing to recommend.`;
  if (isEarly(map)) return earlyText(map, name);
  const allText = known === points.length ? pointsText(known) : `the ${pointsText(known)} with a known best`;
  const [first, ...others] = advice;
  const isBest = `${name(first.choice)}: best or tied at`;
  if (others.length === 0) {
    const share = first.points < known ? `${first.points} of ` : known > 1 ? 'all ' : '';
    return `Use ${isBest} ${share}${allText}.`;
  }
  const exceptions = others.slice(0, MOST_TAKEN).map(({ choice, region, points: taken }) => {
    const where = regionText(region, map, context.cell) ?? `at ${pointsText(taken)} (see the map)`;
    return `${where} ${name(choice)}`;
  });
  const more = others.length > MOST_TAKEN ? '; for the rest see the map' : '';
  return `Use ${isBest} ${first.points} of ${allText}. Elsewhere: ${exceptions.join('; ')}${more}.`;
}

/** @param {MapOf} map @returns {number} of how many points the best is known */
const knownIn = ({ points }) => points.filter(({ winners }) => winners.length > 0).length;

/** @param {MapOf} map @returns {boolean} whether too few points are known to recommend anything */
const isEarly = (map) => knownIn(map) * 2 < map.points.length;

/** @param {MapOf} map @param {(choice: number) => string} name */
function earlyText(map, name) {
  const { ahead, points } = map;
  const measured = points.filter(({ state }) => state !== 'not-measured').length;
  const start = `Too early to recommend anything: the best choice is known at ${knownIn(map) || 'none'} of ${pointsText(points.length)}.`;
  if (ahead === null || ahead.points * 2 <= measured) return `${start} No choice is ahead yet.`;
  return `${start} Ahead, but not proven: ${name(ahead.choice)}, fastest at ${ahead.points} of the ${pointsText(measured)} measured.`;
}

/** @param {number} number */
const pointsText = (number) => count(number, 'point');

/** @param {MapOf} map @param {Context} context @returns {string[]} */
function littleText(map, context) {
  const where = regionText(map.indifferent, map, context.cell);
  // Few known points say nothing of a region that others are counted to.
  if (where === null || isEarly(map)) return [];
  return [
    `${leadOf(map, context)}${capital(where)}, the choice hardly matters: at least half of them tie for best.`,
  ];
}

/** @param {MapOf} map @param {Context} context @returns {string[]} what the wrong scenario costs */
function costText(map, context) {
  const isKnown = !isEarly(map);
  const costs = map.values
    .filter(
      ({ axis, slower, slowest }) => axis === 'scenario' && (isKnown ? slower !== null : slowest > LEFT_OUT),
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
    const noun = axisNamed(axis, context.measured).advice?.noun ?? axis;
    return `${leadOf(map, context)}Where each ${noun} is best or tied: ${texts.join('; ')}.`;
  });
}

/** @param {MapValue} value @param {MapOf} map @param {Context} context */
function valueText({ value, good, known, region, slower }, map, context) {
  const cost =
    slower === null ? '' : ` (elsewhere ${spanText(times(slower.least), times(slower.most))} slower)`;
  if (good === 0)
    return `${value} ${known === map.points.length ? 'nowhere' : 'nowhere yet'}${cost.replace('elsewhere ', '')}`;
  if (good === map.points.length) return `${value} everywhere`;
  const where = regionText(region, map, context.cell) ?? `at ${good} of ${pointsText(known)}`;
  return `${value} ${where}${cost}`;
}

/** @param {MapOf} map @returns {string[]} */
function leftOutText({ choices }) {
  const behind = choices.filter(({ leftOut }) => leftOut > 0).sort((a, b) => b.leftOut - a.leftOut);
  const parts = alike(behind, ({ leftOut }) => leftOut).map(
    (own) => `${own.map(({ letter }) => letter).join(', ')} at ${pointsText(own[0].leftOut)}`,
  );
  if (parts.length === 0) return [];
  return [
    `Skipped, because they were over ${LEFT_OUT}x slower at every surrounding point: ${parts.join('; ')}.`,
  ];
}

/** @param {MapPoint[]} points */
function sureText(points) {
  const [open, tied, missing] = ['open', 'tied', 'not-measured'].map(
    (wanted) => points.filter(({ state }) => state === wanted).length,
  );
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
