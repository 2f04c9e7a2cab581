/** @typedef {import('../types.js').Step} Step */

/** The commands that workloads are made of: how each is sent, and what its reply must be. */

/** @type {Step} */
export const get = {
  command: 'get',
  send: (commands, { key }) => commands.get(key),
  accept: (reply, { value }) => reply === value,
};

/** @type {Step} */
export const set = {
  command: 'set',
  send: (commands, { key, value }) => commands.set(key, value),
  accept: (reply) => reply === 'OK',
};

/**
 * One field of the one hash of all items; a reply of 1 tells that the field is new.
 *
 * @type {Step}
 */
export const hset = {
  command: 'hset',
  send: (commands, { hash, key, value }) => commands.hset(hash, key, value),
  accept: (reply) => reply === 1 || reply === 0,
};

/** @type {Step} */
export const exists = {
  command: 'exists',
  send: (commands, { key }) => commands.exists(key),
  accept: (reply) => reply === 1,
};
