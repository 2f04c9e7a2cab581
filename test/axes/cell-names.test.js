import assert from 'node:assert/strict';
import { nameCells, namesApart } from '../../src/axes/cell-names.js';

const POINT = {
  client: 'redis',
  variant: 'default',
  copy: 1,
  pipelining: 'implicit',
  transport: 'tcp',
  pin: 'apart',
};

/** @param {[scenario: string, options?: object, more?: object][]} cells */
const namesOf = (...cells) => [
  ...nameCells(
    /** @type {any} */ (
      cells.map(([scenario, scenarioOptions = {}, more], index) => ({
        ...{ ...POINT, id: String(index), scenario, scenarioOptions },
        ...more,
      }))
    ),
  ).values(),
];

describe('axes/cell-names', () => {
  it('are client and scenario where nothing else differs', () => {
    const pool = { pool: 'generic', poolSize: 3 };
    assert.deepEqual(namesOf(['shared-connection'], ['pool', pool], ['round-robin', { connections: 2 }]), [
      'redis, shared connection',
      'redis, pool',
      'redis, round robin',
    ]);
  });

  it('hold those options of a scenario in which its cells differ', () => {
    const names = namesOf(
      ['pool', { pool: 'generic', poolSize: 3 }],
      ['pool', { pool: 'generic', poolSize: 10 }],
      ['round-robin', { connections: 3 }],
    );
    assert.deepEqual(names, ['redis, pool 3', 'redis, pool 10', 'redis, round robin']);
    const both = namesOf(
      ['pool', { pool: 'generic', poolSize: 3 }],
      ['pool', { pool: 'native', poolSize: 1 }],
    );
    assert.deepEqual(both, ['redis, pool generic 3', 'redis, pool native 1']);
  });

  it('hold the other axes that differ', () => {
    assert.deepEqual(
      namesOf(['bounded', { maxInFlight: 4 }], ['bounded', { maxInFlight: 4 }, { transport: 'unix' }]),
      ['redis, bounded, tcp', 'redis, bounded, unix'],
    );
  });

  it('of some cells hold what tells them from the others', () => {
    const cells = /** @type {any[]} */ (
      ['redis', 'ioredis'].flatMap((client) =>
        ['pool', 'shared-connection'].map((scenario) => ({
          ...{ ...POINT, client, scenario, scenarioOptions: {}, id: `${client} ${scenario}` },
        })),
      )
    );
    const apart = (/** @type {(cell: any) => boolean} */ isIn) =>
      namesApart(
        cells.filter(isIn),
        cells.filter((cell) => !isIn(cell)),
      );
    assert.deepEqual(
      apart(({ scenario }) => scenario === 'pool'),
      ['pool'],
    );
    assert.deepEqual(
      apart(({ client }) => client === 'redis'),
      ['redis'],
    );
    assert.deepEqual(
      apart(({ id }) => id === 'redis pool'),
      ['redis, pool'],
    );
    assert.deepEqual(
      apart(() => true),
      [],
    );
  });
});
