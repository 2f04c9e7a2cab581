import distance from './distance.js';
import disturbance from './disturbance.js';
import fewRuns from './few-runs.js';
import keptAwake from './kept-awake.js';
import lowestP99 from './lowest-p99.js';
import noConclusion from './no-conclusion.js';
import notMeasured from './not-measured.js';
import notWarm from './not-warm.js';
import partialReplay from './partial-replay.js';
import profiled from './profiled.js';
import runsOfStarts from './runs-of-starts.js';
import slower from './slower.js';
import sustainedRate from './sustained-rate.js';
import tooBusy from './too-busy.js';
import undecided from './undecided.js';
import untried from './untried.js';
import versionChange from './version-change.js';
import whereTimeGoes from './where-time-goes.js';

/** @import { Judged } from '../conclude.js' */
/** @import { Context, FindingFile, Place } from './definitions.js' */
/** @import { Finding } from './types.js' */

/** The table of choices has a row for each. @type {FindingFile<'choice'>} */
const choice = { id: 'choice', find: ({ advice: { decisions } }) => decisions };

/** The table of its group shows it. @type {FindingFile<'fastest'>} */
const fastest = { id: 'fastest', find: (judged) => judged.fastest };

/** Their sentences stand in this order. @type {FindingFile[]} */
export const FINDINGS = [
  tooBusy,
  partialReplay,
  noConclusion,
  sustainedRate,
  lowestP99,
  choice,
  versionChange,
  fastest,
  slower,
  undecided,
  disturbance,
  keptAwake,
  untried,
  distance,
  notMeasured,
  notWarm,
  fewRuns,
  runsOfStarts,
  whereTimeGoes,
  profiled,
];

/** @type {(judged: Judged) => Finding[]} */
export const findAll = (judged) =>
  FINDINGS.flatMap(({ id, find }) =>
    find(judged).map((figures) => /** @type {Finding} */ ({ kind: id, ...figures })),
  );

/**
 * @param {Finding[]} findings @param {Place} place @param {Context} context
 * @returns {string[]} what stands there; `--details` has more of some
 */
export const sentencesOf = (findings, place, context) =>
  FINDINGS.flatMap((file) => {
    const same = findings.filter(({ kind }) => kind === file.id);
    return same.flatMap((finding) => {
      if (place === 'details' && file.details) return file.details(finding, context);
      const stands = typeof file.place === 'function' ? file.place(finding) : file.place;
      return place === stands ? (file.say?.(finding, context, same) ?? []) : [];
    });
  });
