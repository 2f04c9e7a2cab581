import { clientName, nameSubjects } from '../axes/cell-names.js';
import { groupBy } from '../collections.js';
import { sum } from '../descriptive-statistics.js';
import { count } from '../numbers.js';
import { factText, URGENT } from './fact-words.js';
import { milli, said } from './figures.js';

/** @import { CellResult, Report, Run, RunWarning } from '../store/types.js' */
/** @import { Remark } from './types.js' */

export const PARTIAL_NOTE = 'The benchmark ended early; these are the runs completed by then.';

/** @param {Report} result */
export const partialText = ({ failure }) =>
  failure === null ? PARTIAL_NOTE : `The benchmark ended early: ${failure}`;

/** The first screen has room for this many cells in a line. */
const MOST_NAMED = 2;

const RANKS = { failure: 0, spoils: 1, urgent: 2, cell: 3, failed: 4, warning: 5 };

/** @type {Partial<Record<keyof typeof RANKS, Remark['above']>>} */
const ABOVE = { failure: 'failed', spoils: 'spoils' };

/**
 * `kind`: of the fact; empty for a text of a plugin. `fact`, `runs`: of a warning, how many runs have it.
 * @typedef {{fact?: RunWarning, runs?: number, kind: RunWarning['kind'] | 'skipped' | 'no-breakdown' | 'failed' | 'too-short' | 'answers' | 'not-instrumented' | 'unknown-instruments' | '', rank: keyof typeof RANKS, text: string}} Noticed
 */

/**
 * What the figures alone do not say, each once: what failed, what spoils all figures, and what else makes a run doubtful.
 * @param {CellResult[]} cells
 * @param {Noticed['kind'][]} [without] kinds that are said elsewhere
 * @returns {Remark[]} in this order
 */
export function remarksOf(cells, without = []) {
  const names = nameSubjects(cells);
  const everyone = [...new Set(names.values())];
  const noticed = cells.flatMap((cell) =>
    noticesOn(cell)
      .filter(({ kind }) => !without.includes(kind))
      .map((notice) => ({ ...notice, name: `${names.get(cell.id)}` })),
  );
  /** @type {Remark[]} */
  const remarks = groupBy(noticed, keyOf)
    .map((same) => {
      const named = [...new Set(same.map(({ name }) => name))];
      const [{ rank: least }] = same.toSorted((a, b) => RANKS[a.rank] - RANKS[b.rank]);
      const text = textOfAll(same);
      const rank = least === 'urgent' && named.length === everyone.length ? 'spoils' : least;
      const who = whoText(named, everyone);
      // Why a cell failed is said once in short, however many of its runs did.
      if (rank === 'failed' || rank === 'warning') return { rank, remark: { text, who } };
      const above = ABOVE[rank];
      const shortly = named.length > MOST_NAMED ? `${named.length} cells` : who;
      return {
        rank,
        remark: { text, who, cells: named.length, ...(above && { above }), inShort: `${shortly}: ${text}` },
      };
    })
    .toSorted((a, b) => RANKS[a.rank] - RANKS[b.rank])
    .map(({ remark }) => remark);
  const failed = remarks.filter(({ above }) => above === 'failed').length;
  return remarks.toSpliced(failed, 0, ...emittedRemarks(cells));
}

/** Equal for warnings that differ in figures alone: of each run they are another text. @param {Noticed} notice */
const keyOf = ({ text, fact }) =>
  fact === undefined
    ? text
    : JSON.stringify(
        Object.entries(fact).map(([name, value]) =>
          typeof value === 'number' ? name : typeof value === 'object' ? Object.keys(value) : value,
        ),
      );

/** Once, with the figures of the worst run. @param {Noticed[]} same @returns {string} */
function textOfAll(same) {
  const [{ text, fact }] = same.toSorted((a, b) => sizeOf(b.fact) - sizeOf(a.fact));
  if (fact === undefined || same.every((each) => each.text === text)) return text;
  return `${text} (the worst of ${count(sum(same.map(({ runs = 1 }) => runs)), 'such run')})`;
}

/** @param {RunWarning} [fact] @returns {number} how bad it is, among those of its kind */
function sizeOf(fact) {
  switch (fact?.kind) {
    case 'command-miscounted':
    case 'commands-miscounted':
      return Math.abs(fact.claimed - fact.counted);
    case 'cache-miscounted':
      return Math.abs(fact.missing);
    default: {
      const figures = Object.values(fact ?? {}).flatMap((value) =>
        typeof value === 'object' ? sum(Object.values(value)) : value,
      );
      return Number(figures.find((value) => typeof value === 'number') ?? 0);
    }
  }
}

