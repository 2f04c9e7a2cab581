import { axesOf, dimensionsOf, sameBut } from '../../src/axes/all-axes.js';
import { nameCells, nameChoices } from '../../src/axes/cell-names.js';
import { comparable, contrastGroups, seriesIn } from '../../src/commands/benchmark/judge/compare-group.js';
import { reportOf } from '../../src/commands/benchmark/report/report.js';
import { comparesNothing } from '../../src/commands/benchmark/report/tables/rows.js';
import { sentencesAt } from '../../src/commands/benchmark/report/words/findings.js';
import { times } from '../../src/report/figures.js';
import { sentencesIn } from '../helpers/said.js';
import { GRIDS } from './format-rows.js';

/**
 * @import { ChoiceRow } from '../../src/commands/benchmark/report/types.js'
 * @import { Finding } from '../../src/commands/benchmark/findings/types.js'
 * @import { Contrast } from '../../src/statistics/contrasts.js'
 * @import { CellResult, Report } from '../../src/store/types.js'
 * @import { FormatRow } from './format-rows.js'
 */

/**
 * What holds for any report, whatever was measured.
 *
 * @typedef {object} Subject
 * @property {Report} report
 * @property {(id: string) => CellResult} cell
 * @property {(metric: string, a: string, b: string) => Contrast | null} between what the tests decided
 * @property {Map<string, string>} texts of the formats that it was rendered in
 * @property {(format: string) => FormatRow[]} rows of cells in a format; none in one that it was not rendered in
 *
 * @typedef {(subject: Subject) => string[]} Rule what breaks it
 */

/** @param {Report} report @returns {Pick<Subject, 'cell' | 'between'>} */
export function decided({ cells, settings }) {
  const groups = [...new Set(cells.map(({ group }) => group))];
  const contrasts = contrastGroups(
    groups.map((group) => cells.filter((cell) => cell.group === group)),
    settings.races,
  );
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const cell = (/** @type {string} */ id) => /** @type {CellResult} */ (byId.get(id));
  return {
    cell,
    between: (metric, a, b) => contrasts[groups.indexOf(cell(a).group)].contrastBy(metric, a, b),
  };
}

/** Whether nothing is compared. @param {Report} report */
const isOff = ({ settings, findings }) => settings.smoke || findings.some(({ kind }) => kind === 'too-busy');

/** `1.4x (1.3–1.5)`, `≈ 1.02x (0.97–1.06)`, `1.4x? (0.9–2.1)`; ends that read the same are left out. */
const BEHIND = /^(≈ )?([\d.,]+)x(\?)?(?: \(([\d.,]+)–([\d.,]+)\))?$/;

/**
 * Whether it is shown, tied, open, or was not tested, and how sure that is: read back from what is printed.
 * @param {Report['comparisons'][number]['ranking'][number]} place @param {string | undefined} text
 * @param {{isOff: boolean, starts: number}} known `isOff`: whether nothing is compared @returns {boolean}
 */
function isRight({ againstFastest: contrast, timesSlower }, text = '', { isOff: isNothing, starts }) {
  if (isNothing) return text === 'not decided';
  if (contrast === null)
    return text === (starts === 1 ? `${times(Number(timesSlower))}? one start` : 'not compared');
  const { differs, ratio, low, high } = contrast;
  const isTied = !differs && low >= 1 / 1.1 && high <= 1.1;
  if (!differs && !isTied && low < 0.5 && high > 2) return text === 'not decided';
  const [found, tied, ...rest] = BEHIND.exec(text) ?? [];
  const [middle, open, from, to] = rest;
  if (found === undefined || (tied !== undefined) !== isTied) return false;
  if ((open !== undefined) !== (!differs && !isTied)) return false;
  const [shown, least, most] = [middle, from ?? middle, to ?? middle].map((each) =>
    Number(each.replaceAll(',', '')),
  );
  // Claimed exactly where the printed interval leaves out 1.
  if (from !== undefined && differs !== least > 1) return false;
  return isNear(shown, 1 / ratio) && isNear(least, 1 / high) && isNear(most, 1 / low);
}

