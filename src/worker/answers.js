/** @import { Answers, Step } from '../plugins/types.js' */

/**
 * Adds up the replies that steps of a workload count.
 *
 * @param {Step[][]} iterations
 * @returns {() => Answers | null} the counts since the last call; null where no step counts
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
