import { parseArgsStringToArgv } from 'string-argv';
import { withErrorPrefix } from '../../errors.js';
import { inMiddle, LONGEST_NAME } from '../../long-names.js';
import { sentBy } from '../../server/command-places.js';
import { checkCommand, waitMsOf } from '../shared/command-keys.js';
import { interleave } from '../shared/interleave.js';
import { createOwnStep, hasValues, sizesIn, usesUp } from '../shared/own-steps.js';
import { createRequestStep, sequenceOf } from '../shared/requests.js';
import { readsOnly, singlesOf, withSets } from '../shared/shares.js';

/** @import { CycleContext, Finds, Step, WorkloadSource } from '../types.js' */
/** @import { Share, Shares, Single } from '../shared/shares.js' */

/** @typedef {Single | Shares} Parameter */

/** Separates the commands of a sequence. */
const THEN = ';';

/** @satisfies {WorkloadSource<Parameter>} */
export default {
  summary:
    'the command given with --command, {key} and {value} in it filled in; several with a ; between are one operation',

  parse(argument, { prepare, mix } = {}) {
    if (mix !== undefined) return readShares(mix);
    if (argument === undefined) throw new Error("expected the command itself, as --command 'INCR {key}'");
    return { ...readSingle(argument), prepare: prepare === undefined ? null : readPrepare(prepare) };
  },

  nameOf: (parameter) => nameOf(parameter) ?? inMiddle(textOf(parameter)),

  titleOf: (parameter) =>
    `${nameOf(parameter) === undefined ? '' : `${nameOf(parameter)}: `}${textOf(parameter)}`,

  madeBy(parameter) {
    const singles = singlesOf(parameter);
    const prepared = singles.find(({ prepare }) => prepare !== null)?.prepare ?? null;
    const wanted = new Set(singles.map(findsOf).filter((finds) => finds !== 'anything'));
    const [finds] = wanted;
    return {
      command: prepared?.[0].toUpperCase() ?? null,
      hasValues: hasValues(sentBy(parameter).flat()),
      ...(wanted.size === 1 && { finds }),
    };
  },

  grows: (parameter) => !singlesOf(parameter).every((single) => readsOnly(single) || waits(single)),

  sizes: (parameter) => [...new Set(sizesIn(sentBy(parameter).flat()))],

  waitMs: (parameter) => Math.max(...sentBy(parameter).map((words) => waitMsOf(words) ?? 0)),

  prepare: (parameter, context) =>
    singlesOf(parameter).flatMap(({ prepare, set = 0 }) =>
      prepare === null
        ? []
        : { ...createOwnStep(prepare, { ...context, prepare }), items: context.setOf?.(set) },
    ),

  request(parameter) {
    const sequence = singlesOf(parameter).find(({ commands }) => commands.length > 1);
    if (sequence === undefined) return undefined;
    const share = 'shares' in parameter ? { share: labelOf(sequence) } : {};
    return { kind: kindOf(sequence, { itemsOf: () => [] }), count: 1, ...share };
  },

  cycle(parameter, context) {
    if (!('shares' in parameter)) return [[stepOf(parameter, context)]];
    const { shares } = parameter;
    const made = shares.map((share, index) => stepOfShare(share, index, shares.length, context));
    const weights = shares.map(({ weight }, index) => [`${index}`, weight]);
    return interleave(Object.fromEntries(weights)).map((index) => [made[Number(index)]]);
  },
};

/** @typedef {{commands: string[], shares: number[], prepares: string[]}} Mix as typed */

/** @param {Mix} mix @returns {Shares} */
function readShares({ commands, shares, prepares }) {
  const singles = commands.map((text) => readSingle(text, { mayWait: true }));
  if (singles.every(waits)) throw new Error('expected a share of a command that does not wait');
  const labels = singles.map(labelOf);
  const twice = labels.find((label, place) => labels.indexOf(label) !== place);
  if (twice !== undefined)
    throw new Error(
      `two shares are '${twice}': give each a name of its own, as in --command 'user: GET {key}'`,
    );
  return withSets(singles, prepares.map(readPrepare), shares);
}

/** @param {Pick<Single, 'commands'>} single */
const waits = ({ commands }) => waitMsOf(commands[0]) !== null;

