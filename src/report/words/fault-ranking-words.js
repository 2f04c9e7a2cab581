import { alike } from '../../analysis/alike.js';
import { isLateBefore } from '../../analysis/findings/fault-outcome.js';
import { conditionsOf, nameChoices } from '../../axes/cell-names.js';
import { duration, inShort, joined, percent, said, spanText } from './figures.js';

/** @import { FaultContrast, FaultFinding } from '../../analysis/types.js' */
/** @import { Context } from './findings.js' */

/** @typedef {Extract<FaultFinding, {kind: 'faults'}>} Faults */
/** @typedef {Pick<Context, 'measured' | 'cell'>} Named */

/**
 * Who survived, who did not recover, and what each fault cost. Waiting and failing are two evils, and which is the
 * lesser is not for this tool to say: both are told.
 * @param {Faults} finding @param {Named} context @returns {string[]} a sentence or two each
 */
export function rankingTexts(finding, context) {
  return [
    ...soundText(finding, context),
    ...recoveryTexts(finding, context),
    ...contrastTexts(finding.contrasts, context),
  ];
}

/** @param {Faults} finding @param {Named} context @returns {string[]} none where none can be judged */
function soundText({ ranking, outcomes }, context) {
  if (ranking.length === 0) return [];
  const namesOf = (/** @type {{cells: string[]}[]} */ ranks) =>
    joined(
      choices(
        ranks.map(({ cells: [first] }) => first),
        context,
      ).map((name) => `"${name}"`),
    );
  const [best] = ranking;
  const sound = ranking.filter(({ harmed, complete }) => harmed.length === 0 && complete);
  const nearest = ranking.filter(({ harmed }) => harmed.length === best.harmed.length);
  let told = `only ${namesOf(sound)} survived without ${HARM}`;
  if (sound.length === ranking.length) {
    const who =
      sound.length === 1 ? `${namesOf(sound)} neither lost nor repeated` : 'no client lost or repeated';
    told = `${who} a write, and no caller was left waiting`;
  } else if (sound.length === 0 && best.harmed.length === 0) {
    told = 'no client could be judged by every fault';
  } else if (sound.length === 0) {
    const named = `${namesOf(nearest)} came closest, failing only in ${joined(faultsOf(best.harmed, context))}`;
    told = `no client survived without ${HARM}${nearest.length === 1 && ranking.length > 1 ? `; ${named}` : ''}`;
  }
  const all = new Set(outcomes.map(({ group }) => group)).size;
  const struck = faultsOf(
    best.cells.filter((id) => outcomes.some(({ cell }) => cell === id)),
    context,
  );
  const each = all > 1 ? 'of each fault' : 'each';
  const where = struck.length < all && best.complete ? `of ${joined(struck)}` : each;
  const varies = ranking.some(({ runs }) => runs.high === 1) ? ONE_RUN : '';
  return [`In ${rangeOfRuns(ranking)} ${where}, ${told}.${varies}`];
}

/** A write that was done though its caller was given an error is none: the error says that its outcome is unknown. */
const HARM = 'a crash, a lost or repeated write, or a caller left waiting';
const ONE_RUN = ' One run proves little: --runs 3 shows how much this varies.';

/** @param {Faults['ranking']} ranking */
function rangeOfRuns(ranking) {
  const low = Math.min(...ranking.map(({ runs }) => Number(runs.low)));
  const high = Math.max(...ranking.map(({ runs }) => Number(runs.high)));
  return high === 1 ? 'one run' : `${spanText(String(low), String(high))} runs`;
}

/** @param {Faults} finding @param {Named} context @returns {string[]} */
function recoveryTexts({ outcomes }, context) {
  const late = outcomes.filter(isLateBefore);
  const rest = outcomes.filter((outcome) => !late.includes(outcome));
  const never = rest.filter(({ heldAgainMs }) => heldAgainMs.never);
  const unseen = rest.filter(({ unseenRuns }) => unseenRuns > 0);
  const neededS = Math.ceil(Math.max(...unseen.map(({ neededMs }) => neededMs)) / 1000);
  return said([
    late.length > 0 &&
      `Already late before the fault, so not judged: ${whoWhere(late, context)}. Try a lower --rate or a higher --slo.`,
    never.length > 0 && `Had not recovered when the run ended: ${whoWhere(never, context)}.`,
    unseen.length > 0 &&
      `The runs were too short to show whether these recover: ${whoWhere(unseen, context)}. Give --duration ${neededS}s.`,
  ]);
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
  const names = nameChoices(context.measured);
  const textOf = (/** @type {Found} */ found) => `${faultsOf([found.cell], context)[0]}${amount(found)}`;
  return alike(all, ({ cell }) => names.get(cell))
    .map((own) => `"${names.get(own[0].cell)}" (${own.map(textOf).join('; ')})`)
    .join('; ');
}

/** @param {string[]} cells @param {Named} context @returns {string[]} each choice once */
const choices = (cells, { measured }) => {
  const names = nameChoices(measured);
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
