import { conditionsIn, conditionsOf, nameCells } from '../axes/cell-names.js';
import { alike } from '../benchmark/judge/alike.js';
import { joined, said, spanOf } from '../core/report/figures.js';
import { isLateBefore } from './outcome.js';

/** @import { FaultFinding } from '../benchmark/judge/types.js' */
/** @import { CellResult } from '../core/store/types.js' */
/** @import { Context } from '../benchmark/report/words/findings.js' */

/** @typedef {Extract<FaultFinding, {kind: 'faults'}>} Faults */
/** @typedef {Faults['ranking'][number]} Rank */
/** @typedef {Pick<Context, 'measured' | 'cell'>} Named */

/**
 * Who survived, and who was best at each fault. Whether a wait or an error is worse depends on the service: both are
 * reported.
 * @param {Faults} finding @param {Named} context
 */
export const rankingTexts = (finding, context) =>
  said([...soundTexts(finding, context), ...unjudgedTexts(finding, context), ...bestTexts(finding, context)]);

/** @param {Faults} finding @returns {string[]} */
export const rankingNotes = ({ ranking, proves }) =>
  said([
    ranking.some(({ runs }) => runs.high === 1) &&
      'Confidence: one run proves little; --runs 3 shows how much this varies.',
    proves.includes('replies') && 'Only replies were checked: a lost or repeated write would not show.',
    proves.includes('writes') &&
      "Writes were looked for in the server's data: one that was repeated would not show.",
  ]);

/** @param {Faults} finding @param {Named} context @returns {string[]} none where none can be judged */
function soundTexts({ ranking, outcomes, ...known }, context) {
  if (ranking.length === 0) return [];
  const [best] = ranking;
  const harms = harmsKnown(known);
  const unharmed = `never crashed, ${harms.join(', ')}, or hung.`;
  const isSound = (/** @type {Rank} */ { harmed, complete }) => harmed.length === 0 && complete;
  const outcomesOf = (/** @type {Rank} */ { cells }) => outcomes.filter(({ cell }) => cells.includes(cell));
  const sound = ranking.filter(isSound);
  const advised = sound.filter((rank) => !outcomesOf(rank).some(({ heldAgainMs }) => heldAgainMs.never));
  const where = `In ${rangeOfRuns(ranking)} ${placeOf({ ranking, outcomes }, context)}`;
  // One that was not struck by every fault is not known to do worse.
  const areKnown = ranking.every((rank) => isSound(rank) || rank.harmed.length > 0);
  const seen = advised.flatMap(outcomesOf).every(({ unseenRuns }) => unseenRuns === 0);
  // Those that are not advised are harmed, or were seen not to recover.
  const differs = seen || advised.length === sound.length;
  if (areKnown && differs && advised.length > 0 && advised.length < ranking.length) {
    const did = `${seen ? 'recovered and ' : ''}${unharmed}`;
    if (ranking.some(({ runs }) => Number(runs.low) < RUNS_TO_ADVISE))
      return [`${where}, only ${quoted(advised, context)} ${did}`];
    return [
      `Use ${quoted(advised, context, 'or')}.`,
      `${where}, only ${advised.length === 1 ? 'it' : 'they'} ${did}`,
    ];
  }
  if (sound.length < ranking.length && sound.length > 0)
    return [`${where}, ${quoted(sound, context)} ${unharmed}`];
  if (sound.length > 0) {
    const who = sound.length === 1 ? `${quoted(sound, context)} never` : 'no client';
    return [`${where}, ${who} ${harms.join(' or ')}, and no caller was left waiting.`];
  }
  if (best.harmed.length === 0) return [`${where}, no client could be judged by every fault.`];
  const nearest = ranking.filter(({ harmed }) => harmed.length === best.harmed.length);
  const named = `${quoted(nearest, context)} came closest, failing only in ${joined(faultsOf(best.harmed, context))}`;
  return [
    `${where}, every client crashed, ${harms.join(', ')}, or left a caller waiting${nearest.length === 1 && ranking.length > 1 ? `; ${named}` : ''}.`,
  ];
}

/** What happened in fewer runs is reported, and nothing is advised. */
const RUNS_TO_ADVISE = 3;

/** @param {Pick<Faults, 'proves' | 'harms'>} finding @returns {string[]} what would be known of a client, or happened */
function harmsKnown({ proves, harms }) {
  const happened = new Set(harms.map(({ what }) => what));
  const [repeats, writes] = [proves.includes('repeats'), proves.includes('writes')];
  const tellsRepeats = repeats && (!writes || happened.has('doneTwice'));
  return said([
    tellsRepeats && 'lost or repeated a write',
    !tellsRepeats && writes && 'lost a write',
    happened.has('doneInPart') && 'did a request in part',
    ((!repeats && !writes) || happened.has('wrong')) && 'replied wrongly',
  ]);
}

