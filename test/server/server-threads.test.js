import assert from 'node:assert/strict';
import { threadNotes } from '../../src/server/server-watch.js';

/** @param {string[]} replicas @param {string} [threads] @returns {any[]} a server on one processor */
const placesOf = (replicas, threads = '1') => [
  {
    server: { facts: { config: { 'io-threads': threads }, replicas, nodes: ['a:1'] } },
    placer: { placements: [{ serverCpus: [0] }] },
  },
];

/** @param {any[]} places @param {object} cell @param {number} [replicas] @returns {number[]} */
const replicasNamed = (places, cell, replicas = 0) =>
  threadNotes(places, /** @type {any} */ ([cell]), { replicas }).map(
    (note) => /** @type {any} */ (note).replicas,
  );

describe('the note on servers with fewer processors than they can use', () => {
  const two = placesOf(['b:1', 'c:1']);

  it('names replicas that were asked for, or are read from, and not those that Sentinels need', () => {
    assert.deepEqual(replicasNamed(two, {}), []);
    assert.deepEqual(replicasNamed(two, {}, 2), [2]);
    assert.deepEqual(replicasNamed(two, { readFrom: 'replica' }), [2]);
  });

  it('names io-threads', () => {
    assert.deepEqual(replicasNamed(placesOf([], '4'), {}), [0]);
  });
});
