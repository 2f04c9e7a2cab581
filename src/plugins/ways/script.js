import { createHash } from 'node:crypto';

/** @import { Command, Connection, Request, RequestKind } from '../types.js' */

/** @type {Map<string, string>} by text */
const HASHES = new Map();

/** @param {string} text @returns {string} what the server calls it */
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

export default {
  id: 'script',
  title: 'script',
  summary: 'one script for all keys, by EVALSHA; it is loaded before the runs',
  form: 'script',
  inOneSlot: true,
  imperative: () => 'use a script (EVALSHA)',

  /** @param {RequestKind} kind @param {number} items */
  calls: ({ script }, items) => ({ evalsha: 1, ...script.calls(items) }),

  /** EVAL loads it, on each node of a cluster that has any of the keys. @param {Connection} connection @param {Request} request */
  prepare: (connection, request) => connection.command(commandOf('EVAL', request)),

  /** @param {Connection} connection @param {Request} request */
  send: (connection, request) =>
    connection
      .command(commandOf('EVALSHA', request))
      .then((reply) => request.many.replies(reply, request.items)),
};
