import { FINDINGS, sentencesOf as said } from '../../src/benchmark/findings/all.js';
import { causeText } from '../../src/benchmark/findings/slower.js';
import { alike } from '../../src/benchmark/judge/alike.js';
import { factText } from '../../src/benchmark/report/words/fact-words.js';
import { contextOf, textsOf, WORDS } from '../../src/benchmark/report/words/findings.js';
import { wrap } from '../../src/core/report/wrap.js';
import { errorTemplates } from './errors.js';
import { FACTS } from './facts.js';
import { MADE_UP } from './made-up.js';

/**
 * @import { Context } from '../../src/benchmark/report/words/findings.js'
 * @import { Cause, Finding } from '../../src/benchmark/judge/types.js'
 * @import { Report } from '../../src/core/store/types.js'
 * @typedef {{kind: string, variant: string, place: string, texts: Set<string>}} Entry
 */

const WIDTH = 118;
/** An example says little in two words, and a list of all cells too much. */
const TYPICAL = 18;

/** Where a sentence stands. @type {Record<string, string>} */
const PLACES = {
  choose: 'first screen, below the choices',
  condition: 'first screen, what holds',
  cause: 'first screen, why',
  details: '--details',
  next: 'first screen, where to go on',
  warnings: 'warning',
  warning: 'warning',
  why: 'a cause, in "Why … is slower: …"',
};

/** What one kind of finding has several sentences for. @param {any} finding @returns {string} */
const variantOf = ({ reason, limit, gaveWay, broken, what }) =>
  reason ?? limit ?? gaveWay?.what ?? broken?.what ?? what ?? '';

/** All that the corpus makes the tool say, by kind of finding and by place. */
export function createCatalogue() {
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  /** @param {string} kind @param {string} variant @param {string} place @param {string} text */
  function note(kind, variant, place, text) {
    const key = JSON.stringify([kind, place, variant]);
    const entry = entries.get(key) ?? { kind, variant, place, texts: new Set() };
    entries.set(key, entry);
    entry.texts.add(text);
  }
  for (const [title, facts] of Object.entries(FACTS)) {
    for (const fact of Object.values(facts)) note(title, fact.kind, '', factText(fact));
  }

  return {
    /** @param {Report} report @param {string} name of the result */
    add(report, name) {
      const context = contextOf(report);
      for (const findings of alike(report.findings, ({ kind, group }) => `${kind} ${group}`)) {
        const [{ kind }] = findings;
        told(findings, context, (place, text, index) => {
          note(kind, index === null ? '' : variantOf(findings[index]), place, text);
        });
        for (const cause of findings.flatMap(causesOf)) note(kind, cause.kind, 'why', causeText(cause));
      }
      for (const { findings, ...made } of MADE_UP[name]?.(report, context) ?? []) {
        told(findings, made.context, (place, text) => note(findings[0].kind, 'made up', place, text));
      }
    },

    /** @returns {Entry[]} in the order of the tool, by kind */
    entries: () => {
      const kinds = [...Object.keys(WORDS), ...FINDINGS.map(({ id }) => id), ...Object.keys(FACTS)];
      return [...entries.values()].sort(
        (one, other) =>
          kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || compare(keyOf(one), keyOf(other)),
      );
    },
  };
}

/**
 * @param {Finding[]} findings of one kind @param {Context} context
 * @param {(place: string, text: string, index: number | null) => void} note `index`: of the finding, where each has a text
 */
function told(findings, context, note) {
  for (const place of /** @type {const} */ (['choose', 'condition', 'cause', 'next', 'details', 'warning'])) {
    for (const [index, finding] of findings.entries()) {
      for (const text of said([finding], place, context)) note(place, text, index);
    }
  }
  for (const [place, say] of Object.entries(WORDS[findings[0].kind] ?? {})) {
    const texts = textsOf(say, findings, context).filter((text) => text !== '');
    for (const [index, text] of texts.entries()) {
      note(place, text, texts.length === findings.length ? index : null);
    }
  }
}

/** @param {Entry} entry */
const keyOf = ({ place, variant }) => `${Object.keys(PLACES).indexOf(place) + 10} ${variant}`;

/** @param {string} one @param {string} other */
const compare = (one, other) => (one < other ? -1 : Number(one > other));

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

/** @param {Set<string>} texts @returns {string} the one of typical length, the same whatever the order */
const exampleOf = (texts) =>
  [...texts].sort(
    (one, other) =>
      Math.abs(wordsIn(one) - TYPICAL) - Math.abs(wordsIn(other) - TYPICAL) || compare(one, other),
  )[0];

/** @param {Entry[]} entries @returns {string} Markdown */
export function catalogueText(entries) {
  const kinds = alike(entries, ({ kind }) => kind).map((own) => [
    '',
    `## ${own[0].kind}`,
    ...alike(own, ({ place }) => place).flatMap((there) => [
      ...(there[0].place === '' ? [] : ['', `${PLACES[there[0].place]}:`]),
      '',
      ...there.flatMap(itemOf),
    ]),
  ]);
  const silent = Object.keys(WORDS).filter((kind) => !entries.some((entry) => entry.kind === kind));
  return [
    ...HEAD,
    ...kinds.flat(),
    '',
    ...(silent.length > 0 ? [...wrap(`No example: ${silent.join(', ')}.`, WIDTH), ''] : []),
    '## errors, with … for each value',
    '',
    ...errorTemplates().flatMap((text) => itemOf({ variant: '', texts: new Set([text]) })),
    '',
  ].join('\n');
}

/** @param {Pick<Entry, 'variant' | 'texts'>} entry @returns {string[]} lines */
const itemOf = ({ variant, texts }) =>
  wrap(`${variant === '' ? '' : `${variant}: `}${exampleOf(texts)}`, WIDTH - 2).map(
    (line, index) => `${index === 0 ? '- ' : '  '}${line}`,
  );

const HEAD = [
  '# What the tool says',
  '',
  ...wrap(
    'Each kind of finding and where it is printed, with an example that the saved results of the corpus make; then what is stored as facts, with made-up values, and the messages of errors. Written by test/corpus/corpus.test.js; read it aloud after a change of words.',
    WIDTH,
  ),
];