/**
 * Whether the words behind a ratio name the pairs in which it shows, and in which it does not, or count them where both are many.
 * @param {string} text @param {Set<string>} shown names @param {Set<string>} open names @param {string} counted
 */
function saysWhere(text, shown, open, counted) {
  if (open.size === 0) return !/ with | in \d/.test(text);
  const isEither = [...open].some((name) => shown.has(name));
  const [few, fewOpen] = [!isEither && shown.size <= 2, !isEither && open.size <= 2];
  if (!few && !fewOpen) return text.endsWith(` in ${counted} pairs`);
  const [before, after] = text.split(/ ?not shown with /);
  const isShownNamed = before.includes(' with ') && [...shown].every((name) => before.includes(name));
  const isOpenNamed = after !== undefined && [...open].every((name) => after.includes(name));
  return isShownNamed === few && isOpenNamed === fewOpen;
}

/** As far as two digits can say. @param {number} shown @param {number} figure */
const isNear = (shown, figure) => Math.abs(shown - figure) <= Math.max(0.0051, 0.051 * figure);

/**
 * What the grid of conditions has to say of a cell: blank where nothing was measured.
 * @param {CellResult} cell @param {Report} report
 */
function expectedField(cell, { cells, comparisons, findings }) {
  if (cell.floor) return '';
  if (cell.summary === null) return cell.runs.length > 0 ? 'failed' : '';
  if (cell.summary.tooShort) return '?';
  const isBusy = findings.some(({ kind }) => kind === 'too-busy');
  const { ranking } = /** @type {Report['comparisons'][number]} */ (
    comparisons.find(({ group }) => group === cell.group)
  );
  const cold = cells.filter(
    ({ group, warm, floor, summary }) =>
      group === cell.group && warm === false && !floor && summary?.tooShort === false,
  );
  const place = ranking.findIndex((each) => each.cell === cell.id);
  const open = (/** @type {number} */ ratio) => (isBusy ? '?' : `${times(ratio)}?`);
  if (place < 0) {
    const speeds = ranking.length > 0 ? [ranking[0].opsPerSecond] : cold.map(speedOf);
    return open(Math.max(...speeds) / speedOf(cell));
  }
  const [own, others] = [ranking[place], ranking.slice(1)];
  if (place === 0) {
    const besides = cells.filter(({ id, group, floor }) => group === cell.group && id !== cell.id && !floor);
    if (besides.every(({ runs }) => runs.length === 0)) return '?';
    const isKnown =
      !isBusy &&
      others.length > 0 &&
      others.every(
        ({ againstFastest }) => againstFastest && (againstFastest.differs || againstFastest.high <= 1.1),
      ) &&
      cold.every((each) => speedOf(each) <= own.opsPerSecond);
    return isKnown ? 'best' : 'best?';
  }
  const { againstFastest: contrast, timesSlower } = own;
  const ratio = timesSlower ?? Number.POSITIVE_INFINITY;
  if (contrast === null || isBusy) return open(ratio);
  if (contrast.differs) return times(ratio);
  if (contrast.low >= 1 / 1.1 && contrast.high <= 1.1) return '≈';
  return contrast.low < 0.5 && contrast.high > 2 ? '?' : open(ratio);
}

/** @param {CellResult} cell */
const speedOf = ({ summary }) => Number(summary?.opsPerSecond);

/** @param {Report} report @param {string[][]} grid */
function wrongIn(report, [heads, ...rows]) {
  const planned = report.cells.filter(({ skipped }) => skipped === null);
  const dimensions = dimensionsOf(planned).sort((a, b) => b.examples.length - a.examples.length);
  const names = nameChoices(report.cells);
  const placeOf = (/** @type {CellResult} */ cell) =>
    dimensions.flatMap(({ axis }) => axis.row(cell) || []).join(', ');
  return rows.flatMap(([name, ...texts]) =>
    texts.flatMap((text, index) => {
      const both = [name, heads[index + 1]];
      const cells = planned.filter(
        (cell) => both.includes(placeOf(cell)) && both.includes(names.get(cell.id) ?? ''),
      );
      const expected = cells.map((cell) => expectedField(cell, report)).find((each) => each !== '') ?? '';
      return text === expected ? [] : [`${both.join(', ')}: '${text}', not '${expected}'`];
    }),
  );
}

