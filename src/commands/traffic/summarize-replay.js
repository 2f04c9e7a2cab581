import { quantile, sum } from 'simple-statistics';
import { UsageError } from '../../errors.js';
import { planReplay } from './plan-replay.js';
import { readProfile } from './read-profile.js';
import { SHORTEST_KEY_BYTES } from './recorded-commands.js';
import { MOST_COUNTED, MOST_MEMBERS } from './stored-data.js';

/** @import { CommandLine, CommandRow } from './types.js' */

const MOST_STORED_BYTES = 512e6;
/** A high percentile, because idle moments say nothing about how many tasks a service has. */
const BUSY = 0.9;
/** Memory of a key besides its content. */
const KEY_BYTES = 100;

/** @typedef {Awaited<ReturnType<typeof summarizeReplay>>} ReplaySummary plain JSON; bytes of keys and values are averages */

/** @param {string} file @throws {UsageError} if nothing in it can be replayed */
export async function summarizeReplay(file) {
  /** @type {Set<string>} */
  const keys = new Set();
  /** @type {Set<string>} */
  const answers = new Set();
  let keyBytes = 0;
  let stored = 0;
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  /** @type {Record<'begin' | 'end', number[]>} */
  const times = { begin: [], end: [] };
  const plan = planReplay(({ drawn, atUs, tookUs }) => {
    if (tookUs !== null) {
      times.begin.push(atUs);
      times.end.push(atUs + tookUs);
    }
    first = Math.min(first, atUs);
    last = Math.max(last, atUs);
    for (const { line, row } of drawn) addCommand(line, row);
  });

  /** @param {CommandLine} line @param {CommandRow} row */
  function addCommand({ name, args, reply }, { replay, family }) {
    if (replay === 'read' && !answers.has(`${name} ${args.join()} ${reply}`)) {
      answers.add(`${name} ${args.join()} ${reply}`);
      stored += storedFor({ name, args, reply });
    }
    for (const arg of args) {
      if (!Array.isArray(arg)) continue;
      const use = `${arg[0]} ${replay === 'read' ? `${name} ${reply}` : family}`;
      if (keys.has(use)) continue;
      keys.add(use);
      keyBytes += Math.max(SHORTEST_KEY_BYTES, arg[1]);
      stored += KEY_BYTES;
    }
  }
  await readProfile(file, plan.line);
  const { replayed: commands, operations, ...planned } = plan.end();
  if (commands === 0) throw new UsageError(`'${file}' has no command that can be replayed`);
  if (stored > MOST_STORED_BYTES) {
    throw new UsageError(
      `'${file}': its replies need data of ${Math.round(stored / 1e6)} MB, and a replay stores at most ` +
        `${MOST_STORED_BYTES / 1e6} MB; record for a shorter time`,
    );
  }
  const missing = planned.leftOut.flatMap((each) => Object.values(each.commands));
  const spanMs = Math.max(1, (last - first) / 1000);
  return {
    commands,
    ...planned,
    keys: Math.max(1, keys.size),
    keyBytes: keys.size === 0 ? SHORTEST_KEY_BYTES : Math.round(keyBytes / keys.size),
    valueBytes: Math.max(1, Math.round(stored / Math.max(1, keys.size))),
    spanMs,
    ratePerSecond: Math.max(1, Math.round((operations / spanMs) * 1000)),
    recorded: commands + planned.beyond + sum(missing),
    ...(times.begin.length > 0 && { tasks: Math.ceil(quantile(inFlight(times), BUSY)) }),
    storedBytes: stored,
  };
}

/** @param {Record<'begin' | 'end', number[]>} times @returns {number[]} at the start of each, itself included */
function inFlight(times) {
  const [begin, end] = [times.begin, times.end].map((each) => Float64Array.from(each).sort());
  let done = 0;
  return Array.from(begin, (atUs, before) => {
    while (end[done] < atUs) done++;
    return before + 1 - done;
  });
}

const MEMBER_BYTES = 50;

/** Estimate for a read. @param {Pick<CommandLine, 'name' | 'args' | 'reply'>} line */
function storedFor({ args, reply }) {
  const [type, size, members = 0] = /** @type {any[]} */ (reply);
  const counted = type === ':' ? Math.min(MOST_COUNTED, 10 ** (size - 1)) : members;
  const skipped = Math.min(MOST_MEMBERS, Math.max(0, Number(typeof args[1] === 'string' ? args[1] : 0) || 0));
  return (type === ':' ? 0 : size) + MEMBER_BYTES * (Math.min(MOST_MEMBERS, counted) + skipped);
}