/** @param {CellResult[]} cells @returns {Remark[]} one for each client */
const emittedRemarks = (cells) =>
  groupBy(cells, (cell) => clientName({ ...cell, copy: 1 })).flatMap((own) => {
    const emitted = emittedText(own.flatMap(({ runs }) => runs));
    const text = `${clientName({ ...own[0], copy: 1 })} ${emitted}`;
    return emitted === '' ? [] : { text, inShort: text, isEmitted: true };
  });

/** @param {Run[]} runs @returns {string} what their client emitted by itself; empty for nothing */
export function emittedText(runs) {
  const all = runs.flatMap(({ emitted }) => emitted ?? []);
  const errors = sum(all.map((each) => each.errors));
  const reconnections = sum(all.map((each) => each.reconnections));
  const ends = sum(all.map((each) => each.ends));
  const first = all.find(({ firstError }) => firstError !== null)?.firstError;
  return said([
    errors > 0 && `emitted ${count(errors, 'error')}, the first: ${first}`,
    reconnections > 0 && `tried to reconnect ${count(reconnections, 'time')}`,
    ends > 0 && `ended ${count(ends, 'connection')}`,
  ]).join('; ');
}

/** @param {CellResult} cell @returns {Noticed[]} each once */
function noticesOn({ skipped, noBreakdown, summary, openLoop, imported, bundle, floor, runs }) {
  /** @type {Map<string, Noticed>} */
  const found = new Map();
  const add = (/** @type {Noticed} */ notice) => found.has(notice.text) || found.set(notice.text, notice);
  if (skipped !== null) add({ kind: 'skipped', rank: 'cell', text: `skipped: ${factText(skipped)}` });
  if (noBreakdown)
    add({ kind: 'no-breakdown', rank: 'cell', text: `no breakdown: ${factText(noBreakdown)}` });
  if (summary?.tooShort)
    add({
      kind: 'too-short',
      rank: 'cell',
      text: `its runs took ${milli(summary.elapsedMs)}, too short to compare: something slowed down the warm-up that set their length; run it again`,
    });
  if (imported?.instruments?.length === 0)
    add({
      kind: 'not-instrumented',
      rank: 'urgent',
      text: `warning: ${imported.name} changes nothing in this client: it replaces no method and listens to no channel of it, so these are not the costs of tracing`,
    });
  // What is bundled is another client, at which nobody looks.
  const isLookedAt = imported !== undefined && !floor && bundle !== 'esbuild' && summary !== null;
  if (isLookedAt && imported.instruments === undefined)
    add({
      kind: 'unknown-instruments',
      rank: 'cell',
      text: `whether ${imported.name} changes anything in this client could not be seen`,
    });
  // An open loop has the replies to EXISTS in its table.
  if (openLoop === null && summary?.answers)
    add({ kind: 'answers', rank: 'cell', text: answersText(summary.answers) });
  // Those of a saved file are the same objects in all runs.
  const all = new Set(runs.flatMap(({ warningFacts = [] }) => warningFacts));
  const facts = new Map([...all].map((fact) => [factText(fact), fact]));
  let hasFailed = false;
  for (const { failed, warnings } of runs) {
    if (failed !== null) {
      add({ kind: 'failed', rank: hasFailed ? 'failed' : 'failure', text: `failed: ${failed}` });
      hasFailed = true;
    }
    for (const text of warnings) {
      const fact = facts.get(text);
      const rank = fact !== undefined && URGENT.has(fact.kind) ? 'urgent' : 'warning';
      const known = found.get(`warning: ${text}`);
      if (known?.runs) known.runs++;
      add({
        ...(fact && { fact }),
        ...{ kind: fact?.kind ?? '', rank, text: `warning: ${text}`, runs: 1 },
      });
    }
  }
  return [...found.values()];
}

const MANY = 4;

/** `all cells`, or `all cells but redis, pool of 3`, if the list would name nearly all. @param {string[]} named @param {string[]} everyone */
function whoText(named, everyone) {
  const others = everyone.filter((name) => !named.includes(name));
  if (named.length < 2 || (others.length > 0 && named.length < MANY)) return named.join('; ');
  if (others.length === 0) return 'all cells';
  return others.length <= named.length / 3 ? `all cells but ${others.join('; ')}` : named.join('; ');
}

/** The replies to EXISTS. @param {Record<'true' | 'false', number>} answers */
const answersText = (answers) =>
  answers.false === 0
    ? 'every EXISTS returned true'
    : `EXISTS returned true ${count(answers.true, 'time')}, false ${count(answers.false, 'time')}`;