/** Cells that were started once are not compared with each other, which this rule does not count. */
export const OF_EQUAL_STARTS = 'what is counted in words is what the report has';

/** @type {Record<string, Rule>} */
export const RULES = {
  'the grid of conditions says of each choice what the tests carry, in every format': ({ report, texts }) => {
    const { cells, settings, command } = report;
    // Tables of terminals alone have heads of several lines.
    if (!texts.has('markdown')) return [];
    const conditions = new Set(cells.filter(({ skipped }) => skipped === null).map(({ group }) => group))
      .size;
    const gridsOf = (/** @type {string} */ heading) =>
      Object.entries(GRIDS).flatMap(([format, gridIn]) => {
        const text = texts.get(format);
        return text === undefined ? [] : { format, grid: gridIn(text, heading) };
      });
    const formats = gridsOf('The fastest choice').reverse();
    const [{ grid: shown } = { grid: null }] = formats;
    const choices = new Set(
      nameChoices(cells.filter(({ floor, runs }) => !floor && runs.length > 0)).values(),
    );
    const isDue = conditions > 1 && choices.size > 1 && cells[0].openLoop === null;
    if (shown === null) return isDue && !settings.smoke && command === undefined ? ['there is none'] : [];
    const [{ grid: all }] = gridsOf('All choices').reverse();
    const whole = all?.map((row) => row.slice(0, -1)) ?? [];
    const names = shown.flat();
    const hidden = whole.slice(1).filter(([name]) => !names.includes(name));
    const filled = (/** @type {string[][] | null} */ grid) =>
      `${grid?.slice(1).map((row) => row.filter((text) => text !== ''))}`;
    return [
      ...wrongIn(report, shown),
      ...wrongIn(report, whole),
      ...[...choices].filter((name) => !(all ?? shown).flat().includes(name)),
      ...hidden
        .filter((row) => row.some((text) => /^(best|≈|\?|1\.\d+x\?)/.test(text)))
        .map(([name]) => `${name} is hidden`),
      ...([shown, shown[0]].some(({ length }) => length - 1 === conditions) ? [] : ['not all conditions']),
      ...formats.filter(({ grid }) => filled(grid) !== filled(shown)).map(({ format }) => format),
    ];
  },

  'where nothing is compared, nothing says what a test came to': ({ report }) => {
    if (!comparesNothing(report)) return [];
    return report.comparisons.flatMap(({ tested, test, ranking, versions }) => [
      ...(tested.by === null && test.startsWith('none') ? [] : [test]),
      ...ranking.flatMap(({ cell: id, verdict, againstFastest, againstFirst }) =>
        againstFastest || againstFirst || !['not measured', 'not decided', null].includes(verdict) ? id : [],
      ),
      ...versions.flatMap(({ entries }) =>
        entries.flatMap(({ cell: id, opsPerSecond, cpuUsPerOp }) =>
          [opsPerSecond, cpuUsPerOp].some(({ toPrevious, toNewest }) => toPrevious || toNewest) ? id : [],
        ),
      ),
    ]);
  },

  'what is compared differs in what is named alone': ({ report, cell }) =>
    report.findings.flatMap((finding) => {
      if (finding.kind === 'choice') {
        // A rival is named with all that it has.
        const isRival = (/** @type {string} */ value) => value.includes(', ');
        return finding.gains.flatMap(({ winner, loser, better, worse }) =>
          isRival(winner) || isRival(loser) ? [] : strays([finding.axis], cell(better), cell(worse)),
        );
      }
      if (finding.kind === 'version-change') {
        return strays([finding.axis], cell(finding.from), cell(finding.to));
      }
      if (finding.kind === 'slower') {
        return cell(finding.cell).group === cell(finding.than).group ? [] : [`groups of ${finding.cell}`];
      }
      return [];
    }),

  'no sentence stands twice': ({ report }) => [
    ...twice([...sentencesIn(report), ...sentencesAt(report, 'details')]),
    ...twice(report.warnings),
    ...report.comparisons.flatMap(({ group }) => [
      ...twice(sentencesAt(report, 'cause', group)),
      ...twice(sentencesAt(report, 'details', group)),
    ]),
  ],

  'nothing is claimed that the test does not carry': ({ report, between }) => {
    const wrong = (/** @type {string} */ metric, /** @type {string} */ more, /** @type {string} */ less) => {
      const contrast = between(metric, more, less);
      return contrast?.differs && contrast.ratio > 1 ? [] : [`${metric}: ${more} over ${less}`];
    };
    return report.findings.flatMap((finding) => {
      switch (finding.kind) {
        case 'choice':
          return finding.gains.flatMap(({ better, worse }) => wrong('opsPerSecond', better, worse));
        case 'fastest':
          return finding.slower.flatMap((each) => wrong('opsPerSecond', finding.cell, each.cell));
        case 'slower':
          return wrong('opsPerSecond', finding.than, finding.cell);
        case 'version-change': {
          const { from, to, ratio } = finding;
          if (ratio === null) return [];
          return ratio > 1 ? wrong('cpuUsPerOp', to, from) : wrong('cpuUsPerOp', from, to);
        }
        default:
          return [];
      }
    });
  },

  'one start decides nothing': ({ report, cell }) => {
    const startsOf = (/** @type {string} */ id) =>
      new Set(cell(id).runs.flatMap(({ failed, start }) => (failed === null ? start : []))).size;
    const isShown = (/** @type {string[]} */ ids) => Math.max(...ids.map(startsOf)) > 1;
    const claimed = report.findings.flatMap((finding) => {
      switch (finding.kind) {
        case 'choice':
          return [
            ...finding.gains.map(({ better, worse }) => [better, worse]),
            ...finding.best.flatMap(({ ahead }) => (ahead === null ? [] : [finding.cells])),
          ];
        case 'fastest':
          return [...finding.slower.map(({ cell: id }) => id), ...finding.ties].map((id) => [
            finding.cell,
            id,
          ]);
        case 'slower':
          return [[finding.cell, finding.than]];
        case 'version-change':
          return finding.ratio === null ? [] : [[finding.from, finding.to]];
        case 'lowest-p99':
          return finding.lower.length > 0 ? [[...finding.lower, ...finding.higher]] : [];
        default:
          return [];
      }
    });
    const marked = report.comparisons.flatMap(({ ranking: [first, ...others] }) =>
      others.flatMap(({ cell: id, verdict }) => (verdict === 'not measured' ? [] : [[first.cell, id]])),
    );
    return [...claimed, ...marked].filter((ids) => !isShown(ids)).map((ids) => ids.join(' and '));
  },

  'nothing is advised where a sentence says that nothing is decided': ({ report }) => {
    const isOpen = report.findings.some(({ kind, group }) => kind === 'no-conclusion' && group === null);
    const advised = report.choices.flatMap(({ choose, behind, texts }) =>
      behind.some(({ low }) => low !== null) || /avoid/.test(texts.best) ? [`${choose}: ${texts.best}`] : [],
    );
    return isOpen ? advised : [];
  },

  'the headline says what the table marks': ({ report, texts }) => {
    const { comparisons, command } = report;
    if (command !== undefined || comparisons.length !== 1 || !texts.has('markdown')) return [];
    const { headline = '' } = reportOf(report);
    const [
      {
        ranking: [, ...others],
      },
    ] = comparisons;
    const isMarked = !/\bbest\?/.test(texts.get('markdown') ?? '');
    const verdicts = new Set(others.map(({ verdict }) => verdict));
    const isWrong = /^Not decided; ahead: /.test(headline)
      ? isMarked
      : / is fastest: /.test(headline)
        ? !isMarked || [...verdicts].join() !== 'slower'
        : / for the fastest/.test(headline)
          ? !isMarked || verdicts.has('not decided') || verdicts.has('not measured')
          : /^Nothing is over 10 % faster than /.test(headline) && !isMarked;
    return isWrong ? [`${headline}: ${[...verdicts]}`] : [];
  },

  'a table says a figure differs where the test carries it, and only there': (subject) => {
    const { report, between } = subject;
    const versions = report.comparisons.flatMap((comparison) =>
      comparison.versions.flatMap(({ entries }) =>
        entries.flatMap((entry, place) =>
          /** @type {const} */ (['opsPerSecond', 'cpuUsPerOp']).flatMap((metric) => {
            const newest = entries[entries.length - 1];
            return [
              [entry[metric].toNewest, newest],
              [entry[metric].toPrevious, entries[place - 1]],
            ].flatMap(([told, other]) => {
              const contrast = /** @type {Contrast | null} */ (told);
              if (contrast === null) return [];
              const against = /** @type {{cell: string}} */ (other).cell;
              const own = between(metric, entry.cell, against);
              return own?.differs === contrast.differs ? [] : [`${entry.cell} ${metric} against ${against}`];
            });
          }),
        ),
      ),
    );
    const closed = report.comparisons.filter(({ tested }) => tested.reason !== 'open-loop');
    const places = closed.flatMap(({ ranking: [, ...others] }) => others);
    const shown = ['table', 'markdown', 'html'].flatMap((format) =>
      subject.rows(format).flatMap(({ cell, slower }) => {
        const place = places.find((each) => each.cell === cell);
        if (place === undefined) return [];
        const starts = new Set(subject.cell(cell).runs.map(({ start }) => start)).size;
        return isRight(place, slower, { isOff: isOff(report), starts })
          ? []
          : [`${format}, ${cell}: ${slower}, not ${JSON.stringify(place.againstFastest)}`];
      }),
    );
    return [...versions, ...shown];
  },

  'a share of the floor is of the floor in the same place': ({ report, cell }) => {
    const rest = sameBut(['client'], report.cells);
    const closed = report.comparisons.filter(({ tested }) => tested.reason !== 'open-loop');
    return closed.flatMap(({ ranking }) =>
      ranking.flatMap(({ cell: id, ofCeiling }) => {
        const floors = report.cells.filter((other) => other.floor && rest(other) === rest(cell(id)));
        const speeds = floors.flatMap(({ summary }) => summary?.opsPerSecond ?? []);
        if (ofCeiling === null) return speeds.length > 0 && !cell(id).floor ? [`${id} has no share`] : [];
        const own = Number(cell(id).summary?.opsPerSecond);
        return speeds.some((speed) => Math.abs(own / speed / ofCeiling - 1) < 1e-9) ? [] : [id];
      }),
    );
  },

  [OF_EQUAL_STARTS]: ({ report }) => {
    const { comparisons } = report;
    const text = [...saidIn(report), ...comparisons.map(({ test }) => test)].join('\n');
    const counted = (/** @type {RegExp} */ pattern) =>
      [...text.matchAll(pattern)].map((found) => found.slice(1));
    const pairs = pairsIn(report);
    return [
      ...counted(/p corrected for (\d+) comparisons/g).filter(([all]) => Number(all) !== pairs),
      ...counted(/over their (\d+) runs/g).filter(([runs]) => Number(runs) !== report.settings.runs),
    ].map((found) => found.join(' of '));
  },

  'a row of choices says of each value what the tests carry of it, and with what': ({ report }) =>
    report.choices.flatMap((row) => {
      const own = decisionsOf(report, row);
      const gains = own.flatMap((decision) => decision.gains);
      const names = nameCells(
        report.cells.filter(({ group, summary }) => row.groups.includes(group) && summary !== null),
        [row.axis],
      );
      // Where what is ahead differs from place to place, the row only says what to avoid.
      const pieces = row.texts.behind.split(' · ');
      const wrong = row.behind.filter(({ value, low, high, shown, pairs }) => {
        const ratios = gains.flatMap(({ loser, ratio }) => (loser === value ? ratio : []));
        if (ratios.length !== shown || shown > pairs) return true;
        const text = pieces.find((each) => each.startsWith(`${value}: `)) ?? '';
        if (shown === 0)
          return (
            low !== null ||
            high !== null ||
            (row.texts.behind !== '' && text !== `${value}: not ${pairs === 0 ? 'compared' : 'decided'}`)
          );
        if (!ratios.includes(Number(low)) || !ratios.includes(Number(high))) return true;
        if (row.texts.behind === '') return !row.texts.best.includes(`${value} (`);
        const what = text.slice(value.length + 2);
        if (!isNear(Number.parseFloat(what.replaceAll(',', '')), Number(low))) return true;
        const namesOf = (/** @type {string[]} */ ids) => new Set(ids.map((id) => `${names.get(id)}`));
        const better = gains.flatMap((gain) => (gain.loser === value ? gain.better : []));
        const open = own.flatMap(({ behind }) =>
          behind.flatMap((each) => (each.value === value ? each.open : [])),
        );
        if (shown + open.length !== pairs) return true;
        return !saysWhere(what, namesOf(better), namesOf(open), `${shown} of ${pairs}`);
      });
      return wrong.map(({ value }) => `${row.choose}: ${value}: ${JSON.stringify(row)}`);
    }),

  'a choice in which alone a cell is proven slower than the fastest has a row': ({ report, cell }) => {
    if (report.choices.length === 0) return [];
    return report.comparisons.flatMap(({ group, ranking: [first, ...others] }) =>
      others.flatMap(({ cell: id, verdict }) => {
        const [fastest, slower] = [cell(first.cell), cell(id)];
        const differing = axesOf([fastest, slower]).filter(
          (axis) => axis.role !== 'repetition' && (axis.of(fastest) ?? null) !== (axis.of(slower) ?? null),
        );
        if (verdict !== 'slower' || differing.length !== 1 || !differing[0].advice) return [];
        const axis = differing[0].id;
        const isThere = report.findings.some(
          (finding) =>
            finding.kind === 'choice' &&
            finding.group === group &&
            (finding.axis === axis || finding.gains.some(({ worse }) => worse === id)),
        );
        return isThere ? [] : [`${axis}: ${id} behind ${first.cell}`];
      }),
    );
  },

  'what is said of all conditions is known of each': ({ report: { choices, comparisons } }) => {
    const measured = comparisons.filter(({ ranking }) => ranking.length > 0).length;
    return choices.flatMap(({ choose, where, groups }) =>
      where === '' && groups.length < measured ? [choose] : [],
    );
  },

  'what may be behind the first has a sign that says so': ({ report: { choices } }) =>
    choices.flatMap(({ choose, best, texts }) =>
      texts.behind
        .split(' · ')
        .filter((text) => best.slice(1).some((value) => text.startsWith(`${value}: `)))
        .filter((text) => !/: (≈|not decided$|not compared$|(up to )?[\d.,]+x\?)/.test(text))
        .map((text) => `${choose}: ${text}`),
    ),

  'kept awake, a cell is as far behind as its own runs say': ({ report, rows }) =>
    report.findings.flatMap((finding) =>
      finding.kind !== 'kept-awake'
        ? []
        : finding.awake.flatMap(({ cell, timesSlower, verdict }) => {
            const { awake = '' } = rows('markdown').find((row) => row.cell === cell) ?? {};
            const [, figure, sign] = /^(?:([\d.,]+)x)?([?≈]?)$/.exec(awake) ?? [];
            const isFigure = figure !== undefined && isNear(Number(figure.replaceAll(',', '')), timesSlower);
            const isSaid = {
              best: awake === 'best',
              slower: isFigure && sign === '',
              tied: awake === '≈',
              'not decided': sign === '?' && (isFigure || figure === undefined),
              'not measured': awake === '',
            }[String(verdict ?? 'best')];
            const isRight = isOff(report) ? awake === (verdict === 'not measured' ? '' : '?') : isSaid;
            return isRight ? [] : [`${cell}: ${awake}, not ${timesSlower}, ${verdict}`];
          }),
    ),

  'what is best is beaten by nothing, and by nothing that is said to be behind it': ({ report }) =>
    report.choices.flatMap((row) =>
      decisionsOf(report, row).flatMap(({ gains }) =>
        gains.flatMap(({ winner, loser }) =>
          row.best.includes(loser) || !row.best.includes(winner) || winner === loser
            ? [`${winner} over ${loser}`]
            : [],
        ),
      ),
    ),

  'what is not shown to be best is not called so': ({ report: { choices } }) =>
    choices.flatMap(({ choose, best, texts }) =>
      best.length > 1 && !/: tied$|^not compared$|^not decided; ahead: |(^|is )not decided$/.test(texts.best)
        ? [choose]
        : [],
    ),

  'cells stand in the order of their speed': ({ report: { comparisons } }) =>
    comparisons
      .filter(({ tested }) => tested.reason !== 'open-loop')
      .flatMap(({ ranking }) =>
        ranking.flatMap(({ cell, opsPerSecond }, place) =>
          place > 0 && opsPerSecond > ranking[place - 1].opsPerSecond ? [cell] : [],
        ),
      ),

  'a ratio is the quotient of the speeds that stand with it': ({ report: { comparisons } }) =>
    comparisons.flatMap(({ ranking, tested }) =>
      ranking.flatMap(({ cell, opsPerSecond, timesSlower, againstFastest }) => {
        if (tested.by === null || timesSlower === null || againstFastest === null) return [];
        const quotient = opsPerSecond / ranking[0].opsPerSecond;
        const isSame = (/** @type {number} */ ratio) => Math.abs(ratio / quotient - 1) < 1e-6;
        return isSame(againstFastest.ratio) && isSame(1 / timesSlower) ? [] : [cell];
      }),
    ),

  'an interval holds its ratio, and leaves out 1 where a difference is claimed and only there': ({
    report: { comparisons },
  }) =>
    comparisons.flatMap(({ ranking }) =>
      ranking.flatMap(({ cell, againstFastest }) => {
        if (againstFastest === null) return [];
        const { ratio, low, high, differs } = againstFastest;
        const holds = low <= ratio && ratio <= high;
        return holds && (low > 1 || high < 1) === differs ? [] : [cell];
      }),
    ),

  'the interval of a speed holds it': ({ report: { cells } }) =>
    cells.flatMap(({ id, summary }) => {
      const interval = summary?.intervals.opsPerSecond;
      if (!summary || !interval || summary.openLoop !== null) return [];
      return interval.low <= summary.opsPerSecond && summary.opsPerSecond <= interval.high ? [] : [id];
    }),

  'the parts of a mix add up to its speed': ({ report: { cells } }) =>
    cells.flatMap(({ id, chosen, summary, openLoop }) => {
      if (!summary || openLoop !== null || chosen?.workload.id !== 'mix' || summary.parts.length === 0)
        return [];
      const all = summary.parts.reduce((sum, { perSecond }) => sum + perSecond, 0);
      return Math.abs(all / summary.opsPerSecond - 1) < 1e-6 ? [] : [id];
    }),

  'who waits is less busy than the cell that it is held against': ({ report, cell }) => {
    const busyOf = (/** @type {string} */ id) => {
      const { clientBusy = 0, serverBusy = 0 } = cell(id).summary?.bottleneck ?? {};
      return Math.max(clientBusy, serverBusy ?? 0);
    };
    return report.findings.flatMap((finding) =>
      finding.kind === 'slower' &&
      finding.causes.some(({ kind }) => ['waiting', 'lockstep', 'fewer-in-flight'].includes(kind)) &&
      busyOf(finding.cell) >= busyOf(finding.than) &&
      // Where both mostly wait, how little they do does not matter.
      busyOf(finding.cell) >= 0.5
        ? [finding.cell]
        : [],
    );
  },

  'nothing is called equal that is not known well': ({ report: { findings } }) =>
    findings.flatMap((finding) =>
      finding.kind === 'no-conclusion' &&
      finding.reason === 'no-difference' &&
      finding.widestReachShare >= 0.25
        ? [finding.kind]
        : [],
    ),

  'no range has two ends that read the same': ({ report }) =>
    saidIn(report).filter((text) => /(?<![\d.])([\d.]+)x?(?: to |–)\1x?(?![\d.])/.test(text)),

  'one is not counted as many': ({ report }) =>
    saidIn(report).filter((text) =>
      /(?<![\d,.])1 (cells|tasks|runs|groups|comparisons|of \d+ cells were)\b/.test(text),
    ),

  'an interval has one level in every format': ({ texts }) => {
    const levels = ['table', 'markdown', 'html'].flatMap((format) => {
      const found = [...(texts.get(format) ?? '').matchAll(/([\d.]+) % interval/g)];
      return found.length === 0 ? [] : found.map(([, level]) => level).join();
    });
    return new Set(levels).size > 1 ? levels : [];
  },

  'no cell has the row of another': ({ report, rows }) =>
    ['table', 'markdown', 'html', 'csv', 'objects', 'realtime', 'go-bench', 'lines'].flatMap((format) => {
      const all = rows(format);
      const missing =
        all.length === 0 ? [] : report.cells.filter(({ id }) => !all.some(({ cell }) => cell === id));
      return [
        ...twice(all.map(({ place }) => place)).map((place) => `${format}: ${place}`),
        ...missing.map(({ id }) => `${format} has no ${id}`),
      ];
    }),

  'a figure is the same in every format': ({ report, rows }) =>
    ['table', 'markdown', 'html', 'objects'].flatMap((format) =>
      rows(format).flatMap(({ cell: id, opsPerSecond }) => {
        const cell = report.cells.find((each) => each.id === id);
        const summary = cell?.summary ?? null;
        const isOther = cell?.openLoop != null || cell?.workload === 'cold-start';
        if (summary === null || (isOther && format !== 'objects')) return [];
        const expected = Math.round(summary.opsPerSecond).toLocaleString('en-US');
        return opsPerSecond === expected ? [] : [`${format}, ${id}: ${opsPerSecond}, not ${expected}`];
      }),
    ),
};

