import { originOf } from './code-origin.js';
import { foldCalls } from './fold.js';

/**
 * @import { HeapProfiler } from 'node:inspector'
 * @import { FoldedProfile } from './types.js'
 * @import { Call } from './fold.js'
 *
 * @typedef {HeapProfiler.SamplingHeapProfile & {samples: unknown[]}} HeapProfile
 */

/**
 * Of what is allocated a sample is taken about every so many bytes: 3 kB an operation make some thousands of them
 * in half a second.
 */
export const HEAP_INTERVAL_BYTES = 16_384;

/**
 * @param {HeapProfile} profile
 * @returns {FoldedProfile} of the bytes that were allocated, by who did it
 */
export function foldHeap({ head, samples }) {
  return { unit: 'bytes', samples: samples.length, ...foldCalls([callOf(head)]) };
}

/** @param {HeapProfiler.SamplingHeapProfileNode} node @returns {Call} */
const callOf = ({ callFrame, selfSize, children }) => ({
  frame: originOf(callFrame),
  self: selfSize,
  variance: selfSize * HEAP_INTERVAL_BYTES,
  calls: children.map(callOf),
});