/** @param {Rank[]} ranks @param {Named} context @param {'and' | 'or'} [word] @returns {string} `"redis" and "ioredis"` */
const quoted = (ranks, { measured }, word) => {
  const names = choiceNames(measured);
  return joined([...new Set(ranks.map(({ cells: [first] }) => `"${names.get(first)}"`))], word);
};

/** @param {Pick<Faults, 'ranking' | 'outcomes'>} finding @param {Named} context @returns {string} `of each fault`, `of cut`, `each` */
function placeOf({ ranking: [best], outcomes }, context) {
  const all = new Set(outcomes.map(({ group }) => group)).size;
  const cells = best.cells.filter((id) => outcomes.some(({ cell }) => cell === id));
  const struck = faultsOf(cells, context);
  if (struck.length < all && best.complete) return `of ${joined(struck)}`;
  return all > 1 ? 'of each fault' : 'each';
}

/** @param {Rank[]} ranking */
function rangeOfRuns(ranking) {
  const runs = ranking.flatMap(({ runs: { low, high } }) => [Number(low), Number(high)]);
  return runs.every((each) => each === 1) ? 'one run' : `${spanOf(String, runs)} runs`;
}

/** @param {Faults} finding @param {Named} context @returns what cannot be judged by some fault, and what would show more */
function unjudgedTexts({ outcomes }, context) {
  const idsOf = (/** @type {typeof outcomes} */ some) => some.map(({ cell }) => cell);
  const late = outcomes.filter(isLateBefore);
  const judged = outcomes.filter((outcome) => !late.includes(outcome));
  const never = judged.filter(({ heldAgainMs }) => heldAgainMs.never);
  const unseen = judged.filter(({ unseenRuns }) => unseenRuns > 0);
  const neededS = Math.ceil(Math.max(...unseen.map(({ neededMs }) => neededMs)) / 1000);
  return [
    late.length > 0 &&
      `Already late before the fault, so not judged: ${whoWhere(idsOf(late), context)}. Try a lower --rate or a higher --slo.`,
    never.length > 0 && `Had not recovered when the run ended: ${whoWhere(idsOf(never), context)}.`,
    unseen.length > 0 &&
      `Runs ended too soon to see recovery: ${whoWhere(idsOf(unseen), context)}. Use --duration ${neededS}s.`,
  ];
}

/** @param {Faults} finding @param {Named} context @returns who was best, and at which fault; the table has the figures */
function bestTexts({ contrasts, harms, outcomes }, context) {
  const shortest = contrasts.flatMap((each) => each.shortest?.cells ?? []);
  const fewest = contrasts.flatMap((each) => each.fewest?.cells ?? []);
  return [
    shortest.length > 0 && `Shortest waits: ${whoWhere(shortest, context)}.`,
    fewest.length > 0 && `Fewest errors: ${whoWhere(fewest, context)}.`,
    contrasts.length > 0 &&
      harms.length === 0 &&
      !outcomes.some(({ heldAgainMs }) => heldAgainMs.never) &&
      shortest.length + fewest.length === 0 &&
      'These runs show no difference in waits or errors.',
  ];
}

/** @param {string[]} cells @param {Named} context @returns {string} `"redis" and "ioredis" (cut; stall:2s); "raw" (cut)` */
function whoWhere(cells, context) {
  const names = choiceNames(context.measured);
  const byName = alike(cells, (id) => names.get(id)).map((own) => ({
    name: `"${names.get(own[0])}"`,
    where: own.map((id) => faultsOf([id], context)[0]).join('; '),
  }));
  return alike(byName, ({ where }) => where)
    .map((same) => `${joined(same.map(({ name }) => name))} (${same[0].where})`)
    .join('; ');
}

/** @param {CellResult[]} cells @returns {Map<string, string>} of choices, without a scenario that all of them have */
export const choiceNames = (cells) =>
  nameCells(cells, [
    ...conditionsIn(cells),
    ...(new Set(cells.map(({ scenario }) => scenario)).size > 1 ? [] : ['scenario']),
  ]);

/** @param {string[]} cells @param {Named} context @returns {string[]} each once: `cut`, or `cut, 8 tasks` where numbers of tasks differ */
export const faultsOf = (cells, { measured, cell }) => [
  ...new Set(
    cells.map((id) =>
      [cell(id).fault?.name.replace(/^none$/, 'no fault'), conditionsOf(cell(id), measured, ['fault'])]
        .filter(Boolean)
        .join(', '),
    ),
  ),
];
