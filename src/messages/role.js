/** @import { Job, Part } from '../core/worker/types.js' */

/**
 * In a workload whose processes do different things, those with the same role share the keys, so that each role as a whole
 * goes over all keys in the same order.
 * @param {Part} part @param {number} roles @returns {{role: number, part: Part}} `part` among those with the same role
 */
export const roleOf = ({ index, count }, roles) => ({
  role: index % roles,
  part: { index: Math.floor(index / roles), count: count / roles },
});

/** @param {Job} job @returns {boolean} whether this process only receives the messages that another one sends */
export const onlyReceives = (job) => job.meeting !== undefined && roleOf(job.part, 2).role === 1;
