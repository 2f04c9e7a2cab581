import { createRecorder } from './recorder.js';

/**
 * @import { Step } from '../plugins/types.js'
 * @import { Recorder } from './types.js'
 */

/**
 * Records each command of a mix apart, besides all together. Other workloads have one kind of operation and do
 * without; so have batches, whose commands are all answered together.
 *
 * @param {Recorder} recorder of all
 * @param {Step[]} steps those with a label are told apart
 * @returns {Recorder & {encodeEach: () => Record<string, string>}} HdrHistograms by label
 */
export function createCommandRecorder(recorder, steps) {
  const labelled = steps.flatMap((step) => (step.label === undefined ? [] : { step, label: step.label }));
  const byStep = new Map(labelled.map(({ step }) => [step, createRecorder(recorder.start)]));
  return {
    ...recorder,
    done(startedAt, operations = 1, did = []) {
      const endedAt = recorder.done(startedAt, operations);
      byStep.get(did[0])?.count(endedAt - startedAt, operations);
      return endedAt;
    },
    encodeEach: () =>
      Object.fromEntries(labelled.map(({ step, label }) => [label, String(byStep.get(step)?.encode())])),
  };
}
