import { nameCells, nameSubjects } from '../../src/axes/cell-names.js';
import { groupTitle, sharedTitles } from '../../src/commands/benchmark/report/words/legend.js';

/** @import { CellResult, Report } from '../../src/store/types.js' */

/**
 * @typedef {object} FormatRow
 * @property {string} place what tells the row from others: its group, its words, without its figures
 * @property {string} cell the id
 * @property {string} [opsPerSecond]
 * @property {string} [slower]
 * @property {string} [awake] how far it is behind, kept awake
 *
 * @typedef {(text: string, report: Report) => FormatRow[]} Read
 */

/** In the titles of the table that has a row for each cell. */
const MAIN = /ops\/s.*behind|achieved\/s|first reply|max wait/s;

/**
 * @template Line @param {Line[]} lines @param {string} title empty where there is one group
 * @param {(line: Line) => string | false} headingOf @returns {Line[]} those below that heading
 */
function ofHeading(lines, title, headingOf) {
  if (title === '') return lines;
  const start = lines.findIndex((line) => headingOf(line) === title) + 1;
  const rest = lines.slice(start);
  const end = rest.findIndex((line) => headingOf(line) !== false);
  return end < 0 ? rest : rest.slice(0, end);
}

/** @param {string} markup */
const plainHtml = (markup) =>
  markup
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** How the rows of cells are found in what a format prints. @type {Record<string, Read>} */
export const ROWS = {
  table: (text, report) =>
    inGroups(
      report,
      (title, next) =>
        between(text, headingOf(title), next === null ? null : headingOf(next))
          .split('\n')
          .filter(untilFirst((line) => !line.startsWith(' ')))
          .map((line) =>
            line.startsWith('   ') ? ['', ...line.trim().split(/ {2,}/)] : line.trim().split(/ {2,}/),
          ),
      (groups) => sharedTitles(groups, report).titles,
    ),

  markdown(text, report) {
    const tables = text.split('\n\n').filter((part) => part.startsWith('|'));
    const table = tables.find((part) => MAIN.test(part.split('\n')[0])) ?? '';
    const lines = unescaped(table)
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((part) => part.trim()),
      );
    return inGroups(
      report,
      (title) =>
        ofHeading(lines, title, ([name]) => /^\*[^*].*\*$/.test(name) && name.slice(1, -1)).map((line) =>
          line.map((part) => part.replaceAll('**', '')),
        ),
      (groups) => sharedTitles(groups, report).titles,
      table
        .split('\n')[0]
        .split('|')
        .map((part) => part.trim())
        .indexOf('kept awake') - 1,
    );
  },

  html(text, report) {
    const tables = [...text.matchAll(/<table>.*?<\/table>/gs)].map(([table]) => table);
    const table = tables.find((each) => MAIN.test(plainHtml(each.split('</thead>')[0]))) ?? '';
    const lines = [...(table.split('<tbody>')[1] ?? '').matchAll(/<tr.*?<\/tr>/gs)].map(([row]) => ({
      isHeading: row.startsWith('<tr class="group"'),
      parts: [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, part]) => plainHtml(part)),
    }));
    return inGroups(
      report,
      (title) =>
        ofHeading(lines, title, ({ isHeading, parts: [name] }) => isHeading && name).map(
          ({ parts }) => parts,
        ),
      (groups) => sharedTitles(groups, report).titles,
    );
  },

  csv(text) {
    const [head, ...lines] = text.trimEnd().split('\r\n');
    // Without the names of its cell and group, which the other columns must be enough for.
    const last = head.split(',').indexOf('iterations');
    const rows = new Map(lines.map((line) => [line.split(',').slice(0, last).join(), line.split(',')]));
    return [...rows.values()].map((line) => ({ place: line.slice(2, last).join(), cell: line[0] }));
  },

  objects: (text, report) =>
    inOrder(
      report,
      text
        .split('\n')
        .filter((line) => /^\| (?!-|client)/.test(line))
        .map((line) =>
          line
            .slice(1, -1)
            .split('|')
            .map((part) => part.trim()),
        ),
    ).map(({ cell, texts }) => ({ place: texts.slice(0, 3).join(' | '), cell, opsPerSecond: texts[4] })),

  realtime: (text, report) => oncePerCell(text, report, /^(.*?) (?:\d+ realtime: \d+|skipped: .*)$/gm),

  'go-bench': (text, report) => {
    let pkg = '';
    const places = text.split('\n').flatMap((line) => {
      if (line.startsWith('pkg: ')) pkg = line;
      const [, title] = /^(?:--- SKIP: )?(Benchmark\S+)/.exec(line) ?? [];
      return title === undefined ? [] : `${pkg} ${title}`;
    });
    return perCell(report, places);
  },

  lines: (text, report) => {
    let [heading, tasks] = ['', ''];
    const names = text.split('\n').flatMap((line) => {
      if (/^\S.* K\/V/.test(line)) heading = line;
      if (/^ {2}\S/.test(line)) tasks = line;
      const [, name] = /^ {4}(?:skipped|(?:[\d.]+ \([\d.]+\) ?)+), (.*)$/.exec(line) ?? [];
      return name === undefined ? [] : `${heading}${tasks} ${name}`;
    });
    return report.cells.map(({ id }, index) => ({ place: names[index], cell: id }));
  },
};

