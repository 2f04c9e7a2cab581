import limit from './limit.js';
import slower from './slower.js';

/** @import { Judged } from '../judge/analyse.js' */
/** @import { Finding } from '../judge/types.js' */
/** @import { Context } from '../report/words/findings.js' */
/** @import { Place } from './define.js' */

/** What can be concluded, in the order of its sentences. */
export const FINDINGS = /** @type {const} */ ([limit, slower]);

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
  FINDINGS.flatMap((/** @type {any} */ file) =>
    findings
      .filter(({ kind }) => kind === file.id)
      .flatMap((each) => {
        const own = typeof file.place === 'function' ? file.place(each) : file.place;
        if (place === 'details' && file.details) return file.details(each, context);
        return place === own ? file.say(each, context) : [];
      }),
  );
