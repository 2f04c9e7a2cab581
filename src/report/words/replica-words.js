import { percent, whole } from './figures.js';

/**
 * @import { ReplicaReads } from '../../analysis/types.js'
 * @import { Words } from './findings.js'
 */

/** What became of reads that replicas were asked. @satisfies {Record<string, Words>} */
export const REPLICA_WORDS = {
  'replica-reads': {
    conditions: (/** @type {ReplicaReads[]} */ all) =>
      all.map((each) => `${servedText(each)}${staleText(each)}.`),
  },
};

/** @param {ReplicaReads} reads @returns {string} empty where the server does not tell */
function servedText({ lowShare, highShare }) {
  if (lowShare === null || highShare === null) return 'Of the reads meant for replicas ';
  const [low, high] = [percent(lowShare), percent(highShare)];
  const share = low === high ? low : `${low.replace(' %', '')} to ${high}`;
  return `Replicas answered ${share} of the reads meant for them; of all these reads `;
}

/** @param {ReplicaReads} reads */
function staleText({ reads, stale, behind, wrote }) {
  if (!wrote) return `none could be stale, because nothing was written meanwhile`;
  const count = whole(reads);
  if (stale === 0) return `none was stale (${count} replies)`;
  return (
    `${percent(stale / reads)} ${stale === 1 ? 'was' : 'were'} stale (${whole(stale)} of ${count} replies), ` +
    `up to ${whole(behind)} ${behind === 1 ? 'write' : 'writes'} behind what had been acknowledged`
  );
}
