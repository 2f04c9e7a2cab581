import { sum } from 'simple-statistics';
import { slowestOf } from '../analysis/statistics/slowest.js';

/** @import { Observed } from '../runner/types.js' */
/** @import { SlowCommand } from '../server/types.js' */
/** @import { SlowOperation } from './types.js' */

/** With fewer operations in the time of a command, it may have met none. */
const FEWEST = 3;
/** An operation that a slow command held up took about as long, or somewhat longer. */
const LENGTHS = [0.9, 2];

/**
 * A server does one command after the other, so each slow one that it logged held up the operations in flight. When
 * that was, it tells in whole seconds; so one of the slowest operations stands for each, by its length.
 * @param {Observed['measured']} measured in one go @param {SlowCommand[]} commands logged meanwhile
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
