/** @import { WorkloadSource } from 'redis-pipe-bench' */

/**
 * A workload of your own: what one operation of your service does, as code. This one works as it is: it reads a cart,
 * computes the total, and stores an order.
 *
 *   redis-pipe-bench check ./checkout.js
 *   redis-pipe-bench --workload ./checkout.js,get
 *
 * @type {WorkloadSource}
 */
const workload = {
  summary: 'reads a cart, adds it up, stores the order',

  // Once for each item before the first run. Items have a `key`, a `value` of --value-size characters, and an `index`.
  // Every key you use must begin with the item's key: all keys are removed at the end, and nobody else's is touched.
  async store(redis, { key }) {
    await redis.command(['HSET', `${key}:cart`, 'apple', '3', 'pear', '5']);
  },

  // One operation. All commands go through `redis`, which counts them: the server must have counted as many.
  // Throw where something failed. Where a reply is wrong, return false, or an Error that says which.
  async iterate(redis, { key, value }) {
    const counts = await redis.command(['HVALS', `${key}:cart`]);
    const total = Array.from(/** @type {Iterable<string>} */ (counts), Number).reduce(
      (sum, each) => sum + each,
      0,
    );
    if (total !== 8) return false;
    const [stored] = await Promise.all([redis.set(`${key}:order`, value), redis.exists(`${key}:cart`)]);
    return stored === 'OK';
  },
};

export default workload;
