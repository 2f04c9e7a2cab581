import { micro, pEquals, ratioText, said } from '../../report/figures.js';
import { titled } from '../../report/grid.js';
import { isTie, withVerdict } from '../../statistics/contrasts.js';
import { metricNamed } from '../../store/metrics.js';

/** @import { Bisection } from './bisect.js' */
/** @import { GridRow, Report, Section } from '../../report/types.js' */

/** @param {Bisection} found @returns {Report} what changed, how sure that is, each release that was measured */
export function bisectReport(found) {
  const { client, metric, releases, ends } = found;
  const most = Math.min(releases.length, Math.ceil(Math.log2(releases.length - 1)) + 2);
  const planned = `${releases.length} releases of ${client}, of which about ${most} would be measured`;
  const [title, ...more] = ends === null ? [planned, releases.join(', ')] : conclusion(found, ends);
  const columns = [
    ...titled([metricNamed(metric).title, 'to the older side', 'to the newer side']),
    ...titled(['result'], 'left'),
  ];
  const grid = ends && { names: { title: 'release' }, columns, rows: releaseRows(found, ends) };
  const notes = said([...more, confidence(found)]);
  /** @type {Section[]} */
  const sections = [{ place: 'first', ...(grid && { grid }), notes }];
  return { title, facts: [], sections, remarks: [], verdicts: [] };
}

/** @param {Bisection} found so far @returns {string} the last answer, as it comes */
export function evidence(found) {
  const last = found.questions.at(-1);
  if (last === undefined) return confidence(found);
  const { name, texts } = rowOf(last, figureOf(found));
  const [figure, toLow, toHigh, result] = texts;
  const ratios = said([toLow && `${toLow} of ${last.low}`, toHigh && `${toHigh} of ${last.high}`]);
  return `${found.questions.length}. ${name}: ${said([figure, ...ratios, result, last.reason]).join('; ')}`;
}

/** @param {Bisection} found @returns {string} empty where the ends were not measured */
const confidence = ({ ends, metric, releases }) =>
  ends === null
    ? ''
    : `Confidence: ${releases.at(-1)} has ${ratioText(withVerdict(ends.contrast))} the ${metricNamed(metric).title} of ${releases[0]}, ${pEquals(ends.contrast.pAdjusted)} (${ends.test}).`;

/** @param {Bisection} found @param {NonNullable<Bisection['ends']>} ends @returns {GridRow[]} the oldest first */
function releaseRows(found, { medians }) {
  const { questions, releases } = found;
  const figure = figureOf(found);
  const rows = questions.map((question) => rowOf(question, figure));
  return [
    { name: releases[0], texts: [figure(medians.low), '', '', 'older end'] },
    ...rows.toSorted((a, b) => releases.indexOf(a.name) - releases.indexOf(b.name)),
    { name: `${releases.at(-1)}`, texts: [figure(medians.high), '', '', 'newer end'] },
  ];
}

/** @type {(question: Bisection['questions'][number], figure: (value: number) => string) => GridRow<string>} */
function rowOf({ release, medians, toLow, toHigh, low, high, side, sure }, figure) {
  const sides = { low: `like ${low}`, high: `like ${high}`, between: 'like neither', broken: 'not measured' };
  return {
    name: release,
    texts: [
      medians === null ? '' : figure(medians.release),
      toLow === null ? '' : ratioText(withVerdict(toLow)),
      toHigh === null ? '' : ratioText(withVerdict(toHigh)),
      `${sides[side]}${sure ? '' : ', unsure'}`,
    ],
  };
}

/** @type {(found: Bisection, ends: NonNullable<Bisection['ends']>) => string[]} */
function conclusion(found, ends) {
  const { client, metric, releases, questions, steps } = found;
  if (!ends.contrast.differs) {
    const both = `${client} ${releases[0]} and ${releases.at(-1)}`;
    const what = metricNamed(metric).title;
    return [
      isTie(ends.contrast)
        ? `Nothing to look for: the ${what} of ${both} is the same within 10 %.`
        : `Not decided: no difference in ${what} is proven between ${both}; use more --runs.`,
    ];
  }
  const broken = questions.flatMap(({ side, release, reason }) =>
    side === 'broken' ? `${release} (${reason})` : [],
  );
  const unsure = questions.filter(({ sure }) => !sure).map(({ release }) => release);
  return said([
    steps.length > 1 && `The change comes in ${steps.length} steps.`,
    ...steps.map((step) => stepText(step, found)),
    broken.length > 0 && `Skipped, because they could not be measured: ${broken.join(', ')}.`,
    unsure.length > 0 &&
      `Not sure: the figures of ${unsure.join(', ')} could be on either side; use more --runs.`,
  ]);
}

/** @param {Bisection['steps'][number]} step @param {Bisection} found */
function stepText({ before, after }, found) {
  const { client, metric, releases, questions } = found;
  const figure = figureOf(found);
  const between = releases.slice(releases.indexOf(before) + 1, releases.indexOf(after));
  const figures = `${metricNamed(metric).title} ${figure(latest(found, after))} instead of ${figure(latest(found, before))} in ${before}`;
  const or = between.length === 0 ? '' : `, or with ${between.join(' or ')} before it`;
  const came = questions.every(({ sure }) => sure) ? 'came' : 'may have come';
  return `The change ${came} with ${client} ${after}${or}: ${figures}.`;
}

/** @param {Bisection} found @param {string} release @returns {number} its own figure, where it was measured alone */
function latest({ questions, ends, releases }, release) {
  const measured = questions.find((question) => question.release === release)?.medians?.release;
  return measured ?? Number(release === releases[0] ? ends?.medians.low : ends?.medians.high);
}

/** @param {Bisection} found @returns {(value: number) => string} */
const figureOf =
  ({ unit }) =>
  (value) =>
    unit === 'µs' ? micro(value) : `${Number(value.toPrecision(3)).toLocaleString('en-US')} ${unit}`;
