import { defineFinding } from './define.js';
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
import slower from './slower.js';
import sustainedRate from './sustained-rate.js';
import tooBusy from './too-busy.js';
import undecided from './undecided.js';
import untried from './untried.js';
import versionChange from './version-change.js';

/** @import { Judged } from '../conclude.js' */
/** @import { Finding } from './types.js' */
/** @import { Context } from './define.js' */
/** @import { Place } from './define.js' */

/** Which values of a choice no other was shown to beat; the table of choices has a row for each. */
const choice = defineFinding({ id: 'choice', find: ({ advice: { decisions } }) => decisions });

/** Which cell of a group is fastest, as far as proven; its table shows it. */
const fastest = defineFinding({ id: 'fastest', find: (judged) => judged.fastest });

/** What can be concluded, in the order of its sentences. */
export const FINDINGS = /** @type {const} */ ([
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
  profiled,
]);

/** @param {Judged} judged @returns {Finding[]} */
export const findAll = (judged) =>
  FINDINGS.flatMap(({ id, find }) =>
    find(judged).map((figures) => /** @type {Finding} */ ({ kind: id, ...figures })),
  );

/**
 * @param {Finding[]} findings @param {Place} place @param {Context} context
 * @returns {string[]} what stands there; `--details` has more of some
 */
export const sentencesOf = (findings, place, context) =>
  FINDINGS.flatMap((/** @type {any} */ file) => {
    const all = findings.filter(({ kind }) => kind === file.id);
    return all.flatMap((each) => {
      if (place === 'details' && file.details) return file.details(each, context);
      const own = typeof file.place === 'function' ? file.place(each) : file.place;
      return place === own ? (file.say?.(each, context, all) ?? []) : [];
    });
  });
