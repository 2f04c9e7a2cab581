import { describeProfile as describe } from '../traffic/describe-profile.js';
import { summarizeReplay } from '../traffic/summarize-replay.js';

/** @import { TrafficSummary } from '../traffic/types.js' */

/** Summarizes a recorded profile. @param {string} file @returns {Promise<TrafficSummary>} @throws {UsageError} for another file */
export async function describeProfile(file) {
  const traffic = await describe(file);
  const replay = await summarizeReplay(file).catch(({ message }) => ({ refused: message }));
  return { ...traffic, replay };
}