/** @param {string} argument @param {{mayWait?: boolean}} [how] @returns {Omit<Single, 'prepare'>} */
function readSingle(argument, how) {
  const { name, text } = nameIn(argument);
  const commands = readCommands(text, how);
  sizesIn(commands.flat());
  return { ...(name !== undefined && { name }), commands };
}

/** @param {string} text */
const readPrepare = (text) => checkCommand(parseArgsStringToArgv(text), { text });

/** @param {Share} share @param {number} index among so many @param {number} count @param {CycleContext} context @returns {Step} */
function stepOfShare(share, index, count, context) {
  const step = waits(share)
    ? createOwnStep(share.commands[0], { ...context, mayWait: true })
    : stepOf(share, context);
  return { ...step, label: labelOf(share), items: context.setOf?.(share.set, index / count) };
}

/** What a sequence writes, it may remove itself; a script need not reply. @param {Single} single @returns {Finds} */
function findsOf(single) {
  if (!readsOnly(single) || waits(single)) return 'anything';
  return usesUp(single.prepare ?? []) ? 'nothing' : 'something';
}

/** @template {Pick<CycleContext, 'itemsOf' | 'keyPrefix'>} Context @param {Single} single @param {Context} context */
const askedOf = (single, context) => ({ ...context, prepare: single.prepare, finds: findsOf(single) });

/** @param {Single} single @param {CycleContext} context @returns {Step} */
const stepOf = (single, context) =>
  single.commands.length === 1
    ? createOwnStep(single.commands[0], askedOf(single, context))
    : createRequestStep(kindOf(single, context), single.commands.length, context);

/** One word, or one in quotes, and its colon; a command has none. */
const NAMED = /^\s*(?:([^\s:"']+)|"([^":]+)"|'([^':]+)'):\s+(?=\S)/;

/** @param {string} argument `user: HGETALL {key}` @returns {{name?: string, text: string}} */
function nameIn(argument) {
  const [start, ...names] = NAMED.exec(argument) ?? [];
  if (start === undefined) return { text: argument };
  const name = names.filter(Boolean)[0].trim();
  if (!/\p{Ll}/u.test(name))
    throw new Error(
      `expected a name with a small letter, which no command has, before the colon, got '${name}'`,
    );
  if (name.length > LONGEST_NAME)
    throw new Error(`expected a name of at most ${LONGEST_NAME} characters, got '${name}'`);
  return { name, text: argument.slice(start.length) };
}

/** @param {Parameter} parameter of the user */
const nameOf = (parameter) => ('shares' in parameter ? undefined : parameter.name);

/** @param {Parameter} parameter @returns {string} */
const textOf = (parameter) =>
  'shares' in parameter
    ? parameter.shares.map((share) => `${share.weight}× ${labelOf(share)}`).join(', ')
    : commandsText(parameter);

/** @param {Omit<Single, 'prepare'>} single */
const labelOf = (single) => single.name ?? commandsText(single);

/** @param {Omit<Single, 'prepare'>} single */
const commandsText = ({ commands }) =>
  commands
    .map(([command, ...args]) => [command.toUpperCase(), ...args.map(quoted)].join(' '))
    .join(`${THEN} `);

/** The word as it was typed, where blanks or nothing would not show. @param {string} word */
const quoted = (word) => (/^$|[\s'"\\;]/.test(word) ? `'${word}'` : word);

/** @param {string} text quoted as in a shell @param {{mayWait?: boolean}} [how] of one alone @returns {string[][]} */
function readCommands(text, how) {
  /** @type {string[][]} */
  const commands = [[]];
  for (const word of parseArgsStringToArgv(text)) {
    if (word === THEN) commands.push([]);
    else commands[commands.length - 1].push(word);
  }
  if (commands.length === 1) return [checkCommand(commands[0], { ...how, text })];
  return commands.map((words, index) =>
    withErrorPrefix(`command ${index + 1} of ${commands.length}`, () =>
      checkCommand(words, { text: words.join(' ') }),
    ),
  );
}

/** @param {Single} single of several commands @param {Pick<CycleContext, 'itemsOf' | 'keyPrefix'>} context */
const kindOf = (single, context) =>
  sequenceOf(single.commands.map((args) => createOwnStep(args, askedOf(single, context))));
