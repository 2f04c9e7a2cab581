import { askAboutKeys, factsOf } from '../plugins/shared/command-keys.js';
import { permissionOf, permissionText } from '../server/command-places.js';
import { sendForEach } from './store-data.js';

/** @import { AskServer } from '../plugins/shared/command-keys.js' */
/** @import { Connection, Items, Step } from '../plugins/types.js' */
/** @import { RunWarning } from '../store/types.js' */

/** They write how long a key stays, and leave its value as it is. */
const ONLY_TIMES = new Set('expire pexpire expireat pexpireat persist'.split(' '));

/**
 * Where the server says that a user's command only reads and always replies the same, each key is asked twice before the
 * first run, and all later replies must equal these.
 * @param {Connection} connection @param {Items} items @param {Step[]} steps
 * @returns {Promise<RunWarning[]>} what cannot be checked this way @throws {Error} if a key gets two different replies
 */
export async function learnReplies(connection, items, steps) {
  /** @type {RunWarning[]} */
  const remarks = [];
  const all = steps.flatMap((step) => {
    const keys = (step.items ?? items).all();
    return (step.parts ?? [step]).flatMap((part) => (part.learning === undefined ? [] : { part, keys }));
  });
  const about = await Promise.all(all.map(({ part }) => askAbout(connection, part.learning?.args ?? [])));
  for (const [index, { part, keys }] of all.entries()) {
    const { repeatable, ordered } = about[index];
    // What a sequence or a mix writes, it may read itself.
    const isConstant = all.every(
      (each, place) => place === index || each.keys !== keys || !about[place].changes,
    );
    if (repeatable && isConstant) await learn(connection, { all: () => keys }, part, ordered);
    else if (!remarks.some((remark) => remark.kind === 'types-only' && remark.command === part.command))
      remarks.push({ kind: 'types-only', command: part.command });
  }
  return remarks;
}

/** @param {Connection} connection @param {Pick<Items, 'all'>} items @param {Step} step @param {boolean} ordered */
async function learn(connection, items, step, ordered) {
  await sendForEach(connection, items, step, (reply, item) => step.learning?.learn(reply, item, ordered));
  await sendForEach(connection, items, step, (reply, item) => {
    if (step.accept(reply, item)) return;
    throw new Error(
      `${step.command.toUpperCase()} replied twice for the same key, before the run, and not the same`,
    );
  });
}

/** @param {Connection} connection @returns {AskServer} */
const asking =
  (connection) =>
  (...words) =>
    connection.command(words);

/** A job may come from another machine. @param {Connection} connection @param {Step[]} steps @param {boolean} mayScript */
export async function checkCommands(connection, steps, mayScript) {
  for (const { learning } of steps) {
    if (learning === undefined) continue;
    const { args } = learning;
    if (!mayScript && permissionOf([args]) !== null) throw new Error(permissionText(args[0]));
    await askAboutKeys(args, asking(connection));
  }
}

/** @param {Connection} connection @param {string[]} args */
async function askAbout(connection, [name, subcommand = '']) {
  // For a container such as OBJECT, the flags are those of its subcommand.
  const about = await factsOf([`${name}|${subcommand}`, name], asking(connection));
  const flags = about?.flags ?? [];
  const tips = about?.tips ?? [];
  return {
    repeatable:
      flags.includes('readonly') && !flags.includes('random') && !tips.includes('nondeterministic_output'),
    ordered: !flags.includes('sort_for_script') && !tips.includes('nondeterministic_output_order'),
    changes: !flags.includes('readonly') && !ONLY_TIMES.has(name.toLowerCase()),
  };
}
