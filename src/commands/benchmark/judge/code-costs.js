import { groupBy } from '../../../collections.js';

/** @import { CellProfile, CellResult, Figures } from '../../../store/types.js' */
/** @import { CodeFrame, Counted, ProfileKind } from '../../../worker/types.js' */
/** @import { CodeChange, CodeDifference } from './types.js' */

/** @typedef {Pick<CellResult, 'id' | 'summary' | 'profiles'>} Profiled */
/** @typedef {CodeFrame & Counted} Named */
/** @typedef {NonNullable<ReturnType<typeof codeCosts>>} CodeCosts */
/** @typedef {ReturnType<typeof costOf>} CodeCost errors are standard errors: of the profile alone, and with that of the timed runs */

/** The width of a 95 % interval in standard errors. */
const OF_95 = 2 * 1.96;

/**
 * What an operation costs in CPU or memory, by code. The profile gives the shares,
 * the timed runs the total.
 * null if it was not profiled; `offBy`: the CPU of the profiled run over that of the timed ones, less 1; `processes`: of which the
 * first was sampled; `missed`: see missedIn; by part, owner, file and function, the largest first, of which `functions` lack small ones.
 * @param {Profiled} cell @param {ProfileKind} [kind]
 */
export function codeCosts({ id, summary, profiles }, kind = 'cpu') {
  const profile = profiles?.[kind];
  if (profile === undefined || summary === null) return null;
  const counted = [...profile.frames, ...profile.rest];
  const whole = { self: total(counted, 'self'), variance: total(counted, 'variance') };
  if (!(whole.self > 0) || !(profile.operations > 0)) return null;
  const isTimed = kind === 'cpu';
  const perOp = isTimed ? Number(timedUs(summary)) : whole.self / profile.operations;
  if (!(perOp > 0)) return null;
  const interval = isTimed && summary.intervals.cpuUsPerOp;
  const errorPerOp = interval ? (interval.high - interval.low) / OF_95 : 0;
  const costs = (/** @type {Named[]} */ each) =>
    groupBy(each, keyOfCode)
      .map((members) => costOf(members, whole, perOp, errorPerOp))
      .sort((a, b) => b.perOp - a.perOp);
  const { unit, samples, processes } = profile;
  return {
    cell: id,
    kind,
    unit,
    perOp,
    samples,
    processes,
    offBy: isTimed ? profile.cpuUsPerOp / perOp - 1 : null,
    missed: isTimed ? missedIn(counted, profile, summary) : 0,
    // Packages differ between clients.
    kinds: costs(counted.map((each) => ({ ...asPart(each), package: null }))),
    parts: costs(counted.map(asPart)),
    modules: costs(counted.map(asModule)),
    functions: costs(profile.frames),
  };
}

/** @type {(counted: Named | CellProfile['rest'][number]) => Named} */
const asPart = (counted) => ({
  ...counted,
  // The files of a user bear no package's name.
  file: counted.part === 'other' && 'file' in counted ? counted.file : null,
  name: '',
  line: null,
});

/**
 * The share of a profiled run's CPU time that no sample accounts for, nor another thread, and that is no polling either, in which
 * the event loop of the timed runs was idle: V8 takes no samples there. Negative where samples cover time in which the process
 * waited for CPU.
 * @param {(Counted & {part: CodeFrame['part']})[]} counted @param {CellProfile} profile @param {Figures} timed
 */
function missedIn(counted, { cpuUsPerOp, operations, processes }, timed) {
  const found = counted.filter(({ part }) => part !== 'poll');
  const loopUs = (1e6 * Number(timed.client?.eventLoopUtilization) * processes) / Number(timed.opsPerSecond);
  const loopShare = loopUs > 0 ? Math.min(1, loopUs / Number(timedUs(timed))) : 1;
  return cpuUsPerOp > 0 ? 1 - total(found, 'self') / (cpuUsPerOp * operations * loopShare) : 0;
}

/** V8's figures that miss more of the CPU time are no reason to name any code. */
export const MOST_MISSED = 0.2;

/** @type {(counted: Named | CellProfile['rest'][number]) => Named} */
const asModule = (counted) => ({
  ...asPart(counted),
  file: 'file' in counted ? counted.file : null,
  // Native code is known by name, not by file.
  name: counted.part === 'native' && 'name' in counted ? counted.name : '',
});

/** @param {CodeFrame} code */
const frameOf = ({ part, package: owner, file, name, line }) => ({ part, package: owner, file, name, line });

/** @param {CodeFrame} code */
export const keyOfCode = (code) => Object.values(frameOf(code)).join('\0');

