import { alike } from '../../analysis/alike.js';
import { isLateBefore } from '../../analysis/findings/fault-outcome.js';
import { conditionsIn, conditionsOf, nameCells } from '../../axes/cell-names.js';
import { duration, inShort, joined, percent, said, spanText } from './figures.js';

/** @import { FaultContrast, FaultFinding } from '../../analysis/types.js' */
/** @import { CellResult } from '../../results/types.js' */
/** @import { Context } from './findings.js' */

/** @typedef {Extract<FaultFinding, {kind: 'faults'}>} Faults */
/** @typedef {Pick<Context, 'measured' | 'cell'>} Named */

/**
 * Who survived, and who was best at each fault. Waiting and failing are two evils, and which is the lesser is not for
 * this tool to say: both are told.
 * @param {Faults} finding @param {Named} context @returns {string[]} a sentence or two each
 */
export const rankingTexts = (finding, context) =>
  said([...soundTexts(finding, context), ...unjudgedTexts(finding, context), ...bestTexts(finding, context)]);

/** What its table has as figures. @param {Faults} finding @param {Named} context @returns {string[]} a sentence or two each */
export const rankingDetails = (finding, context) => [
  ...recoveryTexts(finding, context),
  ...contrastTexts(finding.contrasts, context),
];

/** @param {Faults} finding @returns {string[]} */
export const rankingDoubts = ({ ranking }) =>
  ranking.some(({ runs }) => runs.high === 1)
    ? ['Confidence: one run proves little; --runs 3 shows how much this varies.']
    : [];

/** @param {Faults} finding @param {Named} context @returns {string[]} none where none can be judged */
function soundTexts({ ranking, outcomes }, context) {
  if (ranking.length === 0) return [];
  const namesOf = (/** @type {{cells: string[]}[]} */ ranks, /** @type {'and' | 'or'} */ word) =>
    joined(
      choices(
        ranks.map(({ cells: [first] }) => first),
        context,
      ).map((name) => `"${name}"`),
      word,
    );
  const [best] = ranking;
  const sound = ranking.filter(({ harmed, complete }) => harmed.length === 0 && complete);
  const nearest = ranking.filter(({ harmed }) => harmed.length === best.harmed.length);
  const where = `In ${rangeOfRuns(ranking)} ${placeOf({ ranking, outcomes }, context)}`;
  if (sound.length === ranking.length) {
    const who =
      sound.length === 1
        ? `${namesOf(sound, 'and')} neither lost nor repeated`
        : 'no client lost or repeated';
    return [`${where}, ${who} a write, and no caller was left waiting.`];
  }
  if (sound.length > 0) {
    const came = 'had no crash, no lost or repeated write and no hanging caller.';
    // One that was not struck by every fault is not known to do worse.
    return ranking.some((each) => !sound.includes(each) && each.harmed.length === 0)
      ? [`${where}, ${namesOf(sound, 'and')} ${came}`]
      : [`Use ${namesOf(sound, 'or')}.`, `${where}, only ${sound.length === 1 ? 'it' : 'they'} ${came}`];
  }
  if (best.harmed.length === 0) return [`${where}, no client could be judged by every fault.`];
  const named = `${namesOf(nearest, 'and')} came closest, failing only in ${joined(faultsOf(best.harmed, context))}`;
  return [
    `${where}, no client survived without a crash, a lost or repeated write, or a caller left waiting${nearest.length === 1 && ranking.length > 1 ? `; ${named}` : ''}.`,
  ];
}

/** @param {Pick<Faults, 'ranking' | 'outcomes'>} finding @param {Named} context @returns {string} `of each fault`, `of cut`, `each` */
function placeOf({ ranking: [best], outcomes }, context) {
  const all = new Set(outcomes.map(({ group }) => group)).size;
  const struck = faultsOf(
    best.cells.filter((id) => outcomes.some(({ cell }) => cell === id)),
    context,
  );
  if (struck.length < all && best.complete) return `of ${joined(struck)}`;
  return all > 1 ? 'of each fault' : 'each';
}

/** @param {Faults['ranking']} ranking */
function rangeOfRuns(ranking) {
  const low = Math.min(...ranking.map(({ runs }) => Number(runs.low)));
  const high = Math.max(...ranking.map(({ runs }) => Number(runs.high)));
  return high === 1 ? 'one run' : `${spanText(String(low), String(high))} runs`;
}

/** @param {Faults} finding @param {Named} context @returns what cannot be judged by some fault, and what would show more */
function unjudgedTexts({ outcomes }, context) {
  const late = outcomes.filter(isLateBefore);
  const unseen = outcomes.filter((outcome) => !late.includes(outcome) && outcome.unseenRuns > 0);
  const neededS = Math.ceil(Math.max(...unseen.map(({ neededMs }) => neededMs)) / 1000);
  return [
    late.length > 0 &&
      `Already late before the fault, so not judged: ${whoWhere(late, context)}. Try a lower --rate or a higher --slo.`,
    unseen.length > 0 &&
      `Runs ended too soon to see recovery: ${whoWhere(unseen, context)}. Use --duration ${neededS}s.`,
  ];
}

