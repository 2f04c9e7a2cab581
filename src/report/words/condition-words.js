import { nameChoices } from '../../axes/cell-names.js';
import { percent } from './figures.js';
import { regionText } from './region-words.js';

/**
 * @import { ChoiceFinding, Finding } from '../../analysis/types.js'
 * @import { Context, Words } from './findings.js'
 */

/** @template {ChoiceFinding['kind']} Kind @typedef {Finding & Extract<ChoiceFinding, {kind: Kind}>} Of */

/** What depends on conditions. @satisfies {Record<string, Words>} */
export const CONDITION_WORDS = {
  'where-it-changes': {
    advice: (/** @type {Of<'where-it-changes'>[]} */ [finding], context) => [changesText(finding, context)],
  },
  'writes-untried': {
    conditions: (/** @type {Of<'writes-untried'>[]} */ [{ hitRate }]) => [
      `Nothing wrote to these keys meanwhile, so the cache answered ${percent(hitRate)}: each write elsewhere costs the client an invalidation, and its next read of that key goes to the server.`,
    ],
  },
  'distance-untried': {
    conditions: (/** @type {Of<'distance-untried'>[]} */ [{ limits }], { servers }) =>
      servers.some(({ kind }) => kind === 'external') ? [] : [distanceText(limits)],
  },
};

/** @param {Of<'where-it-changes'>} finding @param {Context} context */
function changesText({ rows, columns, parts, points }, { cell, measured }) {
  const names = nameChoices(measured);
  const texts = parts.map(({ cell: id, region, points: count }) => {
    const where =
      regionText(region, { rows, columns }, cell) ?? `at ${count} of ${points} points (see the tables)`;
    return `${where} "${names.get(id)}"`;
  });
  return `What is fastest, or as good, changes: ${texts.join('; ')}.`;
}

/** @param {Of<'distance-untried'>['limits']} limits of the winners */
function distanceText(limits) {
  const now = limits.includes('client') ? 'the cost of the client decides' : 'short round trips decide';
  return `Nearby, ${now}; at a distance, how many operations are under way; 'redis-pipe-bench map' shows where the answer changes.`;
}
