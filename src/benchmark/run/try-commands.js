import { serverKey } from '../../axes/client-and-server.js';
import { permissionOf, permissionText } from '../../core/command-places.js';
import { messageOf, ServerError, UsageError } from '../../core/errors.js';
import { askAboutKeys } from '../../core/plugins/shared/command-keys.js';
import { checkRoom } from './memory-check.js';

/** @import { Settings } from '../../options/types.js' */
/** @import { Cell, Plan } from '../../core/plan/types.js' */
/** @import { Parameter } from '../../core/plugins/workloads/command.js' */
/** @import { Notice } from '../../core/store/types.js' */
/** @import { ServerSource } from '../../core/server/sources.js' */
/** @import { Server } from '../../core/server/types.js' */
/** @import { OwnKeys } from '../../core/server/stored-keys.js' */

/** Fewest bytes that a key takes, by its largest argument. @type {Record<string, (number: number) => number>} */
const REACH = {
  SETBIT: (offset) => offset / 8,
  SETRANGE: (offset) => offset,
  BITFIELD: (offset) => 8 * offset,
};

/** Some commands grow in steps. */
const TIMES = 10;

/**
 * Runs each custom command on a temporary key, because nothing else shows how much it stores.
 * @param {Server} server @param {Plan} plan @param {Settings} settings @param {OwnKeys} keys @returns {Promise<Notice[]>}
 * @throws {UsageError} if all keys together would not fit
 */
export async function tryCommands(server, { groups }, settings, keys) {
  const own = commandsOn(server, groups.flat());
  await checkCommands(server, own);
  const { kind, memory } = server;
  const isBounded = memory?.some(({ maxBytes }) => maxBytes > 0);
  if (kind === 'managed' || settings.allowEviction || !isBounded) return [];
  /** @type {Map<string, Notice>} by command and what it adds, which depends on the value size */
  const warnings = new Map();
  // What compared commands store is there at the same time.
  let beside = 0;
  for (const { cell, commands, prepare } of own) {
    const command = commands.map((words) => words.join(' ')).join('; ');
    const data = { keys: cell.keys, command };
    const before = prepare === null ? [] : [prepare];
    // One key alone may not fit, so check the known size first.
    checkRoom(
      server,
      { bytes: beside + cell.keys * Math.max(...[...before, ...commands].map(reachOf)), data },
      settings,
    );
    const { bytes, grows } = await bytesAfter(server, before, commands, 'x'.repeat(cell.valueSize), keys);
    checkRoom(server, { bytes: beside + cell.keys * bytes, data }, settings);
    if (cell.keyMark !== undefined) beside += cell.keys * bytes;
    if (grows > 0) warnings.set(`${command} ${grows}`, { kind: 'command-grows', command, bytes: grows });
  }
  return [...warnings.values()];
}

/**
 * Needs no server.
 * @param {Iterable<{id: string, parameter?: any}>} workloads @param {{allowScripts: boolean, servers: ServerSource[]}} options
 * @throws {UsageError} if a command may reach other keys than this tool's own on a server of the user
 */
export function checkPermissions(workloads, { allowScripts, servers }) {
  if (allowScripts || servers.every(({ external }) => external === null)) return;
  for (const { id, parameter } of workloads) {
    if (id !== 'command') continue;
    for (const [option, words] of byOption(parameter))
      if (permissionOf([words]) !== null) throw new UsageError(`${option}: ${permissionText(words[0])}`);
  }
}

/** All that it sends. @param {Parameter} parameter */
const byOption = ({ commands, prepare }) =>
  /** @type {[string, string[]][]} */ ([
    ...(prepare === null ? [] : [['--prepare', prepare]]),
    ...commands.map((words) => ['--command', words]),
  ]);

/** With commands sent before. @param {Server} server @param {Cell[]} cells @returns {(Parameter & {cell: Cell})[]} */
function commandsOn(server, cells) {
  const different = new Map();
  for (const cell of cells) {
    const { id, parameter } = cell.chosen.workload;
    if (serverKey(cell) !== server.key || id !== 'command') continue;
    const own = /** @type {Parameter} */ (parameter);
    different.set(JSON.stringify([parameter, cell.keys, cell.valueSize]), { cell, ...own });
  }
  return [...different.values()];
}

/** @param {Server} server @param {Parameter[]} own @throws {UsageError} */
async function checkCommands(server, own) {
  for (const [option, words] of own.flatMap(byOption))
    await askAboutKeys(words, (...asked) => send(server, asked)).catch((error) => {
      if (error instanceof ServerError) throw error;
      throw new UsageError(`${option}: ${messageOf(error)}`);
    });
}

/** @param {Server} server @param {string[]} words */
const send = (server, words) => server.onKey(.../** @type {[string, string]} */ (words));

/** @param {string[]} command */
function reachOf([name, ...args]) {
  const numbers = args.map((arg) => Number(arg.replace('#', ''))).filter((number) => number > 0);
  return REACH[name.toUpperCase()]?.(Math.max(0, ...numbers)) ?? 0;
}

/**
 * @param {Server} server @param {string[][]} before @param {string[][]} commands @param {string} value @param {OwnKeys} keys
 * @returns {Promise<{bytes: number, grows: number}>} 0 if refused or not reported; a run then says why
 */
async function bytesAfter(server, before, commands, value, keys) {
  const key = `${keys.prefix}:tried`;
  const execute = (/** @type {string[]} */ words) =>
    send(
      server,
      words.map((word) => word.replaceAll('{key}', key).replaceAll('{value}', value)),
    );
  const usage = async () => Number(await server.onKey('MEMORY', 'USAGE', key, 'SAMPLES', '0')) || 0;
  try {
    for (const command of [...before, ...commands]) await execute(command);
    const bytes = await usage();
    for (let time = 0; time < TIMES; time++) for (const command of commands) await execute(command);
    return { bytes, grows: Math.round(Math.max(0, (await usage()) - bytes) / TIMES) };
  } catch {
    return { bytes: 0, grows: 0 };
  } finally {
    const [name, ...rest] = server.removal;
    await server.onKey(name, key, ...rest).catch(() => keys.doubt(server));
  }
}
