import { clientName, nameCells } from '../../../axes/cell-names.js';
import { count } from '../../../axes/number-words.js';
import { times } from '../../../core/report/figures.js';
import { mainPartText } from '../../../why/code-words.js';
import { factText } from './fact-words.js';

/** @import { MeasuredRelease } from '../../types.js' */
/** @import { VersionFinding } from '../../judge/types.js' */
/** @import { CellResult } from '../../../core/store/types.js' */
/** @import { Context, Words } from './findings.js' */

/** What releases changed in the client's CPU. @satisfies {Words} */
export const VERSION_WORDS = {
  'version-change': {
    advice: {
      // What changed comes first.
      all: (all, context) =>
        all
          .toSorted((a, b) => Number(a.ratio === null) - Number(b.ratio === null))
          .map((each) => changeText(each, context)),
    },
  },
};

/** @param {VersionFinding} change @param {Context} context */
function changeText({ from, to, ratio, code, twins }, context) {
  const { cell } = context;
  const [older, newer] = [from, to].map((id) => nameOf(cell(id)));
  if (ratio === null)
    return `${older} to ${newer}: no significant difference in client CPU (${placeOf(from, context)}).`;
  const change = `${newer} uses ${times(ratio)} as much client CPU per operation as ${older}`;
  const rest = twins.map((twin) => {
    const { client, variant } = cell(twin.cell);
    return `as ${client}:${variant}, ${twin.ratio === null ? 'no significant difference' : times(twin.ratio)}`;
  });
  const sentence = `${[`${change} (${placeOf(from, context)})`, ...rest].join('; ')}.`;
  const where = code === undefined ? null : mainPartText(code);
  return where === null ? sentence : `${sentence} Per operation ${newer} takes ${where}.`;
}

/** The sentence itself says this. */
const NAMED_APART = ['client', 'release', 'variant', 'copy', 'node', 'tasks'];

/** @param {string} id @param {Context} context @returns {string} where the sentence holds: `at 8 tasks, shared connection` */
function placeOf(id, { cell, measured }) {
  const { tasks } = cell(id);
  return `${tasks === 1 ? 'with 1 task' : `at ${tasks} tasks`}, ${nameCells(measured, NAMED_APART).get(id)}`;
}

/** @param {CellResult} cell */
const nameOf = (cell) =>
  clientName({ ...cell, version: cell.version ?? cell.release?.version ?? null, copy: 1 }) +
  (cell.runtime === null ? '' : ` on Node ${cell.runtime.name}`);

/** @param {MeasuredRelease} release @returns {string} what came of it */
export function releaseText({ name, state, file, why }) {
  const reason = why === null ? null : factText(why);
  const more = {
    there: 'is there',
    missing: 'is missing',
    added: `saved as ${file}${reason === null ? '' : `; runs failed: ${reason}`}`,
    'left out': `left out: ${reason ?? 'nothing can be measured'}`,
  };
  return `${name.replace(/:default$/, '')}: ${more[state]}`;
}

/** @param {MeasuredRelease[]} releases @returns {string} what came of all */
export function releasesText(releases) {
  const states = /** @type {const} */ (['added', 'there', 'missing', 'left out']);
  const parts = states.flatMap((state) => {
    const { length } = releases.filter((each) => each.state === state);
    return length === 0 ? [] : `${length} ${state}`;
  });
  return `${count(releases.length, 'release')} asked for: ${parts.join(', ')}`;
}
