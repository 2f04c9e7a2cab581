import assert from 'node:assert/strict';
import { commandOf } from '../../../src/commands/traffic/format.js';
import { planReplay } from '../../../src/commands/traffic/plan-replay.js';

/** @import { Argument, ReplyShape } from '../../../src/commands/traffic/types.js' */

/** @typedef {[connection: number, name: string, args?: Argument[], reply?: ReplyShape]} Short */

/** @type {ReplyShape} */
const OK = ['+', 2];

/** @param {Short[]} lines */
function planned(lines) {
  /** @type {string[]} */
  const units = [];
  const plan = planReplay(({ commands, isTransaction, atUs }) => {
    const names = commands.map(({ line }) => [line.name, ...line.args.flat()].join(' ')).join(', ');
    units.push(`${atUs} ${isTransaction ? `[${names}]` : names}`);
  });
  for (const [index, [connection, name, args = [], reply = OK]] of lines.entries())
    plan.line(commandOf([index, connection, name, args, reply, 9, 1, 1]));
  return { units, ...plan.end() };
}

/** @param {ReturnType<typeof planned>} plan @returns {Record<string, string>} by reason */
const leftOut = (plan) =>
  Object.fromEntries(
    plan.leftOut.map(({ reason, commands }) => [
      reason,
      Object.entries(commands)
        .map(([name, count]) => `${count} ${name}`)
        .join(', '),
    ]),
  );

describe('the plan of a replay', () => {
  it('sends a transaction as one, without what is left out of it, whatever other connections do', () => {
    const plan = planned([
      [1, 'MULTI'],
      [2, 'GET', [[0, 9]], ['$', 5]],
      [1, 'SET', [[1, 9], 5]],
      [1, 'PUBLISH', [3, 4], [':', 1]],
      [2, 'MULTI'],
      [1, 'EXPIRE', [[1, 9], '60'], [':', 1]],
      [1, 'EXEC', [], ['*', 3, 3, 0]],
      [2, 'PUBLISH', [3, 4], [':', 1]],
      [2, 'EXEC', [], ['*', 1, 1, 0]],
    ]);
    assert.deepEqual(plan.units, ['1 GET 0 9', '0 [SET 1 9 5, EXPIRE 1 9 60]']);
    assert.deepEqual([plan.replayed, plan.operations], [5, 2]);
    assert.deepEqual(plan.inTransactions, { transactions: 1, commands: 4 });
    assert.deepEqual(leftOut(plan), {
      channels: '2 PUBLISH',
      'empty-transaction': '1 MULTI, 1 EXEC',
    });
  });

  it('leaves out whatever may reach beyond its keys', () => {
    const whole = ['FLUSHALL', 'FLUSHDB', 'SWAPDB', 'EVAL', 'FUNCTION', 'CONFIG', 'MIGRATE', 'KEYS'];
    const plan = planned(whole.map((name) => [1, name]));
    assert.deepEqual([plan.units, plan.replayed], [[], 0]);
    assert.equal(Object.values(leftOut(plan)).join(', ').split(', ').length, whole.length);
  });

  it('leaves out what has a word or a value where a key must be', () => {
    const plan = planned([
      [1, 'GET', [[0, 9]], ['$', 5]],
      [1, 'GET', ['OTHER'], ['$', 5]],
      [1, 'DEL', [5], [':', 1]],
      [1, 'MSET', [[0, 9], 5, 'OTHER', 5]],
      [1, 'LMPOP', ['2', [1, 9], 'LEFT'], ['*', 9, 2, 0]],
      [1, 'XREAD', ['STREAMS', [1, 9], 'OTHER', '0', '0'], ['*', 9, 2, 0]],
    ]);
    assert.deepEqual(plan.units, ['0 GET 0 9']);
    assert.deepEqual(leftOut(plan), { unknown: '1 GET, 1 DEL, 1 MSET, 1 LMPOP, 1 XREAD' });
  });

  it('leaves out transactions that were not carried out, and counts each command of them', () => {
    const set = /** @type {Short} */ ([1, 'SET', [[1, 9], 5], null]);
    const plan = planned([
      [1, 'MULTI'],
      set,
      [1, 'DISCARD'],
      [1, 'WATCH', [[1, 9]]],
      [1, 'MULTI'],
      set,
      [1, 'EXEC', [], ['_', 0]],
      [1, 'MULTI'],
      [1, 'SET', [[1, 9]], ['-', 'ERR']],
      [1, 'EXEC', [], ['-', 'EXECABORT']],
      [1, 'EXEC', [], ['-', 'ERR']],
      [1, 'MULTI'],
      set,
    ]);
    assert.deepEqual(plan.units, []);
    assert.deepEqual(leftOut(plan), {
      'not-carried-out': '4 MULTI, 4 SET, 1 DISCARD, 3 EXEC',
      watched: '1 WATCH',
    });
  });

  it('sends what blocked in the form that does not, on its first key', () => {
    const plan = planned([
      [2, 'LPUSH', [[2, 5], 10, 10], [':', 1]],
      [1, 'BLPOP', [[1, 5], [2, 5], '5'], ['*', 15, 2, 0]],
      [1, 'BRPOP', [[6, 5], [7, 5], '0'], ['*', 15, 2, 0]],
      [1, 'BLMOVE', [[2, 5], [3, 5], 'LEFT', 'RIGHT', '5'], ['_', 0]],
      [2, 'ZADD', [[4, 5], -3, 10], [':', 1]],
      [1, 'BZPOPMIN', [[4, 5], '5'], ['*', 16, 3, 0]],
      [1, 'XREADGROUP', ['GROUP', 3, 3, 'BLOCK', '50', 'STREAMS', [5, 5], '>'], ['*', 50, 1, 0]],
      [2, 'XADD', [[5, 5], '*', 5, 5], ['$', 15]],
      [1, 'XREAD', ['COUNT', '2', 'BLOCK', '50', 'STREAMS', [5, 5], '$'], ['*', 50, 1, 0]],
      [1, 'BLPOP', [[6, 5], '5'], null],
      [1, 'WAIT', ['1', '5'], [':', 1]],
    ]);
    assert.deepEqual(plan.units, [
      '0 LPUSH 2 5 10 10',
      '1 LPOP 1 5',
      '2 RPOP 6 5',
      '4 ZADD 4 5 -3 10',
      '5 ZPOPMIN 4 5',
      '6 XREADGROUP GROUP 3 3 STREAMS 5 5 >',
      '7 XADD 5 5 * 5 5',
      '8 XREAD COUNT 2 STREAMS 5 5 $',
    ]);
    assert.deepEqual(plan.unblocked, {
      'BLPOP as LPOP': 1,
      'BRPOP as RPOP': 1,
      'BZPOPMIN as ZPOPMIN': 1,
      'XREADGROUP without BLOCK': 1,
      'XREAD without BLOCK': 1,
    });
    assert.deepEqual(leftOut(plan), {
      'in-vain': '1 BLMOVE',
      unanswered: '1 BLPOP',
      blocks: '1 WAIT',
    });
    assert.equal(plan.replayed + 3, 11);
  });

  it('keeps a bounded part of transactions that never end', () => {
    const many = Array.from({ length: 1500 }, () => /** @type {Short} */ ([1, 'GET', [[0, 9]], ['$', 5]]));
    const plan = planned([[1, 'MULTI'], ...many, [1, 'EXEC', [], ['*', 3, 1500, 0]]]);
    assert.deepEqual(plan.units, []);
    assert.deepEqual(leftOut(plan), {
      'large-transaction': '1 MULTI, 1500 GET, 1 EXEC',
    });
  });
});
