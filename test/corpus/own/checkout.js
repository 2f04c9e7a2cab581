/** @import { WorkloadSource } from '../../../src/api.js' */

/** Several commands of one operation, and a reply that is looked at. @type {WorkloadSource} */
const workload = {
  summary: 'reads a session, adds to its cart, counts the visit',

  async iterate(redis, { key }) {
    await redis.get(key);
    await redis.command(['HSET', `${key}:cart`, 'product', '1']);
    return Number(await redis.command(['INCR', `${key}:visits`])) > 0;
  },
};

export default workload;
