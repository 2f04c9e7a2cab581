import { serverKey } from '../axes/client-and-server.js';
import { present } from '../collections.js';
import { sum } from '../descriptive-statistics.js';
import { messageOf, ServerError, UsageError } from '../errors.js';
import { askAboutKeys, waitMsOf } from '../plugins/shared/command-keys.js';
import { fillerOf, sizesIn } from '../plugins/shared/own-steps.js';
import { singlesOf } from '../plugins/shared/shares.js';
import { repliedByNumber, storedByNumber } from '../plugins/shared/sized-commands.js';
import { permissionOf, permissionText } from '../server/command-places.js';
import { roomOn } from '../server/memory.js';
import { MEMORY_USAGE, readReplyAs, WrongReplyError } from '../server/replies.js';
import { growthKey } from './headroom.js';
import { checkRoom } from './memory-check.js';
import { bufferBytes, waitingBytes } from './plan/capacity.js';
import { batchSizeOf } from './plan/loads.js';

/** @import { OwnKeys } from './types.js' */
/** @import { Settings } from '../options/types.js' */
/** @import { Cell, Plan } from './plan/types.js' */
/** @import { Catalogue } from '../plugins/types.js' */
/** @import { Share, Shares, Single } from '../plugins/shared/shares.js' */
/** @import { Notice } from '../store/types.js' */
/** @import { ServerSource } from '../server/sources.js' */
/** @import { Added } from './headroom.js' */
/** @import { Server } from '../server/types.js' */

/** Bytes of a stream grow by whole nodes of up to 100 entries, those of a string by doubling it. */
const TIMES = 128;
/** What all trials of a command may store, and which part of what is free. */
const TRIAL = { bytes: 1e6, share: 1 / 8 };
/** Does it multiply what is stored? It is tried in steps of so many, with a value of this length. */
const STEPS = { times: [1, 2, 4, 8], valueSize: 16 };
/** A string that is appended to is twice as long as it needs to be. */
const UNEVEN = 2;
/** A trial that takes longer is not repeated. */
const LONG_MS = 1000;
/** A key and an entry, besides what is sent. */
const ENTRY_BYTES = 200;

/**
 * Runs each custom command on a temporary key, because nothing else shows how much it stores.
 * @param {Server} server @param {Plan} plan @param {Settings} settings @param {Catalogue} catalogue @param {OwnKeys} keys
 * @param {Map<string, Added>} growth gets what each adds each time, by growthKey
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
  for (const { cell, commands, prepare, cells, weight } of own) {
    // It stores nothing, and would be waited for.
    if (waitMsOf(commands[0]) !== null) continue;
    const command = commands.map((words) => words.join(' ')).join('; ');
    const need = (/** @type {number} */ bytes, by = command) =>
      checkRoom(server, { bytes: beside + bytes, data: { keys: cell.keys, command: by } }, settings);
    const before = prepare === null ? [] : [prepare];
    const all = [...before, ...commands];
    const most = (/** @type {(cell: Cell) => number} */ of) => Math.max(...cells.map(of));
    const atOnce = most(
      (each) => each.tasks * each.processes * (batchSizeOf(each.chosen.pipelining, catalogue) ?? 1),
    );
    const waiting = (/** @type {number} */ bytes) => most((each) => waitingBytes(each, catalogue, bytes));
    // One key alone may not fit, so what the arguments say is checked before anything is sent.
    for (const words of all) need(cell.keys * storedByNumber(words), words.join(' '));
    const replied = Math.max(...commands.map((words) => repliedByNumber(words, cell.valueSize)));
    const sent = Math.max(...all.map((words) => sentBytes(words, cell.valueSize)));
    need(cell.keys * (sent - ENTRY_BYTES) + waiting(replied));
    const trial = { before, commands, valueSize: cell.valueSize };
    await refuseMultiplying(server, keys, trial, settings);
    const found = await bytesAfter(server, keys, trial, (bytes, reply) => {
      need(cell.keys * bytes + waiting(reply));
      return timesOf(server, Math.max(sent, bytes, reply), settings);
    });
    if (cell.keyMark !== undefined || weight !== undefined) beside += cell.keys * found.bytes;
    const { grows } = found;
    if (grows === null) continue;
    const known = growth.get(growthKey(cell));
    // Only keys in flight grow, each once in as many operations as there are keys.
    const inReplies = waiting(found.replyGrows) / Math.min(cell.keys, atOnce);
    // Of a mix, no operation adds more than the share that adds most.
    growth.set(growthKey(cell), {
      stored: Math.max(grows, known?.stored ?? 0),
      replied: Math.max(inReplies, known?.replied ?? 0),
    });
    if (grows === 0 || settings.prepareEach) continue;
    need(cell.keys * found.bytes + most((each) => bufferBytes(each, catalogue)) + 2 * grows * atOnce);
    const bytes = Math.max(1, Math.round(grows));
    warnings.set(`${command} ${bytes}`, { kind: 'command-grows', command, bytes });
  }
  return [...warnings.values()];
}