/** @param {Faults} finding @param {Named} context @returns {string[]} */
function recoveryTexts({ outcomes }, context) {
  const never = outcomes.filter((outcome) => !isLateBefore(outcome) && outcome.heldAgainMs.never);
  return said([never.length > 0 && `Had not recovered when the run ended: ${whoWhere(never, context)}.`]);
}

/** @param {Faults} finding @param {Named} context @returns who was best, and at which fault; the table has the figures */
function bestTexts({ contrasts, harms }, context) {
  const shortest = contrasts.flatMap((each) => each.shortest?.cells ?? []).map((cell) => ({ cell }));
  const fewest = contrasts.flatMap((each) => each.fewest?.cells ?? []).map((cell) => ({ cell }));
  return [
    shortest.length > 0 && `Shortest waits: ${whoWhere(shortest, context)}.`,
    fewest.length > 0 && `Fewest errors: ${whoWhere(fewest, context)}.`,
    contrasts.length > 0 &&
      harms.length === 0 &&
      shortest.length + fewest.length === 0 &&
      'No difference in waiting or errors that these runs can show.',
  ];
}

/** @param {FaultContrast[]} contrasts @param {Named} context @returns {string[]} one for each fault that shows a difference, one for the others */
function contrastTexts(contrasts, context) {
  const same = contrasts.filter(({ shortest, fewest }) => shortest === null && fewest === null);
  const named = (/** @type {FaultContrast} */ { cells }) => faultsOf(cells.slice(0, 1), context)[0];
  const ends = same.map(
    (each) => `${named(each)} (${duration(each.waitMs * 1000)} at most, ${failedText(each.failedShare)})`,
  );
  return [
    ...contrasts
      .filter((each) => !same.includes(each))
      .map((each) => `${named(each)}: ${joined(differences(each, context))}.`),
    ...(same.length === 0 ? [] : [`No difference in waiting or errors: ${ends.join('; ')}.`]),
  ];
}

/** @param {FaultContrast} contrast @param {Named} context @returns {string[]} */
function differences({ shortest, fewest }, context) {
  const who = (/** @type {string[]} */ cells) => inShort(choices(cells, context));
  const waits =
    shortest &&
    `shortest waits with ${who(shortest.cells)} (${duration(shortest.most * 1000)} at most, others ${ends(shortest.others, (ms) => duration(ms * 1000))})`;
  const fails =
    fewest &&
    `fewest errors with ${who(fewest.cells)} (${percent(fewest.most)} of operations, others ${ends(fewest.others, percent)})`;
  return [waits, fails].filter((text) => text !== null);
}

/** @param {{low: number, high: number}} range @param {(value: number) => string} text */
const ends = ({ low, high }, text) => spanText(text(low), text(high));

/** @param {number} value */
const failedText = (value) => (value === 0 ? 'no errors' : `${percent(value)} failed`);

/**
 * @template {{cell: string}} Found
 * @param {Found[]} all
 * @param {Named} context
 * @param {(found: Found) => string} [amount] behind each fault
 * @returns {string} `"redis" (cut; stall:2s); "ioredis" (cut)`
 */
export function whoWhere(all, context, amount = () => '') {
  const names = namesOf(context.measured);
  const textOf = (/** @type {Found} */ found) => `${faultsOf([found.cell], context)[0]}${amount(found)}`;
  return alike(all, ({ cell }) => names.get(cell))
    .map((own) => `"${names.get(own[0].cell)}" (${own.map(textOf).join('; ')})`)
    .join('; ');
}

/** @param {CellResult[]} cells @returns {Map<string, string>} of choices, without a scenario that all of them have */
const namesOf = (cells) =>
  nameCells(cells, [
    ...conditionsIn(cells),
    ...(new Set(cells.map(({ scenario }) => scenario)).size > 1 ? [] : ['scenario']),
  ]);

/** @param {string[]} cells @param {Named} context @returns {string[]} each choice once */
const choices = (cells, { measured }) => {
  const names = namesOf(measured);
  return [...new Set(cells.map((cell) => `${names.get(cell)}`))];
};

/** @param {string[]} cells @param {Named} context @returns {string[]} each once: `cut`, or `cut, 8 tasks` where numbers of tasks differ */
const faultsOf = (cells, { measured, cell }) => [
  ...new Set(
    cells.map((id) =>
      [cell(id).fault?.name.replace(/^none$/, 'no fault'), conditionsOf(cell(id), measured, ['fault'])]
        .filter(Boolean)
        .join(', '),
    ),
  ),
];
