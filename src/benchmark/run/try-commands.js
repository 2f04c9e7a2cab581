import { serverKey } from '../../axes/client-and-server.js';
import { permissionOf, permissionText } from '../../core/command-places.js';
import { messageOf, ServerError, UsageError } from '../../core/errors.js';
import { bufferBytes } from '../../core/plan/capacity.js';
import { batchSizeOf } from '../../core/plan/loads.js';
import { askAboutKeys } from '../../core/plugins/shared/command-keys.js';
import { repliedByNumber, storedByNumber } from '../../core/plugins/shared/sized-commands.js';
import { growthKey } from '../../core/run/headroom.js';
import { roomOn } from '../../core/server/memory.js';
import { checkRoom } from './memory-check.js';

/** @import { Settings } from '../../options/types.js' */
/** @import { Cell, Plan } from '../../core/plan/types.js' */
/** @import { Catalogue } from '../../core/plugins/types.js' */
/** @import { Parameter } from '../../core/plugins/workloads/command.js' */
/** @import { Notice } from '../../core/store/types.js' */
/** @import { ServerSource } from '../../core/server/sources.js' */
/** @import { Server } from '../../core/server/types.js' */
/** @import { OwnKeys } from '../../core/server/stored-keys.js' */

/** Bytes of a stream grow by whole nodes of up to 100 entries, those of a string by doubling it. */
const TIMES = 128;
/** That all trials of a command may store, and the part of what is free that they may. */
const TRIAL = { bytes: 1e6, share: 1 / 8 };
/** A key and an entry, besides what is sent. */
const ENTRY_BYTES = 200;

/**
 * Runs each custom command on a temporary key, because nothing else shows how much it stores.
 * @param {Server} server @param {Plan} plan @param {Settings} settings @param {Catalogue} catalogue @param {OwnKeys} keys
 * @param {Map<string, number>} growth gets the bytes that each stores more each time, by growthKey
 * @returns {Promise<Notice[]>} @throws {UsageError} if all keys together would not fit
 */
export async function tryCommands(server, { groups }, settings, catalogue, keys, growth) {
  const own = commandsOn(server, groups.flat());
  await checkCommands(server, own);
  const isAccepted = roomOn(server, server.memory, settings) === null;
  if (isAccepted) return [];
  /** @type {Map<string, Notice>} by command and what it adds, which depends on the value size */
  const warnings = new Map();
  // What compared commands store is there at the same time.
  let beside = 0;
  for (const { cell, commands, prepare } of own) {
    const command = commands.map((words) => words.join(' ')).join('; ');
    const need = (/** @type {number} */ bytes, by = command) =>
      checkRoom(server, { bytes: beside + bytes, data: { keys: cell.keys, command: by } }, settings);
    const before = prepare === null ? [] : [prepare];
    const all = [...before, ...commands];
    const atOnce = cell.tasks * cell.processes * (batchSizeOf(cell.chosen.pipelining, catalogue) ?? 1);
    // One key alone may not fit, so what the arguments say is checked before anything is sent.
    for (const words of all) need(cell.keys * storedByNumber(words), words.join(' '));
    const replied = Math.max(...commands.map((words) => repliedByNumber(words, cell.valueSize)));
    const sent = Math.max(...all.map((words) => sentBytes(words, cell.valueSize)));
    need(cell.keys * (sent - ENTRY_BYTES) + atOnce * replied);
    const trial = { before, commands, valueSize: cell.valueSize };
    const found = await bytesAfter(server, keys, trial, (bytes) => {
      need(cell.keys * bytes);
      return timesOf(server, Math.max(sent, bytes), settings);
    });
    if (cell.keyMark !== undefined) beside += cell.keys * found.bytes;
    if (found.grows === null) continue;
    growth.set(growthKey(cell), found.grows);
    if (found.grows === 0) continue;
    need(cell.keys * found.bytes + bufferBytes(cell, catalogue) + 2 * found.grows * atOnce);
    const bytes = Math.max(1, Math.round(found.grows));
    if (server.kind === 'external')
      warnings.set(`${command} ${bytes}`, { kind: 'command-grows', command, bytes });
  }
  return [...warnings.values()];
}

/** @param {string[]} words @param {number} valueSize @returns {number} that one command stores if it stores all it sends */
const sentBytes = (words, valueSize) =>
  ENTRY_BYTES +
  words.reduce((sum, word) => sum + word.length + (word.split('{value}').length - 1) * valueSize, 0);

/** @param {Server} server @param {number} sent bytes @param {Settings} settings @returns {number} how often a command may be tried */
function timesOf(server, sent, settings) {
  const { freeBytes } = /** @type {NonNullable<ReturnType<typeof roomOn>>} */ (
    roomOn(server, server.memory, settings)
  );
  const most = Math.min(TRIAL.bytes, freeBytes * TRIAL.share);
  return Math.max(1, Math.min(TIMES, Math.floor(most / sent)));
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

/**
 * @param {Server} server @param {OwnKeys} keys @param {{before: string[][], commands: string[][], valueSize: number}} trial
 * @param {(bytes: number) => number} timesMore how often to repeat it, when that is what a key took at first
 * @returns {Promise<{bytes: number, grows: number | null}>} null if refused or not reported; a run then says why
 * @throws {UsageError} that `timesMore` throws
 */
async function bytesAfter(server, keys, { before, commands, valueSize }, timesMore) {
  const key = `${keys.prefix}:tried`;
  const value = 'x'.repeat(valueSize);
  const execute = (/** @type {string[]} */ words) =>
    send(
      server,
      words.map((word) => word.replaceAll('{key}', key).replaceAll('{value}', value)),
    );
  const usage = async () => Number(await server.onKey('MEMORY', 'USAGE', key, 'SAMPLES', '0')) || 0;
  try {
    for (const command of [...before, ...commands]) await execute(command);
    const bytes = await usage();
    const times = timesMore(bytes);
    // All at once: a distant server would take long to answer one after the other.
    const again = Array.from({ length: times }, () => commands).flat();
    await Promise.all(again.map(execute));
    return { bytes, grows: Math.max(0, (await usage()) - bytes) / times };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return { bytes: 0, grows: null };
  } finally {
    const [name, ...rest] = server.removal;
    await server.onKey(name, key, ...rest).catch(() => keys.doubt(server));
  }
}
