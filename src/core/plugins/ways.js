import { messageOf } from '../errors.js';
import { openBatch } from './shared/connections.js';

/** @import { Step, WayPlugin } from './types.js' */

/** A command for each item. @type {WayPlugin['calls']} */
function oneEach({ step, parts }, items) {
  if (parts === undefined) return { [step.command]: items };
  /** @type {Record<string, number>} */
  const calls = {};
  for (const { command } of parts) calls[command] = (calls[command] ?? 0) + 1;
  return calls;
}

/** How requests of several keys, or of several commands, are coded. @type {WayPlugin[]} */
export default [
  {
    id: 'one-by-one',
    title: 'one by one',
    summary: 'a command for each key, or those of a sequence, each after the reply to the one before',

    calls: oneEach,

    async send(connection, { items, step, parts }) {
      /** @type {unknown[]} */
      const replies = [];
      try {
        for (const item of items) replies.push(await step.send(connection, item));
      } catch (error) {
        throw errorOf(error, parts, replies.length);
      }
      return replies;
    },
  },
  {
    id: 'parallel',
    title: 'parallel',
    summary: 'a command for each key, all at once by Promise.all',

    calls: oneEach,

    send(connection, { items, step, parts }) {
      const sent = items.map((item) => step.send(connection, item));
      const all = Promise.all(sent);
      return parts === undefined ? all : all.catch((error) => failed(sent, error, parts));
    },
  },
  {
    id: 'pipeline',
    title: 'pipeline',
    summary: "a command for each key, in the client's own pipeline",
    requires: ['pipeline'],

    calls: oneEach,

    send(connection, { items, step, parts }) {
      const batch = openBatch(connection);
      for (const item of items) step.send(batch, item);
      return withoutErrors(batch.exec(), parts);
    },
  },
  {
    id: 'multi',
    title: 'MULTI',
    summary: 'a command for each key, in a transaction: MULTI, EXEC',
    inOneSlot: true,
    requiresForBuffers: ['transaction-buffers'],

    calls: (kind, items) => ({ multi: 1, exec: 1, ...oneEach(kind, items) }),

    send: (connection, { items, one, parts }) => withoutErrors(connection.transaction(items.map(one)), parts),
  },
  {
    id: 'mget',
    title: 'MGET, MSET',
    summary: 'one command for all keys: MGET, MSET',
    ofMany: true,
    inOneSlot: true,
    titleOf: ({ many }) => many.command.toUpperCase(),

    calls: ({ many }) => ({ [many.command]: 1 }),

    send: (connection, { items, many }) =>
      connection.command(many.of(items)).then((reply) => many.replies(reply, items)),
  },
];

/** In a sequence others may still be in flight. @param {unknown[]} sent @param {unknown} error @param {Step[]} parts @returns {Promise<never>} */
async function failed(sent, error, parts) {
  const places = sent.map((reply, at) =>
    Promise.resolve(reply).then(
      () => Promise.reject(),
      (reason) => (reason === error ? at : Promise.reject()),
    ),
  );
  throw errorOf(error, parts, await Promise.any(places));
}

/** @param {Step[]} parts @param {number} at */
export const nameIn = (parts, at) =>
  `command ${at + 1} of ${parts.length} (${parts[at].command.toUpperCase()})`;

/** An error reply of the server, not an error of the client. */
const IS_OF_SERVER = /^[A-Z]+ /;

/**
 * @param {unknown} error @param {Step[] | undefined} parts of a sequence
 * @param {number | undefined} at which of them failed; unknown in a pipeline of node-redis
 * @returns {unknown} an error that names the command; the same one if the whole request failed
 */
function errorOf(error, parts, at = -1) {
  const isOfBatch = /** @type {any} */ (error)?.ofBatch === true;
  const text = messageOf(error);
  if (parts === undefined || isOfBatch || (parts[at] === undefined && !IS_OF_SERVER.test(text))) return error;
  const names = parts.map(({ command }) => command.toUpperCase()).join(', ');
  const which =
    parts[at] === undefined
      ? `one of ${parts.length} commands (${names}); --way one-by-one says which`
      : nameIn(parts, at);
  return new Error(`${text}, ${which}`, { cause: error });
}

/** Rejects with the first error among the replies. @param {Promise<unknown[]>} sent @param {Step[]} [parts] of a sequence */
const withoutErrors = (sent, parts) =>
  sent.then(
    (replies) => {
      for (let at = 0; at < replies.length; at++)
        if (replies[at] instanceof Error) throw errorOf(replies[at], parts, at);
      return replies;
    },
    // node-redis rejects with all replies in its error.
    (error) => {
      throw errorOf(error, parts, error?.errorIndexes?.[0]);
    },
  );
