import { permissionOfOwn } from '../server/command-places.js';

/** @import { Job, Stage } from './types.js' */
/** @import { open as openCell } from './cell.js' */

/** On an agent a script may read what its owner did not mean to show. */
const NOT_TOLD = 'an agent does not report what a script replied; run it without --agents to see that';

/**
 * A cell whose scripts, if it has any, tell nothing by their replies and errors.
 * @param {typeof openCell} open @param {Job} job @param {(stage: Stage) => void} [onStage]
 */
export async function openSilently(open, job, onStage) {
  const { parameter } = job.workload;
  if (parameter?.commands === undefined || permissionOfOwn(parameter) === null) return open(job, onStage);
  const cell = await silent(open(job, onStage));
  return {
    ...cell,
    prepare: () => silent(cell.prepare()),
    beforeRun: () => silent(cell.beforeRun()),
    missingKeys: () => silent(cell.missingKeys()),
    /** @type {typeof cell.run} */
    run: async (length, onNews) => withoutTexts(await silent(cell.run(length, onNews))),
    afterRun: async () => withoutTexts(await silent(cell.afterRun())),
    finish: (/** @type {(() => void) | undefined} */ onProgress) => silent(cell.finish(onProgress)),
  };
}

/** @template T @param {PromiseLike<T>} work */
async function silent(work) {
  try {
    return await work;
  } catch {
    throw new Error(NOT_TOLD);
  }
}

/** @template {{firstWrongReply: string | null, errors?: Record<string, number>}} T @param {T} answer @returns {T} */
const withoutTexts = (answer) => ({
  ...answer,
  firstWrongReply: answer.firstWrongReply && NOT_TOLD,
  ...(answer.errors && { errors: errorsOf(Object.values(answer.errors)) }),
});

/** @param {number[]} counts */
const errorsOf = (counts) =>
  counts.length > 0 ? { [NOT_TOLD]: counts.reduce((sum, count) => sum + count) } : {};
