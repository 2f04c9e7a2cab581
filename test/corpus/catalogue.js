import { groupBy } from '../../src/collections.js';
import { sentencesOf as said } from '../../src/commands/benchmark/findings/all.js';
import { causeText } from '../../src/commands/benchmark/findings/slower.js';
import { contextOf } from '../../src/commands/benchmark/report/words/findings.js';
import { factText } from '../../src/report/fact-words.js';
import { FACTS } from './facts.js';
import { MADE_UP } from './made-up.js';

/**
 * @import { Context } from '../../src/commands/benchmark/findings/definitions.js'
 * @import { Cause, Finding } from '../../src/commands/benchmark/findings/types.js'
 * @import { Report } from '../../src/store/types.js'
 * @typedef {{kind: string, place: string, texts: Set<string>}} Entry
 */

/** All that the corpus makes the tool say, by kind of finding and by place. */
export function createCatalogue() {
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  /** @param {string} kind @param {string} place @param {string} text */
  function note(kind, place, text) {
    const key = `${kind}, ${place}`;
    const entry = entries.get(key) ?? { kind, place, texts: new Set() };
    entries.set(key, entry);
    entry.texts.add(text);
  }
  for (const [title, facts] of Object.entries(FACTS)) {
    for (const fact of Object.values(facts)) note(title, '', factText(fact));
  }

  return {
    /** @param {Report} report @param {string} name of the result */
    add(report, name) {
      const context = contextOf(report);
      for (const findings of groupBy(report.findings, ({ kind, group }) => `${kind} ${group}`)) {
        const [{ kind }] = findings;
        told(findings, context, (place, text) => note(kind, place, text));
        for (const cause of findings.flatMap(causesOf)) note(kind, 'why', causeText(cause));
      }
      for (const { findings, ...made } of MADE_UP[name]?.(report, context) ?? []) {
        told(findings, made.context, (place, text) => note(findings[0].kind, place, text));
      }
    },

    /** @returns {Entry[]} */
    entries: () => [...entries.values()],
  };
}

/**
 * @param {Finding[]} findings of one kind @param {Context} context
 * @param {(place: string, text: string) => void} note
 */
function told(findings, context, note) {
  for (const place of /** @type {const} */ (['choose', 'condition', 'cause', 'next', 'details', 'warning'])) {
    for (const text of findings.flatMap((finding) => said([finding], place, context))) note(place, text);
  }
}

/** @param {Finding} finding @returns {Cause[]} */
const causesOf = (finding) => (finding.kind === 'slower' ? finding.causes : []);

/** @param {string} text @returns {number} words; a quoted name, and a number with its unit, are one */
export const wordsIn = (text) =>
  text
    .replace(/"[^"]*"/g, 'name')
    .replace(/\d[\d.,]* (?:[µmn]?s|%|MB|kB|GB|B)(?!\w)/g, 'figure')
    .split(/\s+/)
    .filter((word) => /\w/.test(word)).length;

/** @param {string} text @returns {string[]} what is read in one breath; each item of a list behind semicolons is one */
export const sentencesOf = (text) => text.split(/(?<=[.?!])\s+(?=[A-Z"'\d])|; /);
