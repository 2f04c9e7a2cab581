import { clientName, scenarioName } from './names.js';

/**
 * @import { CellPoint } from '../../plan/types.js'
 * @import { Contrast } from '../types.js'
 * @import { CellContrasts, MeasuredCell } from './compare-group.js'
 */

/**
 * What a user can choose, each with the value that a cell has of it, named beside those of all cells.
 *
 * @satisfies {Record<string, (cell: CellPoint, all: CellPoint[]) => string>}
 */
const AXES = {
  scenario: scenarioName,
  release: ({ client, version }) => clientName({ client, version, variant: 'default', copy: 1 }),
  variant: (cell) => clientName({ ...cell, version: null }),
  client: (cell) => clientName({ ...cell, version: null }),
  transport: ({ transport }) => transport,
  pipelining: ({ pipelining }) => pipelining,
};

/** What each client decides for itself. */
const OF_A_CLIENT = ['release', 'variant'];

const AXIS_NAMES = /** @type {Axis[]} */ (Object.keys(AXES));

/**
 * @param {CellPoint} cell
 * @param {CellPoint[]} all
 */
const valuesOf = (cell, all) =>
  /** @type {Record<Axis, string>} */ (
    Object.fromEntries(AXIS_NAMES.map((axis) => [axis, AXES[axis](cell, all)]))
  );

/**
 * @typedef {keyof typeof AXES} Axis
 *
 *
 * @typedef {object} Candidate a cell that is compared
 * @property {MeasuredCell} cell
 * @property {CellContrasts['between']} between
 * @property {Record<Axis, string>} values
 *
 * @typedef {object} Gain a claimed difference between two cells that differ in one choice alone
 * @property {string} winner the value of the axis
 * @property {string} loser
 * @property {MeasuredCell} better
 * @property {MeasuredCell} worse
 * @property {Contrast} contrast of the better one against the worse
 *
 * @typedef {object} Decision
 * @property {Axis} axis
 * @property {string | null} client that it is about; null for all of them
 * @property {string[]} best the values that no other one was shown to beat anywhere
 * @property {Gain[]} gains of those over the others
 * @property {number} compared how many pairs of cells compare one of the best with one of the others
 */

/**
 * What the figures decide. One axis after the other, because what is best in one may depend on
 * another: each is judged where the axes before it are as advised.
 *
 * @param {Pick<Candidate, 'cell' | 'between'>[]} compared
 * @returns {{decisions: Decision[], open: Axis[]}} `open` are the axes in which no value is best everywhere
 */
export function decide(compared) {
  const all = compared.map(({ cell }) => cell);
  /** @type {Candidate[]} */
  let left = compared.map((each) => ({ ...each, values: valuesOf(each.cell, all) }));
  /** @type {Decision[]} */
  const decisions = [];
  /** @type {Axis[]} */
  const open = [];
  for (const axis of AXIS_NAMES) {
    const verdicts = verdictsOn(axis, left);
    if (verdicts.some(({ best }) => best.length === 0)) open.push(axis);
    const useful = verdicts.filter(({ best, gains }) => best.length > 0 && gains.length > 0);
    decisions.push(...useful);
    left = left.filter(({ cell, values }) =>
      useful.every(
        ({ client, best }) => (client !== null && client !== cell.client) || best.includes(values[axis]),
      ),
    );
  }
  return { decisions, open };
}

/**
 * For all clients together, or, where they want different things, for each by itself.
 *
 * @param {Axis} axis
 * @param {Candidate[]} candidates
 * @returns {Decision[]} none where there is nothing to choose
 */
function verdictsOn(axis, candidates) {
  const whole = OF_A_CLIENT.includes(axis) ? null : judge(axis, null, candidates);
  if (whole && (whole.best.length > 0 || axis === 'client')) return [whole];
  const clients = [...new Set(candidates.map(({ cell }) => cell.client))];
  return clients.flatMap((client) => judge(axis, client, candidates) ?? []);
}

/**
 * @param {Axis} axis
 * @param {string | null} client to look at alone
 * @param {Candidate[]} candidates
 * @returns {Decision | null} null where no two cells can be compared
 */
function judge(axis, client, candidates) {
  const looked = client === null ? candidates : candidates.filter(({ cell }) => cell.client === client);
  const pairs = twins(axis, looked);
  if (pairs.length === 0) return null;
  const gains = pairs.flatMap((pair) => gainOf(axis, pair) ?? []);
  const values = [...new Set(pairs.flat().map((candidate) => candidate.values[axis]))];
  const best = values.filter((value) => gains.every(({ loser }) => loser !== value));
  const isBest = (/** @type {Candidate} */ candidate) => best.includes(candidate.values[axis]);
  return {
    ...{ axis, client, best },
    gains: gains.filter(({ winner }) => best.includes(winner)),
    compared: pairs.filter(([a, b]) => isBest(a) !== isBest(b)).length,
  };
}

/**
 * @param {Axis} axis
 * @param {Candidate[]} candidates
 * @returns {[Candidate, Candidate][]} all pairs that differ in this axis alone and have runs enough to compare
 */
function twins(axis, candidates) {
  const rest = (/** @type {Candidate} */ { cell, values }) =>
    [cell.group, cell.pin, cell.node, ...restOf(axis).map((other) => values[other])].join();
  return candidates.flatMap((b, place) =>
    candidates
      .slice(0, place)
      .filter((a) => rest(a) === rest(b) && a.values[axis] !== b.values[axis])
      .filter((a) => a.between(a.cell.id, b.cell.id) !== null)
      .map((a) => /** @type {[Candidate, Candidate]} */ ([a, b])),
  );
}

/** @param {Axis} axis @returns {Axis[]} the others, a client and its variants being one choice, its releases another */
const restOf = (axis) =>
  AXIS_NAMES.filter(
    (other) =>
      other !== axis &&
      !(['client', 'variant'].includes(axis) && ['client', 'variant'].includes(other)) &&
      !(axis === 'client' && other === 'release'),
  );

/**
 * @param {Axis} axis
 * @param {[Candidate, Candidate]} pair
 * @returns {Gain | null} null where no difference can be claimed
 */
function gainOf(axis, [a, b]) {
  const contrast = a.between(a.cell.id, b.cell.id);
  if (!contrast?.differs) return null;
  const [better, worse] = contrast.ratio > 1 ? [a, b] : [b, a];
  return {
    winner: better.values[axis],
    loser: worse.values[axis],
    ...{ better: better.cell, worse: worse.cell },
    contrast: /** @type {Contrast} */ (a.between(better.cell.id, worse.cell.id)),
  };
}