/** @param {Named[]} members @param {Counted} whole @param {number} perOp of all @param {number} errorPerOp */
function costOf(members, whole, perOp, errorPerOp) {
  const share = total(members, 'self') / whole.self;
  const variance = total(members, 'variance');
  // For samples of equal weight this is the variance of a binomial share.
  const ofShare = ((1 - share) ** 2 * variance + share ** 2 * (whole.variance - variance)) / whole.self ** 2;
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
export const total = (counted, what) => counted.reduce((sum, each) => sum + each[what], 0);

/** What the timed runs say. @param {Figures} figures */
export const timedUs = ({ client }) => client && Number(client.cpuUsPerOp) + (client.appWorkUsPerOp ?? 0);

/** Standard errors: each of some fifty functions has its own sampling error; the timed runs have one error for all. */
const BEYOND = { sampling: 3.5, timed: 2.6 };
/**
 * Starts of one cell differ by more than sampling explains: in four copies of ioredis (64 tasks, shared connection)
 * writing took 1.34 to 1.75 µs per operation, and polling, which no sample accounts for, 0.06 to 0.28 of 3.8 µs.
 * Smaller shares of the larger of two costs, or of all, are not reported.
 */
const OF_COST = 0.25;
const OF_ALL = { poll: 0.1, others: 0.01 };

/**
 * What an operation costs more in one cell than in another, by code, beyond the errors of sampling and of the timed runs.
 * @param {Profiled} cell
 * @param {Profiled} than
 * @param {ProfileKind} [kind]
 * @returns {CodeDifference | null} null if one was not profiled
 */
export function codeDifference(cell, than, kind = 'cpu') {
  const [costs, other] = [codeCosts(cell, kind), codeCosts(than, kind)];
  if (costs === null || other === null) return null;
  const larger = Math.max(costs.perOp, other.perOp);
  const reported = (/** @type {'kinds' | 'modules' | 'functions'} */ level) =>
    changes(costs[level], other[level]).filter((change) => isReported(change, larger));
  const modules = reported('modules');
  return {
    cell: costs.cell,
    than: other.cell,
    kind,
    unit: costs.unit,
    perOp: costs.perOp,
    againstPerOp: other.perOp,
    offBy: costs.offBy,
    againstOffBy: other.offBy,
    missesMuch: [costs, other].some(({ missed }) => Math.abs(missed) > MOST_MISSED),
    kinds: reported('kinds'),
    modules,
    functions: reported('functions').filter((change) => modules.some((module) => explains(module, change))),
  };
}

/** @param {CodeChange} change @param {number} larger of the costs of an operation */
const isReported = ({ part, more, samplingError, error, perOp, againstPerOp }, larger) =>
  Math.abs(more) >
    Math.hypot(
      BEYOND.sampling * samplingError,
      BEYOND.timed * Math.sqrt(Math.max(0, error ** 2 - samplingError ** 2)),
    ) &&
  Math.abs(more) >= OF_COST * Math.max(perOp, againstPerOp) &&
  Math.abs(more) >= (part === 'poll' ? OF_ALL.poll : OF_ALL.others) * larger;

/**
 * If the compiler inlines a function in one process only, its cost moves, but that of its file stays.
 * @param {CodeChange} module @param {CodeChange} change of a function
 */
const explains = (module, { part, package: owner, file, name, more }) =>
  module.part === part &&
  module.package === owner &&
  module.file === file &&
  (part !== 'native' || module.name === name) &&
  module.more > 0 === more > 0;

/** @param {CodeCost[]} costs @param {CodeCost[]} others @returns {CodeChange[]} the largest first */
function changes(costs, others) {
  const [after, before] = [costs, others].map(
    (costs) => new Map(costs.map((cost) => [keyOfCode(cost), cost])),
  );
  return [...new Map([...after, ...before])]
    .map(([key, code]) => changeOf(code, after.get(key), before.get(key)))
    .sort((a, b) => Math.abs(b.more) - Math.abs(a.more));
}

/** @type {(code: CodeFrame, own?: CodeCost, other?: CodeCost) => CodeChange} */
function changeOf(code, after, before) {
  const [perOp, againstPerOp] = [after?.perOp ?? 0, before?.perOp ?? 0];
  return {
    ...frameOf(code),
    perOp,
    againstPerOp,
    more: perOp - againstPerOp,
    samplingError: Math.hypot(after?.samplingError ?? 0, before?.samplingError ?? 0),
    error: Math.hypot(after?.error ?? 0, before?.error ?? 0),
  };
}