/** @param {string[]} words @param {number} valueSize @returns {number} that one command stores if it stores all it sends */
const sentBytes = (words, valueSize) =>
  sum(sizesIn(words)) +
  ENTRY_BYTES +
  sum(words.map((word) => word.length + (word.split('{value}').length - 1) * valueSize));

/** @param {Server} server @param {number} sent bytes @param {Settings} settings @returns {number} how often a command may be tried */
const timesOf = (server, sent, settings) =>
  Math.max(1, Math.min(TIMES, Math.floor(trialBytes(server, settings) / sent)));

/** @param {Server} server @param {Settings} settings */
function trialBytes(server, settings) {
  const { freeBytes } = present(roomOn(server, server.memory, settings));
  return Math.min(TRIAL.bytes, freeBytes * TRIAL.share);
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
    for (const [option, words] of singlesOf(parameter).flatMap(byOption))
      if (permissionOf([words]) !== null) throw new UsageError(`${option}: ${permissionText(words[0])}`);
  }
}

/** All that it sends. @param {Single} single */
function byOption({ commands, prepare }) {
  /** @type {[string, string[]][]} */
  const all = commands.map((words) => ['--command', words]);
  if (prepare !== null) all.unshift(['--prepare', prepare]);
  return all;
}

/**
 * With commands sent before, and all cells that send them. A mix has several.
 * @param {Server} server @param {Cell[]} all @returns {(Single & Partial<Share> & {cell: Cell, cells: Cell[]})[]}
 */
function commandsOn(server, all) {
  /** @type {Map<string, Single & Partial<Share> & {cell: Cell, cells: Cell[]}>} */
  const different = new Map();
  for (const cell of all) {
    const { id } = cell.chosen.workload;
    if (serverKey(cell) !== server.key || id !== 'command') continue;
    for (const single of singlesOf(/** @type {Single | Shares} */ (cell.chosen.workload.parameter))) {
      const key = JSON.stringify([single, cell.keys, cell.valueSize]);
      const known = different.get(key);
      if (known) known.cells.push(cell);
      else different.set(key, { ...single, cell, cells: [cell] });
    }
  }
  return [...different.values()];
}

/** @param {Server} server @param {Single[]} own @throws {UsageError} */
async function checkCommands(server, own) {
  for (const [option, words] of own.flatMap(byOption))
    await askAboutKeys(words, server.onKey).catch((error) => {
      if (error instanceof ServerError) throw error;
      throw new UsageError(`${option}: ${messageOf(error)}`);
    });
}

/** @typedef {{before: string[][], commands: string[][], valueSize: number}} Trial */

/**
 * What multiplies what is stored would fill any memory after a few operations more.
 * @param {Server} server @param {OwnKeys} keys @param {Trial} trial @param {Settings} settings @throws {UsageError}
 */