/**
 * @param {string[]} named ids of axes
 * @param {CellResult} a
 * @param {CellResult} b
 * @returns {string[]} axes that are not named and differ all the same
 */
function strays(named, a, b) {
  return axesOf([a, b])
    .filter(
      ({ id, role, partOf = id }) => role !== 'repetition' && !named.includes(id) && !named.includes(partOf),
    )
    .filter((axis) => (axis.of(a) ?? null) !== (axis.of(b) ?? null))
    .map(({ id }) => `${named} is named, and ${id} differs: ${a.id}, ${b.id}`);
}

/** @param {Report} report @param {ChoiceRow} row @returns {Extract<Finding, {kind: 'choice'}>[]} what it is made from */
const decisionsOf = ({ findings }, { axis, client, groups }) =>
  findings.flatMap((finding) =>
    finding.kind === 'choice' &&
    finding.axis === axis &&
    finding.client === client &&
    groups.includes(String(finding.group))
      ? finding
      : [],
  );

/** @param {Report} report @returns {string[]} all rows of choices and sentences */
const saidIn = (report) => [
  ...report.choices.flatMap(({ texts }) => Object.values(texts)),
  ...sentencesIn(report),
  ...report.warnings,
  ...sentencesAt(report, 'details'),
  ...report.comparisons.flatMap(({ group }) => [
    ...sentencesAt(report, 'cause', group),
    ...sentencesAt(report, 'details', group),
  ]),
];

/** @param {string[]} texts */
const twice = (texts) => texts.filter((text, place) => texts.indexOf(text) !== place);

/** @param {Report} report @returns {number} what a test was asked of, counted without the code that corrects for it */
function pairsIn({ cells, comparisons }) {
  return comparisons.reduce((sum, { group, ranking }) => {
    const members = cells.filter((cell) => cell.group === group);
    if (members[0].openLoop !== null) return sum;
    // Of each series the client's CPU: against the one before, and against the newest.
    const versions = seriesIn(comparable(members)).map((series) => 2 * series.cells.length - 3);
    return sum + (ranking.length * (ranking.length - 1)) / 2 + versions.reduce((all, each) => all + each, 0);
  }, 0);
}
