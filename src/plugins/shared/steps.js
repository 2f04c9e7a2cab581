/** @import { Command, Item, Step } from '../types.js' */

/** @type {Step['accept']} */
function isValue(reply, item) {
  return item.reads === undefined ? reply === item.value : item.reads(reply);
}

/** @type {Step} */
export const get = { command: 'get', send: (commands, { key }) => commands.get(key), accept: isValue };

/** A string or a Buffer. @param {unknown} reply */
const isOk = (reply) => reply === 'OK' || (Buffer.isBuffer(reply) && reply.equals(OK));
const OK = Buffer.from('OK');

/** @type {Step} */
export const set = {
  command: 'set',
  send: (commands, { key, value }) => commands.set(key, value),
  accept: isOk,
  stores: (item) => [item],
};

/**
 * HSET of a field of the hash that all items share, which is empty at the start of a run. Exactly one reply to each field
 * must be 1, and none may be 0 before it, unless another HSET of the field is in flight and may have overtaken it.
 * @param {{keys: number, mayBeThere: boolean}} run `mayBeThere`: the first reply may be 0 too @returns {Step}
 */
export function createHset({ keys, mayBeThere }) {
  const inFlight = new Uint32Array(keys);
  const stored = new Uint8Array(keys);
  return {
    command: 'hset',
    byHash: true,
    stores: (item) => [item],
    send(commands, { index, hash, key, value }) {
      inFlight[index]++;
      return commands.hset(hash, key, value);
    },
    accept(reply, { index }) {
      inFlight[index]--;
      const isFirst = stored[index] === 0;
      if (reply === 1) {
        stored[index] = 1;
        return isFirst;
      }
      if (mayBeThere) stored[index] = 1;
      return reply === 0 && (!isFirst || mayBeThere || inFlight[index] > 0);
    },
    restart() {
      inFlight.fill(0);
      stored.fill(0);
    },
  };
}

/** Another process may not have stored the key yet. @type {Step} */
export const getIfThere = { ...get, accept: (reply, item) => reply === null || isValue(reply, item) };

/** Counts replies, so that the loops need not. @param {{mayLack?: boolean}} [options] `mayLack`: 0 is right too @returns {Step} */
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

/** @param {Step} step that uses `command` only @param {Item} item @returns {Command} what it would send */
export const commandOf = (step, item) =>
  /** @type {any} */ (
    step.send(/** @type {any} */ ({ command: (/** @type {Command} */ args) => args }), item)
  );
