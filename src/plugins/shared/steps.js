/** @import { Step } from '../types.js' */

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

/**
 * GET of a key that somebody else may or may not have stored by now.
 *
 * @type {Step}
 */
export const getIfThere = { ...get, accept: (reply, { value }) => reply === value || reply === null };

/**
 * EXISTS, which counts what it was answered.
 *
 * It does so where each reply is looked at anyway, with counters of its own: the loops have no branch
 * for it, and workloads that ask nothing pay nothing. They are a step's own state, so that each process
 * makes its own step.
 *
 * @param {{mayLack?: boolean}} [options] whether 0 is right as well: the key may not be stored yet
 * @returns {Step}
 */
export function createExists({ mayLack = false } = {}) {
  let yes = 0;
  let no = 0;
  return {
    command: 'exists',
    send: (commands, { key }) => commands.exists(key),
    accept(reply) {
      if (reply === 1) {
        yes++;
        return true;
      }
      if (reply !== 0) return false;
      no++;
      return mayLack;
    },
    takeAnswers() {
      const answers = { true: yes, false: no };
      yes = 0;
      no = 0;
      return answers;
    },
  };
}
