import assert from 'node:assert/strict';
import { createFixture } from '../helpers/report-fixture.js';

const STRLEN = 'STRLEN {key}';

/** @param {string[]} command @param {string[]} [prepare] of each cell its id, its title and what stores its data */
async function cellsOf(command, prepare) {
  const given = { clients: 'raw', scenarios: 'shared-connection', command, ...(prepare && { prepare }) };
  const { cells } = await createFixture({ given, measured: () => null });
  assert.equal(new Set(cells.map(({ id }) => id)).size, cells.length);
  return cells.map(({ chosen }) => [
    chosen.workload.title,
    /** @type {any} */ (chosen.workload.parameter).prepare?.join(' '),
  ]);
}

describe('a command that is given twice', () => {
  it('is two where its data is made by different commands, whose names its rows have', async () =>
    assert.deepEqual(
      await cellsOf([STRLEN, 'GET {key}', STRLEN], ['SET {key} 1', 'SET {key} 2', 'SET {key} 3']),
      [
        ['STRLEN {key} after SET {key} 1', 'SET {key} 1'],
        ['GET {key}', 'SET {key} 2'],
        ['STRLEN {key} after SET {key} 3', 'SET {key} 3'],
      ],
    ));

  it('is one where its data is the same', async () => {
    const prepared = ['STRLEN {key}', 'SET {key} 1'];
    assert.deepEqual(await cellsOf([STRLEN, STRLEN], ['SET {key} 1', 'SET {key} 1']), [prepared]);
    assert.deepEqual(await cellsOf([STRLEN, STRLEN], ['SET {key} 1']), [prepared]);
    assert.deepEqual(await cellsOf([STRLEN]), [['STRLEN {key}', undefined]]);
  });
});

describe('the name of a command in a row', () => {
  /** @param {string[]} command @returns {Promise<(string | undefined)[]>} */
  async function namesOf(...command) {
    const given = { clients: 'raw', scenarios: 'shared-connection', command, keys: 1 };
    const { cells } = await createFixture({ given, measured: () => null });
    return cells.map(({ chosen: { workload } }) => workload.name);
  }

  it('is the word with a colon before it, or the command itself, shortened in its middle, with its quotes', async () => {
    assert.deepEqual(
      await namesOf(
        'user: HGETALL {key}',
        '"get it": get {key}',
        `SET {key} "a b"`,
        'HMGET {key} a b c d e f g h i j k',
      ),
      ['user', 'get it', "SET {key} 'a b'", 'HMGET {key} a b…e f g h i j k'],
    );
  });

  for (const [what, command, message] of /** @type {[string, string[], RegExp][]} */ ([
    [
      'is none that could be a command',
      ['SET: GET {key}'],
      /a small letter, which no command has, .* got 'SET'/,
    ],
    ['is short', [`${'a'.repeat(31)}: GET {key}`], /at most 30 characters/],
    ['is of one command', ['a: GET {key}', 'a: TTL {key}'], /two of them read 'a' in a table/],
    [
      'tells shortened commands apart',
      [`HGET {key} ${'a'.repeat(99)}`, `HGET {key} ${'a'.repeat(98)}`],
      /two of them read 'HGET \{key\} aa/,
    ],
  ]))
    it(what, () => assert.rejects(namesOf(...command), message));
});
