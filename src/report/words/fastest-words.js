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
  const subject = subjectOf({ cell, opsPerSecond, ties, doubtful }, name);
  const doubt = doubtful.length === 0 ? '' : ` ${doubtText(doubtful, name)}`;
  if (slower.length === 0) return `${subject}.${doubt}`;
  const [next] = slower;
  const last = slower[slower.length - 1];
  const margins = [`${ratioText(next)} as many as ${name(next.cell)}`];
  if (last !== next) margins.push(`${ratioText(last)} as many as ${name(last.cell)}, the slowest`);
  return `${subject}: ${margins.join(', and ')}.${doubt}`;
}

/**
 * @param {Pick<Fastest, 'cell' | 'opsPerSecond' | 'ties' | 'doubtful'>} finding
 * @param {Context['name']} name
 */
function subjectOf({ cell, opsPerSecond, ties, doubtful }, name) {
  const figure = `${whole(opsPerSecond)} operations a second`;
  // Beside one that may be as fast, none is shown to be the fastest.
  const shown = doubtful.length === 0;
  if (ties.length === 0)
    return `${name(cell)} ${shown ? 'is fastest with' : 'has the highest median,'} ${figure}`;
  const others = ties.length <= MOST_NAMED ? ties.map(name) : [`${ties.length} other cells`];
  const winners = `${[name(cell), ...others.slice(0, -1)].join(', ')} and ${others[others.length - 1]}`;
  return `${winners} ${shown ? 'are fastest' : 'have the highest medians'}, and no difference ${ties.length === 1 ? 'between them' : `from ${name(cell)}`} can be claimed (about ${figure})`;
}

/** @param {Fastest['doubtful']} doubtful @param {Context['name']} name */
function doubtText(doubtful, name) {
  const names = doubtful.map(({ cell, timesSlower }) => `${name(cell)} (${times(timesSlower)})`);
  const text =
    names.length <= MOST_NAMED
      ? names.join(', ')
      : `${names.length} cells, from ${names[0]} to ${names[names.length - 1]}`;
  return `Perhaps slower, but not shown to be so: ${text}; use more --runs and --starts.`;
}
