import { sendForEach } from './store-data.js';

/** @import { Connection, Items, Step } from '../plugins/types.js' */
/** @import { RunWarning } from '../results/types.js' */

/**
 * Finds out the right replies to a user's own commands: if the server says that a command only reads and
 * always replies the same, each key is asked twice before the first run, and all later replies must equal
 * these.
 * @param {Connection} connection @param {Items} items @param {Step[]} steps
 * @returns {Promise<RunWarning[]>} what cannot be checked this way
 * @throws {Error} if a key gets two different replies
 */
export async function learnReplies(connection, items, steps) {
  /** @type {RunWarning[]} */
  const remarks = [];
  for (const step of steps) {
    if (step.learning === undefined) continue;
    const { repeatable, ordered } = await askAbout(connection, step.learning.args);
    if (repeatable) await learn(connection, items, step, ordered);
    else remarks.push({ kind: 'types-only', command: step.command });
  }
  return remarks;
}

/** @param {Connection} connection @param {Items} items @param {Step} step @param {boolean} ordered */
async function learn(connection, items, step, ordered) {
  await sendForEach(connection, items, step, (reply, item) => step.learning?.learn(reply, item, ordered));
  await sendForEach(connection, items, step, (reply, item) => {
    if (step.accept(reply, item)) return;
    throw new Error(
      `${step.command.toUpperCase()} replied twice for the same key, before the run, and not the same`,
    );
  });
}

/**
 * @param {Connection} connection @param {string[]} args
 * @returns {Promise<{repeatable: boolean, ordered: boolean}>} `ordered`: whether elements come in the same order
 */
async function askAbout(connection, [name, subcommand = '']) {
  const reply = await connection.command(['COMMAND', 'INFO', `${name}|${subcommand}`, name]).catch(() => []);
  // Of a container such as OBJECT its subcommand tells.
  const about =
    /** @type {unknown[][]} */ (reply).find((each) => Array.isArray(each) && each.length > 0) ?? [];
  const flags = wordsOf(about[2]);
  const tips = wordsOf(about[7]);
  return {
    repeatable:
      flags.includes('readonly') && !flags.includes('random') && !tips.includes('nondeterministic_output'),
    ordered: !flags.includes('sort_for_script') && !tips.includes('nondeterministic_output_order'),
  };
}

/** @param {unknown} list an array or a set, of strings; servers before version 7 have no tips */
const wordsOf = (list) =>
  [.../** @type {Iterable<unknown>} */ (list ?? [])].map((word) => String(word).toLowerCase());
