/** @import { WaySource } from 'redis-pipe-bench' */

const AT_ONCE = 10;

/**
 * A way of your own to code requests of several keys. This one works as it is: MGET or MSET of 10 keys each, all at
 * once.
 *
 *   redis-pipe-bench check ./chunks.js
 *   redis-pipe-bench --workload fetch:50 --way ./chunks.js,mget,pipeline
 *
 * @type {WaySource}
 */
const way = {
  summary: 'MGET or MSET of 10 keys each, all at once',

  // What the server counts for a request of so many keys. `kind` says what is done with them: `kind.each(keys)` are the
  // commands where each key has its own, and `kind.many.command` is the one for all.
  calls: ({ many }, keys) => ({ [many.command]: Math.ceil(keys / AT_ONCE) }),

  // What it needs of a request: one command for several keys, which a sequence of --commands has not.
  form: 'many',

  // Whether what it sends together must be in one slot of a cluster. Then a request is split, and this gets the parts.
  inOneSlot: true,

  // Resolves to a reply for each item, in order; rejects with the first error. `one(item)` is the command for one item,
  // `many.of(items)` that for several, `step.send(connection, item)` calls the client's own method for one.
  async send(connection, { items, many }) {
    const parts = Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, index) =>
      items.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
    );
    const replies = await Promise.all(
      parts.map(async (part) => many.replies(await connection.command(many.of(part)), part)),
    );
    return replies.flat();
  },
};

export default way;
