import { sum } from 'simple-statistics';
import { RunError } from '../errors.js';
import { foldServerSamples } from '../results/server-samples.js';

/** @import { CellProfile, Notice } from '../results/types.js' */
/** @import { NoServerProfile, Sampler } from '../server/types.js' */
/** @import { Place, RunContext } from './contexts.js' */
/** @import { Observer, Profiled } from './types.js' */

/**
 * Runs a cell once more while perf samples the main threads of its server.
 * @param {Profiled} profiled @param {RunContext} context @param {number} durationMs
 * @returns {Promise<CellProfile | null>} null where there is none, which has been said
 * @throws {RunError} when a reply was wrong, or the worker did not survive it
 */
export async function profileServer({ cell, observe }, { sampler, onEvent }, durationMs) {
  // Why was said before the first run.
  if (sampler === undefined || 'kind' in sampler) return null;
  const sampled = await sampler.sampleDuring(() => observe({ durationMs }));
  const profile = sampled.failure === undefined ? profileOf(sampled, sampler) : sampled.failure;
  if (!('kind' in profile)) return profile;
  onEvent({ type: 'note', cell, fact: profile });
  return null;
}

/**
 * @param {{done: Awaited<ReturnType<Observer>>, text: string}} sampled
 * @param {Sampler} sampler @returns {CellProfile | NoServerProfile}
 */
function profileOf({ done: { measured, seen }, text }, { binaries }) {
  const { startedAtMs, elapsedMs, taskIterations, wrongReplies, errors } = measured;
  const [failure] = wrongReplies > 0 ? [`${wrongReplies} wrong replies`] : Object.keys(errors);
  if (failure !== undefined) throw new RunError(`in the profiled run: ${failure}`);
  const { commands = null, mainThreadCpuUs = null } = seen ?? {};
  if (!commands || !mainThreadCpuUs) return { kind: 'server-cpu-unknown' };
  const { systemShare, ...folded } = foldServerSamples(text, {
    binaries,
    fromMs: startedAtMs,
    toMs: startedAtMs + elapsedMs,
    cpuUs: mainThreadCpuUs,
  });
  if (folded.samples === 0) return { kind: 'perf-without-samples', operations: sum(taskIterations) };
  return {
    elapsedMs,
    operations: commands,
    cpuUsPerOp: mainThreadCpuUs / commands,
    systemShare,
    processes: binaries.length,
    ...folded,
  };
}

/** @param {Place[]} places @returns {Notice[]} why servers cannot be profiled */
export const samplerNotes = (places) =>
  places.flatMap(({ sampler }) => (sampler && 'kind' in sampler ? sampler : []));