/**
 * @param {Report} report
 * @param {(title: string, next: string | null) => string[][]} rowsOf the texts of a group's rows, by its title
 * @param {(groups: CellResult[][]) => string[]} [titlesOf] their titles in this format
 * @param {number} [awakeAt] the column
 * @returns {FormatRow[]}
 */
function inGroups(
  report,
  rowsOf,
  titlesOf = (all) => all.map((cells) => groupTitle(cells, report)),
  awakeAt = -1,
) {
  const groups = report.comparisons.map(({ group }) => report.cells.filter((cell) => cell.group === group));
  const titles = titlesOf(groups);
  return groups.flatMap((cells, index) => {
    const title = groupTitle(cells, report);
    const open = cells[0].openLoop !== null;
    const names = open ? nameSubjects(cells) : nameCells(cells);
    const searched = cells[0].openLoop?.search != null;
    let before = '';
    const left = [...cells];
    return rowsOf(titles[index], titles[index + 1] ?? null).map((texts) => {
      before = texts[0] === '' ? before : texts[0];
      const isOf = (/** @type {CellResult} */ cell) =>
        names.get(cell.id) === before &&
        (!searched || cell.openLoop?.ratePerSecond.toLocaleString('en-US') === texts[1]);
      const cell = left.findIndex(isOf);
      const [own] = cell < 0 ? [undefined] : left.splice(cell, 1);
      const figures = texts.slice(1);
      return {
        place: `${title}: ${before}${searched ? ` ${texts[1]}` : ''}`,
        cell: own?.id ?? `none of the cells: ${texts}`,
        opsPerSecond: figures.find(
          (text, column) => /^[\d,]+$/.test(text) && !(column === 0 && figures[1]?.match(/^[\d,]+$/)),
        ),
        awake: texts[awakeAt],
        slower: figures.find((text) =>
          /^(?:(?:≈ )?[\d.,]+x\b.*|not decided|not compared|one start)$/.test(text),
        ),
      };
    });
  });
}

/** @typedef {string[][]} GridText a row for each line: its name and its fields. The first has the names of the columns */

/**
 * The grids of conditions below a heading, by format. A table in text has no blanks, and no heads: they stand in several lines.
 * @type {Record<string, (text: string, heading: string) => GridText | null>}
 */
export const GRIDS = {
  table(text, heading) {
    const [, below] = text.split(`\n${heading}\n`);
    if (below === undefined) return null;
    const lines = below
      .slice(below.indexOf('─'))
      .split('\n')
      .slice(1)
      .filter(untilFirst((line) => !line.startsWith(' ')));
    return [[], ...lines.map((line) => line.trim().split(/ {2,}/))];
  },

  markdown(text, heading) {
    const [, below] = text.split(`\n#### ${heading}\n`);
    if (below === undefined) return null;
    const [head, , ...lines] = unescaped(below.trim().split('\n\n')[0]).split('\n');
    return [head, ...lines].map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((part) => part.trim()),
    );
  },

  html(text, heading) {
    const [, below] = text.split(`<h2>${heading}</h2>`);
    if (below === undefined) return null;
    return [...below.split('</table>')[0].matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, part]) => plainHtml(part)),
    );
  },
};

/** @param {(line: string) => boolean} isEnd */
function untilFirst(isEnd) {
  let ended = false;
  return (/** @type {string} */ line) => {
    ended ||= isEnd(line);
    return !ended;
  };
}

/** @param {string} text @param {RegExp} start @param {RegExp | null} end */
function between(text, start, end) {
  const [found] = text.match(start) ?? [];
  if (found === undefined) throw new Error(`no ${start} in ${text}`);
  const rest = text.slice(text.indexOf(found) + found.length);
  return end === null ? rest : rest.slice(0, rest.search(end));
}

/** @param {string} line */
const _lineOf = (line) => new RegExp(`\\n${escapedForRegExp(line)}\\n`);

/** Where the rows of a group begin: behind its title, or the rule of the table if it has none; a fault is marked there. @param {string} title */
const headingOf = (title) =>
  title === '' ? /\n─{10,}\n(?: +▼[ ▽]*\n)?/ : new RegExp(`\\n${escapedForRegExp(title)}(?: +▼[ ▽]*)?\\n`);

/** @param {string} text */
const escapedForRegExp = (text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** @param {string} text of Markdown */
const unescaped = (text) => text.replaceAll('<!-- -->', '').replaceAll(/\\([\\`*_[\]|~])/g, '$1');

/** @param {Report} report @param {string[][]} rows @returns {{cell: string, texts: string[]}[]} */
function inOrder({ cells, comparisons }, rows) {
  const ordered = comparisons.flatMap(({ group }) => cells.filter((cell) => cell.group === group));
  return rows.map((texts, index) => ({ cell: ordered[index].id, texts }));
}

/** @param {string} text @param {Report} report @param {RegExp} pattern */
const oncePerCell = (text, report, pattern) =>
  perCell(
    report,
    [...text.matchAll(pattern)].map(([, title]) => title),
  );

/** @param {Report} report @param {string[]} places of each run, or of a cell without any @returns {FormatRow[]} */
function perCell({ cells, comparisons }, places) {
  const ordered = comparisons.flatMap(({ group }) => cells.filter((cell) => cell.group === group));
  let first = 0;
  return ordered.map(({ id, runs }) => {
    const place = places[first];
    first += Math.max(1, runs.length);
    return { place, cell: id };
  });
}
