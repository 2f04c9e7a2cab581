/** @import { Answers, Step } from '../plugins/types.js' */

/**
 * What the steps of a workload were answered, for those that count that.
 *
 * @param {Step[][]} iterations
 * @returns {() => Answers | null} the counts since it was called last; null where
 *   nothing is asked
 */
export function createAnswers(iterations) {
  const counting = [...new Set(iterations.flat())].flatMap(({ takeAnswers }) => takeAnswers ?? []);
  if (counting.length === 0) return () => null;
  return () => {
    const sums = { true: 0, false: 0 };
    for (const take of counting) {
      const answers = take();
      sums.true += answers.true;
      sums.false += answers.false;
    }
    return sums;
  };
}
