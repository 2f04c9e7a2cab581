import { ratioText, times, whole } from './figures.js';

/**
 * @import { Finding, GroupFinding } from '../../analysis/types.js'
 * @import { Context, Words } from './findings.js'
 */

/** @typedef {Extract<GroupFinding, {kind: 'fastest'}>} Fastest */

/** Nobody reads longer lists. */
const MOST_NAMED = 3;

/** Which cell of a group is fastest and by how much. @satisfies {Record<string, Words>} */
export const FASTEST_WORDS = {
  fastest: { conclusion: (/** @type {Fastest[]} */ [finding], context) => [fastestText(finding, context)] },
  alone: {
    conclusion: (/** @type {Extract<Finding, {kind: 'alone'}>[]} */ [{ cell, opsPerSecond }], { name }) => [
      `${name(cell)} does ${whole(opsPerSecond)} operations a second; there is nothing to compare it with.`,
    ],
  },
};

/** @param {Fastest} finding @param {Context} context */
function fastestText({ cell, opsPerSecond, ties, doubtful, slower }, { name }) {
  const figure = whole(opsPerSecond);
  const winners = [cell, ...ties].map(name);
  const subject =
    ties.length === 0
      ? `${winners[0]} is fastest with ${figure} operations a second`
      : `${winners.slice(0, -1).join(', ')} and ${winners.at(-1)} are fastest, and no difference ${winners.length === 2 ? 'between them' : 'from the first of them'} can be claimed (about ${figure} operations a second)`;
  const doubt = doubtful.length === 0 ? '' : ` ${doubtText(doubtful, name)}`;
  if (slower.length === 0) return `${subject}.${doubt}`;
  const [next] = slower;
  const last = slower[slower.length - 1];
  const margins = [`${ratioText(next)} as many as ${name(next.cell)}`];
  if (last !== next) margins.push(`${ratioText(last)} as many as ${name(last.cell)}, the slowest`);
  return `${subject}: ${margins.join(', and ')}.${doubt}`;
}

/** @param {Fastest['doubtful']} doubtful @param {Context['name']} name */
function doubtText(doubtful, name) {
  const names = doubtful.map(({ cell, timesSlower }) => `${name(cell)} (${times(timesSlower)})`);
  const text =
    names.length <= MOST_NAMED
      ? names.join(', ')
      : `${names.length} cells, from ${names[0]} to ${names[names.length - 1]}`;
  return `Slower by their medians, but by no more than these few runs vary: ${text}; use more --runs.`;
}
