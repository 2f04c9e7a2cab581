import { createHash } from 'node:crypto';

/** @import { Command, Request, WayPlugin } from '../types.js' */

/** @type {Map<string, string>} by text */
const HASHES = new Map();

/** @param {string} text */
function hashOf(text) {
  const known = HASHES.get(text) ?? createHash('sha1').update(text).digest('hex');
  HASHES.set(text, known);
  return known;
}

/** @param {'EVAL' | 'EVALSHA'} name @param {Request} request @returns {Command} */
const commandOf = (name, { items, script }) => [
  name,
  name === 'EVAL' ? script.text : hashOf(script.text),
  String(items.length),
  ...items.map(({ key }) => key),
  ...script.values(items),
];

/** @satisfies {WayPlugin} */
export default {
  id: 'script',
  title: 'script',
  summary: 'one script for all keys, by EVALSHA; it is loaded before the runs',
  form: 'script',
  inOneSlot: true,

  calls: ({ script }, items) => ({ evalsha: 1, ...script.calls(items) }),

  // EVAL loads the script, on a cluster on each node that has any of the keys.
  prepare: (connection, request) => connection.command(commandOf('EVAL', request)),

  send: (connection, request) =>
    connection
      .command(commandOf('EVALSHA', request))
      .then((reply) => request.many.replies(reply, request.items)),
};