async function refuseMultiplying(server, keys, trial, settings) {
  const valueSize = Math.min(trial.valueSize, STEPS.valueSize);
  await onTriedKey(server, keys, { ...trial, valueSize }, async ({ repeat, usage, isLong }) => {
    if (isLong) return;
    const first = await usage();
    let last = first;
    let times = 1;
    for (const step of STEPS.times) {
      await repeat(step);
      const bytes = await usage();
      times += step;
      if (bytes > UNEVEN * times * first) {
        const names = trial.commands.map(([name]) => name.toUpperCase());
        throw new UsageError(
          `--command: ${names.join('; ')} stores far more each time than the time before, which fills any memory: ` +
            'it is not measured',
        );
      }
      // The next step does twice as much.
      if (bytes * (bytes / Math.max(1, last)) ** 2 > trialBytes(server, settings)) return;
      last = bytes;
    }
  });
}

/**
 * @param {Server} server @param {OwnKeys} keys @param {Trial} trial
 * @param {(bytes: number, replyBytes: number) => number} timesMore how often to repeat it, when that is what a key took at
 *   first, and what was replied
 * @returns {Promise<{bytes: number, grows: number | null, replyGrows: number}>} null if refused or not reported; a run then
 *   says why @throws {UsageError} that `timesMore` throws
 */
async function bytesAfter(server, keys, trial, timesMore) {
  const found = await onTriedKey(server, keys, trial, async ({ repeat, usage, replied, isLong }) => {
    const bytes = await usage();
    if (isLong) return { bytes, grows: null, replyGrows: 0 };
    const times = timesMore(bytes, replied);
    const replies = await repeat(times);
    const replyGrows = Math.max(0, bytesOf(replies.slice(-trial.commands.length)) - replied) / times;
    return { bytes, grows: Math.max(0, (await usage()) - bytes) / times, replyGrows };
  });
  return found ?? { bytes: 0, grows: null, replyGrows: 0 };
}

/**
 * After the commands were sent once.
 * @template T @param {Server} server @param {OwnKeys} keys @param {Trial} trial
 * @param {(tried: {repeat: (times: number) => Promise<unknown[]>, usage: () => Promise<number>, replied: number,
 *   isLong: boolean}) => Promise<T>} use `isLong`: one that keeps the server busy for long is not tried a hundred times
 * @returns {Promise<T | null>} null if the server refused something
 */
async function onTriedKey(server, keys, { before, commands, valueSize }, use) {
  const key = `${keys.prefix}:tried`;
  const value = 'x'.repeat(valueSize);
  /** @param {string[]} words */
  function execute(words) {
    const fill = fillerOf(words, {
      missing: `${key}:missing`,
      itemsOf: (size) => [{ value: 'x'.repeat(size) }],
    });
    return server.onKey(.../** @type {[string, string]} */ (fill({ index: 0, key, value })));
  }
  /** @type {[string, string, ...string[]]} */
  const asking = ['MEMORY', 'USAGE', key, 'SAMPLES', '0'];
  const usage = async () =>
    readReplyAs(MEMORY_USAGE, await server.onKey(...asking), asking, 'the server') ?? 0;
  try {
    const startedMs = performance.now();
    for (const command of before) await execute(command);
    let replied = 0;
    for (const command of commands) replied += bytesOf(await execute(command));
    const tookMs = performance.now() - startedMs;
    // All at once: a distant server would take long to answer one after the other.
    const repeat = (/** @type {number} */ times) =>
      Promise.all(
        Array.from({ length: times }, () => commands)
          .flat()
          .map(execute),
      );
    return await use({ repeat, usage, replied, isLong: tookMs > LONG_MS });
  } catch (error) {
    if (error instanceof UsageError || error instanceof WrongReplyError) throw error;
    return null;
  } finally {
    const [name, ...rest] = server.removal;
    await server.onKey(name, key, ...rest).catch(() => keys.doubt(server));
  }
}

/** What each part of a reply takes besides its characters. */
const PART_BYTES = 16;

/** @param {unknown} reply @returns {number} that it takes in the server's buffer */
function bytesOf(reply) {
  if (!Array.isArray(reply)) return PART_BYTES + `${reply ?? ''}`.length;
  return reply.reduce((/** @type {number} */ sum, part) => sum + bytesOf(part), PART_BYTES);
}
