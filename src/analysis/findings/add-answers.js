/** @import { Answers } from '../../plugins/types.js' */

/**
 * @param {(Answers | null)[]} all of several processes or runs
 * @returns {Answers | null} their sums; null where none of them asked anything
 */
export const addAnswers = (all) =>
  all.reduce(
    (sums, answers) =>
      sums && answers
        ? { true: sums.true + answers.true, false: sums.false + answers.false }
        : (sums ?? answers),
    null,
  );
