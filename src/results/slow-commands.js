import { sum } from 'simple-statistics';
import { slowestOf } from '../analysis/statistics/slowest.js';

/** @import { Observed } from '../runner/types.js' */
/** @import { SlowCommand } from '../server/types.js' */
/** @import { SlowOperation } from './types.js' */

/** A command as short as fewer operations may have delayed none. */
const FEWEST = 3;
/** A delayed operation took between these multiples of the slow command's time. */
const LENGTHS = [0.9, 2];

/**
 * The server executes commands one by one, so a slow one delays all operations in flight. Its log has only whole
 * seconds, so durations are matched: each command gets the shortest of the slowest operations that fits.
 * @param {Observed['measured']} measured @param {SlowCommand[]} commands from the server's slow log
 */
export function withSlowCommands(measured, commands) {
  const { slowest, elapsedMs, taskIterations } = measured;
  const msPerOperation = elapsedMs / sum(taskIterations);
  const met = commands.filter(({ ms }) => measured.openLoop == null || ms >= FEWEST * msPerOperation);
  if (slowest === undefined || met.length === 0) return measured;
  /** @type {Map<SlowOperation, SlowOperation>} */
  const held = new Map();
  for (const { name, ms } of met.sort((a, b) => b.ms - a.ms)) {
    const operation = slowest.operations
      .filter((each) => !held.has(each) && each.ms >= LENGTHS[0] * ms && each.ms <= LENGTHS[1] * ms)
      .sort((a, b) => a.ms - b.ms)[0];
    if (operation === undefined) continue;
    const part = { what: `server ${name}`, fromMs: 0, ms: Math.min(ms, operation.ms) };
    held.set(operation, { ...operation, during: [...operation.during, part] });
  }
  const covering = met.map(({ name, ms }) => ({
    watchedMs: 0,
    operations: [],
    covered: { [`server ${name}`]: { [Math.ceil(ms)]: ms } },
  }));
  const operations = slowest.operations.map((each) => held.get(each) ?? each);
  return { ...measured, slowest: slowestOf([{ ...slowest, operations }, ...covering]) };
}
