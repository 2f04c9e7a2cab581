import { serverKey } from '../axes/server.js';
import { createKeyPrefix } from '../server/remove-keys.js';
import { checkRoom } from './memory-check.js';

/** @import { Settings } from '../options/types.js' */
/** @import { Plan } from '../plan/types.js' */
/** @import { Notice } from '../results/types.js' */
/** @import { Server } from '../server/types.js' */

/**
 * Bytes that a key has at least, by the largest number among the arguments: known before it is tried.
 * @type {Record<string, (number: number) => number>}
 */
const REACH = {
  SETBIT: (offset) => offset / 8,
  SETRANGE: (offset) => offset,
  BITFIELD: (offset) => 8 * offset,
};

/** Some grow in steps. */
const TIMES = 10;

/**
 * Has each own command executed on one key, which is removed again: how much it stores, keys and values do not tell.
 * @param {Server} server @param {Plan} plan @param {Settings} settings @returns {Promise<Notice[]>}
 * @throws {UsageError} where there is no room for what all keys would take
 */
export async function tryCommands(server, { groups }, settings) {
  const { kind, memory } = server;
  const isBounded = memory?.some(({ maxBytes }) => maxBytes > 0);
  if (kind === 'managed' || settings.allowEviction || !isBounded) return [];
  /** @type {Map<string, Notice>} by command */
  const warnings = new Map();
  const tried = new Set();
  for (const cell of groups.flat()) {
    const { id, parameter } = cell.chosen.workload;
    const what = JSON.stringify([parameter, cell.keys, cell.valueSize]);
    if (serverKey(cell) !== server.key || id !== 'command' || tried.has(what)) continue;
    tried.add(what);
    const { args, prepare } = /** @type {{args: string[], prepare: string[] | null}} */ (parameter);
    const command = args.join(' ');
    const data = { keys: cell.keys, command };
    const commands = prepare === null ? [args] : [prepare, args];
    // One key alone may be too much, so that what is known goes first.
    checkRoom(server, { bytes: cell.keys * Math.max(...commands.map(reachOf)), data }, settings);
    const { bytes, grows } = await bytesAfter(server, commands, 'x'.repeat(cell.valueSize));
    checkRoom(server, { bytes: cell.keys * bytes, data }, settings);
    if (grows > 0) warnings.set(command, { kind: 'command-grows', command, bytes: grows });
  }
  return [...warnings.values()];
}

/** @param {string[]} command */
function reachOf([name, ...args]) {
  const numbers = args.map((arg) => Number(arg.replace('#', ''))).filter((number) => number > 0);
  return REACH[name.toUpperCase()]?.(Math.max(0, ...numbers)) ?? 0;
}

/**
 * @param {Server} server @param {string[][]} commands the last of which is repeated @param {string} value
 * @returns {Promise<{bytes: number, grows: number}>} 0 where the server does not tell, or refuses them: then a run
 *   says why
 */
async function bytesAfter(server, commands, value) {
  const key = `${createKeyPrefix()}:tried`;
  const send = (/** @type {string[]} */ words) =>
    server.onKey(
      .../** @type {[string, string]} */ (
        words.map((word) => word.replaceAll('{key}', key).replaceAll('{value}', value))
      ),
    );
  const usage = async () => Number(await send(['MEMORY', 'USAGE', '{key}', 'SAMPLES', '0'])) || 0;
  try {
    for (const command of commands) await send(command);
    const bytes = await usage();
    for (let time = 0; time < TIMES; time++) await send(/** @type {string[]} */ (commands.at(-1)));
    return { bytes, grows: Math.round(Math.max(0, (await usage()) - bytes) / TIMES) };
  } catch {
    return { bytes: 0, grows: 0 };
  } finally {
    const [name, ...rest] = server.removal;
    await server.onKey(name, key, ...rest).catch(() => {});
  }
}
