import { permissionOfOwn } from '../server/command-places.js';

/** @import { Sending } from '../server/command-places.js' */
/** @import { AfterRun, Job, MeasuredRun, OnStage, OpenCell, WorkerCell } from './types.js' */

/**
 * A cell whose scripts, if it has any, tell nothing by their replies and errors: they may read what nobody meant to show.
 * @param {OpenCell} open @param {Job & {silence: string}} job `silence` is told instead @param {OnStage} onStage
 * @returns {Promise<WorkerCell>}
 */
export async function openSilently(open, job, onStage) {
  const parameter = /** @type {Sending} */ (job.workload.parameter ?? {});
  if (permissionOfOwn(parameter) === null) return open(job, onStage);

  /** @template T @param {T | PromiseLike<T>} work */
  async function silent(work) {
    try {
      return await work;
    } catch {
      throw new Error(job.silence);
    }
  }

  /** @template {Partial<AfterRun & MeasuredRun>} T @param {T} answer @returns {T} */
  const withoutTexts = (answer) => ({
    ...answer,
    firstWrongReply: answer.firstWrongReply && job.silence,
    ...(answer.emitted?.firstError && { emitted: { ...answer.emitted, firstError: job.silence } }),
    ...(answer.errors && { errors: errorsOf(Object.values(answer.errors), job.silence) }),
  });

  /** @type {OnStage} */
  const onSilentStage = (stage, take) =>
    onStage(stage, take && (() => withoutTexts({ emitted: take() }).emitted));
  const cell = await silent(open(job, onSilentStage));
  return {
    ...cell,
    prepare: () => silent(cell.prepare()),
    beforeRun: () => silent(cell.beforeRun?.()),
    makeAnew: () => silent(cell.makeAnew?.()),
    missingKeys: () => silent(cell.missingKeys?.()),
    run: async (length, onNews) => withoutTexts(await silent(cell.run(length, onNews))),
    afterRun: async () => withoutTexts((await silent(cell.afterRun?.())) ?? {}),
    finish: (onProgress) => silent(cell.finish?.(onProgress)),
  };
}

/** @param {number[]} counts @param {string} text */
const errorsOf = (counts, text) =>
  counts.length > 0 ? { [text]: counts.reduce((sum, count) => sum + count) } : {};
