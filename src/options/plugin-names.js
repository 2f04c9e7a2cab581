import { closest, distance } from 'fastest-levenshtein';
import { present } from '../collections.js';
import { UsageError, withErrorPrefix } from '../errors.js';
import { inMiddle, withoutFolders } from '../long-names.js';
import { accountFor } from '../plugins/registry.js';
import { firstWord } from '../process/secrets.js';
import { COMMAND, idOfName } from './values.js';

/** @import { Catalogue, Chosen, OwnOptions, WorkloadPlugin } from '../plugins/types.js' */
/** @import { Settings } from './types.js' */

/** @param {string} what @param {string} name @param {Iterable<string>} known @returns {string} the name @throws {UsageError} */
export function assertKnownName(what, name, known) {
  const names = [...known];
  if (names.includes(name)) return name;
  throw new UsageError(unknown(what, name, names));
}

/** @param {string} what @param {string} name @param {string[]} known @returns {string} */
export const unknown = (what, name, known) =>
  `unknown ${what} '${firstWord(name)}'${suggestion(name, known)}; there are ${known.join(', ')}`;

/** @param {string} name @param {string[]} known @returns {string} ` (did you mean …?)` where a known name is similar */
function suggestion(name, known) {
  const holds = name.length > 2 ? known.filter((each) => each.includes(name)) : [];
  const longer = holds.find((each) => each.startsWith(name)) ?? holds[0];
  const nearest = longer ?? known.find((each) => lettersOf(each) === lettersOf(name)) ?? closest(name, known);
  const near = longer !== undefined || distance(name, nearest) <= Math.max(2, nearest.length / 3);
  return near ? ` (did you mean '${nearest}'?)` : '';
}

/** Swapped letters are the commonest slip. @param {string} name */
const lettersOf = (name) => [...name].sort().join('');

/** @param {OwnOptions | undefined} ownOptions @param {object} settings */
export const ownValues = (ownOptions = {}, settings) =>
  Object.fromEntries(Object.keys(ownOptions).map((name) => [name, Reflect.get(settings, name)]));

/**
 * What the names of workloads and pipelining modes mean.
 * @param {Settings} settings @param {Catalogue} catalogue
 * @returns {Record<'workload' | 'pipelining', Map<string, Chosen>>} by name @throws {UsageError}
 */
export function choicesOf(settings, { workloads, pipelining }) {
  const mix = mixOf(settings);
  const names = mix
    ? [`command:${mix.commands.map((text, index) => `${text}=${mix.shares[index]}`).join(', ')}`]
    : (settings.command?.map((text) => `command:${text}`) ?? settings.workload);
  return {
    workload: chosenAmong(workloads, 'workload', names, settings),
    pipelining: chosenAmong(pipelining, 'pipelining mode', settings.pipelining, settings),
  };
}

/** @param {Settings} settings @returns what is one workload, by shares; undefined where commands are compared */
const mixOf = ({ command: commands = [], share: shares, prepare: prepares = [] }) =>
  shares && { commands, shares, prepares };

/**
 * @param {Map<string, Partial<WorkloadPlugin>>} plugins @param {string} what one is called in an error
 * @param {string[]} names with arguments: `explicit:10`, `mix:get=80,set=20` @param {Settings} settings
 */
function chosenAmong(plugins, what, names, settings) {
  const { prepare: prepares } = settings;
  const isCommand = (/** @type {string} */ name) => idOfName(name) === COMMAND;
  const prepareOf = (/** @type {number} */ index) =>
    prepares && prepares.length > 1
      ? prepares[names.slice(0, index).filter(isCommand).length]
      : prepares?.[0];
  const short = withoutFolders(names);
  /** @type {[name: string, Chosen][]} */
  const chosen = names.map((name, index) => {
    const [, id, argument] = present(/^([^:]*)(?::(.*))?$/s.exec(name));
    const plugin = plugins.get(id) ?? {};
    if (!plugin.parse && argument !== undefined)
      throw new UsageError(`${what} '${name}': expected just '${id}', which takes no argument`);
    const prepare = prepareOf(index);
    const options = { prepare, mix: mixOf(settings), ...ownValues(plugin.ownOptions, settings) };
    // A command that is refused may hold a password.
    const shown = id === COMMAND ? '--command' : `${what} '${name}'`;
    const found = withErrorPrefix(shown, () =>
      chosenOf(plugin, id, plugin.parse?.(argument, options) ?? null),
    );
    // The same command on other data is something else.
    const isElse = names.some(
      (other, place) => other === name && isCommand(name) && prepareOf(place) !== prepare,
    );
    if (!isElse) return [isCommand(name) ? name : short[index], found];
    const title = `${found.title} after ${prepare}`;
    return [`${name} after ${prepare}`, { ...found, title, name: inMiddle(title) }];
  });
  const found = new Map(chosen);
  const rows = [...found.values()].map((each) => each.name);
  const twice = rows.find((name, place) => name !== undefined && rows.indexOf(name) !== place);
  if (twice !== undefined)
    throw new UsageError(
      `--command: two of them read '${twice}' in a table; give each a name of its own, as in --command 'user: GET {key}'`,
    );
  return found;
}

/** @param {Partial<WorkloadPlugin>} plugin @param {string} id @param {unknown} parameter @returns {Chosen} */
const chosenOf = (plugin, id, parameter) => ({
  id,
  parameter,
  ...(plugin.titleOf && { title: plugin.titleOf(parameter) }),
  ...(plugin.nameOf && { name: plugin.nameOf(parameter) }),
  ...(plugin.choiceOf && { choice: plugin.choiceOf(parameter) }),
  ...(plugin.data && { data: plugin.data(parameter) }),
  ...(plugin.sendsThrough && { sendsThrough: plugin.sendsThrough }),
  ...(plugin.startsProcesses && { startsProcesses: true }),
  ...(accountFor(plugin, parameter) && { ownKeys: true }),
  ...(plugin.madeBy && { madeBy: plugin.madeBy(parameter) }),
});
