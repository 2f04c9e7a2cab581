import { alike } from '../core/alike.js';

/** @import { CellProfile, CellResult, Figures } from '../core/store/types.js' */
/** @import { CodeFrame, Counted, ProfileKind } from '../core/worker/types.js' */
/** @import { CodeCost, CodeCosts } from '../benchmark/judge/types.js' */

/** The width of a 95 % interval in standard errors. */
const OF_95 = 2 * 1.96;

/**
 * What an operation costs in CPU or memory, by code. The profile gives the shares,
 * the timed runs the total.
 * @param {Pick<CellResult, 'id' | 'summary' | 'profiles'>} cell @param {ProfileKind} [kind] @returns {CodeCosts | null}
 * null if it was not profiled
 */
export function codeCosts({ id, summary, profiles }, kind = 'cpu') {
  const profile = profiles?.[kind];
  if (profile === undefined || summary === null) return null;
  const counted = [...profile.frames, ...profile.rest];
  const all = { self: total(counted, 'self'), variance: total(counted, 'variance') };
  if (!(all.self > 0) || !(profile.operations > 0)) return null;
  const isTimed = kind === 'cpu';
  const perOp = isTimed ? Number(timedUs(summary)) : all.self / profile.operations;
  if (!(perOp > 0)) return null;
  const interval = isTimed && summary.intervals.cpuUsPerOp;
  const errorPerOp = interval ? (interval.high - interval.low) / OF_95 : 0;
  const costs = (/** @type {Named[]} */ each) =>
    alike(each, keyOfCode)
      .map((members) => costOf(members, all, perOp, errorPerOp))
      .sort((a, b) => b.perOp - a.perOp);
  return {
    cell: id,
    kind,
    unit: profile.unit,
    perOp,
    offBy: isTimed ? profile.cpuUsPerOp / perOp - 1 : null,
    samples: profile.samples,
    processes: profile.processes,
    // Packages differ between clients.
    kinds: costs(counted.map((each) => ({ ...asPart(each), package: null }))),
    parts: costs(counted.map(asPart)),
    modules: costs(counted.map(asModule)),
    functions: costs(profile.frames),
  };
}

/** @typedef {CodeFrame & Counted} Named */

/** @param {Named | CellProfile['rest'][number]} counted @returns {Named} */
const asPart = ({ part, package: owner, self, variance }) => ({
  ...{ part, package: owner, self, variance },
  ...{ file: null, name: '', line: null },
});

/** @param {Named | CellProfile['rest'][number]} counted @returns {Named} */
const asModule = (counted) => ({
  ...asPart(counted),
  file: 'file' in counted ? counted.file : null,
  // Native code is known by name, not by file.
  name: counted.part === 'native' && 'name' in counted ? counted.name : '',
});

/** @param {CodeFrame} code */
export function frameOf({ part, package: owner, file, name, line }) {
  return { part, package: owner, file, name, line };
}

/** @param {CodeFrame} code */
export const keyOfCode = (code) => Object.values(frameOf(code)).join('\0');

/** @param {Named[]} members @param {Counted} all @param {number} perOp of all @param {number} errorPerOp @returns {CodeCost} */
function costOf(members, all, perOp, errorPerOp) {
  const share = total(members, 'self') / all.self;
  const variance = total(members, 'variance');
  // For samples of equal weight this is the variance of a binomial share.
  const ofShare = ((1 - share) ** 2 * variance + share ** 2 * (all.variance - variance)) / all.self ** 2;
  const samplingError = Math.sqrt(Math.max(0, ofShare)) * perOp;
  return {
    ...frameOf(members[0]),
    share,
    perOp: share * perOp,
    samplingError,
    error: Math.hypot(samplingError, share * errorPerOp),
  };
}

/** @param {Counted[]} counted @param {keyof Counted} what */
const total = (counted, what) => counted.reduce((sum, each) => sum + each[what], 0);

/** What the timed runs say. @param {Figures} figures */
export const timedUs = ({ client }) => client && Number(client.cpuUsPerOp) + (client.appWorkUsPerOp ?? 0);
